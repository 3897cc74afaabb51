"""Reading a document: child processes within limits, then what only all pages together can tell."""

import contextlib
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import orjson

from bench_pipeline.extract._child import exit_words, share_of
from bench_pipeline.extract._furniture import without_furniture
from bench_pipeline.extract._lines import Line, RawPage
from bench_pipeline.extract._model import Limits, Page
from bench_pipeline.extract._ocr import read_by_ocr
from bench_pipeline.extract._paragraphs import page_texts

_SCRIPTS = {
    "hi": "Deva", "mr": "Deva", "ne": "Deva", "sa": "Deva", "mai": "Deva", "kok": "Deva",
    "doi": "Deva", "brx": "Deva", "as": "Beng", "bn": "Beng", "mni": "Beng", "gu": "Gujr",
    "pa": "Guru", "or": "Orya", "ta": "Taml", "te": "Telu", "kn": "Knda", "ml": "Mlym",
    "ur": "Arab", "ks": "Arab", "sd": "Arab", "sat": "Olck",
}  # fmt: skip
#: a document whose pages crash this often is given up
_MOST_CRASHES = 20


def script_of(language: str) -> str:
    """The ISO 15924 code that a language is written in: the one it names, or its usual one."""
    code, _, script = language.partition("-")
    return script if len(script) == 4 else _SCRIPTS.get(code, "Latn")


def read_document(
    path: Path,
    *,
    language: str = "en",
    password: str | None = None,
    limits: Limits = Limits(),  # noqa: B008  frozen
    ocr: bool = False,
    workers: int = 1,
) -> list[Page]:
    """The pages of the PDF at `path`, in order; a bad file raises nothing.

    A document that cannot be opened is one `Page` of number 0. `language` (a code of the suites)
    says which script is expected. A page on which PDFium crashes or that exceeds `limits` is
    `failed` alone; at the end of the document's time, every page not read is. The pages are the
    same for any number of `workers`. `ocr` reads scans and unusable text with Tesseract where it
    is installed.
    """
    task = _Task(path, language, password, limits, time.monotonic() + limits.seconds)
    try:
        raw = _read_all(task, max(1, workers))
    except _Unopened as problem:
        return [Page(0, problem.status, "", f"{path.name}: {problem.reason}", ())]
    raw = read_by_ocr(
        path,
        raw,
        wanted=ocr,
        language=language,
        password=password,
        seconds=limits.ocr_seconds,
        workers=max(1, workers),
    )
    removed = without_furniture(raw)
    texts = page_texts(raw)
    return [
        Page(page.number, page.status, text, _reason(path, page), taken)
        for page, text, taken in zip(raw, texts, removed, strict=True)
    ]


def _reason(path: Path, page: RawPage) -> str | None:
    return None if page.reason is None else f"{path.name}, page {page.number}: {page.reason}"


class _Unopened(Exception):
    """No page can be read; the document's status and the reason."""

    def __init__(self, status: str, reason: str) -> None:
        super().__init__(reason)
        self.status, self.reason = status, reason


@dataclass(frozen=True, slots=True)
class _Task:
    path: Path
    language: str
    password: str | None
    limits: Limits
    deadline: float


def _read_all(task: _Task, workers: int) -> list[RawPage]:
    """Every page; each child takes its share of them."""
    shares = [_Share(task, worker, workers) for worker in range(workers)]
    threads = [threading.Thread(target=share.run) for share in shares]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for share in shares:
        if share.unopened is not None:
            raise share.unopened
    pages = sorted((page for share in shares for page in share.pages), key=lambda one: one.number)
    if not pages:
        raise _Unopened("failed", "it has no pages")
    return pages


class _Share:
    """The pages that fall to one worker, read by one child at a time."""

    def __init__(self, task: _Task, worker: int, workers: int) -> None:
        self.task, self.worker, self.workers = task, worker, workers
        self.total: int | None = None
        self.unopened: _Unopened | None = None
        self.pages: list[RawPage] = []

    def run(self) -> None:
        """Read them all; a child that dies takes one page with it and is started again."""
        crashes = 0
        while True:
            begun, problem = self._child()
            if self.total is None and self.unopened is None:
                self.unopened = _Unopened("failed", problem or "it cannot be opened as a PDF")
            if self.unopened is not None or problem is None or self.total is None:
                return
            crashes += 1
            if begun is not None:
                self.pages.append(RawPage(begun, "failed", problem))
            begin, end = self._left(self.total)
            if time.monotonic() >= self.task.deadline or crashes >= _MOST_CRASHES:
                why = "not read: the document had used up its limits before"
                self.pages += [RawPage(n + 1, "failed", why) for n in range(begin, end)]
            if self._left(self.total)[0] >= end:
                return

    def _left(self, total: int) -> tuple[int, int]:
        first, last = share_of(total, self.worker, self.workers)
        return first + len(self.pages), last

    def _child(self) -> tuple[int | None, str | None]:
        """Run one child on what is left; the page it died on and how, or twice None."""
        task = self.task
        request = {
            "path": str(task.path),
            "password": task.password,
            "worker": self.worker,
            "workers": self.workers,
            "begin": self._left(self.total)[0] if self.total is not None else 0,
            "script": script_of(task.language),
            "memory_mb": task.limits.memory_mb,
            "seconds": task.limits.seconds,
            "most_pages": task.limits.pages,
        }
        begun: int | None = None
        with _process(request) as (process, messages):
            for message in _until(messages, task.deadline):
                kind = message["kind"]
                if kind == "opened":
                    self.total = message["pages"]
                elif kind == "locked":
                    self.unopened = _Unopened("needs_password", _locked(task.password))
                elif kind == "refused":
                    self.unopened = _Unopened("failed", message["problem"])
                elif kind == "begun":
                    begun = message["number"]
                else:
                    self.pages.append(_raw_page(message["page"]))
                    begun = None
            in_time = time.monotonic() < task.deadline
            if not in_time:
                process.kill()
            code = process.wait()
        if code == 0 and begun is None:
            return None, None
        if not in_time:
            return begun, f"reading took longer than the limit of {task.limits.seconds:g} seconds"
        return begun, (
            f"reading it ended with {exit_words(code)}: a damaged page, or one that needs more "
            f"than the limit of {task.limits.memory_mb} MB"
        )


def _locked(password: str | None) -> str:
    wrong = "the password given does not open it" if password else "it is locked by a password"
    return f"{wrong}; give it under `passwords` in the suite file"


def _raw_page(read: dict[str, Any]) -> RawPage:
    lines = [Line(**line) for line in read.pop("lines")]
    return RawPage(**read, lines=lines)


@contextlib.contextmanager
def _process(
    request: dict[str, Any],
) -> Iterator[tuple[subprocess.Popen[bytes], "queue.SimpleQueue[bytes | None]"]]:
    """A child at work on `request`, and the queue its lines come through; gone at the end."""
    command = [sys.executable, "-m", "bench_pipeline.extract._child"]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert process.stdin is not None
    assert process.stdout is not None
    lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
    listener = threading.Thread(target=_listen, args=(process.stdout, lines))
    listener.start()
    try:
        with contextlib.suppress(BrokenPipeError):
            process.stdin.write(orjson.dumps(request))
            process.stdin.close()
        yield process, lines
    finally:
        process.kill()
        process.wait()
        listener.join()
        process.stdout.close()


def _listen(stream: IO[bytes], lines: "queue.SimpleQueue[bytes | None]") -> None:
    for line in stream:
        lines.put(line)
    lines.put(None)


def _until(lines: "queue.SimpleQueue[bytes | None]", deadline: float) -> Iterator[dict[str, Any]]:
    """The messages that come before `deadline`; a torn last line is none."""
    while True:
        try:
            line = lines.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            return
        if line is None:
            return
        with contextlib.suppress(orjson.JSONDecodeError):
            yield orjson.loads(line)
