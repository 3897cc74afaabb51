import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from bench_pipeline.stats import bootstrap
from bench_pipeline.stats._record import FloatArray

VALUES = np.random.default_rng(4).normal(10, 2, 40)


def mean(weights: FloatArray) -> FloatArray:
    return np.asarray((weights * VALUES).sum(axis=1) / weights.sum(axis=1), dtype=np.float64)


def test_mean_has_the_t_interval() -> None:
    from scipy.stats import t

    found = bootstrap(mean, np.arange(40), seed=1)
    # Welch's df of one stratum is ν itself.
    wanted = t.interval(0.95, 39, VALUES.mean(), VALUES.std(ddof=1) / np.sqrt(40))
    assert (found.low, found.high) == pytest.approx(wanted, abs=0.03)
    assert found.n == 40


def test_items_of_a_family_move_together() -> None:
    alone = bootstrap(mean, np.arange(40), seed=1)
    twins = np.repeat(VALUES, 2)

    def doubled(weights: FloatArray) -> FloatArray:
        return np.asarray((weights * twins).sum(axis=1) / weights.sum(axis=1), dtype=np.float64)

    found = bootstrap(doubled, np.repeat(np.arange(40), 2), seed=1)
    assert found.value == pytest.approx(alone.value)
    assert (found.low, found.high) == pytest.approx((alone.low, alone.high))


def test_seeded_and_independent_of_threads() -> None:
    table = np.random.default_rng(0).integers(-1, 2, (40, 40)).astype(float)

    def form(weights: FloatArray) -> FloatArray:
        return np.asarray(((weights @ table) * weights).sum(axis=1), dtype=np.float64)

    found = []
    for threads in (1, 2):
        with threadpool_limits(threads):
            found.append(bootstrap(form, np.arange(40), np.arange(40) % 3, seed=8))
    assert found[0] == found[1]


def test_edges_are_stated() -> None:
    assert bootstrap(mean, np.arange(0), seed=1).reason == "no item"
    nothing = bootstrap(lambda w: np.full(len(w), np.nan), np.arange(3), seed=1)
    assert nothing.reason == "the statistic does not exist for this sample"
    constant = bootstrap(lambda w: np.full(len(w), 2.0), np.arange(3), seed=1)
    assert (constant.state, constant.low, constant.high) == ("degenerate", 2.0, 2.0)
    single = bootstrap(lambda w: w[:, 0], np.arange(1), seed=1)
    assert single.state == "degenerate"
    assert "one family only" in single.reason


def test_resamples_without_a_value_are_counted() -> None:
    def lacking(weights: FloatArray) -> FloatArray:
        return np.where(weights[:, 0] > 0, weights[:, 0] + weights[:, 1], np.nan)

    found = bootstrap(lacking, np.arange(20), seed=1)
    assert "have no value and are left out" in found.reason

    def rare(weights: FloatArray) -> FloatArray:
        return np.where((weights == 1).all(axis=1), 1.0, np.nan)

    lost = bootstrap(rare, np.arange(20), seed=1)
    assert (lost.state, lost.value, lost.low) == ("degenerate", 1.0, 1.0)
    assert lost.reason.startswith("no interval; 100.0% of the resamples have no value")
