"""Many comparisons at once: Holm's correction over a family declared before scoring."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bench_pipeline.stats._record import BoolArray, FloatArray


@dataclass(frozen=True)
class HolmResult:
    """Corrected p-values and decisions, in the order given.

    `adjusted` is None where no p-value was given; such a comparison is never `rejected`.
    `comparisons` is the size of the family, undefined comparisons included.
    """

    adjusted: tuple[float | None, ...]
    rejected: tuple[bool, ...]
    alpha: float
    comparisons: int
    method: str = "Holm"


def holm(p_values: Sequence[float | None], *, alpha: float = 0.05) -> HolmResult:
    """Holm's step-down correction at family-wise error `alpha` (Holm 1979).

    `p_values` are the raw ones of the *whole* declared family. None (an undefined test) still
    counts towards its size: what was declared stays declared, and the others' correction does
    not become milder because one comparison could not be made.

    Raises `ValueError` for a p-value outside [0, 1] or NaN.
    """
    given = [1.0 if p is None else float(p) for p in p_values]
    for position, p in enumerate(given):
        if not 0.0 <= p <= 1.0:
            raise ValueError(f"p-value {position} is {p}; accepted: 0 to 1, or None")
    adjusted, rejected = step_down(np.array(given), alpha)
    known = [p is not None for p in p_values]
    return HolmResult(
        tuple(float(a) if k else None for a, k in zip(adjusted, known, strict=True)),
        tuple(bool(r and k) for r, k in zip(rejected, known, strict=True)),
        alpha,
        len(given),
    )


def step_down(p_values: FloatArray, alpha: float) -> tuple[FloatArray, BoolArray]:
    """Holm's corrected p-values, and which of them are at or under `alpha`.

    Four lines of our own, held to statsmodels by a test: its `multipletests` runs a full garbage
    collection at every call, a tenth of a second that refinement would pay again and again.
    """
    order = np.argsort(p_values, kind="stable")
    factors = np.arange(len(p_values), 0, -1)
    adjusted = np.empty(len(p_values))
    adjusted[order] = np.minimum(np.maximum.accumulate(factors * p_values[order]), 1.0)
    return adjusted, np.asarray(adjusted <= alpha, dtype=np.bool_)
