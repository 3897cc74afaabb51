import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench_pipeline.stats import holm


def test_by_hand() -> None:
    found = holm([0.01, 0.04, 0.03, 0.005])
    assert found.adjusted == pytest.approx((0.03, 0.06, 0.06, 0.02))
    assert found.rejected == (True, False, False, True)


def test_undefined_comparisons_still_count() -> None:
    found = holm([0.02, None, 0.5])
    assert found.adjusted == (pytest.approx(0.06), None, 1.0)
    assert found.rejected == (False, False, False)
    assert found.comparisons == 3


@settings(deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=40))
def test_properties(p_values: list[float]) -> None:
    found = holm(p_values)
    adjusted = np.array([a for a in found.adjusted if a is not None])
    assert (adjusted >= np.array(p_values) - 1e-15).all()
    order = np.argsort(p_values, kind="stable")
    assert (np.diff(adjusted[order]) >= -1e-15).all()
    k = len(p_values)
    assert adjusted.min() == pytest.approx(min(1.0, k * min(p_values)))


@pytest.mark.parametrize("number", [1, 7, 378])
def test_is_that_of_statsmodels(number: int) -> None:
    from statsmodels.stats.multitest import multipletests

    p_values = np.random.default_rng(number).random(number) ** 4
    p_values[::3] = np.round(p_values[::3], 2)
    found = holm(p_values.tolist())
    rejected, adjusted, _, _ = multipletests(p_values, alpha=0.05, method="holm")
    assert found.rejected == tuple(rejected)
    assert np.array(found.adjusted, dtype=float) == pytest.approx(adjusted, abs=1e-15)


def test_edges() -> None:
    assert holm([]).adjusted == ()
    with pytest.raises(ValueError, match="p-value 1"):
        holm([0.2, float("nan")])
    with pytest.raises(ValueError, match="accepted"):
        holm([1.2])
