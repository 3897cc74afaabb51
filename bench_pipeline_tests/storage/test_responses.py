"""Nothing that was paid for is lost: torn lines, full disks, folds and leases."""

import os
import subprocess
import sys
import threading
from dataclasses import asdict
from pathlib import Path

import orjson
import polars as pl
import pytest

from bench_pipeline.contracts.errors import InputError
from bench_pipeline.storage import responses
from bench_pipeline.storage.responses import ResponseStore
from bench_pipeline_tests.storage.records import record


@pytest.fixture
def store(tmp_path: Path) -> ResponseStore:
    return ResponseStore(tmp_path / "r")


def test_a_row_counts_as_soon_as_append_returns(store: ResponseStore) -> None:
    with store.writing():
        store.append(record("a"))
        assert ResponseStore(store.folder).answered_ids() == {"a"}


def test_journal_and_segments_are_read_as_one(store: ResponseStore) -> None:
    with store.writing():
        store.append(record("a"))
    assert list(store.folder.glob("segment-*"))
    with store.writing():
        store.append(record("b", text="हाँ"))
        rows = ResponseStore(store.folder).read()
    assert sorted(rows["request_id"]) == ["a", "b"]
    assert "हाँ" in rows["text"].to_list()


def test_the_first_answer_stays_and_an_error_never_hides_it(store: ResponseStore) -> None:
    late = "2026-01-02T00:00:00.000000+00:00"
    with store.writing():
        store.append(record("a", "infra_error", text=None, error="first"))
        store.append(record("a", text="first answer"))
        store.append(record("a", text="second answer", asked_at=late))
        store.append(record("a", "infra_error", text=None, error="later", asked_at=late))
        store.append(record("b", "infra_error", text=None, error="old"))
        store.append(record("b", "infra_error", text=None, error="new", asked_at=late))
    rows = {row["request_id"]: row for row in store.read().iter_rows(named=True)}
    assert rows["a"]["text"] == "first answer"
    assert rows["b"]["error"] == "new"
    assert store.answered_ids() == {"a"}


def test_a_torn_last_line_is_left_out_and_the_next_run_goes_on(store: ResponseStore) -> None:
    with store.writing():
        store.append(record("a"))
        journal = next(store.folder.glob("journal-*"))
        with open(journal, "ab") as file:
            file.write(b'{"request_id": "torn", "key_ver')
        assert ResponseStore(store.folder).answered_ids() == {"a"}
    assert ResponseStore(store.folder).answered_ids() == {"a"}
    with store.writing():
        store.append(record("b"))
    assert store.answered_ids() == {"a", "b"}


def test_a_full_disk_is_an_error_and_leaves_whole_lines(
    store: ResponseStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.write
    with store.writing():
        store.append(record("a"))
        monkeypatch.setattr(os, "write", lambda fd, data: real(fd, data[:20]))
        with pytest.raises(OSError, match="no space"):
            store.append(record("b"))
        monkeypatch.setattr(os, "write", real)
        store.append(record("c"))
    assert store.answered_ids() == {"a", "c"}


def test_a_crash_between_a_segment_and_its_journals_end_leaves_no_double(
    store: ResponseStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    with store.writing():
        store.append(record("a"))
        monkeypatch.setattr(Path, "unlink", lambda *a, **k: None)
    monkeypatch.undo()
    assert list(store.folder.glob("journal-*"))
    assert list(store.folder.glob("segment-*"))
    assert store.read()["request_id"].to_list() == ["a"]


def test_many_segments_become_one(store: ResponseStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(responses, "MAX_SEGMENTS", 3)
    for i in range(9):
        with store.writing():
            store.append(record(str(i)))
    assert len(list(store.folder.glob("segment-*"))) <= 3
    assert store.answered_ids() == {str(i) for i in range(9)}


def test_the_journal_is_folded_by_count(
    store: ResponseStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(responses, "FOLD_AFTER", 10)
    with store.writing():
        for i in range(25):
            store.append(record(str(i)))
        assert len(list(store.folder.glob("segment-*"))) == 2
        assert len(store.answered_ids()) == 25


def test_a_second_writer_waits_for_the_lease(store: ResponseStore) -> None:
    order: list[str] = []
    entered = threading.Event()

    def second() -> None:
        entered.set()
        with ResponseStore(store.folder).writing():
            order.append("second")

    with store.writing():
        thread = threading.Thread(target=second)
        thread.start()
        entered.wait()
        with pytest.raises(TimeoutError):
            ResponseStore(store.folder).writing(wait_seconds=0.2).__enter__()
        order.append("first")
    thread.join(10)
    assert order == ["first", "second"]


def test_a_lease_left_by_a_dead_run_is_no_lease(store: ResponseStore) -> None:
    script = (
        "import os, sys; from pathlib import Path\n"
        "from bench_pipeline.storage.responses import ResponseStore\n"
        "from bench_pipeline_tests.storage.records import record\n"
        "s = ResponseStore(Path(sys.argv[1]))\n"
        "c = s.writing(); c.__enter__(); s.append(record('paid')); os.kill(os.getpid(), 9)\n"
    )
    done = subprocess.run([sys.executable, "-c", script, str(store.folder)], check=False)
    assert done.returncode == -9
    with store.writing(wait_seconds=2):
        assert store.answered_ids() == {"paid"}


def test_readers_see_every_row_while_it_is_folded(store: ResponseStore) -> None:
    """Rows move from journal to segment under a reader's eyes; none may vanish."""
    seen: list[int] = []
    done = threading.Event()

    def read() -> None:
        while not done.is_set():
            seen.append(len(ResponseStore(store.folder).answered_ids()))

    with store.writing():
        for i in range(50):
            store.append(record(str(i)))
        reader = threading.Thread(target=read)
        reader.start()
        for i in range(50, 250):
            store.append(record(str(i)))
            if i % 20 == 0:
                store._close()
                store.fold()
        done.set()
        reader.join()
    assert seen == sorted(seen)
    assert seen[0] >= 50


def test_a_journal_of_an_older_version_is_kept_with_nulls(store: ResponseStore) -> None:
    with store.writing():
        store.append(record("new"))
    row = {**asdict(record("old"))}
    del row["fingerprint"]
    (store.folder / "journal-0.jsonl").write_bytes(orjson.dumps(row) + b"\n")
    assert store.answered_ids() == {"new", "old"}
    with store.writing():
        pass
    assert store.answered_ids() == {"new", "old"}


@pytest.mark.parametrize(
    "line", [b'{"request_id": "x", "mood": 1}', b"garbage", b'{"request_id": 7}', b"[1]"]
)
def test_whole_lines_that_cannot_be_read_are_kept_aside(line: bytes, store: ResponseStore) -> None:
    with store.writing():
        store.append(record("a"))
    (store.folder / "journal-0.jsonl").write_bytes(line + b"\n")
    with store.writing():
        pass
    assert store.answered_ids() == {"a"}
    assert (store.folder / "unread-0.jsonl").read_bytes() == line + b"\n"


def test_a_segment_of_an_older_version_is_read(store: ResponseStore) -> None:
    with store.writing():
        store.append(record("a"))
    segment = next(store.folder.glob("segment-*"))
    pl.read_parquet(segment).drop("fingerprint").write_parquet(segment)
    assert store.read()["fingerprint"].to_list() == [None]


def test_a_folder_with_brackets(tmp_path: Path) -> None:
    store = ResponseStore(tmp_path / "run [1]")
    with store.writing():
        store.append(record("a"))
    assert store.answered_ids() == {"a"}


def test_a_damaged_segment_is_named_with_the_way_out(store: ResponseStore) -> None:
    with store.writing():
        store.append(record("a"))
    segment = next(store.folder.glob("segment-*"))
    segment.write_bytes(segment.read_bytes()[:100])
    with pytest.raises(InputError, match=r"segment-.*damaged.*asked again"):
        store.answered_ids()


def test_a_number_that_no_table_can_hold_is_kept_aside(store: ResponseStore) -> None:
    store.folder.mkdir()
    row = {**asdict(record("a")), "prompt_tokens": 2**63}
    (store.folder / "journal-0.jsonl").write_bytes(orjson.dumps(row) + b"\n")
    with store.writing():
        store.append(record("b"))
    assert store.answered_ids() == {"b"}
    assert (store.folder / "unread-0.jsonl").exists()


def test_what_was_kept_aside_comes_back_when_it_can_be_read(store: ResponseStore) -> None:
    store.folder.mkdir()
    row = {**asdict(record("a")), "mood": 1}
    path = store.folder / "journal-0.jsonl"
    path.write_bytes(orjson.dumps(row) + b"\n" + orjson.dumps(asdict(record("b"))) + b"\n")
    for _ in range(2):
        with store.writing():
            pass
    aside = store.folder / "unread-0.jsonl"
    assert store.read()["request_id"].to_list() == ["b"]
    assert len(aside.read_bytes().splitlines()) == 1
    del row["mood"]
    aside.write_bytes(orjson.dumps(row) + b"\n")
    with store.writing():
        pass
    assert store.answered_ids() == {"a", "b"}
    assert not aside.exists()
