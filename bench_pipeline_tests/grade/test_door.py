"""The door: statuses, malformed golds and options, case files."""

import json
from pathlib import Path
from typing import Any

import pytest

from bench_pipeline.contracts.grades import Verdict
from bench_pipeline.grade import GradeInputError, check_gold, grade, grade_response
from bench_pipeline.grade.cases import grade_cases


@pytest.mark.parametrize(
    ("status", "answer", "verdict"),
    [
        ("ok", "18", Verdict.CORRECT),
        ("ok", "20", Verdict.INCORRECT),
        ("ok", None, Verdict.UNDETERMINED),
        ("truncated", "Answer: 18. Because", Verdict.CORRECT),
        ("truncated", "Let us begin with", Verdict.UNDETERMINED),
        ("truncated", "<think>it is 18", Verdict.UNDETERMINED),
        ("empty", None, Verdict.UNDETERMINED),
        ("empty", "", Verdict.UNDETERMINED),
        ("filtered", None, Verdict.REFUSED),
        ("filtered", "18", Verdict.REFUSED),
    ],
)
def test_status_first(status: str, answer: str | None, verdict: Verdict) -> None:
    assert grade_response(status, "numeric", "18", answer, {}).verdict is verdict


@pytest.mark.parametrize("status", ["infra_error", "broken", ""])
def test_missing_data_reaches_no_grader(status: str) -> None:
    with pytest.raises(ValueError, match="status"):
        grade_response(status, "numeric", "18", "18", {})


@pytest.mark.parametrize(
    ("answer_type", "gold", "options", "message"),
    [
        ("number", "1", None, "unknown answer type 'number'"),
        ("numeric", "1,000", None, "plain decimal"),
        ("numeric", "", None, "plain decimal"),
        ("numeric", "NaN", None, "plain decimal"),
        ("numeric", "1e5", None, "plain decimal"),
        ("numeric_with_unit", "100", None, "a space and a unit"),
        ("numeric_with_unit", "100 blorps", None, "blorps"),
        ("date", "15/08/1947", None, "YYYY-MM-DD"),
        ("date", "2023-02-29", None, "existing"),
        ("date_range", "2023-04-01", None, "date_range"),
        ("date_range", "2024-03-31..2023-04-01", None, "ends before it begins"),
        ("month_set", "0,13", None, "month numbers"),
        ("month_set", "October", None, "month numbers"),
        ("enum", "kharif", None, "choices"),
        ("enum", "kharif", {"choices": {"rabi": [], "zaid": []}}, "rabi, zaid"),
        ("string_normalized", " ", None, "empty"),
        ("string_normalized", "abc", {"grouping": True}, "grouping"),
        ("clarification", "2500", None, "clarification"),
        ("substring", "...", None, "at least one word"),
        ("numeric", "1", {"tolerence": {"abs": "1"}}, "unknown option 'tolerence'"),
        ("numeric", "1", {"tolerance": {"abs": "x"}}, "tolerance"),
        ("numeric", "1", {"tolerance": {"abs": "1", "rel": "1"}}, "tolerance"),
        ("numeric", "1", {"percent": "yes"}, "percent"),
        ("date", "1947", {"century_pivot": 1930}, "century_pivot"),
        ("date_range", "2023-04-01..2024-03-31", {"year": "solar"}, "fiscal"),
        ("date_range", "2023-04-01..2024-03-31", {"year": {"marketing": 13}}, "marketing"),
        ("enum", "a", {"choices": {"a": ["x"], "b": ["x"]}}, "stands for both"),
        ("enum", "a", {"choices": ["a"]}, "at least two"),
        ("clarification", "-", {"readings": [{"label": "x"}]}, "readings"),
        ("word_overlap", "a", {"threshold": "0"}, "threshold"),
        ("numeric", "1", {"question": 5}, "question"),
        ("numeric", "1", {"aliases": "x"}, "aliases"),
    ],
)
def test_a_malformed_item_is_an_error(
    answer_type: str, gold: str, options: dict[str, Any] | None, message: str
) -> None:
    with pytest.raises(GradeInputError, match=message):
        check_gold(answer_type, gold, options)


def test_a_gold_that_is_no_string_is_an_error() -> None:
    with pytest.raises(ValueError, match="accepted is a string"):
        grade("numeric", 5, "5")  # type: ignore[arg-type]


def test_span_points_at_the_value_in_the_raw_answer() -> None:
    raw = "<think>no</think>  हिन्दी में: **१,००,०००**"
    found = grade("numeric", "100000", raw)
    assert found.span is not None
    assert raw[slice(*found.span)] == "१,००,०००"


def test_extracted_is_canonical_across_styles() -> None:
    answers = ["2.50 lakh", "2,50,000", "ढाई लाख", '{"value": 250000}']
    assert {grade("numeric", "1", answer).extracted for answer in answers} == {"250000"}


def test_case_file(tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    row = {"answer_type": "numeric", "gold": "10", "answer": "1000"}
    path.write_text(
        json.dumps(row) + "\n\n" + json.dumps({**row, "gold": "x"}) + "\n", encoding="utf-8"
    )
    grades = grade_cases(path)
    assert next(grades)["flags"] == ["order_of_magnitude"]
    with pytest.raises(GradeInputError, match="line 3"):
        next(grades)
