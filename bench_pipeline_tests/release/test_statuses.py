"""Draft → reviewed → adjudicated, from labels that are made up for these tests."""

from pathlib import Path

import pytest

from bench_pipeline.contracts.csv_files import Place
from bench_pipeline.contracts.errors import InputError
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
    suite = tiny_suite(tmp_path, *(row.removesuffix(",") + ",test" for row in (CORE, TWIN)))
    hashes = dict(read(suite).bank.select("item_id", "item_hash").iter_rows())
    assert found(suite)["splits_are_adjudicated"].unexpected == 2
    accepted = [f"{i},{seen},p{k},{A},{Y}," for i, seen in hashes.items() for k in (1, 2)]
    _label(suite.folder, *accepted)
    assert read(suite).bank["status"].to_list() == ["adjudicated", "adjudicated"]
    assert not {"splits_are_adjudicated", "labels_are_of_todays_items"} & set(found(suite))
    _label(suite.folder, f"a-in,0123456789ab,p1,{A},{Y},", *accepted[1:])
    assert read(suite).bank["status"].to_list() == ["reviewed", "adjudicated"]
    outdated = found(suite)["labels_are_of_todays_items"]
    assert outdated.expectation.severity == "warn"
    assert outdated.sample == [
        "tiny/labels/made-up.csv, row 2 (a-in), field 'item_hash': found '0123456789ab', the item "
        f"is {hashes['a-in']} now; the label does not count"
    ]


def test_twins_are_not_torn_apart(tmp_path: Path) -> None:
    suite = tiny_suite(tmp_path, CORE.removesuffix(",") + ",private", TWIN)
    sample = found(suite)["splits_are_adjudicated"].sample
    assert "it is public, its core item private" in sample[0]


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
