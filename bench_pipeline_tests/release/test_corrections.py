"""The ledger: what a correction does, what it may not do, and what became of each."""

from pathlib import Path

import pytest

from bench_pipeline.contracts.errors import InputError
from bench_pipeline.contracts.suite import SuiteSpec
from bench_pipeline.grade import check_gold
from bench_pipeline.release.corrections import (
    Ledger,
    apply_ledger,
    extended,
    load_ledger,
    read_corrections,
    rolled_back,
    write_ledger,
)
from bench_pipeline_tests.release.benches import CORE, TWIN, found, read, tiny_suite

_COLUMNS = "item_id,field,old_value,new_value,reason,source,reviewer,date"
_GOLD = "a-in,gold,300,30,a slip,page 4,r1,2026-02-03"
_NEXT = "a-in,gold,30,3,another slip,page 4,r1,2026-02-04"


def _file(folder: Path, *rows: str, columns: str = _COLUMNS) -> Path:
    path = folder / "new.csv"
    path.write_text("\n".join([columns, *rows]) + "\n")
    return path


def _apply(suite: SuiteSpec, *rows: str, columns: str = _COLUMNS) -> Ledger:
    ledger = load_ledger(suite)
    events = read_corrections(_file(suite.folder, *rows, columns=columns), ledger)
    together = extended(ledger, events)
    write_ledger(suite, together)
    return load_ledger(suite)


def _golds(suite: SuiteSpec) -> dict[str, str]:
    return dict(read(suite).corrected.select("item_id", "gold").iter_rows())


def test_no_ledger_is_no_correction(tmp_path: Path) -> None:
    suite = tiny_suite(tmp_path)
    assert load_ledger(suite) == Ledger(())
    assert read(suite).version == suite.version
    assert not read(suite).corrected["disputed"].any()


def test_applied_rolled_back_and_applied_again_are_three_versions(tmp_path: Path) -> None:
    suite = tiny_suite(tmp_path)
    seen = [(read(suite).version, _golds(suite)["a-in"])]
    ledger = _apply(suite, _GOLD)
    seen.append((read(suite).version, _golds(suite)["a-in"]))
    back = extended(ledger, rolled_back(ledger, 1, "it was right", "r2", "2026-02-05"))
    write_ledger(suite, back)
    seen.append((read(suite).version, _golds(suite)["a-in"]))
    again = _apply(suite, _GOLD)
    seen.append((read(suite).version, _golds(suite)["a-in"]))
    assert seen == [("0.1.0", "300"), ("0.1.1", "30"), ("0.1.2", "300"), ("0.1.3", "30")]
    assert [(e.change, e.state) for e in again.events] == [
        (1, "applied"),
        (2, "rejected"),
        (3, "applied"),
    ]
    assert len({event.correction_id for event in again.events}) == 1


def test_a_correction_may_stand_on_another(tmp_path: Path) -> None:
    suite = tiny_suite(tmp_path)
    _apply(suite, _GOLD)
    ledger = _apply(suite, _NEXT)
    assert _golds(suite)["a-in"] == "3"
    stands_on_it = r"of change 2 .* stands on this correction.*roll that one back first"
    with pytest.raises(InputError, match=stands_on_it):
        extended(ledger, rolled_back(ledger, 1, "no", "r2", "2026-02-05"))
    with pytest.raises(InputError, match=r"'old_value': found '300'; accepted: what .* made of it"):
        _apply(suite, "a-in,gold,300,31,no,page 4,r1,2026-02-04")
    back = extended(ledger, rolled_back(ledger, 2, "no", "r2", "2026-02-05"))
    write_ledger(suite, back)
    assert _golds(suite)["a-in"] == "30"


def test_there_and_back_by_corrections_is_no_dead_end(tmp_path: Path) -> None:
    suite = tiny_suite(tmp_path)
    _apply(suite, _GOLD)
    _apply(suite, "a-in,gold,30,300,it was right,page 4,r1,2026-02-04")
    ledger = _apply(suite, "a-in,gold,300,31,neither was,page 4,r1,2026-02-05")
    assert _golds(suite)["a-in"] == "31"
    for change in (3, 2, 1):
        ledger = extended(ledger, rolled_back(ledger, change, "no", "r2", "2026-02-06"))
        write_ledger(suite, ledger)
        ledger = load_ledger(suite)
    assert _golds(suite)["a-in"] == "300"


def test_a_change_that_stands_on_itself_is_rolled_back_whole(tmp_path: Path) -> None:
    suite = tiny_suite(tmp_path)
    ledger = _apply(suite, _GOLD, _NEXT)
    assert _golds(suite)["a-in"] == "3"
    write_ledger(suite, extended(ledger, rolled_back(ledger, 1, "no", "r2", "2026-02-05")))
    assert _golds(suite)["a-in"] == "300"


def test_an_undecided_correction_keeps_its_value(tmp_path: Path) -> None:
    suite = tiny_suite(tmp_path)
    _apply(suite, _GOLD)
    ledger = _apply(suite, _NEXT + ",open", columns=_COLUMNS + ",state")
    with pytest.raises(InputError, match=r"is 'open' about the value .*decide that one first"):
        extended(ledger, rolled_back(ledger, 1, "no", "r2", "2026-02-05"))


def test_a_gold_and_its_options_are_corrected_together(tmp_path: Path) -> None:
    options = '"{""choices"": {""red"": [], ""blue"": []}}"'
    item = f"e,,unpaired,all,enum,Which of two?,red,,lakh,,,{options},,"
    other = '"{""choices"": {""green"": [], ""blue"": []}}"'
    for k, order in enumerate((("gold", "options"), ("options", "gold"))):
        suite = tiny_suite(tmp_path / str(k), CORE, TWIN, item)
        rows = {
            "gold": "e,gold,red,green,r,s,r1,2026-02-03",
            "options": f"e,options,{options},{other},r,s,r1,2026-02-03",
        }
        _apply(suite, *(rows[field] for field in order))
        assert _golds(suite)["e"] == "green"


def test_a_corrected_gold_is_checked_as_any(tmp_path: Path) -> None:
    item = "p,,unpaired,all,string_normalized,Which number is it?,X1,,lakh,,,,,"
    suite = tiny_suite(tmp_path, CORE, TWIN, item)
    _apply(suite, "p,gold,X1,ABCPK1234Z,r,s,r1,2026-02-03")
    assert "identifiers_are_nobodys" in found(suite)


def test_options_are_corrected_too(tmp_path: Path) -> None:
    suite = tiny_suite(tmp_path)
    row = 'a-in,options,{},"{""tolerance"": {""abs"": ""1""}}",too strict,page 4,r1,2026-02-03'
    _apply(suite, row)
    options = dict(read(suite).corrected.select("item_id", "options").iter_rows())
    assert options["a-in"] == '{"tolerance": {"abs": "1"}}'


def test_open_ones_are_disputed_and_change_nothing(tmp_path: Path) -> None:
    suite = tiny_suite(tmp_path)
    ledger = _apply(suite, _GOLD + ",open", columns=_COLUMNS + ",state")
    files = read(suite)
    assert files.version == "0.1.0"
    assert _golds(suite)["a-in"] == "300"
    assert files.corrected.filter("disputed")["item_id"].to_list() == ["a-in"]
    assert [event.item_id for event in ledger.in_state("open")] == ["a-in"]
    _apply(suite, _GOLD)  # the same correction, decided
    assert (read(suite).version, _golds(suite)["a-in"]) == ("0.1.1", "30")


#: rows of a new file → what the message must say
BROKEN = {
    "no such item": (["b-in,gold,1,2,r,s,r1,2026-02-03"], "'item_id'.*'b-in'"),
    "old value": (["a-in,gold,299,30,r,s,r1,2026-02-03"], "'old_value'.*'299'.*'300'"),
    "its grader rejects it": (["a-in,gold,300,many,r,s,r1,2026-02-03"], "'new_value'.*'many'"),
    "question": (["a-in,question,300,30,r,s,r1,2026-02-03"], "'field'.*gold, options"),
    "options": (["a-in,options,{},{tol,r,s,r1,2026-02-03"], "'new_value'.*not JSON"),
    "no change": (["a-in,gold,300,300,r,s,r1,2026-02-03"], "'new_value'.*old value"),
    "no reason": (["a-in,gold,300,30,,s,r1,2026-02-03"], "'reason'.*empty"),
    "no source": (["a-in,gold,300,30,r,,r1,2026-02-03"], "'source'.*empty"),
    "no reviewer": (["a-in,gold,300,30,r,s,,2026-02-03"], "'reviewer'.*empty"),
    "date": (["a-in,gold,300,30,r,s,r1,3/2/26"], "'date'.*2024-04-01"),
    "two of one field": (
        [_GOLD, "a-in,gold,300,31,r,s,r1,2026-02-03"],
        r"row 3, field 'old_value': found '300'; accepted: what 'c-.*' of change 1 \(.*, row 2\) "
        "made of it, '30'",
    ),
    "twice": ([_GOLD, _GOLD], "row 3, field 'state'.*already"),
    "nothing": ([], "no correction in it"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_correction_names_what_is_wrong(name: str, tmp_path: Path) -> None:
    rows, message = BROKEN[name]
    suite = tiny_suite(tmp_path)
    bank = read(suite).bank
    ledger = load_ledger(suite)
    file = _file(tmp_path, *rows)

    def correct() -> None:
        apply_ledger(bank, extended(ledger, read_corrections(file, ledger)), check_gold)

    with pytest.raises(InputError, match=message):
        correct()
    assert not (suite.folder / "corrections.csv").exists()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("1,c-", "x,c-", "'change'.*1, 2, 3"),
        ("1,c-", "2,c-", "'change'.*2 after 0"),
        (",applied", ",done", "'state'.*proposed, open, applied, rejected"),
        ("c-", "C ", "'correction_id'.*slug"),
    ],
)
def test_a_broken_ledger_names_what_is_wrong(
    old: str, new: str, message: str, tmp_path: Path
) -> None:
    suite = tiny_suite(tmp_path)
    _apply(suite, _GOLD)
    path = suite.folder / "corrections.csv"
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(InputError, match=message) as caught:
        read(suite)
    assert str(caught.value).startswith("tiny/corrections.csv, row 2")


def test_an_id_stays_with_its_correction(tmp_path: Path) -> None:
    suite = tiny_suite(tmp_path)
    columns = _COLUMNS + ",correction_id"
    _apply(suite, _GOLD + ",c1", columns=columns)
    with pytest.raises(InputError, match=r"'correction_id'.*about something else before"):
        _apply(suite, "a-ctl,gold,4000,4,r,s,r1,2026-02-03,c1", columns=columns)


def test_nothing_to_roll_back(tmp_path: Path) -> None:
    suite = tiny_suite(tmp_path)
    ledger = _apply(suite, _GOLD)
    with pytest.raises(InputError, match="no correction of change 7 is applied; accepted: 1"):
        rolled_back(ledger, 7, "r", "r1", "2026-02-03")


def test_a_corrected_item_is_a_draft_again(tmp_path: Path) -> None:
    from bench_pipeline.release.bank import item_hash

    suite = tiny_suite(tmp_path, CORE, TWIN)
    row = read(suite).bank.row(0, named=True)
    seen = item_hash(*(row[name] for name in ("question", "answer_type", "gold", "options")))
    (suite.folder / "labels").mkdir()
    (suite.folder / "labels" / "made-up.csv").write_text(
        f"item_id,item_hash,annotator,round,label\na-in,{seen},r1,review,accept\n"
    )
    assert read(suite).bank["status"].to_list() == ["reviewed", "draft"]
    _apply(suite, _GOLD)
    assert read(suite).bank["status"].to_list() == ["draft", "draft"]
