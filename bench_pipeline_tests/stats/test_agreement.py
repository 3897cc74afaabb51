import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench_pipeline.stats import cohen_kappa, gwet_ac1, krippendorff_alpha

DATA = Path(__file__).parents[3] / "shared" / "data" / "agreement_labels_hi.csv"

NONE = None
# Krippendorff (2011), "Computing Krippendorff's alpha-reliability", examples A, B and C.
BINARY = [[0, 1, 0, 0, 0, 0, 0, 0, 1, 0], [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]]
NOMINAL = [list("aabbdcccedda"), list("babbbcccedda"[:10]) + list("dd")]
FOUR = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, NONE, NONE, NONE],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NONE, 3],
    [NONE, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NONE],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NONE],
]


def crossed(table: list[list[int]]) -> tuple[list[int], list[int]]:
    """Two raters' labels from their contingency table."""
    cells = [(i, j) for i, row in enumerate(table) for j, n in enumerate(row) for _ in range(n)]
    return [i for i, _ in cells], [j for _, j in cells]


def items(raters: list[list[Any]]) -> list[tuple[Any, ...]]:
    return list(zip(*raters, strict=True))


def test_kappa_of_published_tables() -> None:
    # The two-grader grant example: 20 yes/yes, 15 no/no of 50; and a table of high prevalence.
    assert cohen_kappa(*crossed([[20, 5], [10, 15]])).value == pytest.approx(0.4)
    assert cohen_kappa(*crossed([[45, 15], [25, 15]])).value == pytest.approx(0.1304, abs=1e-4)
    assert cohen_kappa(*crossed([[25, 35], [5, 35]])).value == pytest.approx(0.2593, abs=1e-4)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=60))
def test_kappa_is_that_of_scikit_learn(pairs: list[tuple[int, int]]) -> None:
    from sklearn.metrics import cohen_kappa_score

    a, b = [p[0] for p in pairs], [p[1] for p in pairs]
    weightings: tuple[Any, ...] = (None, "linear", "quadratic")
    for weights in weightings:
        found = cohen_kappa(a, b, weights=weights)
        if len(set(a) | set(b)) == 1:
            assert found.state == "undefined"
        else:
            assert found.value == pytest.approx(cohen_kappa_score(a, b, weights=weights), abs=1e-12)
            assert found.low is not None
            assert found.high is not None
            assert found.low <= found.value + 1e-12
            assert found.value <= found.high + 1e-12


def test_kappa_edges() -> None:
    same = cohen_kappa(["yes"] * 5, ["yes"] * 5)
    assert same.value is None
    assert same.reason == "both raters gave one and the same label throughout"
    # One constant rater, or two constant ones that differ, leave κ defined.
    assert cohen_kappa([1, 1, 1, 1], [1, 0, 1, 0]).value == pytest.approx(0.0)
    assert cohen_kappa([1, 1, 1], [0, 0, 0]).value == pytest.approx(0.0)
    perfect = cohen_kappa(["a", "b", "a"], ["a", "b", "a"])
    assert (perfect.state, perfect.low, perfect.high) == ("degenerate", 1.0, 1.0)
    assert cohen_kappa([], []).reason == "no item has a label of both raters"
    assert cohen_kappa([None, 1], [1, float("nan")]).state == "undefined"
    assert cohen_kappa([float("inf"), 1], [1, 1]).reason == "a label is infinite"
    assert cohen_kappa([1, None, 2], [1, 2, 1]).n == 2


def test_weighted_words_need_their_order() -> None:
    a, b = ["low", "high", "mid", "low"], ["low", "mid", "mid", "high"]
    with pytest.raises(ValueError, match="no known order"):
        cohen_kappa(a, b, weights="linear")
    order = ["low", "mid", "high"]
    found = cohen_kappa(a, b, weights="linear", categories=order)
    numbers = cohen_kappa([0, 2, 1, 0], [0, 1, 1, 2], weights="linear")
    assert found.value == numbers.value
    with pytest.raises(ValueError, match="item 1: label 'high'"):
        cohen_kappa(a, b, categories=["low", "mid"])
    with pytest.raises(ValueError, match="as many"):
        cohen_kappa(a, b[:2])


def test_ac1_where_prevalence_breaks_kappa() -> None:
    raters = crossed([[118, 5], [2, 0]])
    assert cohen_kappa(*raters).value == pytest.approx(-0.0234, abs=1e-4)
    found = gwet_ac1(*raters)
    # By hand: agreement 118/125, chance 2 · 0.972 · 0.028.
    assert found.value == pytest.approx((0.944 - 0.054432) / (1 - 0.054432))
    assert found.low is not None
    assert found.low > 0.88


def test_ac1_error_is_that_of_the_jackknife() -> None:
    rng = np.random.default_rng(0)
    a = rng.integers(0, 3, 400)
    b = np.where(rng.random(400) < 0.6, a, rng.integers(0, 3, 400))
    found = gwet_ac1(a.tolist(), b.tolist())
    left = [
        gwet_ac1(np.delete(a, i).tolist(), np.delete(b, i).tolist(), categories=[0, 1, 2]).value
        for i in range(400)
    ]
    error = np.sqrt(399 * np.var(np.array(left, dtype=float)))
    assert found.low is not None
    assert found.high is not None
    assert (found.high - found.low) / 2 / 1.966 == pytest.approx(error, rel=0.02)


def test_ac1_edges() -> None:
    assert gwet_ac1(["y"] * 4, ["y"] * 4).state == "undefined"
    sure = gwet_ac1(["y"] * 4, ["y"] * 4, categories=["y", "n"])
    assert (sure.value, sure.state) == (1.0, "degenerate")
    assert gwet_ac1([], []).state == "undefined"
    assert gwet_ac1([1], [0]).state == "degenerate"


def test_alpha_of_krippendorff_2011() -> None:
    def alpha(raters: list[list[Any]], level: Any = "nominal") -> float | None:
        return krippendorff_alpha(items(raters), level=level, resamples=200, seed=1).value

    assert alpha(BINARY) == pytest.approx(0.095, abs=5e-4)
    assert alpha(NOMINAL) == pytest.approx(0.692, abs=5e-4)
    assert alpha(FOUR) == pytest.approx(0.743, abs=5e-4)
    assert alpha(FOUR, "ordinal") == pytest.approx(0.815, abs=5e-4)
    assert alpha(FOUR, "interval") == pytest.approx(0.849, abs=5e-4)


def test_alpha_is_that_of_the_krippendorff_package() -> None:
    import krippendorff

    rng = np.random.default_rng(6)
    levels: tuple[Any, ...] = ("nominal", "ordinal", "interval")
    for level in levels:
        for _ in range(10):
            table = rng.choice([1.0, 2.0, 4.0, 7.0], (25, 4))
            table[rng.random(table.shape) < 0.3] = np.nan
            wanted = krippendorff.alpha(table.T, level_of_measurement=level)
            found = krippendorff_alpha(table.tolist(), level=level, resamples=200, seed=1)
            assert found.value == pytest.approx(wanted, abs=1e-12)
            assert found.low is not None
            assert found.low < wanted


def test_alpha_edges() -> None:
    def alpha(rows: Any, **options: Any) -> Any:
        return krippendorff_alpha(rows, resamples=200, seed=1, **options)

    assert alpha([]).reason == "no item has two labels"
    assert alpha([[1, None], [None, 2]]).reason == "no item has two labels"
    assert alpha([["a", "a"], ["a", "a"]]).reason == "all labels are one and the same"
    assert alpha([[1, float("inf")]]).reason == "a label is infinite"
    perfect = alpha([["a", "a"], ["b", "b"], ["a", "a"]])
    assert (perfect.value, perfect.state) == (1.0, "degenerate")
    lone = alpha([["a", "b"]])
    assert (lone.value, lone.state) == (0.0, "degenerate")
    with pytest.raises(ValueError, match="accepted: numbers"):
        alpha([["a", "b"]], level="interval")
    with pytest.raises(ValueError, match="no known order"):
        alpha([["a", "b"]], level="ordinal")
    with pytest.raises(ValueError, match="a row has 1"):
        alpha([["a", "b"], ["a"]])


@pytest.mark.skipif(not DATA.exists(), reason=f"{DATA.name} is not in ../shared/data")
def test_alpha_of_public_labels() -> None:
    with DATA.open() as file:
        rows = [[float(v) if v else None for v in row[1:]] for row in list(csv.reader(file))[1:]]
    found = krippendorff_alpha(rows, resamples=1_000, seed=1)
    assert found.value == pytest.approx(0.3634, abs=5e-5)
