"""Two models over the same items, tested on the statistic that the board ranks."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bench_pipeline.stats._families import FamilySums, family_sums, split_strata
from bench_pipeline.stats._multiple import HolmResult, holm, step_down
from bench_pipeline.stats._permutation import EXACT_UNITS, SignFlips
from bench_pipeline.stats._ratio import Aggregate, stratified_ratio_means
from bench_pipeline.stats._record import (
    BoolArray,
    Bounds,
    Estimate,
    FloatArray,
    Seed,
    TestResult,
    undefined_test,
)

# Monte-Carlo standard errors that a p-value must keep from Holm's threshold.
CLEARANCE = 3.0
GROWTH = 4
# Pairs whose resamples are held at once: 10,000 × 128 floats are 10 MB.
PAIR_BLOCK = 128


@dataclass(frozen=True)
class PairedTests:
    """Every pair's test, and Holm's decision over the whole of them.

    `pairs` are positions of models (first, second); `tests` and `holm` are in that order.
    `undecided` lists the positions in `pairs` whose Holm decision the Monte-Carlo error could
    still change after the last permutation allowed; empty otherwise.
    """

    pairs: tuple[tuple[int, int], ...]
    tests: tuple[TestResult, ...]
    holm: HolmResult
    undecided: tuple[int, ...]


def paired_permutation(
    values_a: npt.ArrayLike,
    values_b: npt.ArrayLike,
    units: npt.ArrayLike | None = None,
    *,
    permutations: int = 10_000,
    seed: Seed,
    bounds: Bounds | None = None,
) -> TestResult:
    """Test the mean of the item differences; one value an item, NaN where it has none.

    `units` holds one family label an item; without it each item stands alone. For the mean over
    strata use `paired_macro_permutation`.
    """
    items = len(np.asarray(values_a))
    families = np.arange(items) if units is None else units
    return paired_macro_permutation(
        values_a,
        values_b,
        families,
        np.zeros(items, dtype=np.int64),
        aggregate="micro",
        permutations=permutations,
        seed=seed,
        bounds=bounds,
    )


def paired_macro_permutation(
    values_a: npt.ArrayLike,
    values_b: npt.ArrayLike,
    units: npt.ArrayLike,
    strata: npt.ArrayLike,
    *,
    aggregate: Aggregate = "macro",
    permutations: int = 10_000,
    seed: Seed,
    bounds: Bounds | None = None,
    resamples: int = 10_000,
) -> TestResult:
    """Sign-flip test of "no difference" in the mean over strata of the item differences.

    `values_a`, `values_b`, `units` and `strata` hold one entry an item. Items on which either
    model has no value (NaN) are left out for both; `n` counts the rest. All items of a family
    flip together. Up to 14 families that differ are enumerated exactly. The interval of the
    difference is `stratified_ratio_means` on the item differences, whose `bounds` these are,
    for example (-1, 1).

    Raises `ValueError` where lengths differ or a family lies in two strata.
    """
    both = np.column_stack([_vector(values_a), _vector(values_b)])
    result = pairwise_macro_permutation(
        both,
        units,
        strata,
        aggregate=aggregate,
        permutations=permutations,
        max_permutations=permutations,
        seed=seed,
        bounds=bounds,
        resamples=resamples,
    )
    return result.tests[0]


def pairwise_macro_permutation(
    values: npt.ArrayLike,
    units: npt.ArrayLike,
    strata: npt.ArrayLike,
    *,
    pairs: Sequence[tuple[int, int]] | None = None,
    aggregate: Aggregate = "macro",
    permutations: int = 10_000,
    max_permutations: int = 1_000_000,
    alpha: float = 0.05,
    seed: Seed,
    bounds: Bounds | None = None,
    resamples: int = 10_000,
) -> PairedTests:
    """Test all pairs of models (or `pairs`) as `paired_macro_permutation`, and correct by Holm.

    `values` is items × models. The pairs given are taken as the whole declared family. All
    pairs share the sign patterns, starting with `permutations`. While Holm's decision for a
    pair differs between every p-value lowered and every p-value raised by three of its
    Monte-Carlo standard errors, that pair gets four times the patterns, up to
    `max_permutations`: Holm is monotone in its p-values, so a pair on which the two agree
    cannot be changed by any error in between.
    """
    table = np.asarray(values, dtype=np.float64)
    if table.ndim != 2:
        raise ValueError(f"values has shape {table.shape}; accepted: items × models")
    chosen = _all_pairs(table.shape[1]) if pairs is None else tuple(pairs)
    first = np.array([a for a, _ in chosen], dtype=np.int64)
    second = np.array([b for _, b in chosen], dtype=np.int64)
    families = family_sums(_differences(table[:, first], table[:, second]), units, strata)
    effects = _effects(families, aggregate, seed, bounds, resamples)
    usable = np.array([effect.state != "undefined" for effect in effects], dtype=np.bool_)
    flips = SignFlips(np.where(usable, _terms(families, aggregate), 0.0), seed)
    exact = np.asarray(flips.nonzero <= EXACT_UNITS, dtype=np.bool_)
    undecided = _refine(
        flips, exact, usable, permutations=permutations, limit=max_permutations, alpha=alpha
    )
    tests = _results(flips, exact, effects)
    corrected = holm([test.p_value for test in tests], alpha=alpha)
    return PairedTests(chosen, tests, corrected, undecided)


def _differences(first: FloatArray, second: FloatArray) -> FloatArray:
    """First minus second; an infinite value stays infinite, or inf - inf would pass as missing."""
    infinite = np.isinf(first) | np.isinf(second)
    with np.errstate(invalid="ignore"):
        return np.where(infinite, np.inf, first - second)


def _vector(values: npt.ArrayLike) -> FloatArray:
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 1:
        raise ValueError(f"values have shape {array.shape}; accepted: one value an item")
    return array


def _all_pairs(models: int) -> tuple[tuple[int, int], ...]:
    return tuple((a, b) for a in range(models) for b in range(a + 1, models))


def _terms(families: FamilySums, aggregate: Aggregate) -> FloatArray:
    """What each family adds to the statistic of each pair (families × pairs)."""
    if aggregate == "micro":
        items = np.maximum(families.counts.sum(axis=0), 1.0)
        return np.asarray(families.sums / items, dtype=np.float64)
    terms = np.zeros_like(families.sums)
    present = np.zeros(families.sums.shape[1])
    for rows in split_strata(families.strata, len(families.sums)).rows:
        items = families.counts[rows].sum(axis=0)
        terms[rows] = families.sums[rows] / np.maximum(items, 1.0)
        present += items > 0
    return np.asarray(terms / np.maximum(present, 1.0), dtype=np.float64)


def _refine(
    flips: SignFlips,
    exact: BoolArray,
    usable: BoolArray,
    *,
    permutations: int,
    limit: int,
    alpha: float,
) -> tuple[int, ...]:
    """Draw patterns until no Monte-Carlo error can change a decision; return what stays open."""
    for column in np.flatnonzero(exact & usable):
        flips.exact(int(column))
    open_columns = np.flatnonzero(usable & ~exact)
    unsure = open_columns
    target, done = permutations, 0
    while open_columns.size and target > done:
        flips.draw(open_columns, target - done)
        p, error = flips.p_values(exact)
        p = np.where(usable, p, 1.0)
        error = np.where(usable, error, 0.0)
        _, at_best = step_down(np.clip(p - CLEARANCE * error, 0.0, 1.0), alpha)
        _, at_worst = step_down(np.clip(p + CLEARANCE * error, 0.0, 1.0), alpha)
        # Only columns that have seen every pattern so far may go on: they share one stream.
        unsure = np.flatnonzero((at_best != at_worst) & usable & ~exact)
        open_columns = np.intersect1d(open_columns, unsure)
        done, target = target, min(limit, target * GROWTH)
    return tuple(int(column) for column in unsure)


def _effects(
    families: FamilySums,
    aggregate: Aggregate,
    seed: Seed,
    bounds: Bounds | None,
    resamples: int,
) -> list[Estimate]:
    """The difference of each pair with its interval, in blocks of pairs with the same draws."""
    effects: list[Estimate] = []
    for start in range(0, families.sums.shape[1], PAIR_BLOCK):
        block = slice(start, start + PAIR_BLOCK)
        means = stratified_ratio_means(
            families.sums[:, block],
            families.counts[:, block],
            families.strata,
            resamples=resamples,
            seed=seed,
            aggregate=aggregate,
            bounds=bounds,
        )
        effects.extend(means.estimates)
    return effects


def _results(flips: SignFlips, exact: BoolArray, effects: list[Estimate]) -> tuple[TestResult, ...]:
    p, error = flips.p_values(exact)
    results = []
    for column, effect in enumerate(effects):
        how = "all" if exact[column] else "random"
        method = f"sign flips within families, {how} patterns; difference: {effect.method}"
        if effect.state == "undefined":
            results.append(undefined_test(method, effect.reason, effect.n))
            continue
        results.append(
            TestResult(
                effect.value,
                effect.low,
                effect.high,
                float(p[column]),
                effect.n,
                method,
                effect.state,
                effect.reason,
                float(error[column]),
                int(flips.patterns[column]),
            )
        )
    return tuple(results)
