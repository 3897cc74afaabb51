from typing import Any

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from bench_pipeline.stats import Estimate, bootstrap, family_sums, stratified_ratio_means
from bench_pipeline.stats._record import FloatArray


def one(sums: Any, counts: Any, strata: Any, **options: Any) -> Estimate:
    """The estimate of a single model."""
    columns = [np.asarray(column, dtype=float)[:, None] for column in (sums, counts)]
    return stratified_ratio_means(*columns, strata, seed=1, **options).estimates[0]


def ends(found: Estimate) -> tuple[float, float, float]:
    assert found.value is not None
    assert found.low is not None
    assert found.high is not None
    return found.value, found.low, found.high


def board(models: int = 5, items: int = 300) -> tuple[FloatArray, FloatArray, FloatArray]:
    rng = np.random.default_rng(3)
    values = rng.random((items, models)) ** np.arange(1, models + 1)
    values[rng.random(values.shape) < 0.05] = np.nan
    units = np.arange(items) // 2
    return values, units.astype(float), (units % 7).astype(float)


def test_point_is_the_mean_of_strata_or_of_items() -> None:
    sums, counts, strata = [1, 2, 0], [2, 2, 4], ["a", "a", "b"]
    assert one(sums, counts, strata).value == pytest.approx((3 / 4 + 0 / 4) / 2)
    micro = one(sums, counts, strata, aggregate="micro")
    assert micro.value == pytest.approx(3 / 8)
    assert micro.n == 8


@pytest.mark.parametrize("aggregate", ["macro", "micro"])
def test_rescaled_variance_is_the_unbiased_one(aggregate: Any) -> None:
    rng = np.random.default_rng(0)
    sizes = (2, 3, 5, 8)
    strata = np.repeat(np.arange(4), sizes)
    sums = rng.normal(5, 1, len(strata))[:, None]
    result = stratified_ratio_means(
        sums,
        np.ones_like(sums),
        strata,
        seed=2,
        resamples=40_000,
        aggregate=aggregate,
        keep_resamples=True,
    )
    weight = [1 / 4] * 4 if aggregate == "macro" else [size / 18 for size in sizes]
    wanted = sum(
        w**2 * sums[strata == h].var(ddof=1) / size
        for h, (w, size) in enumerate(zip(weight, sizes, strict=True))
    )
    assert result.resamples is not None
    # The micro mean divides by a resampled number of items, which is fixed here.
    assert result.resamples.var() == pytest.approx(wanted, rel=0.03)


@pytest.mark.parametrize("aggregate", ["macro", "micro"])
def test_agrees_with_the_general_bootstrap(aggregate: Any) -> None:
    values, units, strata = board(models=1)
    kept = ~np.isnan(values[:, 0])
    values, units, strata = values[kept, 0], units[kept], strata[kept]
    families = family_sums(values, units, strata)

    def mean(weights: FloatArray) -> FloatArray:
        cells = [strata == h for h in range(7)] if aggregate == "macro" else [strata >= 0]
        ratios = [(weights[:, c] @ values[c]) / weights[:, c].sum(axis=1) for c in cells]
        return np.asarray(np.mean(ratios, axis=0), dtype=np.float64)

    fast = one(families.sums[:, 0], families.counts[:, 0], families.strata, aggregate=aggregate)
    assert ends(fast) == pytest.approx(ends(bootstrap(mean, units, strata, seed=9)), abs=0.001)


def test_same_bits_at_any_thread_count_and_for_any_other_models() -> None:
    families = family_sums(*board())
    results = []
    for threads, models in ((1, 5), (2, 5), (2, 3)):
        with threadpool_limits(threads):
            result = stratified_ratio_means(
                families.sums[:, :models],
                families.counts[:, :models],
                families.strata,
                seed=5,
                resamples=3_000,
                keep_resamples=True,
            )
        assert result.resamples is not None
        results.append((result.estimates[:3], result.resamples[:, :3].tobytes()))
    assert results[0] == results[1] == results[2]


def test_order_of_items_changes_nothing() -> None:
    values, units, strata = board()
    order = np.random.default_rng(1).permutation(len(values))
    first = family_sums(values, units, strata)
    second = family_sums(values[order], units[order], strata[order])
    np.testing.assert_allclose(first.sums, second.sums, rtol=1e-14)
    np.testing.assert_array_equal(first.strata, second.strata)


def test_a_family_in_two_strata_is_refused() -> None:
    with pytest.raises(ValueError, match="family f lies in strata a and b"):
        family_sums([1.0, 0.0], ["f", "f"], ["a", "b"])


def test_shapes_are_checked() -> None:
    with pytest.raises(ValueError, match="do not fit"):
        family_sums([1.0, 0.0], ["f"], ["a", "b"])
    with pytest.raises(ValueError, match="do not fit"):
        stratified_ratio_means([[1.0]], [[1.0, 2.0]], ["a"], seed=1)
    with pytest.raises(ValueError, match="one a unit"):
        stratified_ratio_means([[1.0]], [[1.0]], ["a", "b"], seed=1)
    with pytest.raises(ValueError, match="negative"):
        stratified_ratio_means([[1.0]], [[-1.0]], ["a"], seed=1)
    with pytest.raises(ValueError, match="100 or more"):
        stratified_ratio_means([[1.0]], [[1.0]], ["a"], seed=1, resamples=10)


def test_a_stratum_of_one_family_is_named() -> None:
    found = one([1, 0, 2, 1], [2, 2, 2, 2], ["a", "a", "a", "law"])
    assert found.state == "ok"
    assert found.reason == "one family only, so no variance from: law"


def test_a_stratum_without_values_is_left_out_and_named() -> None:
    found = one([1, 0, 2, 0, 0], [2, 2, 2, 0, 0], ["a", "a", "a", "law", "law"])
    assert found.value == pytest.approx(0.5)
    assert "no item has a value: law" in found.reason


def test_an_empty_draw_leaks_no_nan() -> None:
    # Two of six families have a value: many draws of five hold neither.
    found = stratified_ratio_means(
        [[1.0], [0.0], [0.0], [0.0], [0.0], [0.0], [1.0], [0.0]],
        [[1.0], [1.0], [0.0], [0.0], [0.0], [0.0], [1.0], [1.0]],
        ["a"] * 6 + ["b"] * 2,
        seed=1,
        bounds=(0, 1),
        keep_resamples=True,
    )
    assert found.resamples is not None
    assert np.isfinite(found.resamples).all()
    assert found.estimates[0].state == "ok"


def test_few_successes_do_not_make_a_short_interval() -> None:
    found = one([1] + [0] * 29, [1] * 30, ["a"] * 30, bounds=(0, 1))
    value, low, high = ends(found)
    assert 0 < low < value < high
    assert high > 0.15  # Wilson for 1 of 30 has 0.167; point ± t·error ends at 0.10


@pytest.mark.parametrize(
    ("sums", "counts", "strata", "state", "reason"),
    [
        ([], [], [], "undefined", "no item has a value"),
        ([0, 0], [0, 0], [0, 1], "undefined", "no item has a value"),
        ([np.nan, 1], [1, 1], [0, 0], "undefined", "infinite or not a number"),
        ([np.inf, 1], [1, 1], [0, 0], "undefined", "infinite or not a number"),
        ([1], [1], [0], "degenerate", "no variation"),
        ([1, 1, 1], [1, 1, 1], [0, 0, 0], "degenerate", "no variation"),
        ([0.1, 0.2, 0.3], [1, 2, 3], [0, 0, 0], "degenerate", "no variation"),
    ],
)
def test_edges_are_stated(sums: Any, counts: Any, strata: Any, state: str, reason: str) -> None:
    found = one(sums, counts, np.array(strata, dtype=int))
    assert found.state == state
    assert reason in found.reason
    if state == "degenerate":
        assert found.low == found.high == found.value


def test_an_undefined_model_leaves_the_others_alone() -> None:
    sums = np.array([[1.0, np.inf], [0.0, 1.0], [1.0, 1.0]])
    both = stratified_ratio_means(sums, np.ones((3, 2)), [0] * 3, seed=1, keep_resamples=True)
    alone = stratified_ratio_means(sums[:, :1], np.ones((3, 1)), [0] * 3, seed=1)
    assert both.estimates[0] == alone.estimates[0]
    assert both.resamples is not None
    assert np.isnan(both.resamples[:, 1]).all()
    assert np.isfinite(both.resamples[:, 0]).all()
