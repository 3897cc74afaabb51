from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import kendalltau, spearmanr
from threadpoolctl import threadpool_limits

from bench_pipeline.stats import kendall_tau, spearman
from bench_pipeline.stats._association import _codes, _weighted_spearman

DATA = Path(__file__).parents[3] / "shared" / "data" / "judge_vs_human_scores.csv"


@pytest.mark.skipif(not DATA.exists(), reason=f"{DATA.name} is not in ../shared/data")
def test_public_judge_and_human_scores() -> None:
    scores = np.loadtxt(DATA, delimiter=",", skiprows=1)
    rho = spearman(scores[:, 0], scores[:, 1], resamples=1_000, seed=1)
    tau = kendall_tau(scores[:, 0], scores[:, 1], resamples=1_000, seed=1)
    assert rho.value == pytest.approx(0.848504, abs=5e-7)
    assert tau.value == pytest.approx(0.784686, abs=5e-7)
    assert rho.n == tau.n == 1_400
    assert rho.tie_share == tau.tie_share
    for found in (rho, tau):
        assert found.value is not None
        assert found.low is not None
        assert found.high is not None
        assert found.value - 0.05 < found.low < found.value < found.high < found.value + 0.05


def test_every_resample_is_ranked_anew() -> None:
    rng = np.random.default_rng(1)
    x, y = rng.integers(0, 6, 30).astype(float), rng.integers(0, 6, 30).astype(float)
    weights = rng.multinomial(30, np.full(30, 1 / 30), size=20).astype(float)
    found = _weighted_spearman(_codes(x), _codes(y), weights)
    for row, value in zip(weights, found, strict=True):
        drawn = np.repeat(np.arange(30), row.astype(int))
        assert value == pytest.approx(spearmanr(x[drawn], y[drawn]).statistic, abs=1e-12)


def test_values_are_those_of_scipy_and_missing_is_left_out() -> None:
    rng = np.random.default_rng(2)
    x = np.round(rng.normal(size=60), 1)
    y = np.round(x + rng.normal(size=60), 1)
    x[3], y[7] = np.nan, np.nan
    kept = ~(np.isnan(x) | np.isnan(y))
    rho, tau = spearman(x, y, resamples=500, seed=1), kendall_tau(x, y, resamples=500, seed=1)
    assert rho.value == pytest.approx(spearmanr(x[kept], y[kept]).statistic)
    assert tau.value == pytest.approx(kendalltau(x[kept], y[kept]).statistic)
    assert rho.n == 58


def test_tie_share_counts_pairs_of_items() -> None:
    # Six pairs: (0, 1) ties in x, (2, 3) in y.
    assert spearman([1, 1, 2, 3], [1, 2, 3, 3], resamples=200, seed=1).tie_share == 2 / 6
    # A pair that ties on both sides counts once.
    assert spearman([1, 1, 2], [5, 5, 6], resamples=200, seed=1).tie_share == 1 / 3


def test_families_widen_the_interval() -> None:
    rng = np.random.default_rng(3)
    x = rng.normal(size=40)
    y = x + rng.normal(size=40)
    twice = np.tile(x, 2), np.tile(y, 2)
    single = spearman(x, y, seed=1)
    naive = spearman(*twice, seed=1)
    honest = spearman(*twice, units=np.tile(np.arange(40), 2), seed=1)

    def width(found: Any) -> float:
        return float(found.high - found.low)

    assert width(naive) < 0.8 * width(single)
    assert width(honest) == pytest.approx(width(single), rel=0.02)


@pytest.mark.parametrize("measure", [spearman, kendall_tau])
def test_edges_are_stated(measure: Any) -> None:
    def found(x: Any, y: Any) -> tuple[str, str]:
        result = measure(x, y, resamples=200, seed=1)
        return result.state, result.reason

    assert found([], []) == ("undefined", "fewer than two items have both values")
    assert found([1], [2])[0] == "undefined"
    assert found([1, 1, 1], [1, 2, 3]) == ("undefined", "one side is constant")
    assert found([1, 1, 1], [2, 2, 2]) == ("undefined", "both sides are constant")
    assert found([1, np.inf, 2], [1, 2, 3]) == ("undefined", "a value is infinite")
    assert found([np.nan, 1, 2], [1, np.nan, 3])[0] == "undefined"
    perfect = measure([1, 2, 3, 4, 5], [2, 3, 4, 5, 6], resamples=200, seed=1)
    assert perfect.state == "degenerate"
    assert perfect.low == perfect.high == perfect.value == pytest.approx(1.0)
    with pytest.raises(ValueError, match="as many"):
        measure([1, 2], [1], seed=1)


def test_same_bits_at_any_thread_count() -> None:
    rng = np.random.default_rng(4)
    x, y = rng.integers(0, 9, 120), rng.integers(0, 9, 120)
    found = []
    for threads in (1, 2):
        with threadpool_limits(threads):
            found.append(kendall_tau(x, y, resamples=3_000, seed=1))
    assert found[0] == found[1]
