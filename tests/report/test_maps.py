from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest

from alp.mechanisms.geo_indistinguishability import GeoIndistinguishability
from alp.mechanisms.promesse import Promesse
from alp.places import find_pois
from alp.report import maps
from alp.trace import Trace

HOSTILE = "<script>alert(1)</script>"


@pytest.fixture(scope="module")
def portrait(day):
    """Return a user with a hostile name, protected in two ways."""
    raw = Trace(HOSTILE, day.time_us, day.lat, day.lon)
    rng = np.random.default_rng(3)
    protected = {
        "geo-i": GeoIndistinguishability(epsilon=0.01).protect(raw, rng),
        HOSTILE: Promesse(alpha=300).protect(raw, rng),
        "empty": raw.select(np.empty(0, np.int64)),
    }
    return maps.Portrait(HOSTILE, raw, protected)


def test_maps_are_well_formed_and_escape_names(portrait):
    view = maps.View.around(portrait.raw, *portrait.protected.values())
    drawings = [maps.raw_map(portrait, view)]
    drawings += [maps.protected_map(portrait, name, view) for name in portrait.protected]
    for drawing in drawings:
        root = ElementTree.fromstring(drawing)
        assert HOSTILE in root.find("title").text
        assert root.find("desc").text
        assert "<script" not in drawing
        assert "nan" not in drawing
        assert len(drawing) < 150_000
    ElementTree.fromstring(maps.portrait_table(portrait))
    ElementTree.fromstring(maps.key(list(portrait.protected)))


def test_every_place_lies_within_the_drawing(portrait):
    view = maps.View.around(portrait.raw)
    for column in view.place(portrait.raw.lat, portrait.raw.lon):
        assert column.min() >= maps.MARGIN - 1
        assert column.max() <= maps.SIDE - maps.MARGIN + 1


def test_lengths_are_true(make_trace):
    trace = make_trace([0.0, 1000.0, 0.0], [0.0, 0.0, 1000.0])
    view = maps.View.around(trace)
    x, y = view.place(trace.lat, trace.lon)
    assert np.hypot(np.diff(x[:2]), np.diff(y[:2]))[0] / view.pixels_per_m == pytest.approx(1000, 5)
    assert view.metres == pytest.approx(1000.0, 1e-3)


def test_a_view_does_not_break_at_the_date_line(make_trace):
    view = maps.View.around(make_trace([-500.0, 500.0], [0.0, 0.0], origin=(0.0, 180.0)))
    assert view.metres == pytest.approx(1000.0, 1e-3)


def test_nothing_can_be_drawn(make_trace):
    nothing = make_trace([], [])
    portrait = maps.Portrait("u", nothing, {"m": nothing})
    view = maps.View.around(nothing, nothing)
    ElementTree.fromstring(maps.raw_map(portrait, view))
    ElementTree.fromstring(maps.protected_map(portrait, "m", view))
    assert maps.View.around().metres > 0
    assert maps.longest_stay(nothing) is None


def test_thinning_keeps_the_outermost_points_and_the_order():
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(2, 50_000))
    thin_x, thin_y = maps.thinned(x, y)
    assert len(thin_x) <= maps.MOST_POINTS + 4
    assert (thin_x.min(), thin_x.max()) == (x.min(), x.max())
    assert (thin_y.min(), thin_y.max()) == (y.min(), y.max())
    places = np.flatnonzero(np.isin(x, thin_x))
    assert (x[places] == thin_x).all()


def test_points_on_top_of_the_one_before_are_dropped():
    x, y = maps.thinned(np.array([1.0, 1.0, 2.0, 1.0]), np.array([0.0, 0.0, 0.0, 0.0]))
    assert x.tolist() == [1.0, 2.0, 1.0]
    assert len(y) == 3


def test_real_stays_are_found_in_the_raw_trace_and_not_in_a_smoothed_one(portrait, day):
    stays = find_pois(day)
    itself = maps.retrieved(stays, day)
    assert itself.real_found == len(stays) == 3
    assert itself.near.all()
    smoothed = maps.retrieved(stays, portrait.protected[HOSTILE])
    assert smoothed.real_found == 0


def test_a_closer_look_is_at_the_longest_stay(portrait, stay):
    whole = maps.View.around(portrait.raw)
    lat, lon = maps.longest_stay(portrait.raw)
    close = whole.near(lat, lon)
    assert close.metres == maps.NEAR_M < whole.metres
    small = maps.View.around(stay)
    assert small.near(lat, lon).metres == small.metres
