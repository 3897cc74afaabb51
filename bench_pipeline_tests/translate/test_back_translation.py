"""Back-translation ranks what people look at, and drops nothing."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from bench_pipeline.contracts.construction import TRANSLATIONS
from bench_pipeline.contracts.errors import InputError
from bench_pipeline.contracts.languages import language
from bench_pipeline.contracts.suite import load_suite
from bench_pipeline.translate.back_translation import (
    Back,
    BackBatch,
    back_batches,
    chrf,
    ranked,
    read_back,
)
from bench_pipeline.translate.gates import Rendering, Source
from bench_pipeline.translate.translations import translations_table

QUESTIONS = {
    "a": ("Which river flows through Patna?", "पटना से होकर कौन सी नदी बहती है?"),
    "b": ("Which hill station lies near Dehradun?", "देहरादून के पास कौन सा हिल स्टेशन है?"),
    "c": ("Which city is called the pink city?", "गुलाबी नगर किसे कहते हैं?"),
}
BATCH = BackBatch("en:0", "English", tuple({"item_id": i, "question": "?"} for i in "ab"))


def _frame(*failed: str) -> pl.DataFrame:
    sources = [Source(item_id, question, "7") for item_id, (question, _) in QUESTIONS.items()]
    renderings: dict[str, Rendering | str] = {
        item_id: "not_json" if item_id in failed else Rendering(item_id, question, "7")
        for item_id, (_, question) in QUESTIONS.items()
    }
    return translations_table(sources, language("hi"), {}, "m", [renderings], {})


def test_the_poorest_comes_first_and_stays_kept() -> None:
    backs = {
        "a": Back("Which river flows through Patna?"),
        "b": Back("How many elephants are there?"),
        "c": Back(reason="id_twice"),
    }
    frame = TRANSLATIONS.conform(ranked(_frame(), backs))
    assert frame["status"].to_list() == ["kept"] * 3
    assert frame["review_rank"].to_list() == [2, 1, None]
    assert frame["back_reason"].to_list() == [None, None, "id_twice"]
    assert frame["chrf"][0] == pytest.approx(100.0)
    assert frame["chrf"][1] < 40
    assert frame["chrf"][2] is None


def test_equal_scores_are_looked_at_in_the_order_of_ids() -> None:
    backs = {item_id: Back(question) for item_id, (question, _) in QUESTIONS.items()}
    assert ranked(_frame(), backs)["review_rank"].to_list() == [1, 2, 3]


def test_a_wrong_year_is_no_matter_for_chrf() -> None:
    source = "In which session of 1929 did Congress demand full independence?"
    wrong_year = chrf(source.replace("1929", "1992"), source)
    assert wrong_year > chrf(
        "Full independence was asked for by Congress at which 1929 session?", source
    )
    assert chrf(source.upper().replace("1929", "१९२९").rstrip("?"), source) == pytest.approx(100.0)


def test_batches_hold_kept_rows_of_one_language_and_stay_when_a_row_is_kept_later() -> None:
    languages = {"a": "en", "b": "en", "c": "ta"}
    whole = list(back_batches(_frame(), languages, 2))
    assert [(b.language, [i["item_id"] for i in b.items]) for b in whole] == [
        ("English", ["a", "b"]),
        ("Tamil", ["c"]),
    ]
    english = dict.fromkeys("abc", "en")
    before, after = (list(back_batches(_frame(*failed), english, 2)) for failed in ("b", ""))
    assert [len(batch.items) for batch in before] == [1, 1]
    assert before[1] == after[1]
    assert before[0] != after[0]


@pytest.mark.parametrize(
    ("entries", "reason"),
    [
        ([{"id": "b", "question": "B"}], "missing_in_reply"),
        ([{"id": "a", "question": "A"}, {"id": "a", "question": "A"}], "id_twice"),
        ([{"id": "a", "question": 7}], "question_missing"),
        ([{"id": "a", "question": " "}], "question_missing"),
        ([{"id": ["a"]}, "a", None], "missing_in_reply"),
    ],
)
def test_a_row_that_is_none_fails_alone_with_its_reason(entries: list[Any], reason: str) -> None:
    text = json.dumps({"translations": [*entries, {"id": "z", "question": "Z"}]})
    found = read_back(BATCH, text, "stop")
    assert found["a"] == Back(reason=reason)
    assert set(found) == {"a", "b"}


@pytest.mark.parametrize(
    ("text", "finish", "reason"),
    [
        ("", "stop", "empty_reply"),
        ("no JSON", "stop", "not_json"),
        ('{"translations": [', "length", "cut_by_length"),
        ('{"translations": 7}', "stop", "no_list_of_translations"),
    ],
)
def test_a_reply_that_is_none_fails_its_batch(text: str, finish: str, reason: str) -> None:
    assert read_back(BATCH, text, finish) == {i: Back(reason=reason) for i in "ab"}


def test_translating_back_needs_an_engine(tmp_path: Path) -> None:
    suite = tmp_path / "s"
    suite.mkdir()
    (suite / "suite.yaml").write_text(
        "name: s\ntitle: S\nitems: i.csv\ntranslation: {languages: [hi], back_translate: true}\n"
    )
    with pytest.raises(InputError, match="back_translate needs an engine"):
        load_suite(suite)
