"""OCR as an option: absent, failing, and the real program on scans where it is installed.

Most tests give a stand-in for the program, which says what it was given.
"""

import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import pytest

from bench_pipeline.extract import Limits, Page, chunk_pages, read_document

_SCAN = Path(__file__).parent / "documents" / "scan.pdf"
_SCANS = Path(__file__).parent / "scans"
_ONE_PAGE = _SCANS / "blank.pdf"
_NUMBER = re.compile(r"\d[\d,.]*\d")

Install = Callable[[str], None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Puts a shell script in Tesseract's place, with data for English, Hindi and Marathi."""

    def installed(script: str) -> None:
        program = tmp_path / "tesseract"
        listing = '[ "$1" = --list-langs ] && { printf "eng\\nhin\\nmar\\n"; exit; }'
        program.write_text(f"#!/bin/sh\n{listing}\n{script}\n")
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")

    return installed


def _row(line: int, left: int, confidence: int, text: str, paragraph: int = 1) -> str:
    """A word of Tesseract's table, 100 pixels wide and 40 high, on a line of a block."""
    place = f"5\\t1\\t1\\t{paragraph}\\t{line}\\t1"
    return f"{place}\\t{left}\\t{1000 + 50 * line}\\t100\\t40\\t{confidence}\\t{text}\\n"


def test_without_it_the_page_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    page = read_document(_SCAN, language="ta", ocr=True)[0]
    assert page.status == "no_text_layer"
    assert "tesseract-ocr-tam" in (page.reason or "")


@pytest.mark.parametrize(
    ("language", "says"), [("ta", "Debian's tesseract-ocr-tam"), ("sat", "no OCR for")]
)
def test_a_language_it_has_no_data_for_is_not_read_as_another(
    install: Install, language: str, says: str
) -> None:
    install(f'printf "{_row(1, 0, 99, "garbage")}"')
    page = read_document(_SCAN, language=language, ocr=True)[0]
    assert (page.status, page.text) == ("no_text_layer", "")
    assert says in (page.reason or "")


@pytest.mark.parametrize("workers", [1, 3])
def test_scans_are_read_as_pictures_in_the_language(install: Install, workers: int) -> None:
    rows = _row(1, 200, 96, "same", 2) + _row(2, 0, 96, "paragraph.", 2) + _row(1, 0, 96, "Next", 3)
    install(f'printf "{_row(1, 0, 96, "$(head -c 2 $1)_$4_$OMP_THREAD_LIMIT.")}{rows}"')
    pages = read_document(_SCAN, language="mr", ocr=True, workers=workers)
    assert [page.status for page in pages] == ["ocr", "ocr", "ocr", "ok", "ok"]
    assert pages[4].text.startswith("The monsoon")
    (page,) = read_document(_ONE_PAGE, language="mr", ocr=True, workers=workers)
    # P5 is the format of the picture that it was given; numbers are better read with English
    assert page.text.split("\n\n") == ["P5_eng+mar_1.", "same paragraph.", "Next"]


def test_running_heads_of_scans_are_removed(install: Install) -> None:
    install(f'printf "{_row(1, 0, 96, "Head")}{_row(40, 0, 96, "Told by $$ alone.")}"')
    pages = read_document(_SCAN, ocr=True)[:3]
    assert [page.removed for page in pages] == [("Head",)] * 3
    assert all(page.text.startswith("Told by") for page in pages)


def test_lines_of_a_scan_are_mended_as_those_of_text(install: Install) -> None:
    install(
        f'printf "{_row(1, 0, 96, "Both")}{_row(1, 120, 96, "Houses")}'
        f'{_row(1, 240, 96, "of Parlia-")}{_row(2, 0, 96, "ment")}{_row(2, 120, 96, "sit.")}"'
    )
    (page,) = read_document(_ONE_PAGE, ocr=True)
    assert page.text == "Both Houses of Parliament sit."


@pytest.mark.parametrize(
    ("script", "says"),
    [
        ('echo "the picture is broken" >&2; exit 1', "OCR failed (the picture is broken)"),
        ("kill -9 $$", "OCR failed (it ended with signal 9)"),
        ("exec sleep 60", "longer than its limit of 1 seconds"),
        (f'printf "{_row(1, 0, 95, " ")}"', "OCR found no writing on it"),
        (f'printf "{_row(1, 0, 40, "ssudu")}{_row(1, 120, 45, "jo")}"', "only 41% sure"),
        ("head -c 4000 /dev/urandom", "OCR found no writing on it"),
    ],
)
def test_a_page_that_it_cannot_read_keeps_its_status(
    install: Install, script: str, says: str
) -> None:
    install(script)
    page = read_document(_SCAN, ocr=True, limits=Limits(ocr_seconds=1.0), workers=3)[0]
    assert (page.status, page.text) == ("no_text_layer", "")
    assert "scan.pdf, page 1" in (page.reason or "")
    assert says in (page.reason or "")


@lru_cache
def _languages() -> frozenset[str]:
    program = shutil.which("tesseract")
    if program is None:
        return frozenset()
    done = subprocess.run([program, "--list-langs"], capture_output=True, text=True, check=True)
    return frozenset(done.stdout.split())


def _read(name: str, language: str, data: str) -> tuple[list[Page], str]:
    """The pages of a scan as the real program reads them, and its true text."""
    if data not in _languages():
        pytest.skip(f"Debian's tesseract-ocr and tesseract-ocr-{data} are not installed")
    pages = read_document(_SCANS / f"{name}.pdf", language=language, ocr=True, workers=2)
    return pages, (_SCANS / f"{name}.txt").read_text(encoding="utf-8").strip()


def _edits(one: str, other: str) -> int:
    """Levenshtein's distance."""
    before = list(range(len(other) + 1))
    for row, char in enumerate(one, 1):
        now = [row]
        for column, opposite in enumerate(other, 1):
            swapped = before[column - 1] + (char != opposite)
            now.append(min(before[column] + 1, now[-1] + 1, swapped))
        before = now
    return before[-1]


@pytest.mark.parametrize(
    ("name", "language", "data", "pages", "most_errors"),
    [("english", "en", "eng", 2, 0.005), ("hindi", "hi", "hin", 1, 0.02)],
)
def test_the_real_program_reads_a_scan(
    name: str, language: str, data: str, pages: int, most_errors: float
) -> None:
    read, true = _read(name, language, data)
    # the second English page is the first upside down
    assert [page.status for page in read] == ["ocr"] * pages
    for page in read:
        assert _edits(page.text, true) <= most_errors * len(true)
        assert Counter(_NUMBER.findall(page.text)) == Counter(_NUMBER.findall(true))
    for chunk in chunk_pages(read, language=language):
        texts = [read[span.page - 1].text[span.start : span.end] for span in chunk.spans]
        assert chunk.text == " ".join(texts)


def test_the_real_program_finds_nothing_on_a_blank_scan() -> None:
    if "eng" not in _languages():
        pytest.skip("Debian's tesseract-ocr is not installed")
    (page,) = read_document(_SCANS / "blank.pdf", ocr=True)
    assert (page.status, page.text) == ("no_text_layer", "")
    assert "OCR found no writing on it" in (page.reason or "")
