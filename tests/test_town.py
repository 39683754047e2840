import pickle
from dataclasses import replace

import numpy as np
import pytest

from alp.errors import ParameterError, UnknownNameError
from alp.geo import SPHERE
from alp.kernels.stays import find_stays
from alp.town import DAY_US, Town, day
from alp.trace import Trace

STEP_US = 30_000_000
PLAIN = {"gap_per_hour": 0.0, "no_stay_days": 0.0}


def stays(trace: Trace) -> np.ndarray:
    return find_stays(trace.time_us, *trace.points, SPHERE.chord(200.0), 15 * 60_000_000)


def distance_m(trace: Trace, i, j) -> float:
    squares = sum((column[i] - column[j]) ** 2 for column in trace.points)
    return float(SPHERE.lengths(np.array([squares]))[0])


def as_bytes(trace: Trace) -> bytes:
    return trace.time_us.tobytes() + trace.lat.tobytes() + trace.lon.tobytes()


def person(town: Town, index: int):
    return town._person(index, town._streams(index)[0])


# — one day —


@pytest.mark.parametrize("seed", range(20))
def test_a_day_has_a_record_every_30_s_and_5_to_7_stays(seed):
    trace = day(seed)
    assert len(trace) == 2880
    assert set(np.diff(trace.time_us)) == {STEP_US}
    assert 5 <= len(stays(trace)) <= 7


def test_a_day_of_one_seed_is_one_sequence_of_bytes():
    assert as_bytes(day(3)) == as_bytes(day(3))
    assert as_bytes(day(3)) != as_bytes(day(4))


@pytest.mark.parametrize("centre", [(0.0, 0.0), (39.9, 116.4), (-16.9, 180.0), (70.0, -179.99)])
def test_work_lies_6_7_km_from_home_wherever_home_is(centre):
    trace = day(centre=centre, jitter_m=0.0)
    noon = 10 * 120
    assert distance_m(trace, 0, noon) == pytest.approx(np.hypot(6000, 3000), abs=0.01)
    assert distance_m(trace, 0, -1) == pytest.approx(0.0, abs=0.01)


def test_the_drive_of_a_day_has_8_metres_a_second():
    trace = day(jitter_m=0.0)
    leaves = 8 * 120
    assert distance_m(trace, leaves, leaves + 20) == pytest.approx(8.0 * 20 * 30, rel=1e-5)


def test_jitter_has_the_deviation_asked_for_on_each_axis():
    trace, exact = day(jitter_m=6.0), day(jitter_m=0.0)
    north_m = np.radians(trace.lat - exact.lat) * SPHERE.radius_m
    east_m = np.radians(trace.lon - exact.lon) * SPHERE.radius_m * np.cos(np.radians(exact.lat))
    assert np.std(north_m) == pytest.approx(6.0, rel=0.06)
    assert np.std(east_m) == pytest.approx(6.0, rel=0.06)


def test_a_day_takes_its_date_step_and_user():
    trace = day(start="2020-02-29", step_s=60, user="ann")
    assert str(trace.time[0]) == "2020-02-29T00:00:00.000000"
    assert (len(trace), trace.user) == (1440, "ann")


# — seeds —


def test_a_town_of_one_seed_is_one_sequence_of_bytes():
    one, same, other = Town(days=2), Town(days=2), Town(days=2, seed=1)
    assert as_bytes(one.trace(5)) == as_bytes(same.trace("u005"))
    assert as_bytes(one.trace(5)) != as_bytes(other.trace(5))


def test_users_do_not_depend_on_each_other_nor_on_the_order_of_access():
    town = Town(users=6, days=2)
    forwards = [as_bytes(town.trace(index)) for index in range(6)]
    backwards = [as_bytes(town.trace(index)) for index in reversed(range(6))]
    assert forwards == backwards[::-1]
    assert len(set(forwards)) == 6
    assert as_bytes(Town(users=500, days=2).trace(4)) == forwards[4]


def test_more_days_leave_the_first_ones_as_they_were():
    short, long = Town(days=3).trace(2), Town(days=9).trace(2)
    assert short.same_records(long.select(slice(0, len(short))))


def test_gaps_take_records_away_and_change_no_other():
    whole, holed = Town(gap_per_hour=0.0).trace(1), Town().trace(1)
    assert 0 < len(holed) < len(whole)
    assert holed.same_records(whole.select(np.isin(whole.time_us, holed.time_us)))


def test_the_global_generator_is_neither_read_nor_moved():
    before = np.random.get_state()[1].tobytes()  # noqa: NPY002 — the state that must not move
    Town(days=1).trace(0)
    assert np.random.get_state()[1].tobytes() == before  # noqa: NPY002


# — the population —


def test_the_share_of_users_with_a_common_workplace_is_as_asked():
    for share in (0.1, 0.2, 0.3):
        town = Town(users=200, shared_work=share)
        works = [person(town, index).work for index in range(200)]
        shared = sum(works.count(work) > 1 for work in works)
        assert shared == pytest.approx(200 * share, abs=3)


def test_homes_and_works_are_spread_over_the_whole_square():
    town = Town(users=400, size_m=10_000, shared_work=0.0)
    people = [person(town, index) for index in range(400)]
    for places in (np.array([p.home for p in people]), np.array([p.work for p in people])):
        assert np.abs(places).max() <= 5_000
        # A uniform axis of 10 km has mean 0 ± 144 m and deviation 2,887 m over 400 users.
        assert np.abs(places.mean(axis=0)).max() < 4 * 144
        assert places.std(axis=0) == pytest.approx(2_887, rel=0.1)


def test_people_differ_in_hours_and_in_the_way_they_travel():
    town = Town(users=200)
    people = [person(town, index) for index in range(200)]
    riders = sum(p.ride_mps <= 6.0 for p in people)
    assert 0.1 < riders / 200 < 0.5
    assert np.ptp([p.leaves_s for p in people]) > 3 * 3600
    assert np.ptp([p.works_s for p in people]) > 3 * 3600
    assert len({len(stays(town.trace(index))) for index in range(10)}) > 3


def test_a_user_sleeps_at_home_and_works_on_working_days_only():
    town = Town(days=14, jitter_m=0.0, **PLAIN)
    for index in range(5):
        trace, work = town.trace(index), np.array(person(town, index).work)
        origin = SPHERE.to_points(np.array([town.centre[0]]), np.array([town.centre[1]]))
        spot = SPHERE.travel(origin, SPHERE.directions(origin, work[:1], work[1:]))
        away_m = np.sqrt(sum((a - b) ** 2 for a, b in zip(trace.points, spot, strict=True)))
        days = (trace.time_us[away_m < 1.0] - trace.time_us[0]) // DAY_US
        assert sorted(set(days)) == [0, 1, 2, 3, 4, 7, 8, 9, 10, 11]
        nights = np.arange(14) * 2880 + 3 * 120
        assert max(distance_m(trace, 0, night) for night in nights) < 0.01


def test_the_share_of_days_without_stays_is_as_asked():
    town = Town(users=60, days=10, no_stay_days=0.2, gap_per_hour=0.0)
    empty = 0
    for index in range(60):
        trace = town.trace(index)
        number = (trace.time_us - 16_986 * DAY_US) // DAY_US
        empty += sum(not len(stays(trace.select(number == n))) for n in range(10))
    # 600 days at 0.2: 120 ± 9.8.
    assert abs(empty - 120) < 40


def test_a_day_on_the_road_has_hours_of_records():
    town = Town(users=5, days=4, no_stay_days=1.0, gap_per_hour=0.0)
    for trace in town.dataset().values():
        counts = np.bincount((trace.time_us - 16_986 * DAY_US) // DAY_US)
        assert counts.min() >= 5 * 120


def test_gaps_come_as_often_and_last_as_long_as_said():
    town = Town(users=40, days=10, gap_per_hour=0.02, no_stay_days=0.0)
    steps_s = np.concatenate([np.diff(t.time_us) for t in town.dataset().values()]) / 1e6
    gaps_s = steps_s[steps_s > 30]
    # 9,600 hours at 0.02: 192 ± 13.7, of which a few overlap.
    assert 130 < len(gaps_s) < 240
    assert gaps_s.min() >= 600
    assert np.quantile(gaps_s, 0.95) <= 6 * 3600 + 30
    assert np.median(gaps_s) == pytest.approx(3600, rel=0.4)


# — datasets and damage —


def test_a_dataset_is_the_town_user_by_user():
    town = Town(users=3, days=1)
    dataset = town.dataset()
    assert dataset.users == ("u000", "u001", "u002")
    for index, trace in enumerate(dataset.values()):
        assert trace == town.trace(index)
        assert dataset.size(trace.user) == len(trace)
    assert not dataset.repairs


def test_names_stay_sorted_in_a_large_town():
    users = Town(users=1001, days=1).dataset().users
    assert users == tuple(sorted(users))
    assert users[-1] == "u1000"


def test_a_dataset_can_be_sent_to_another_process():
    dataset = Town(users=2, days=1).dataset()
    again = pickle.loads(pickle.dumps(dataset))
    assert again["u001"] == dataset["u001"]


@pytest.mark.parametrize("shares", [(0.05, 0.02), (0.05, 0.0), (0.0, 0.02), (1.0, 0.5)])
def test_duplicates_and_disorder_are_counted_and_repaired_away(shares):
    duplicates, disorder = shares
    clean = Town(users=3, days=2)
    dataset = replace(clean, duplicates=duplicates, disorder=disorder).dataset()
    for user in dataset:
        trace = clean.trace(user)
        assert len(dataset.source.read(user)) == dataset.size(user)
        assert dataset[user] == trace
    total = sum(len(clean.trace(user)) for user in dataset)
    assert dataset.repairs["duplicate"] == pytest.approx(duplicates * total, abs=3)
    assert dataset.repairs["out_of_order"] == pytest.approx(disorder * total, abs=3)
    assert set(dataset.repairs) <= {"duplicate", "out_of_order"}


def test_a_user_may_be_left_without_any_record():
    town = Town(users=1, days=1, gap_per_hour=1.0, step_s=86_400, duplicates=1.0, disorder=0.5)
    for seed in range(20):
        dataset = replace(town, seed=seed, no_stay_days=1.0).dataset()
        assert len(dataset["u000"]) == 0 == dataset.size("u000")


# — anywhere —


@pytest.mark.parametrize("centre", [(-16.9, 180.0), (52.0, -180.0), (-77.0, 180), (90, 0)])
def test_a_town_on_the_seam_or_at_a_pole_is_legal_and_as_large_as_any(centre):
    town = Town(users=8, days=2, centre=centre, jitter_m=0.0)
    plain = Town(users=8, days=2, centre=(0.0, 0.0), jitter_m=0.0)
    for index in range(8):
        trace, model = town.trace(index), plain.trace(index)
        assert (np.abs(trace.lat) <= 90).all()
        assert ((trace.lon >= -180) & (trace.lon < 180)).all()
        steps = [np.sqrt(sum(np.diff(c) ** 2 for c in t.points)) for t in (trace, model)]
        np.testing.assert_allclose(*steps, atol=0.001)
    if abs(centre[1]) == 180:
        lon = np.concatenate([t.lon for t in town.dataset().values()])
        assert lon.min() < -179
        assert lon.max() > 179


def test_every_town_of_the_allowed_sizes_works():
    for size_m in (1_000, 100_000):
        trace = Town(users=1, days=7, size_m=size_m, no_stay_days=0.5).trace(0)
        assert len(trace) > 1_000
        assert np.isfinite(trace.lat).all()


# — what is refused —


@pytest.mark.parametrize(
    "wrong",
    [
        {"users": 0},
        {"days": 0},
        {"seed": -1},
        {"size_m": 10.0},
        {"step_s": 0.0},
        {"jitter_m": float("nan")},
        {"shared_work": 1.5},
        {"disorder": 0.6},
        {"centre": (91.0, 0.0)},
        {"centre": (0.0, float("inf"))},
        {"start": "yesterday"},
    ],
)
def test_a_value_out_of_range_is_refused_by_name(wrong):
    with pytest.raises(ParameterError, match=next(iter(wrong))):
        Town(**wrong)


def test_a_day_refuses_what_a_town_refuses():
    with pytest.raises(ParameterError, match="step_s must lie between"):
        day(step_s=0)


@pytest.mark.parametrize("user", ["u3", "003", "ann", "", "u020", -1, 20])
def test_an_unknown_user_is_named(user):
    with pytest.raises(UnknownNameError, match="no user of the town is named"):
        Town().trace(user)
