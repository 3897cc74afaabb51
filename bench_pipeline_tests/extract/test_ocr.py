"""OCR as an option: absent, present, failing. The program is a stand-in that says what it got."""

from pathlib import Path

import pytest

from bench_pipeline.extract import read_document

_SCAN = Path(__file__).parent / "documents" / "scan.pdf"


def _install(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    program = folder / "tesseract"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")


def test_without_it_the_page_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    page = read_document(_SCAN, language="ta", ocr=True)[0]
    assert page.status == "no_text_layer"
    assert "tesseract-ocr-tam" in (page.reason or "")


def test_scans_are_read_as_pictures_in_the_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = 'head -c 2 "$1"; printf " $3 $4\\nsame paragraph\\n\\nnext one\\n\\f"'
    _install(tmp_path, monkeypatch, script)
    pages = read_document(_SCAN, language="hi", ocr=True)
    assert [page.status for page in pages] == ["ocr", "ocr", "ocr", "ok", "ok"]
    # P5 is the format of the picture that it was given
    assert pages[0].text == "P5 -l hin same paragraph\n\nnext one"
    assert pages[4].text.startswith("The monsoon")


def test_a_page_that_it_cannot_read_keeps_its_status(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _install(tmp_path, monkeypatch, 'echo "no data for hin" >&2; exit 1')
    page = read_document(_SCAN, language="hi", ocr=True)[0]
    assert (page.status, page.text) == ("no_text_layer", "")
    assert "no data for hin" in (page.reason or "")
