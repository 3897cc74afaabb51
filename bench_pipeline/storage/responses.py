"""Paid answers: an append-only journal folded into Parquet segments, read as their union.

One folder a role, suite and model. A reply counts after one `write` to the journal (`O_APPEND`);
fsync follows in groups, at most a second apart, so a killed process loses nothing that counted
and a power cut at most that second. A torn last line is ignored. Nothing is updated in place: a
fold writes a segment under a temporary name, syncs, renames, and only then drops what it folded,
so that a crash in between leaves a duplicate and never a gap; readers keep one row a request.
"""

import io
import os
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
import polars as pl
from filelock import FileLock, Timeout

from bench_pipeline.contracts.errors import InputError
from bench_pipeline.contracts.paths import disk_warehouse
from bench_pipeline.contracts.responses import ANSWERED, RESPONSES, ResponseRecord
from bench_pipeline.storage.files import replace_file, sync_folder

FOLD_AFTER = 5_000
MAX_SEGMENTS = 16
#: a segment as large as this is left alone, so that memory and rewriting stay bounded
MERGE_BELOW_BYTES = 4 * 1024 * 1024
# built once: a polars schema takes longer to make than a line takes to read
_SCHEMA = RESPONSES.polars


class ResponseStore:
    """The answers of one model in one suite and role.

    Reading needs nothing. Writing needs the lease: `with store.writing(): store.append(...)`.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._descriptor: int | None = None
        self._journal: Path | None = None
        self._written = 0
        self._unsynced = False

    @classmethod
    def of(cls, role: str, suite: str, model: str) -> "ResponseStore":
        """The store of the configured warehouse.

        Raises:
            InputError: the warehouse is not on a disk.
        """
        return cls(disk_warehouse() / "responses" / role / suite / model)

    # -- reading ---------------------------------------------------------------------------

    def answered_ids(self) -> set[str]:
        """The requests that have an answer (errors are missing data, not answers)."""
        done: set[str] = set()
        for frame in self._frames(["request_id", "status"]):
            kept = frame.filter(pl.col("status").is_in(list(ANSWERED)))
            done.update(kept["request_id"].to_list())
        return done

    def read(self, columns: list[str] | None = None) -> pl.DataFrame:
        """One row a request: the first answer, or the newest error where there is no answer."""
        wanted = list(RESPONSES.polars) if columns is None else columns
        needed = list(dict.fromkeys([*wanted, "request_id", "status", "asked_at"]))
        frames = list(self._frames(needed))
        if not frames:
            return RESPONSES.empty().select(wanted)
        answered = pl.col("status").is_in(list(ANSWERED))
        rows = pl.concat(frames)
        first_answers = (
            rows.filter(answered)
            .sort("asked_at")
            .unique("request_id", keep="first", maintain_order=True)
        )
        newest_errors = (
            rows.filter(~answered)
            .join(first_answers, on="request_id", how="anti")
            .sort("asked_at")
            .unique("request_id", keep="last", maintain_order=True)
        )
        return pl.concat([first_answers, newest_errors]).select(wanted)

    def _frames(self, columns: list[str]) -> list[pl.DataFrame]:
        """All rows, duplicates included.

        Journals are listed before segments and rows only ever move from the first to the second,
        so a fold at the same time shows a row twice or makes a file vanish: then list again.
        """
        while True:
            journals = self._journals()
            segments = self._segments()
            try:
                frames = [_read_segment(path, columns) for path in segments]
                frames += [_read_journal(path).select(columns) for path in journals]
            except FileNotFoundError:
                continue
            return frames

    def _segments(self) -> list[Path]:
        return sorted(self.folder.glob("segment-*.parquet"))

    def _journals(self) -> list[Path]:
        return sorted(self.folder.glob("journal-*.jsonl"))

    # -- writing ---------------------------------------------------------------------------

    @contextmanager
    def writing(
        self, wait_seconds: float = -1, on_wait: Callable[[str], None] = lambda _: None
    ) -> Iterator["ResponseStore"]:
        """Hold the lease while writing; a second writer waits, then finds the work done.

        The lease is the kernel's lock on a file: a run that died holds nothing. `on_wait` is told
        once when it has to be waited for.

        Raises:
            TimeoutError: another run held the lease for longer than `wait_seconds`.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        lease = FileLock(self.folder / ".lease")
        try:
            lease.acquire(timeout=0)
        except Timeout:
            on_wait(f"another run is asking this model; waiting for it ({self.folder})")
            try:
                lease.acquire(timeout=wait_seconds)
            except Timeout as error:
                raise TimeoutError(f"another run is writing {self.folder}") from error
        try:
            self.fold()
            yield self
        finally:
            try:
                self._close()
                self.fold()
            finally:
                lease.release()

    def append(self, record: ResponseRecord) -> None:
        """Make `record` count: one write to the journal.

        Raises:
            OSError: the disk refused it (full, say); the journal is cut back to whole lines.
        """
        line = orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE)
        descriptor = self._open()
        before = os.fstat(descriptor).st_size
        try:
            written = os.write(descriptor, line)
            if written != len(line):
                raise OSError(28, "no space left for a whole record", str(self._journal))
        except OSError:
            os.ftruncate(descriptor, before)
            raise
        self._written += 1
        self._unsynced = True
        if self._written >= FOLD_AFTER:
            self._close()
            self.fold()

    def pending_sync(self) -> Callable[[], None] | None:
        """The fsync that makes appended rows survive a power cut; None when all do.

        It works on a descriptor of its own, so that it may run in a thread while rows go on
        being appended or the journal is folded.
        """
        if not self._unsynced or self._descriptor is None:
            return None
        self._unsynced = False
        descriptor = os.dup(self._descriptor)

        def sync() -> None:
            try:
                os.fsync(descriptor)
            except OSError:
                self._unsynced = True
                raise
            finally:
                os.close(descriptor)

        return sync

    def fold(self) -> None:
        """Journals into a segment, and many segments into one. The lease must be held."""
        aside = sorted(self.folder.glob("unread-*.jsonl"))
        journals = [*aside, *(path for path in self._journals() if path != self._journal)]
        read = [_parse_journal(path.read_bytes()) for path in journals]
        frames = [journal.rows for journal in read if journal.rows.height]
        if frames:
            self._write_segment(pl.concat(frames))
        for path, journal in zip(journals, read, strict=True):
            kept = path.with_name(path.name.replace("journal-", "unread-"))
            if journal.unread:
                # whole lines that this version cannot read may be paid answers that another can
                replace_file(kept, b"".join(line + b"\n" for line in journal.unread))
            if kept != path or not journal.unread:
                path.unlink()
        small = [path for path in self._segments() if path.stat().st_size < MERGE_BELOW_BYTES]
        if len(small) > MAX_SEGMENTS:
            self._merge(small)

    def _write_segment(self, frame: pl.DataFrame) -> None:
        buffer = io.BytesIO()
        RESPONSES.conform(frame).write_parquet(buffer, compression="zstd")
        replace_file(self.folder / _unique_name("segment", "parquet"), buffer.getvalue())

    def _merge(self, segments: list[Path]) -> None:
        """Many segments into one, a row group each, so that memory holds one at a time."""
        import pyarrow.parquet as pq  # a heavy import for what few runs need

        temporary = self.folder / f".merge-{os.getpid()}.tmp"
        try:
            with pq.ParquetWriter(
                temporary, RESPONSES.empty().to_arrow().schema, compression="zstd"
            ) as writer:
                for path in segments:
                    writer.write_table(_read_segment(path).to_arrow())
            with open(temporary, "rb") as file:
                os.fsync(file.fileno())
            os.replace(temporary, self.folder / _unique_name("segment", "parquet"))
        finally:
            temporary.unlink(missing_ok=True)
        sync_folder(self.folder)
        for path in segments:
            path.unlink()

    def _open(self) -> int:
        if self._descriptor is None:
            self._journal = self.folder / _unique_name("journal", "jsonl")
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
            self._descriptor = os.open(self._journal, flags, 0o644)
            sync_folder(self.folder)
            self._written = 0
        return self._descriptor

    def _close(self) -> None:
        if self._descriptor is not None:
            descriptor, self._descriptor, self._journal = self._descriptor, None, None
            self._unsynced = False
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)


def _unique_name(kind: str, extension: str) -> str:
    """Names sort by time; the suffix keeps two of one nanosecond apart."""
    return f"{kind}-{time.time_ns():020d}-{uuid.uuid4().hex[:8]}.{extension}"


def _read_segment(path: Path, columns: list[str] | None = None) -> pl.DataFrame:
    """Columns of a segment; one that an older version did not write yet is null."""
    wanted = columns or list(_SCHEMA)
    try:
        with open(path, "rb") as file:
            present = set(pl.read_parquet_schema(file))
            file.seek(0)
            frame = pl.read_parquet(file, columns=[name for name in wanted if name in present])
    except pl.exceptions.PolarsError as error:
        raise InputError(
            path,
            f"this segment of paid answers is damaged ({str(error)[:120]})",
            accepted="the file from a backup; or move it away, and its answers are asked again",
        ) from error
    missing = [pl.lit(None, _SCHEMA[n]).alias(n) for n in wanted if n not in present]
    return frame.with_columns(missing).select(wanted)


@dataclass(frozen=True, slots=True)
class _Journal:
    """What a journal holds: rows, and the whole lines that could not be read as one."""

    rows: pl.DataFrame
    unread: list[bytes]


def _read_journal(path: Path) -> pl.DataFrame:
    return _parse_journal(path.read_bytes()).rows


def _parse_journal(content: bytes) -> _Journal:
    """The rows of a journal. What stands behind its last line end was torn and is no line.

    A line of another version may lack a column (it becomes null) or have one more (then it is
    kept aside unread, as nothing of it may be lost).
    """
    *lines, _ = content.split(b"\n")
    rows: list[dict[str, Any]] = []
    unread: list[bytes] = []
    for line in lines:
        if not line:
            continue
        row = _parse_line(line)
        if row is None:
            unread.append(line)
        else:
            rows.append(row)
    return _Journal(pl.DataFrame(rows, schema=_SCHEMA, strict=False), unread)


def _parse_line(line: bytes) -> dict[str, Any] | None:
    try:
        row = orjson.loads(line)
    except orjson.JSONDecodeError:
        return None
    if not isinstance(row, dict) or not row.keys() <= _SCHEMA.keys():
        return None
    whole = {name: row.get(name) for name in _SCHEMA}
    fits = all(
        (whole[column.name] is None and (column.nullable or column.name not in row))
        or isinstance(whole[column.name], _PYTHON_TYPES[column.dtype])
        for column in RESPONSES.columns
    ) and not any(isinstance(value, int) and abs(value) >= 2**63 for value in whole.values())
    return whole if fits else None


_PYTHON_TYPES: dict[Any, tuple[type, ...]] = {
    pl.String: (str,),
    pl.Int64: (int,),
    pl.Float64: (int, float),
    pl.List(pl.String): (list,),
}
