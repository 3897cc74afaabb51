"""Sentence ends against a table, and the laws that spans obey on any text."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import regex
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bench_pipeline.text import split_sentences

_CASES = Path(__file__).parent / "cases" / "sentences.jsonl"
_STEADY = settings(
    max_examples=400, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck)
)
_TEXT = st.text(
    alphabet=st.one_of(
        st.sampled_from(" .!?।॥۔\n\u200c\u200d\u094d\u0301'\"”)(—Aa1कक्षि😀"),
        st.characters(min_codepoint=0x0900, max_codepoint=0x0D7F),
        st.characters(codec="utf-8"),
    ),
    max_size=40,
)


def _rows() -> list[dict[str, Any]]:
    return [json.loads(line) for line in _CASES.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("row", _rows(), ids=lambda row: f"{row['language']} {row['what']}")
def test_sentence_table(row: dict[str, Any]) -> None:
    text = row.get("joined_by", " ").join(row["sentences"])
    found = [text[start:end] for start, end in split_sentences(text, row["language"])]
    assert found == [sentence.strip() for sentence in row["sentences"]]


@_STEADY
@given(_TEXT, st.sampled_from(["en", "hi", "ta", "ur", "sa", "qaa"]))
def test_spans_cover_all_but_spaces_in_order(text: str, language: str) -> None:
    spans = split_sentences(text, language)
    kept = "".join(text[start:end] for start, end in spans)
    assert "".join(kept.split()) == "".join(text.split())
    assert all(start < end for start, end in spans)
    assert all(one[1] <= other[0] for one, other in pairwise(spans))
    for start, end in spans:
        assert text[start:end] == text[start:end].strip()


@_STEADY
@given(_TEXT)
def test_no_span_divides_a_grapheme_cluster(text: str) -> None:
    ends = {match.end() for match in regex.finditer(r"\X", text)} | {0}
    # a space that carries a mark is a cluster too, and no span holds spaces at its ends
    divided = [
        place
        for span in split_sentences(text, "hi")
        for place in span
        if place not in ends and not any(map(str.isspace, text[place - 1 : place + 1]))
    ]
    assert divided == []
