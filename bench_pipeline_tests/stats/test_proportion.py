import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench_pipeline.stats import mcnemar_exact, wilson_interval


def test_wilson_reference_value() -> None:
    found = wilson_interval(62, 123)
    assert found.low is not None
    assert found.high is not None
    assert (found.high - found.low) / 2 == pytest.approx(0.087, abs=0.0005)


def test_all_right_is_not_certain() -> None:
    found = wilson_interval(14, 14)
    assert found.high == 1.0
    assert found.low == pytest.approx(0.785, abs=0.001)


@given(st.integers(1, 3000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_is_that_of_statsmodels(case: tuple[int, int]) -> None:
    from statsmodels.stats.proportion import proportion_confint

    found = wilson_interval(*case)
    assert (found.low, found.high) == pytest.approx(
        proportion_confint(*case, method="wilson"), abs=1e-12
    )


@pytest.mark.parametrize("case", [(0, 0), (float("nan"), 4), (1, float("inf"))])
def test_wilson_undefined(case: tuple[float, float]) -> None:
    found = wilson_interval(*case)
    assert found.state == "undefined"
    assert found.value is None
    assert found.reason


@pytest.mark.parametrize("case", [(5, 4), (-1, 4), (0.5, 4)])
def test_wilson_refuses_impossible_counts(case: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="accepted"):
        wilson_interval(*case)


@pytest.mark.parametrize(("only_a", "only_b"), [(9, 2), (0, 5), (7, 7), (31, 12)])
def test_mcnemar_is_that_of_statsmodels(only_a: int, only_b: int) -> None:
    from statsmodels.stats.contingency_tables import mcnemar

    a = np.array([1.0] * only_a + [0.0] * only_b + [1.0] * 10 + [np.nan, 1.0])
    b = np.array([0.0] * only_a + [1.0] * only_b + [1.0] * 10 + [1.0, np.nan])
    found = mcnemar_exact(a, b)
    n = only_a + only_b + 10
    assert found.p_value == pytest.approx(mcnemar([[10, only_a], [only_b, 0]], exact=True).pvalue)
    assert found.difference == pytest.approx((only_a - only_b) / n)
    assert found.n == n
    assert found.low is not None
    assert found.high is not None
    assert found.low <= (only_a - only_b) / n <= found.high


def test_mcnemar_without_difference_and_without_items() -> None:
    same = mcnemar_exact([1, 0, 1], [1, 0, 1])
    assert (same.p_value, same.state, same.difference) == (1.0, "ok", 0.0)
    assert "no item" in same.reason
    assert mcnemar_exact([], []).state == "undefined"
    assert mcnemar_exact([np.inf, 1], [1, 0]).reason == "a value is infinite"
    with pytest.raises(ValueError, match="binary"):
        mcnemar_exact([0.5, 1], [1, 0])
    with pytest.raises(ValueError, match="as many"):
        mcnemar_exact([1], [1, 0])
