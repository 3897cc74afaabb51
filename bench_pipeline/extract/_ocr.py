"""Reading pages as pictures, with Tesseract where it is installed and asked for.

Tesseract's lines come back as lines of the page, so that what is made of several pages (running
heads, broken words) is made of scans as well.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from pathlib import Path
from statistics import median_high

from bench_pipeline.extract._child import exit_words
from bench_pipeline.extract._lines import Line, RawPage
from bench_pipeline.extract._picture import POINTS_A_DOT
from bench_pipeline.extract._text_page import Box, upright

_READABLE = ("no_text_layer", "legacy_font", "bad_unicode_map")
_LANGUAGES = {
    "as": "asm", "bn": "ben", "brx": "hin", "doi": "hin", "en": "eng", "gu": "guj", "hi": "hin",
    "kn": "kan", "kok": "hin", "ks": "urd", "mai": "hin", "ml": "mal", "mni": "ben", "mr": "mar",
    "ne": "nep", "or": "ori", "pa": "pan", "sa": "san", "sd": "snd", "ta": "tam", "te": "tel",
    "ur": "urd",
}  # fmt: skip
#: mean confidence, of 100: pages read rightly have 90 and more, upside down or as noise 40
_LEAST_CONFIDENCE = 60.0
_WORD_LEVEL = "5"
_LIST_SECONDS = 30
#: its data come with the program
_ENGLISH = "eng"


@dataclass(frozen=True, slots=True)
class _Task:
    program: str
    path: Path
    password: str | None
    data: str
    seconds: float


def read_by_ocr(
    path: Path,
    pages: list[RawPage],
    *,
    wanted: bool,
    language: str,
    password: str | None,
    seconds: float,
    workers: int,
) -> list[RawPage]:
    """The pages, those without usable text read as pictures when `wanted`.

    Each page has `seconds`. Where Tesseract, its data for the language, or time is missing, and
    where it is not sure of what it read, a page keeps its status and its reason says so.
    """
    if not any(page.status in _READABLE for page in pages):
        return pages
    data = _LANGUAGES.get(language.partition("-")[0])
    program = shutil.which("tesseract")
    if data is None:
        read = partial(_with_hint, hint=f"there is no OCR for the language {language}")
    elif not wanted or program is None:
        how = f"install Debian's tesseract-ocr and tesseract-ocr-{data}, and ask for `ocr`"
        read = partial(_with_hint, hint=f"OCR may read it: {how}")
    elif data not in _installed(program):
        read = partial(_with_hint, hint=f"OCR may read it: install Debian's tesseract-ocr-{data}")
    else:
        read = partial(_by_picture, _Task(program, path, password, data, seconds))
    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(lambda page: read(page) if page.status in _READABLE else page, pages))


def _installed(program: str) -> list[str]:
    """The languages that Tesseract has data for: it would read without those it lacks."""
    command = [program, "--list-langs"]
    try:
        done = subprocess.run(command, capture_output=True, check=False, timeout=_LIST_SECONDS)
    except subprocess.TimeoutExpired:
        return []
    return done.stdout.decode("utf-8", "replace").split()


def _with_hint(page: RawPage, hint: str) -> RawPage:
    return replace(page, reason=f"{page.reason}; {hint}")


def _command(task: _Task, number: int, picture: Path) -> list[str]:
    draw = [sys.executable, "-m", "bench_pipeline.extract._picture", str(task.path), str(number)]
    # with English first, the numbers of a Hindi page are right (2011, not 2044), and so are
    # its Latin words; mode 1 finds how the page is turned, and its columns
    languages = task.data if task.data == _ENGLISH else f"{_ENGLISH}+{task.data}"
    read = [task.program, str(picture), "-", "-l", languages, "--psm", "1"]
    return [*draw, str(picture), *read, "-c", "tessedit_create_tsv=1"]


def _by_picture(task: _Task, page: RawPage) -> RawPage:
    with tempfile.TemporaryDirectory(prefix="bench-ocr-") as folder:
        try:
            done = subprocess.run(
                _command(task, page.number, Path(folder) / "page.pgm"),
                input=(task.password or "").encode(),
                capture_output=True,
                check=False,
                timeout=task.seconds,
                # its threads cost more than they bring: a page takes 1 s with one, 2 to 4 with two
                env={**os.environ, "OMP_THREAD_LIMIT": "1"},
            )
        except subprocess.TimeoutExpired:
            return _with_hint(page, f"OCR took longer than its limit of {task.seconds:g} seconds")
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        how = said[-1][:120] if said else f"it ended with {exit_words(done.returncode)}"
        return _with_hint(page, f"OCR failed ({how})")
    words = list(_words(done.stdout.decode("utf-8", "replace")))
    if not words:
        return _with_hint(page, "OCR found no writing on it")
    letters = sum(len(word.text) for word in words)
    confidence = sum(word.confidence * len(word.text) for word in words) / letters
    if confidence < _LEAST_CONFIDENCE:
        return _with_hint(page, f"OCR was only {confidence:.0f}% sure of what it read")
    return replace(page, status="ocr", lines=list(_lines(words)))


@dataclass(frozen=True, slots=True)
class _OcrWord:
    """`place` counts block, paragraph and line; `box` is in points, y upwards from the top."""

    place: tuple[int, int, int]
    box: Box
    confidence: float
    text: str


def _words(table: str) -> Iterator[_OcrWord]:
    """The words of Tesseract's table, in the order in which it reads them."""
    for row in table.splitlines():
        cells = row.split("\t")
        if len(cells) != 12 or cells[0] != _WORD_LEVEL or not cells[11].strip():
            continue
        left, top, width, height = (int(cell) * POINTS_A_DOT for cell in cells[6:10])
        box = (left, -top, left + width, -top - height)
        place = (int(cells[2]), int(cells[3]), int(cells[4]))
        yield _OcrWord(place, box, float(cells[10]), cells[11].strip())


def _lines(words: list[_OcrWord]) -> Iterator[Line]:
    """Lines of the page, upright; a paragraph of Tesseract's is a block."""
    turns = _quarter_turns(words)
    for block, (_, group) in enumerate(groupby(words, key=lambda word: word.place[:2])):
        paragraph = []
        for _, members in groupby(group, key=lambda word: word.place):
            row = list(members)
            lefts, tops, rights, bottoms = zip(
                *upright([word.box for word in row], turns), strict=True
            )
            text = " ".join(word.text for word in row)
            edges = min(lefts), min(bottoms), max(rights), max(tops)
            paragraph.append(Line(text, *edges, size=0.0, bold=False, block=block))
        left, right = min(one.left for one in paragraph), max(one.right for one in paragraph)
        # a line without long letters is no smaller than its neighbours
        size = median_high(line.top - line.bottom for line in paragraph)
        for line in paragraph:
            line.size, line.left_edge, line.right_edge = size, left, right
            yield line


def _quarter_turns(words: list[_OcrWord]) -> int:
    """How the writing is turned, by where the next word of a line stands; 0 to 3, clockwise."""
    across = down = 0.0
    for _, members in groupby(words, key=lambda word: word.place):
        row = list(members)
        first, last = row[0].box, row[-1].box
        across += last[0] + last[2] - first[0] - first[2]
        down += first[1] + first[3] - last[1] - last[3]
    if abs(across) >= abs(down):
        return 0 if across >= 0 else 2
    return 1 if down > 0 else 3
