"""Draft → reviewed → adjudicated, from labels that are made up for these tests."""

from pathlib import Path

import pytest

from bench_pipeline.contracts.errors import InputError
from bench_pipeline.release.bank import item_hash
from bench_pipeline.release.rows import Place
from bench_pipeline.release.statuses import ReviewLabel, load_labels, status_of
from bench_pipeline_tests.release.benches import CORE, TWIN, found, read, tiny_suite

R, A, S = "review", "adjudication", "resolution"
Y, N = "accept", "reject"

STEPS: list[tuple[str, list[tuple[str, str, str]]]] = [
    ("draft", []),
    ("reviewed", [("p1", R, Y)]),
    ("draft", [("p1", R, N)]),
    ("draft", [("p1", R, Y), ("p2", R, N)]),
    ("reviewed", [("p1", R, Y), ("p2", R, Y)]),
    # one of two annotators, so far
    ("reviewed", [("p1", A, Y)]),
    ("adjudicated", [("p1", A, Y), ("p2", A, Y)]),
    ("adjudicated", [("p0", R, Y), ("p1", A, Y), ("p2", A, Y)]),
    ("draft", [("p0", R, Y), ("p1", A, N), ("p2", A, N)]),
    # a difference waits for a third person
    ("draft", [("p1", A, Y), ("p2", A, N)]),
    ("adjudicated", [("p1", A, Y), ("p2", A, N), ("p3", S, Y)]),
    ("draft", [("p1", A, Y), ("p2", A, N), ("p3", S, N)]),
    # a third person who speaks decides, whatever the two agreed on
    ("draft", [("p1", A, Y), ("p2", A, Y), ("p3", S, N)]),
    ("adjudicated", [("p1", A, N), ("p2", A, N), ("p3", S, Y)]),
    # who judged cannot resolve
    ("draft", [("p1", A, Y), ("p2", A, N), ("p1", S, Y)]),
    # two who resolve it differently do not
    ("draft", [("p1", A, Y), ("p2", A, N), ("p3", S, Y), ("p4", S, N)]),
]


@pytest.mark.parametrize(("status", "steps"), STEPS)
def test_the_steps(status: str, steps: list[tuple[str, str, str]]) -> None:
    place = Place("made-up.csv", 2)
    labels = [ReviewLabel("i", "h", who, step, label, place) for who, step, label in steps]
    assert status_of(labels) == status


def _label(folder: Path, *rows: str) -> None:
    (folder / "labels").mkdir(exist_ok=True)
    text = "item_id,item_hash,annotator,round,label,comment\n" + "".join(r + "\n" for r in rows)
    (folder / "labels" / "made-up.csv").write_text(text)


def test_a_label_counts_while_the_item_is_what_was_seen(tmp_path: Path) -> None:
    suite = tiny_suite(tmp_path, CORE.removesuffix(",") + ",test", TWIN)
    row = read(suite).bank.row(0, named=True)
    seen = item_hash(*(row[name] for name in ("question", "answer_type", "gold", "options")))
    assert "splits_are_adjudicated" in found(suite)
    _label(suite.folder, f"a-in,{seen},p1,adjudication,accept,", f"a-in,{seen},p2,{A},accept,fine")
    assert read(suite).bank["status"].to_list() == ["adjudicated", "draft"]
    assert "splits_are_adjudicated" not in found(suite)
    _label(suite.folder, f"a-in,0123456789ab,p1,{A},accept,", f"a-in,{seen},p2,{A},accept,")
    assert read(suite).bank["status"].to_list() == ["reviewed", "draft"]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("a-in,h,p1,first,accept,", "'round'.*review, adjudication, resolution"),
        ("a-in,h,p1,review,good,", "'label'.*accept, reject"),
        ("a-in,h,,review,accept,", "'annotator'.*slug"),
        ("a-in,h,P1,review,accept,", "'annotator'.*slug"),
        ("a-in,h,p\u200b1,review,accept,", "'annotator'.*slug"),
        ("a-in,h,\u04401,review,accept,", "'annotator'.*slug"),
        ("a-in,,p1,review,accept,", "'item_hash'.*empty"),
        ("a-in,h,p1,review,accept,\na-in,h,p1,review,reject,", "'annotator'.*already"),
    ],
)
def test_a_broken_label_names_what_is_wrong(row: str, message: str, tmp_path: Path) -> None:
    suite = tiny_suite(tmp_path)
    _label(suite.folder, row)
    with pytest.raises(InputError, match=message):
        load_labels(suite)


def test_a_label_of_no_item(tmp_path: Path) -> None:
    suite = tiny_suite(tmp_path)
    _label(suite.folder, "gone,h,p1,review,accept,")
    with pytest.raises(InputError, match=r"made-up\.csv, row 2, field 'item_id': there is no item"):
        read(suite)
