"""Whatever the sample, a record comes back, and it keeps its promises."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from bench_pipeline.stats import (
    Estimate,
    TestResult,
    family_sums,
    pairwise_macro_permutation,
    rank_intervals,
    stratified_ratio_means,
)
from bench_pipeline.stats._ratio import Aggregate

VALUES = st.sampled_from([0.0, 1.0, 1 / 3, 0.5, float("nan"), float("nan"), float("inf")])
ROWS = st.lists(
    st.tuples(st.integers(0, 9), st.tuples(VALUES, VALUES, VALUES)), min_size=0, max_size=30
)


def keeps_its_promises(found: Estimate | TestResult) -> None:
    value = found.value if isinstance(found, Estimate) else found.difference
    if found.state == "undefined":
        assert value is found.low is found.high is None
        assert found.reason
        return
    assert value is not None
    assert found.low is not None
    assert found.high is not None
    assert found.low - 1e-9 <= value <= found.high + 1e-9
    if found.state == "degenerate":
        assert found.low == found.high == value
    if isinstance(found, TestResult):
        assert found.p_value is not None
        assert 0 < found.p_value <= 1


@settings(max_examples=60, deadline=None)
@given(ROWS, st.sampled_from(["macro", "micro"]), st.booleans())
def test_any_sample(
    rows: list[tuple[int, tuple[float, float, float]]], aggregate: Aggregate, bounded: bool
) -> None:
    units = np.array([unit for unit, _ in rows], dtype=np.int64)
    values = np.array([value for _, value in rows], dtype=np.float64).reshape(-1, 3)
    families = family_sums(values, units, units % 4)
    means = stratified_ratio_means(
        families.sums,
        families.counts,
        families.strata,
        resamples=200,
        seed=1,
        aggregate=aggregate,
        bounds=(0.0, 1.0) if bounded else None,
        keep_resamples=True,
    )
    assert means.resamples is not None
    ranks = rank_intervals(means.resamples)
    for estimate, rank in zip(means.estimates, ranks, strict=True):
        keeps_its_promises(estimate)
        assert (rank is None) == (estimate.state == "undefined")
    pairs = pairwise_macro_permutation(
        values,
        units,
        units % 4,
        aggregate=aggregate,
        permutations=200,
        max_permutations=400,
        resamples=200,
        seed=1,
        bounds=(-1.0, 1.0) if bounded else None,
    )
    for test in pairs.tests:
        keeps_its_promises(test)
