"""What the cloze baseline masks, and what it leaves alone."""

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench_pipeline.generate.cloze import BLANK, cloze_questions

CASES = list(csv.DictReader((Path(__file__).parent / "cases" / "cloze.csv").open()))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["sentence"][:40])
def test_what_is_masked(case: dict[str, str]) -> None:
    language = "hi" if "।" in case["sentence"] else "en"
    made = list(cloze_questions(case["sentence"], "A reader", language))
    found = [(question.answer, question.kind) for question in made]
    assert found == ([(case["answer"], case["kind"])] if case["answer"] else [])
    for question in made:
        assert case["sentence"][question.start : question.end] == question.answer
        assert question.question.startswith("A reader: ")
        assert question.question.count(BLANK) == 1


@given(st.text("The Governor shall be 1950 in India. \n()।", max_size=400))
def test_every_span_is_of_the_chunk(chunk: str) -> None:
    for question in cloze_questions(chunk, "T"):
        assert chunk[question.start : question.end] == question.answer
        assert question.answer.strip()
