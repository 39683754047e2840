from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from alp.kernels.sampling import far_enough, rolling_starts

times = st.lists(st.integers(0, 60), max_size=40).map(sorted)


@given(times, st.integers(0, 20))
def test_a_record_is_kept_if_it_is_far_enough_from_the_last_kept(found, gap):
    kept = []
    for index, time in enumerate(found):
        if not kept or time - found[kept[-1]] >= gap:
            kept.append(index)
    assert np.flatnonzero(far_enough(np.array(found, np.int64), gap)).tolist() == kept


@given(times, st.integers(0, 20))
def test_a_batch_opens_with_the_record_more_than_a_span_after_the_first_of_the_last(found, span):
    starts = []
    for index, time in enumerate(found):
        if not starts or time - found[starts[-1]] > span:
            starts.append(index)
    assert np.flatnonzero(rolling_starts(np.array(found, np.int64), span)).tolist() == starts
