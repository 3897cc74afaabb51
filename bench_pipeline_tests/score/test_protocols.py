"""The protocols side by side: thresholds from stored shares, slices, ranks and swapped pairs."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import polars as pl
import pytest

from bench_pipeline.contracts.suite import Judge, SuiteSpec
from bench_pipeline.contracts.tables import GRADES
from bench_pipeline.score.inputs import ScoringInputs
from bench_pipeline.score.protocols import (
    Protocol,
    main_protocols,
    own_protocol,
    protocol_agreement,
    protocol_scores,
    protocols_of,
    verdicts_under,
)
from bench_pipeline_tests.score.frames import inputs, item, right

SUITE = SuiteSpec(
    name="cities",
    title="Cities",
    documents="documents.csv",
    regimes={"natural": "natural.j2"},
    resamples=200,
)
#: model → share of the gold's words that each of its answers holds
SHARES = {
    "a": ["3/3", "3/3", "1/3", "1/3"],
    "b": ["2/3", "2/3", "2/3", "0/3"],
    "c": ["1/3", "1/3", "1/3", "1/3"],
}


def _grade(model: str, k: int, grader: str, verdict: str, **changes: Any) -> dict[str, Any]:
    row = dict.fromkeys(GRADES.polars)
    return {
        **row,
        "request_id": f"{model}:{k}",
        "item_id": f"q{k}",
        "model": model,
        "regime": "natural",
        "sample": 0,
        "grader": grader,
        "verdict": verdict,
        "flags": [],
        "rule": grader,
        "reason": "made",
        "gold_hash": "h",
        "version": "0.1.0",
        **changes,
    }


def _grades() -> pl.DataFrame:
    rows = []
    for model, shares in SHARES.items():
        for k, share in enumerate(shares):
            hits = int(share[0])
            overlap = "correct" if hits >= 1.5 else "incorrect"
            rows.append(_grade(model, k, "word_overlap", overlap, extracted=share))
            rows.append(_grade(model, k, "substring", "correct" if hits == 3 else "incorrect"))
    return pl.DataFrame(rows, schema=GRADES.polars)


def _inputs() -> ScoringInputs:
    items = [
        item(f"q{k}", "north" if k < 2 else "south", "unpaired", answer_type="short_answer")
        for k in range(4)
    ]
    made = inputs(items, {m: {f"q{k}": [right()] for k in range(4)} for m in SHARES}, SUITE)
    return replace(made, every_grade=_grades())


def _values(scores: pl.DataFrame, slice_name: str = "overall") -> dict[tuple[str, str], float]:
    own = scores.filter((pl.col("slice") == slice_name) & (pl.col("profile") == "full"))
    return {(p, m): v for p, m, v in own.select("protocol", "model", "value").iter_rows()}


@pytest.mark.parametrize(
    ("threshold", "expected"),
    [("0.3", [4, 3, 4]), ("0.5", [2, 3, 0]), ("0.7", [2, 0, 0]), ("1.0", [2, 0, 0])],
)
def test_every_threshold_is_derived_from_the_stored_share(
    threshold: str, expected: list[int]
) -> None:
    decided = verdicts_under(Protocol("word_overlap", Decimal(threshold)), _grades())
    right = decided.filter(pl.col("verdict") == "correct")
    counts = dict(right["model"].value_counts().iter_rows())
    assert [counts.get(model, 0) for model in SHARES] == expected


@pytest.mark.parametrize("verdict", ["refused", "undetermined"])
def test_what_holds_no_share_keeps_its_verdict(verdict: str) -> None:
    rows = [_grade("a", 0, "word_overlap", verdict, rule="refusal")]
    grades = pl.DataFrame(rows, schema=GRADES.polars)
    for threshold in ("0.3", "1.0"):
        decided = verdicts_under(Protocol("word_overlap", Decimal(threshold)), grades)
        assert decided["verdict"].to_list() == [verdict]


def test_shares_at_a_threshold_are_right_without_rounding() -> None:
    # seven tenths as floats is a little less than 0.7 × 10
    rows = [_grade("a", 0, "word_overlap", "incorrect", extracted="7/10")]
    grades = pl.DataFrame(rows, schema=GRADES.polars)
    decided = verdicts_under(Protocol("word_overlap", Decimal("0.7")), grades)
    assert decided["verdict"].to_list() == ["correct"]


def test_the_protocols_of_a_suite() -> None:
    names = [protocol.name for protocol in protocols_of(SUITE)]
    assert names == [
        "substring",
        "word_overlap 0.5",
        "word_overlap 0.3",
        "word_overlap 0.7",
        "word_overlap 1.0",
    ]
    own = SUITE.model_copy(
        update={"judge": Judge(model="j"), "overlap_threshold": 0.6, "protocol": "judge"}
    )
    assert [p.name for p in main_protocols(own)] == ["judge", "substring", "word_overlap 0.6"]
    assert own_protocol(own).name == "judge"
    assert own_protocol(SUITE).name == "word_overlap 0.5"


def test_values_by_protocol_and_domain_and_the_pairs_that_swap() -> None:
    scores = protocol_scores(SUITE, _inputs(), {})
    overall = _values(scores)
    assert overall["substring", "a"] == overall["word_overlap 0.5", "a"] == 50.0
    assert overall["word_overlap 0.5", "b"] == 75.0
    assert overall["substring", "b"] == 0.0
    assert _values(scores, "category:north")["substring", "a"] == 100.0
    assert _values(scores, "category:south")["word_overlap 0.5", "b"] == 50.0
    assert scores["ranked"].all()
    pairs = protocol_agreement(SUITE, scores, "0.1.0").filter(
        (pl.col("slice") == "overall") & (pl.col("profile") == "full")
    )
    found = {(r["protocol_a"], r["protocol_b"]): r for r in pairs.iter_rows(named=True)}
    swapped = found["substring", "word_overlap 0.5"]
    # substring: a 50, b = c = 0; overlap: b 75, a 50, c 0
    assert swapped["swapped"] == ["a / b"]
    # one pair agrees, one is turned, one is tied on one side: (1 − 1) / √(2 · 3)
    assert swapped["tau"] == pytest.approx(0.0)
    assert found["word_overlap 0.5", "word_overlap 0.7"]["tau"] == pytest.approx(0.0)


def test_a_tau_that_does_not_exist_says_why() -> None:
    scores = protocol_scores(SUITE, _inputs(), {})
    one = scores.filter(pl.col("model") == "a")
    assert set(protocol_agreement(SUITE, one, "0.1.0")["reason"]) == {
        "fewer than two models are ranked by both"
    }
    same = scores.with_columns(pl.lit(10.0).alias("value"))
    assert set(protocol_agreement(SUITE, same, "0.1.0")["reason"]) == {
        "a protocol gives every model the same value"
    }
    # figures of another version are no part of it
    assert protocol_agreement(SUITE, scores, "0.2.0").is_empty()


def test_renderings_are_slices_of_their_own_by_language_and_domain() -> None:
    made = _inputs()
    hindi = replace(made, items=made.items.with_columns(pl.lit("hi").alias("language")))
    scores = protocol_scores(SUITE, replace(made, translations={"hi": hindi}), {})
    slices = set(scores["slice"])
    assert {"translation:hi", "translation:hi/category:north", "category:north"} <= slices
    assert not any(name.startswith("language:") for name in slices)
