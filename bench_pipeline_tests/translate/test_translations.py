"""A language's rows: every planted error of a reply caught, tried once more, then listed."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from bench_pipeline.contracts.errors import InputError
from bench_pipeline.contracts.languages import language
from bench_pipeline.contracts.suite import SuiteSpec, load_suite
from bench_pipeline.translate.batches import batches, read_batch
from bench_pipeline.translate.gates import Rendering, Source
from bench_pipeline.translate.imports import load_glossary, load_human
from bench_pipeline.translate.translations import translations_table

SOURCES = [
    Source("a", "Which river flows through Patna?", "Ganga"),
    Source("b", "In which year did India become a republic?", "1950"),
    Source("c", "How many states did India have in 2024?", "28"),
]
HINDI = {
    "a": ("पटना से होकर कौन सी नदी बहती है?", "गंगा"),
    "b": ("भारत किस वर्ष गणराज्य बना?", "1950"),
    "c": ("2024 में भारत में कितने राज्य थे?", "२८"),
}


def _entry(item_id: str, **changes: Any) -> dict[str, Any]:
    question, answer = HINDI[item_id]
    source = next(s.question for s in SOURCES if s.item_id == item_id)
    return {"id": item_id, "source": source, "question": question, "answer": answer, **changes}


def _reply(*entries: Any) -> str:
    return json.dumps({"translations": list(entries)}, ensure_ascii=False)


def _statuses(*tries: str, human: dict[str, Rendering] | None = None) -> dict[str, Any]:
    read = [read_batch(SOURCES, text, "stop") for text in tries]
    frame = translations_table(SOURCES, language("hi"), human or {}, "m", read, {})
    return {
        row["item_id"]: row["reasons"] if row["status"] == "failed" else row["engine"]
        for row in frame.iter_rows(named=True)
    }


def test_a_good_reply_is_kept_whole() -> None:
    assert _statuses(_reply(*map(_entry, "cab"))) == {"a": "m", "b": "m", "c": "m"}


def test_swapped_rows_show_by_their_source() -> None:
    a, b = _entry("a"), _entry("b")
    a["id"], b["id"] = "b", "a"
    found = _statuses(_reply(a, b, _entry("c")))
    assert "echo_mismatch" in found["a"]
    assert "echo_mismatch" in found["b"]
    assert found["c"] == "m"


@pytest.mark.parametrize(
    ("entries", "reason"),
    [
        ((_entry("b"), _entry("c")), "missing_in_reply"),
        ((_entry("a"), _entry("a"), _entry("b"), _entry("c")), "id_twice"),
        ((_entry("a", answer=7), _entry("b"), _entry("c")), "question_or_answer_missing"),
        ((_entry("a", source=None), _entry("b"), _entry("c")), "source_not_repeated"),
        ((_entry("a", question=" "), _entry("b"), _entry("c")), "empty"),
        ((_entry("a", question=SOURCES[0].question), _entry("b"), _entry("c")), "source_echoed"),
    ],
)
def test_one_bad_row_fails_alone(entries: tuple[Any, ...], reason: str) -> None:
    found = _statuses(_reply(*entries))
    assert reason in found.pop("a")
    assert set(found.values()) == {"m"}


@pytest.mark.parametrize("text", ["", "no JSON", '{"translations": 7}', '{"translations": [{"id"'])
def test_a_reply_that_is_none_fails_every_row(text: str) -> None:
    assert all(isinstance(reasons, list) for reasons in _statuses(text).values())


def test_the_second_try_counts_and_what_fails_twice_is_listed() -> None:
    wrong = _entry("b", answer="1947")
    first = _reply(_entry("a"), wrong, _entry("c"))
    assert _statuses(first, _reply(_entry("b")))["b"] == "m"
    assert _statuses(first, _reply(wrong))["b"] == ["answer_numbers_changed"]


def test_a_person_goes_before_the_engine_and_through_the_same_gates() -> None:
    good = {"a": Rendering("a", *HINDI["a"])}
    assert _statuses(_reply(*map(_entry, "abc")), human=good)["a"] == "human"
    bad = {"b": Rendering("b", HINDI["b"][0], "1947")}
    assert _statuses(_reply(*map(_entry, "abc")), human=bad)["b"] == "m"
    assert _statuses(human=bad)["b"] == ["answer_numbers_changed"]
    assert _statuses()["a"] == ["not_translated"]


def test_batches_keep_their_order() -> None:
    assert [[s.item_id for s in batch] for batch in batches(SOURCES, 2)] == [["a", "b"], ["c"]]


def _suite(folder: Path, translations: str, glossary: str = "") -> SuiteSpec:
    suite = folder / "books"
    suite.mkdir(parents=True)
    (suite / "suite.yaml").write_text("name: books\ntitle: B\ndocuments: documents.csv\n")
    (suite / "human.csv").write_text("item_id,language,question,answer,translator\n" + translations)
    (suite / "glossary.csv").write_text("term,language,translation\n" + glossary)
    return load_suite(suite)


def test_files_of_people(tmp_path: Path) -> None:
    suite = _suite(tmp_path, "a,hi,प्रश्न?,उत्तर,p1\na,ta,கேள்வி?,பதில்,p2\n", "Parliament,hi,संसद\n")
    assert load_human(suite, "human.csv", "hi") == {"a": Rendering("a", "प्रश्न?", "उत्तर")}
    assert load_human(suite, None, "hi") == {}
    assert load_glossary(suite, "glossary.csv", "hi") == {"Parliament": "संसद"}
    assert load_glossary(suite, "glossary.csv", "ta") == {}


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("a,hi,q,x,p1\na,hi,q,y,p1\n", "row 3, field 'item_id'"),
        (",hi,q,x,p1\n", "row 2, field 'item_id'"),
        ("a,hi,q,x,\n", "row 2, field 'translator'"),
        ("a,Hindi,q,x,p1\n", "row 2, field 'language'.*found 'Hindi'; accepted: as, bn"),
        ("a,hi,q,x\n", "row 2.*4 cells; accepted: 5 cells"),
        ("a,hi,q,x,p1\nb,hi,q\0,x,p1\n", "it holds a NUL character"),
        (f"a,hi,{'q' * 200_000},x,p1\n", "row 2.*not valid CSV: field larger"),
        ('a,hi,"q,x,p1\n', "not valid CSV"),
    ],
)
def test_a_broken_file_names_what_is_wrong(row: str, message: str, tmp_path: Path) -> None:
    suite = _suite(tmp_path, row)
    with pytest.raises(InputError, match=message):
        load_human(suite, "human.csv", "hi")


def test_a_file_that_is_no_utf8_is_refused(tmp_path: Path) -> None:
    suite = _suite(tmp_path, "")
    text = "item_id,language,question,answer,translator\na,hi,प्रश्न?,उत्तर,p1\n"
    (suite.folder / "human.csv").write_bytes(text.encode("utf-16"))
    with pytest.raises(InputError, match=r"human\.csv, row 1: byte 0 is not UTF-8"):
        load_human(suite, "human.csv", "hi")


def test_a_file_as_a_spreadsheet_saves_it(tmp_path: Path) -> None:
    suite = _suite(tmp_path, "")
    text = (
        "\ufeffitem_id,language,question,answer,translator\r\n"
        'a,hi,"प्रश्न, एक?",उत्तर,p1\r\n'
        ",,,,\r\n"
        'b,hi," प्रश्न ""दो""? ",उत्तर,p1\r\n'
    )
    (suite.folder / "human.csv").write_bytes(text.encode())
    assert load_human(suite, "human.csv", "hi") == {
        "a": Rendering("a", "प्रश्न, एक?", "उत्तर"),
        "b": Rendering("b", 'प्रश्न "दो"?', "उत्तर"),
    }


def test_an_id_twice_in_two_files_names_both_places(tmp_path: Path) -> None:
    suite = _suite(tmp_path, "a,hi,q,x,p1\na,ta,q,x,p1\n")
    header = "item_id,language,question,answer,translator\n"
    (suite.folder / "human2.csv").write_text(header + "a,hi,q,y,p2\n")
    with pytest.raises(InputError, match=r"human2.csv, row 2.*the same as in .*human.csv, row 2"):
        load_human(suite, "human*.csv", "hi")


@pytest.mark.parametrize(
    ("question", "answer", "reason"),
    [
        ("=cmd|'/c calc'!A0", "गंगा", "wrong_script"),
        ("@SUM(A1)", "गंगा", "wrong_script"),
        ("पटना से होकर कौन सी नदी बहती है?", "=HYPERLINK(A1)", "answer_in_wrong_script"),
        ("पटना से होकर कौन सी\x07 नदी बहती है?", "गंगा", "garbled"),
        ("पटना से होकर कौन सी नदी बहती है?\x1b[2J", "गंगा", "garbled"),
        ("पटना से होकर कौन सी नदी बहती है? " * 2000, "गंगा", "length_ratio"),
        ("पटना से होकर कौन सी नदी बहती है?", "", "empty"),
        ("", "", "empty"),
    ],
)
def test_a_hostile_cell_comes_whole_and_fails_its_gate(
    question: str, answer: str, reason: str, tmp_path: Path
) -> None:
    suite = _suite(tmp_path, "")
    with (suite.folder / "human.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["item_id", "language", "question", "answer", "translator"])
        rows.writerow(["a", "hi", question, answer, "p1"])
        rows.writerow(["b", "hi", *HINDI["b"], "p1"])
        rows.writerow(["no-item", "hi", *HINDI["b"], "p1"])
    human = load_human(suite, "human.csv", "hi")
    assert set(human) == {"a", "b", "no-item"}
    frame = translations_table(SOURCES, language("hi"), human, None, [], {})
    rows_of = {row["item_id"]: row for row in frame.iter_rows(named=True)}
    assert set(rows_of) == {"a", "b", "c"}
    assert reason in rows_of["a"]["reasons"]
    assert rows_of["a"]["question"] == question.strip()
    assert rows_of["b"]["status"] == "kept"
