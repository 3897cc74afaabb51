"""The bootstrap of any statistic of weighted items, for what is not a mean of strata."""

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from bench_pipeline.stats._families import family_sums, split_strata
from bench_pipeline.stats._interval import t_interval, welch_df
from bench_pipeline.stats._record import ROUNDING, Bounds, Estimate, FloatArray, Seed, undefined
from bench_pipeline.stats._resample import BLOCK_ROWS, draw_counts, drawn

Statistic = Callable[[FloatArray], FloatArray]

# A statistic that does not exist in more of its resamples than this has no interval worth the name.
MOST_LOST = 0.5

# Weights are whole multiples of 2**-30, so that their products with small integers are exact and
# a statistic made of such products has the same bits at any thread count.
_GRID = float(2**30)
# Bounds one block of weights to 32 MB.
_BLOCK_CELLS = 4_000_000


class _Design:
    """Families, their strata, and the step from family weights to item weights."""

    def __init__(self, units: npt.ArrayLike, strata: npt.ArrayLike | None) -> None:
        labels = np.asarray(units)
        stratum_labels = np.full(len(labels), "the sample") if strata is None else strata
        families = family_sums(np.zeros(len(labels)), labels, stratum_labels)
        self.code = np.searchsorted(families.families, labels)
        self.families = len(families.families)
        self.strata = split_strata(families.strata, self.families)
        self.block = min(BLOCK_ROWS, max(1, _BLOCK_CELLS // max(len(labels), 1)))

    def resampled(self, seed: Seed, resamples: int) -> Iterator[FloatArray]:
        """Yield rescaled bootstrap weights (block × items)."""
        # One stream a stratum: its draws do not move when another stratum gains a family.
        streams = np.random.default_rng(seed).spawn(len(self.strata.rows))
        drawing = [
            (rows, draw_counts(rng, len(rows), drawn(len(rows), "rescaled"), resamples, self.block))
            for rows, rng in zip(self.strata.rows, streams, strict=True)
            if len(rows) > 1
        ]
        for start in range(0, resamples, self.block):
            weights = np.ones((min(self.block, resamples - start), self.families))
            for rows, blocks in drawing:
                _, counts = next(blocks)
                weights[:, rows] = np.rint(counts * (_GRID * len(rows) / (len(rows) - 1))) / _GRID
            yield weights[:, self.code]

    def left_out(self) -> Iterator[tuple[int, FloatArray]]:
        """Yield, by stratum, weights (block × items) with one family of it left out each."""
        for h, rows in enumerate(self.strata.rows):
            n = len(rows)
            for start in range(0, n if n > 1 else 0, self.block):
                part = rows[start : start + self.block]
                weights = np.ones((len(part), self.families))
                weights[:, rows] = np.rint(_GRID * n / (n - 1)) / _GRID
                weights[np.arange(len(part)), part] = 0.0
                yield h, weights[:, self.code]


def bootstrap(
    statistic: Statistic,
    units: npt.ArrayLike,
    strata: npt.ArrayLike | None = None,
    *,
    resamples: int = 10_000,
    seed: Seed,
    bounds: Bounds | None = None,
) -> Estimate:
    """95 % interval of `statistic` from a stratified, rescaled bootstrap over families.

    `statistic` maps item weights (rows × items) to one value a row, NaN where a row's value
    does not exist; weights of 1 are the sample itself. `units` holds one family label an item,
    `strata` one stratum label (all in one stratum without it). `bounds` are the least and
    greatest possible value of a statistic that is a *mean* of values inside them; they choose
    Wilson's shape. `n` counts items.

    Standard error: that of the resamples (Rao and Wu 1988). Degrees of freedom: Welch's, from
    each stratum's jackknife variance. Resamples without a value are left out, and their share
    is stated; above one half there is no interval, and the state is degenerate.

    For means over strata `stratified_ratio_means` does the same thousands of times faster.
    Raises `ValueError` where lengths differ or a family lies in two strata.
    """
    design = _Design(units, strata)
    n = len(design.code)
    shape = "t interval" if bounds is None else "Wilson-t interval"
    method = f"rescaled bootstrap of families ({resamples} resamples), {shape}"
    if n == 0:
        return undefined(method, "no item")
    point = float(statistic(np.ones((1, n)))[0])
    if not np.isfinite(point):
        return undefined(method, "the statistic does not exist for this sample", n)
    values = np.concatenate([statistic(block) for block in design.resampled(seed, resamples)])
    exists = np.isfinite(values)
    lost = 1.0 - float(exists.mean())
    notes = _notes(design, lost)
    error = float(values[exists].std(ddof=1)) if lost <= MOST_LOST else 0.0
    if error <= ROUNDING * max(1.0, abs(point)):
        why = "no variation between the resamples" if lost <= MOST_LOST else "no interval"
        return Estimate(point, point, point, n, method, "degenerate", "; ".join([why, *notes]))
    df = _degrees_of_freedom(statistic, design, point)
    low, high = t_interval(np.array([point]), np.array([error]), df, bounds)
    return Estimate(point, float(low[0]), float(high[0]), n, method, "ok", "; ".join(notes))


def _notes(design: _Design, lost: float) -> list[str]:
    notes = [f"{lost:.1%} of the resamples have no value and are left out"] if lost else []
    labels, rows = design.strata.labels, design.strata.rows
    single = [label for label, own in zip(labels, rows, strict=True) if len(own) == 1]
    if single:
        notes.append(f"one family only, so no variance from: {', '.join(single)}")
    return notes


def _degrees_of_freedom(statistic: Statistic, design: _Design, point: float) -> FloatArray:
    values: list[list[FloatArray]] = [[] for _ in design.strata.rows]
    for h, weights in design.left_out():
        values[h].append(statistic(weights))
    variances = np.zeros((len(values), 1))
    for h, parts in enumerate(values):
        if parts:
            found = np.concatenate(parts)
            found = np.where(np.isfinite(found), found, point)
            variances[h] = (len(found) - 1) / len(found) * ((found - found.mean()) ** 2).sum()
    sizes = np.array([[len(rows) - 1.0] for rows in design.strata.rows])
    return welch_df(variances, sizes)
