import subprocess
import sys

import pytest

from bench_pipeline import stats


@pytest.mark.parametrize("figure", [float("nan"), float("inf")])
def test_record_refuses_what_is_not_finite(figure: float) -> None:
    with pytest.raises(ValueError, match="never carries NaN"):
        stats.Estimate(figure, 0.0, 1.0, 3, "m")
    with pytest.raises(ValueError, match="never carries NaN"):
        stats.TestResult(0.1, figure, 1.0, 0.5, 3, "m")


def test_undefined_and_degenerate_state_their_reason() -> None:
    with pytest.raises(ValueError, match="needs a reason"):
        stats.Estimate(None, None, None, 0, "m", "undefined")
    with pytest.raises(ValueError, match="needs a reason"):
        stats.Estimate(1.0, 1.0, 1.0, 3, "m", "degenerate")
    with pytest.raises(ValueError, match="does not fit"):
        stats.Estimate(1.0, 1.0, 1.0, 3, "m", "undefined", "why")


def test_import_loads_nothing_heavy() -> None:
    heavy = ("scipy.stats", "statsmodels", "sklearn", "pandas")
    code = f"import sys, bench_pipeline.stats; print([m for m in {heavy} if m in sys.modules])"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"
