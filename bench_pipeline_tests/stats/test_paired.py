from typing import Any

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from bench_pipeline.stats import (
    paired_macro_permutation,
    paired_permutation,
    pairwise_macro_permutation,
)
from bench_pipeline.stats._record import FloatArray

Paired = tuple[FloatArray, FloatArray, FloatArray, FloatArray]


def paired(families: int, effect: float, seed: int = 0) -> Paired:
    rng = np.random.default_rng(seed)
    units = np.repeat(np.arange(families), 2)
    a, b = rng.normal(effect, 1, 2 * families), rng.normal(0, 1, 2 * families)
    return a, b, units.astype(float), (units % 3).astype(float)


def brute_force(a: FloatArray, b: FloatArray, units: FloatArray, strata: FloatArray) -> float:
    """Every pattern, one at a time, straight from the definition."""
    families = np.unique(units)
    statistics = []
    for code in range(2 ** len(families)):
        sign = np.array([1 if code >> f & 1 else -1 for f in range(len(families))])
        flipped = (a - b) * sign[np.searchsorted(families, units)]
        statistics.append(np.mean([flipped[strata == h].mean() for h in np.unique(strata)]))
    return float(np.mean(np.abs(statistics) >= abs(statistics[-1]) - 1e-12))


def test_few_families_are_enumerated() -> None:
    case = paired(9, 0.8)
    found = paired_macro_permutation(*case, seed=1)
    assert found.p_value == pytest.approx(brute_force(*case), abs=1e-15)
    assert found.permutations == 2**9
    assert found.monte_carlo_error == 0.0
    assert "all patterns" in found.method


def test_enumeration_is_that_of_scipy() -> None:
    from scipy.stats import permutation_test

    rng = np.random.default_rng(2)
    a, b = rng.integers(0, 2, 12).astype(float), rng.random(12)
    wanted = permutation_test(
        (a, b),
        lambda x, y, axis: (x - y).mean(axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=np.inf,
    )
    found = paired_permutation(a, b, seed=1)
    assert found.p_value == pytest.approx(wanted.pvalue)
    assert found.difference == pytest.approx(wanted.statistic)


def test_random_patterns_approach_the_enumeration() -> None:
    case = paired(15, 0.5)
    found = paired_macro_permutation(*case, permutations=100_000, seed=1)
    assert found.p_value is not None
    assert found.monte_carlo_error is not None
    assert abs(found.p_value - brute_force(*case)) < 4 * found.monte_carlo_error
    assert found.permutations == 100_000


def test_ties_on_paper_are_ties() -> None:
    # Thirds: flipping both signs of a cancelling pair leaves the sum equal, but not in floats.
    a = np.array([1 / 3, 2 / 3, 1.0, 1 / 3] * 5)
    b = np.array([2 / 3, 1 / 3, 1 / 3, 1.0] * 5)
    found = paired_permutation(a, b, seed=1, permutations=1_000)
    assert found.p_value == 1.0
    assert found.difference == pytest.approx(0.0, abs=1e-15)


def test_missing_items_are_left_out_for_both() -> None:
    a, b, units, strata = paired(8, 0.5)
    a[3], b[6] = np.nan, np.nan
    found = paired_macro_permutation(a, b, units, strata, seed=1)
    kept = ~(np.isnan(a) | np.isnan(b))
    assert found.n == 14
    alone = paired_macro_permutation(a[kept], b[kept], units[kept], strata[kept], seed=1)
    assert (found.p_value, found.difference) == (alone.p_value, alone.difference)


def test_edges_are_stated() -> None:
    def test(a: Any, b: Any) -> tuple[str, str, float | None]:
        found = paired_permutation(a, b, seed=1)
        return found.state, found.reason, found.p_value

    assert test([], []) == ("undefined", "no item has a value", None)
    assert test([np.nan], [1.0])[0] == "undefined"
    assert test([np.inf, 1], [np.inf, 0])[1] == "a value is infinite or not a number"
    state, reason, p = test([1, 0, 1], [1, 0, 1])
    assert (state, p) == ("degenerate", 1.0)
    assert "no variation" in reason
    assert test([1.0], [0.0])[2] == 1.0
    with pytest.raises(ValueError, match="lies in strata"):
        paired_macro_permutation([1, 0], [0, 1], [1, 1], [1, 2], seed=1)
    with pytest.raises(ValueError, match="one value an item"):
        paired_macro_permutation([[1, 0]], [[0, 1]], [1], [1], seed=1)


def board(models: int = 6) -> tuple[FloatArray, FloatArray, FloatArray]:
    rng = np.random.default_rng(5)
    units = np.arange(200) // 2
    ease = rng.normal(size=200)[:, None] + np.linspace(0, 1.2, models)
    values = (ease + rng.logistic(size=(200, models)) > 0).astype(float)
    return values, units.astype(float), (units % 7).astype(float)


def test_all_pairs_are_the_single_tests() -> None:
    values, units, strata = board()
    many = pairwise_macro_permutation(values, units, strata, seed=3, max_permutations=10_000)
    assert len(many.pairs) == 15
    for (a, b), test in zip(many.pairs, many.tests, strict=True):
        alone = paired_macro_permutation(values[:, a], values[:, b], units, strata, seed=3)
        assert test == alone


def test_refinement_settles_every_decision() -> None:
    values, units, strata = board()
    found = pairwise_macro_permutation(values, units, strata, seed=3, permutations=200)
    spent = [test.permutations for test in found.tests]
    assert found.undecided == ()
    assert min(p for p in spent if p) == 200
    assert max(p for p in spent if p) > 200
    again = pairwise_macro_permutation(values, units, strata, seed=4, permutations=200)
    assert again.holm.rejected == found.holm.rejected
    short = pairwise_macro_permutation(
        values, units, strata, seed=3, permutations=200, max_permutations=200
    )
    assert short.undecided


def test_declared_pairs_are_the_family() -> None:
    values, units, strata = board()
    pairs = [(0, 1), (1, 2), (4, 5)]
    found = pairwise_macro_permutation(values, units, strata, pairs=pairs, seed=3)
    assert found.pairs == tuple(pairs)
    assert found.holm.comparisons == 3


def test_an_undefined_model_and_a_board_of_one() -> None:
    values, units, strata = board(3)
    values[:, 1] = np.nan
    found = pairwise_macro_permutation(values, units, strata, seed=3)
    assert [test.state for test in found.tests] == ["undefined", "ok", "undefined"]
    assert found.holm.adjusted[0] is None
    assert found.holm.comparisons == 3
    lone = pairwise_macro_permutation(values[:, :1], units, strata, seed=3)
    assert lone.pairs == lone.tests == lone.holm.adjusted == ()
    with pytest.raises(ValueError, match="items × models"):
        pairwise_macro_permutation(values[:, 0], units, strata, seed=3)


def test_same_bits_at_any_thread_count() -> None:
    found = []
    for threads in (1, 2):
        with threadpool_limits(threads):
            found.append(pairwise_macro_permutation(*board(), seed=3, max_permutations=40_000))
    assert found[0] == found[1]
