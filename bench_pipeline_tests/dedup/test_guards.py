"""The guards against their table, and against labelled pairs that an embedding takes for one."""

import csv
from pathlib import Path

import numpy as np
import pytest

from bench_pipeline.dedup import Row, Settings, guard
from bench_pipeline.dedup._lexicon import lexicon, stem
from bench_pipeline.providers.embeddings import embedder

_HERE = Path(__file__).parent


def _rows(name: str) -> list[dict[str, str]]:
    with (_HERE / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _guard(row: dict[str, str], *, entities: bool = True, turned: bool = False) -> str | None:
    a = Row(row["text_a"], row["answer_a"] or None)
    b = Row(row["text_b"], row["answer_b"] or None)
    return guard(b, a, entities) if turned else guard(a, b, entities)


@pytest.mark.parametrize(
    "row", _rows("guards.csv"), ids=lambda row: f"{row['text_a']}|{row['text_b']}"
)
def test_guards(row: dict[str, str]) -> None:
    expected = row["guard"] or None
    assert _guard(row) == expected
    assert _guard(row, turned=True) == expected
    if expected in ("state", "name"):
        assert _guard(row, entities=False) is None


def test_languages_are_never_merged() -> None:
    assert guard(Row("Kya?", language="hi"), Row("Kya?", language="mr")) == "language"
    assert guard(Row("Kya?", language="hi"), Row("Kya?")) is None


def test_what_an_embedding_does_not_read_is_not_merged() -> None:
    text = "Which of these are rivers: " + "water " * 200
    assert guard(Row(text + "here?"), Row(text + "there?")) == "length"
    assert guard(Row(text), Row(text)) is None


@pytest.mark.parametrize(
    "text", ["", " ", "?!", "a" * 100_000, "1 " * 50_000, "\u200d", "N. N. N."]
)
def test_no_text_breaks_a_guard(text: str) -> None:
    other = Row("Who was it?", "He")
    assert guard(Row(text, text), other) == guard(other, Row(text, text))
    assert guard(Row(text, text), Row(text, text)) is None


def test_the_lists_are_in_order() -> None:
    known = lexicon()
    assert all(len(set(group.values())) > 1 for group in known.opposites)
    assert not known.negators & known.common - {"no", "not", "without"}
    assert stem("cities") == "city"
    assert stem("ruled") == stem("rules") == stem("ruling")


# -- labelled pairs ------------------------------------------------------------------------

_PAIRS = _rows("pairs.csv")


def _share_right(rows: list[dict[str, str]]) -> float:
    return sum((_guard(row) is None) == (row["same"] == "yes") for row in rows) / len(rows)


@pytest.mark.parametrize("split", ["tune", "held"])
def test_near_misses_stay_apart_and_paraphrases_merge(split: str) -> None:
    """Nobody looks at the pairs that are held out while guards are tuned."""
    rows = [row for row in _PAIRS if row["split"] == split]
    assert _share_right([row for row in rows if row["same"] == "no"]) >= 0.95
    assert _share_right([row for row in rows if row["same"] == "yes"]) >= 0.90


def test_the_labelled_pairs_are_of_every_kind() -> None:
    kinds = {row["kind"] for row in _PAIRS}
    assert kinds == {
        *("paraphrase", "number", "lakh", "year", "ordinal", "article", "negation"),
        *("antonym", "role", "state", "entity", "word", "answer"),
    }
    held = sum(row["split"] == "held" for row in _PAIRS)
    assert len(_PAIRS) >= 260
    assert held >= len(_PAIRS) / 3
    assert all((row["kind"] == "paraphrase") == (row["same"] == "yes") for row in _PAIRS)


@pytest.mark.slow
def test_the_model_takes_every_labelled_pair_for_one() -> None:
    model = embedder("minilm", cache=None)
    first = model.embed([row["text_a"] for row in _PAIRS])
    second = model.embed([row["text_b"] for row in _PAIRS])
    cosines = np.einsum("ij,ij->i", first, second)
    assert cosines.min() >= Settings().threshold
