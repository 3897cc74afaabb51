"""What no reader sees, and what its writing needs although nobody sees it."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench_pipeline.text import hidden_characters

_TABLE = Path(__file__).parent / "cases" / "hidden.jsonl"
_ROWS = [json.loads(line) for line in _TABLE.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("row", _ROWS, ids=lambda row: row["why"])
def test_the_table(row: dict[str, Any]) -> None:
    assert hidden_characters(row["text"], row["script"]) == set(row["hidden"])


def test_half_of_a_character_is_hidden() -> None:
    assert hidden_characters("a\ud800") == {"\ud800"}


@given(st.text(st.characters(codec=None)), st.sampled_from([None, "Arab", "Deva"]))
def test_without_them_a_text_has_none(text: str, script: str | None) -> None:
    found = hidden_characters(text, script)
    rest = "".join(character for character in text if character not in found)
    assert hidden_characters(rest, script) == frozenset()
