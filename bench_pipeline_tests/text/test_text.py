"""Keys, numbers and scripts against their tables, and the laws that keys obey."""

import json
import unicodedata
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bench_pipeline.text import (
    fold,
    fold_digits,
    has_script,
    parse_numbers,
    script_share,
    scripts_of,
    text_key,
    tokens,
)

_CASES = Path(__file__).parent / "cases"
_STEADY = settings(
    max_examples=400, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck)
)
_INDIC = st.text(
    alphabet=st.one_of(
        st.sampled_from(
            "\u200c\u200d\u094d\u093c\u0901\u0902*_`#>-.,'\" \n।॥٫٬كيهİßΣς\u0301\u0345ﬁ"
        ),
        st.characters(min_codepoint=0x0900, max_codepoint=0x0D7F),
        st.characters(codec="utf-8"),
    ),
    max_size=25,
)


def _rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (_CASES / name).read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("row", _rows("text_key.jsonl"))
def test_key_table(row: dict[str, Any]) -> None:
    assert (text_key(row["text"]) == text_key(row["other"])) is row["same"]


@pytest.mark.parametrize("row", _rows("numbers.jsonl"))
def test_number_table(row: dict[str, Any]) -> None:
    found = parse_numbers(row["text"])
    expected = [None if value is None else Decimal(value) for value in row["values"]]
    assert [mention.value for mention in found] == expected
    assert all(0 <= mention.start < mention.end <= len(row["text"]) for mention in found)


@_STEADY
@given(_INDIC)
def test_key_laws(text: str) -> None:
    key = text_key(text)
    assert text_key(key) == key
    assert bool(key) == bool(text)
    assert text_key(unicodedata.normalize("NFC", text)) == key
    assert text_key(unicodedata.normalize("NFD", text)) == key


@_STEADY
@given(st.text(alphabet=st.characters(codec=None), max_size=30))
def test_nothing_raises(text: str) -> None:
    text_key(text)
    tokens(text)
    fold_digits(text)
    folded = fold(text)
    assert len(folded.text) == len(folded.cased)
    for mention in parse_numbers(text):
        assert 0 <= mention.start <= mention.end <= len(text)


def test_number_words_of_both_languages_are_whole() -> None:
    from bench_pipeline_tests.grade.number_styles import english_words, hindi_words

    for number in [*range(0, 1000), 1001, 99_999, 100_000, 1_234_567, 12_345_678, 999_999_999]:
        for text in (english_words(number), hindi_words(number)):
            assert [mention.value for mention in parse_numbers(text)] == [Decimal(number)], text


def test_script_shares() -> None:
    assert script_share("दिल्ली", "Deva") == 1.0
    assert script_share("Delhi दि", "Devanagari") == pytest.approx(1 / 6)
    assert script_share("123 !", "Deva") == 0.0
    assert has_script("ꯃꯅꯤꯄꯨꯔꯤ", "Mtei")
    assert not has_script("Delhi", "Deva")
    assert list(scripts_of("नमस्ते ok")) == ["Deva", "Latn"]
    with pytest.raises(ValueError, match="Deva"):
        script_share("x", "Klingon")


def test_digits_of_every_script() -> None:
    assert fold_digits("१२ ۱۲ ١٢ ১২ ꯱꯲ １２ abc") == "12 12 12 12 12 12 abc"
