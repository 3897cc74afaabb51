"""Legacy fonts by name and by letters, against a table; languages in Latin letters are none."""

import json
from pathlib import Path
from typing import Any

import pytest

from bench_pipeline.extract._faults import is_legacy_font, looks_like_legacy

_CASES = Path(__file__).parent / "cases"


def _rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (_CASES / name).read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("row", _rows("legacy_texts.jsonl"), ids=lambda row: row["what"])
def test_letters(row: dict[str, Any]) -> None:
    assert looks_like_legacy(row["text"], row["script"]) is row["legacy"]


@pytest.mark.parametrize("row", _rows("font_names.jsonl"), ids=lambda row: row["font"])
def test_font_names(row: dict[str, Any]) -> None:
    assert is_legacy_font(row["font"]) is row["legacy"]
