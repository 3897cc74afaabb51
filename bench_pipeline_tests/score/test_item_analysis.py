"""Candidates for gold review: shared misses of strong models, shared wrong values of families."""

from typing import Any

from bench_pipeline.score.item_analysis import analyse_items
from bench_pipeline_tests.score.frames import SUITE, Answers, inputs, pairs, right, wrong

ITEMS = pairs(one=4)


def _answers(**changes: Any) -> Answers:
    named = {key.replace("_", "-"): [value] for key, value in changes.items()}
    return {row["item_id"]: [right()] for row in ITEMS} | named


def _rows(answers: dict[str, Answers], families: dict[str, str] | None = None) -> dict[str, Any]:
    own = families or {model: model for model in answers}
    frame = analyse_items(SUITE, inputs(ITEMS, answers), own)
    return {row["item_id"]: row for row in frame.iter_rows(named=True)}


def test_an_item_that_every_strong_model_misses_is_a_candidate() -> None:
    miss = _answers(one0_in=wrong(extracted="8"))
    other = _answers(one0_in=wrong(extracted="9"))
    rows = _rows({"a": miss, "b": other})
    assert rows["one0-in"]["candidate"]
    assert "all 2 models" in rows["one0-in"]["why"]
    assert rows["one0-in"]["difficulty"] == 0.0
    assert not rows["one1-in"]["candidate"]


def test_weak_models_say_nothing_about_an_item() -> None:
    nothing: Answers = {row["item_id"]: [wrong()] for row in ITEMS}
    weak = {k: [wrong(extracted=f"{n}")] for n, k in enumerate(nothing)}
    rows = _rows({"a": weak, "b": {k: [wrong(extracted=f"x{k}")] for k in nothing}})
    assert not any(row["candidate"] for row in rows.values())


def test_one_wrong_value_counts_by_families_not_by_models() -> None:
    miss = _answers(one0_in=wrong(extracted="7"))
    fine = _answers()
    same = _rows({"a1": miss, "a2": miss, "c": fine}, {"a1": "a", "a2": "a", "c": "c"})
    assert same["one0-in"]["wrong_value"] is None
    apart = _rows({"a1": miss, "b1": miss, "c": fine}, {"a1": "a", "b1": "b", "c": "c"})
    assert (apart["one0-in"]["wrong_value"], apart["one0-in"]["wrong_families"]) == ("7", 2)


def test_discrimination_needs_three_models_that_differ() -> None:
    good, bad = _answers(), _answers(one0_in=wrong(), one1_in=wrong(), one1_ctl=wrong())
    two = _rows({"a": good, "b": bad})
    assert two["one0-in"]["discrimination"] is None
    assert "3 needed" in two["one0-in"]["reason"]
    three = _rows({"a": good, "b": bad, "c": good})
    assert three["one0-in"]["discrimination"] > 0.9
    assert three["one2-in"]["reason"] == "all models have the same value"
