import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench_pipeline.stats import minimum_detectable_difference, sample_size


def test_figures_of_the_source() -> None:
    # 71 against 76 % unpaired takes about 1,220 items each; 123 items tell 17 points apart.
    assert sample_size(0.05, 0.71).value == pytest.approx(1_220, abs=2)
    assert minimum_detectable_difference(123, 0.5).value == pytest.approx(0.17, abs=0.005)


@pytest.mark.parametrize(("difference", "baseline"), [(0.05, 0.71), (0.1, 0.4), (-0.08, 0.6)])
def test_unpaired_is_close_to_statsmodels(difference: float, baseline: float) -> None:
    from statsmodels.stats.proportion import samplesize_proportions_2indep_onetail

    # statsmodels pools the variance under the null; the two differ by less than a hundredth.
    wanted = samplesize_proportions_2indep_onetail(
        difference, baseline, 0.8, alpha=0.05, alternative="two-sided"
    )
    assert sample_size(difference, baseline).value == pytest.approx(wanted, rel=0.01)


def test_paired_is_the_power_of_the_paired_test() -> None:
    import numpy as np
    from statsmodels.stats.power import NormalIndPower

    p, q, r = 0.5, 0.6, 0.4
    spread = np.sqrt(p * (1 - p) + q * (1 - q) - 2 * r * np.sqrt(p * (1 - p) * q * (1 - q)))
    wanted = NormalIndPower(ddof=0).solve_power(0.1 / spread, alpha=0.05, power=0.8, ratio=0)
    found = sample_size(0.1, 0.5, paired=True, correlation=r)
    assert found.value == pytest.approx(wanted, abs=1.5)
    assert found.n < sample_size(0.1, 0.5).n


@given(st.integers(20, 5_000), st.floats(0.05, 0.95), st.sampled_from([0.0, 0.2]))
def test_the_two_are_inverse(n: int, baseline: float, correlation: float) -> None:
    paired = correlation > 0
    found = minimum_detectable_difference(n, baseline, paired=paired, correlation=correlation)
    if found.value is None:
        return
    sign = 1 if baseline <= 0.5 else -1
    back = sample_size(sign * found.value, baseline, paired=paired, correlation=correlation)
    assert back.value == pytest.approx(n, abs=1.01)


def test_edges_are_stated() -> None:
    assert minimum_detectable_difference(0, 0.5).reason == "no items"
    assert "miss even" in minimum_detectable_difference(1, 0.5).reason
    assert minimum_detectable_difference(50, 0.5, paired=True, correlation=1.0).value is None
    assert "no share" in sample_size(0.5, 0.7).reason
    assert sample_size(0.0, 0.7).state == "undefined"
    assert sample_size(float("nan"), 0.7).state == "undefined"
    assert "cannot correlate" in sample_size(0.4, 0.5, paired=True, correlation=0.9).reason
    for wrong in ({"baseline": 1.2}, {"baseline": 0.5, "power": 1.0}):
        with pytest.raises(ValueError, match="accepted"):
            sample_size(0.1, **wrong)
    with pytest.raises(ValueError, match="without pairing"):
        sample_size(0.1, 0.5, correlation=0.4)
    with pytest.raises(ValueError, match="-1 to 1"):
        sample_size(0.1, 0.5, paired=True, correlation=2)
