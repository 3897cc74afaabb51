"""A broken bank stops before anything is written, with file, row, field and what is accepted."""

from pathlib import Path

import polars as pl
import pytest

from bench_pipeline.contracts.errors import InputError
from bench_pipeline.contracts.paths import PROJECT_ROOT
from bench_pipeline.contracts.suite import SuiteSpec, load_suite
from bench_pipeline.contracts.tables import ANSWER_TYPES, SHORT_ANSWER
from bench_pipeline.grade import check_gold
from bench_pipeline.release.bank import load_bank
from bench_pipeline.release.corrections import Ledger, apply_ledger
from bench_pipeline.release.facts import load_facts
from bench_pipeline.release.reading import read_bank
from bench_pipeline.release.sides import gold_of, items_of

HEADER = "item_id,pair_id,pair_role,category,answer_type,question,gold,options,as_of"
CORE = "a-in,a,core,one,numeric,How many lakh make a crore?,100,{},"
TWIN = "a-ctl,a,control,one,numeric,How many thousands make a million?,1000,{},"


def _suite(tmp_path: Path, items: str | bytes, settings: str = "") -> SuiteSpec:
    folder = tmp_path / "suites" / "tiny"
    folder.mkdir(parents=True)
    (folder / "suite.yaml").write_text(f"name: tiny\ntitle: Tiny\nitems: items.csv\n{settings}")
    content = items if isinstance(items, bytes) else items.encode()
    (folder / "items.csv").write_bytes(content)
    return load_suite(folder)


def _load(suite: SuiteSpec) -> pl.DataFrame:
    return load_bank(suite, load_facts(suite), check_gold)


def _lines(*rows: str) -> str:
    return "\n".join([HEADER, *rows]) + "\n"


#: rows → what the message must say
BROKEN: dict[str, tuple[str, list[str]]] = {
    "duplicate id": (
        _lines(CORE, TWIN, "a-in,,,one,numeric,Another?,1,{},"),
        ["row 4", "'item_id'", "row 2"],
    ),
    "duplicate question": (
        _lines(CORE, TWIN, "b,,,one,numeric,how many LAKH make a crore ?,1,{},"),
        ["row 4", "'question'", "row 2"],
    ),
    "twin without core": (_lines(TWIN), ["row 2", "pair 'a' has no core item"]),
    "core without twin": (_lines(CORE), ["row 2", "pair 'a' has no control item"]),
    "two cores": (
        _lines(CORE, TWIN, CORE.replace("a-in", "x").replace("lakh", "x")),
        ["second core"],
    ),
    "twin of another type": (
        _lines(CORE, TWIN.replace("numeric", "date").replace(",1000,", ",2024,")),
        ["row 3", "'answer_type'", "its core item's, numeric"],
    ),
    "twin of another category": (_lines(CORE, TWIN.replace(",one,", ",two,")), ["'category'"]),
    "family in two categories": (
        "question,answer_type,gold,category,family_id\nA?,numeric,1,one,f\nB?,numeric,2,two,f\n",
        ["row 3", "'family_id'", "row 2"],
    ),
    "unknown type": (
        _lines(CORE.replace("numeric", "number"), TWIN),
        ["'answer_type'", "numeric,"],
    ),
    "gold of another form": (_lines(CORE.replace(",100,", ",many,"), TWIN), ["row 2", "'gold'"]),
    "bad options": (_lines(CORE.replace("{}", "{tolerance"), TWIN), ["'options'", "not JSON"]),
    "deep options": (_lines(CORE.replace("{}", "[" * 60_000), TWIN), ["'options'", "not JSON"]),
    "NUL": (_lines(CORE.replace("lakh", "la\0kh"), TWIN), ["NUL"]),
    "unknown option": (_lines(CORE.replace("{}", '"{""tolerence"": 1}"'), TWIN), ["tolerence"]),
    "bad date": (_lines(CORE + "last year", TWIN), ["'as_of'", "2024-04-01"]),
    "empty question": (_lines("x,,,one,numeric,,1,{},"), ["'question'", "empty"]),
    "no slug": (_lines("A 1,,,one,numeric,How?,1,{},"), ["'item_id'", "slug"]),
    "role without pair": (_lines("x,,core,one,numeric,How?,1,{},"), ["'pair_id'"]),
    "clarification in a pair": (
        _lines("x,p,core,one,clarification,How big is a bigha?,-,{},"),
        ["'pair_role'", "unpaired"],
    ),
    "short row": (_lines("x,,"), ["row 2", "3 cells", "9 cells"]),
    "missing column": ("question,gold\nHow?,1\n", ["row 1", "'answer_type' is missing"]),
    "unknown column": (HEADER + ",mood\n", ["row 1", "unknown column 'mood'"]),
    "column twice": (HEADER + ",gold\n", ["'gold' stands twice"]),
    "no rows": (_lines(), ["no item"]),
    "semicolons": (_lines(CORE, TWIN).replace(",", ";"), ["row 1", "separated by ';'", "commas"]),
    "override": (_lines("x,,,one,numeric,How\u202e?,1,{},"), ["row 2", "'question'", "reorders"]),
    "open quote": (_lines('x,,,one,numeric,"How?,1,{},'), ["not valid CSV"]),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_bank_names_what_is_wrong(name: str, tmp_path: Path) -> None:
    text, parts = BROKEN[name]
    suite = _suite(tmp_path, text)
    with pytest.raises(InputError) as caught:
        _load(suite)
    message = str(caught.value)
    assert "tiny/items.csv" in message
    for part in parts:
        assert part in message, message
    assert "\n" not in message


def test_a_category_that_the_suite_does_not_have(tmp_path: Path) -> None:
    suite = _suite(tmp_path, _lines(CORE, TWIN), "categories: {two: Two}\n")
    with pytest.raises(InputError, match=r"'category'.*found 'one'; accepted: two"):
        _load(suite)


def test_bytes_that_are_not_utf8(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="UTF-8"):
        _load(_suite(tmp_path, _lines(CORE).encode() + b"\xff"))


def test_items_outside_the_suites_folder(tmp_path: Path) -> None:
    suite = _suite(tmp_path, _lines(CORE, TWIN))
    (suite.folder / "out").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "elsewhere.csv").write_text(_lines(CORE, TWIN))
    with pytest.raises(InputError, match="leads out"):
        _load(suite.model_copy(update={"items": "out/*.csv"}))
    for items in (".", "x" * 5_000, "nothing-here.csv"):
        with pytest.raises(InputError, match="field 'items'"):
            _load(suite.model_copy(update={"items": items}))
    for items in ("/etc/*.csv", "../../*.csv"):
        with pytest.raises(InputError, match=r"field 'items': .* leads out"):
            _load(suite.model_copy(update={"items": items}))


def test_a_line_separator_inside_a_question_is_text(tmp_path: Path) -> None:
    suite = _suite(tmp_path, "question,answer_type,gold\nWhat is\u20282 + 2?,numeric,4\n")
    assert _load(suite)["question"].to_list() == ["What is\u20282 + 2?"]


def test_no_file(tmp_path: Path) -> None:
    suite = _suite(tmp_path, _lines(CORE, TWIN))
    lost = suite.model_copy(update={"items": "lost/*.csv"})
    with pytest.raises(InputError, match="no file matches"):
        _load(lost)


def test_three_columns_are_enough(tmp_path: Path) -> None:
    suite = _suite(
        tmp_path,
        "\ufeffquestion,answer_type,gold\nCapital of Kerala?,string_normalized,Kochi\n",
    )
    row = _load(suite).row(0, named=True)
    assert row["item_id"].startswith("q-")
    assert (row["category"], row["pair_role"], row["language"]) == ("all", "unpaired", "en")


def test_the_sides_part_ways(tmp_path: Path) -> None:
    bank = apply_ledger(_load(_suite(tmp_path, _lines(CORE, TWIN))), Ledger(()), check_gold)
    items, gold = items_of(bank), gold_of(bank, "0.1.0", 0)
    assert not {"gold", "options", "row", "formula"} & set(items.columns)
    corrected = bank.with_columns(gold=bank["gold"].replace({"100": "101"}))
    assert items_of(corrected).equals(items)
    changed = gold_of(corrected, "0.1.1", 1)["gold_hash"] != gold["gold_hash"]
    assert changed.to_list() == [True, False]


def test_the_shipped_bank() -> None:
    suite = load_suite(PROJECT_ROOT / "assets" / "suites" / "bkp")
    files = read_bank(suite, check_gold)
    assert [outcome.sample for outcome in files.outcomes if not outcome.success] == []
    assert set(files.bank["answer_type"]) == set(ANSWER_TYPES) - {SHORT_ANSWER}
    assert set(files.bank["status"]) == {"draft"}
