import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alp.errors import ParameterError
from alp.prepare import parse_duration, sample_every, split
from alp.trace import Trace

HOUR_US = 3_600_000_000


def trace_at(times_us, **extra):
    n = len(times_us)
    return Trace("u", np.array(times_us, np.int64), np.zeros(n), np.arange(n) * 1e-3, extra=extra)


TIMES = st.lists(st.integers(0, 10 * 24 * HOUR_US), max_size=60).map(sorted)


@pytest.mark.parametrize("per", ["user", "day", "24h", "90min", "trace", "7"])
@given(times=TIMES)
def test_batches_partition_the_trace(per, times):
    trace = trace_at(times, trace=np.arange(len(times)) // 5)
    batches = list(split(trace, per, "Asia/Shanghai"))
    assert np.array_equal(
        np.concatenate([b.time_us for _, b in batches] or [np.empty(0)]), trace.time_us
    )
    assert all(len(b) for _, b in batches) or per == "user"
    assert len({label for label, _ in batches}) == len(batches)


def test_days_are_those_of_the_zone():
    trace = trace_at(np.arange(0, 48) * HOUR_US)
    utc = [(label, len(b)) for label, b in split(trace, "day")]
    beijing = [(label, len(b)) for label, b in split(trace, "day", "Asia/Shanghai")]
    assert utc == [("1970-01-01", 24), ("1970-01-02", 24)]
    assert beijing == [("1970-01-01", 16), ("1970-01-02", 24), ("1970-01-03", 8)]


def test_a_day_of_a_clock_change_has_its_true_length():
    spring = np.datetime64("2016-03-26T23:00", "us").astype(np.int64)  # midnight in Paris
    trace = trace_at(spring + np.arange(0, 48) * HOUR_US)
    lengths = [len(b) for _, b in split(trace, "day", "Europe/Paris")]
    assert lengths == [23, 24, 1]


def test_rolling_batches_start_when_a_record_is_more_than_the_span_after_the_first():
    times = np.array([0, 24, 24.5, 30, 48.5, 48.6]) * HOUR_US
    assert [len(b) for _, b in split(trace_at(times), "24h")] == [2, 3, 1]


@pytest.mark.parametrize("per", ["week", "0", "-3", "1.5", "", "0h"])
def test_what_is_no_way_to_split_is_refused(per):
    with pytest.raises(ParameterError, match="--per must be"):
        list(split(trace_at([0]), per))


def test_an_unknown_zone_is_refused():
    with pytest.raises(ParameterError, match="no time zone is named 'Paris'"):
        list(split(trace_at([0]), "day", "Paris"))


@given(times=TIMES, gap_s=st.integers(1, 100_000))
def test_sampling_keeps_records_far_enough_apart_and_is_idempotent(times, gap_s):
    trace = trace_at(times)
    kept = sample_every(trace, gap_s)
    assert (np.diff(kept.time_us) >= gap_s * 1_000_000).all()
    assert sample_every(kept, gap_s) == kept
    assert len(kept) == 0 or kept.time_us[0] == trace.time_us[0]


@pytest.mark.parametrize("text", ["", "30", "s", "-3s", "1 week"])
def test_what_is_no_duration_is_refused(text):
    with pytest.raises(ParameterError, match="is no duration"):
        parse_duration(text)
