"""The two records in which every figure leaves this package, and the array types inside it."""

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
Bounds = tuple[float, float]
State = Literal["ok", "degenerate", "undefined"]
Seed = int

# What a sum of floats leaves behind where exact arithmetic would leave nothing.
ROUNDING = 1e-10


@dataclass(frozen=True)
class Estimate:
    """A figure with its 95 % interval.

    `value`, `low` and `high` are in the unit of the data (a share is 0–1). `n` counts what the
    method says it counts. `state`:

    - `ok`: `reason` is empty, or a caution that belongs beside the figure;
    - `degenerate`: the sample shows no variation, or too little to resample, so there is no
      interval: `low == high == value`, and `reason` says why. It is no claim of certainty;
    - `undefined`: `value`, `low` and `high` are None and `reason` says why. Never NaN.

    `low` and `high` are also None where the figure has no sampling interval (a design figure).
    """

    value: float | None
    low: float | None
    high: float | None
    n: int
    method: str
    state: State = "ok"
    reason: str = ""

    def __post_init__(self) -> None:
        _check_state(self.state, self.value, self.reason, (self.value, self.low, self.high))


@dataclass(frozen=True)
class TestResult:
    """A test of "no difference": the effect with its interval, and the p-value.

    `difference` is first minus second, in the unit of the data. `p_value` is two-sided and
    uncorrected. `monte_carlo_error` is the standard error of a simulated p-value and 0 for an
    exact one; `permutations` counts the sign patterns compared (None where none were).
    States are those of `Estimate`; an `undefined` test has no figure at all.
    """

    __test__ = False  # the name starts with Test; it is not one for pytest to collect

    difference: float | None
    low: float | None
    high: float | None
    p_value: float | None
    n: int
    method: str
    state: State = "ok"
    reason: str = ""
    monte_carlo_error: float | None = None
    permutations: int | None = None

    def __post_init__(self) -> None:
        figures = (self.difference, self.low, self.high, self.p_value, self.monte_carlo_error)
        _check_state(self.state, self.p_value, self.reason, figures)


def _check_state(
    state: State, value: float | None, reason: str, figures: tuple[float | None, ...]
) -> None:
    if any(figure is not None and not math.isfinite(figure) for figure in figures):
        raise ValueError(f"a record never carries NaN or infinity, found {figures}")
    if (state == "undefined") != (value is None):
        raise ValueError(f"state {state!r} does not fit the value {value!r}")
    if state != "ok" and not reason:
        raise ValueError(f"state {state!r} needs a reason")


def undefined(method: str, reason: str, n: int = 0) -> Estimate:
    """The record of a figure that does not exist for this sample."""
    return Estimate(None, None, None, n, method, "undefined", reason)


def undefined_test(method: str, reason: str, n: int = 0) -> TestResult:
    """The record of a test that cannot be made on this sample."""
    return TestResult(None, None, None, None, n, method, "undefined", reason)


def as_floats(values: Any, name: str) -> FloatArray:
    """`values` as a one-dimensional float array in which None has become NaN (missing)."""
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 1:
        raise ValueError(f"{name} has {array.ndim} dimensions; accepted: one")
    return array
