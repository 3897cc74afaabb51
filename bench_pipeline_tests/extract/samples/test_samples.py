"""The sample documents of `indicquest`: what is extracted is what their sources say."""

import csv
import re
import unicodedata
from functools import cache
from pathlib import Path

import pytest

from bench_pipeline.extract import Chunk, Page, chunk_pages, read_document
from bench_pipeline_tests.extract.samples.make_samples import (
    DOCUMENTS,
    NAMES,
    blocks,
    running_heads,
)

_LANGUAGES = {"rivers": "en", "law": "en", "festivals": "hi"}
_BROKEN = re.compile(r"([A-Za-z]+)[-\u2010\u00ad\ufffe]\r?\n?([a-z]+)")
_MOST_BYTES = 150_000
_DEVANAGARI_ZERO = "०"

each_document = pytest.mark.parametrize("name", NAMES)


@cache
def _pages(name: str) -> tuple[Page, ...]:
    return tuple(read_document(DOCUMENTS / f"{name}.pdf", language=_LANGUAGES[name]))


@cache
def _chunks(name: str) -> tuple[Chunk, ...]:
    return tuple(chunk_pages(_pages(name), language=_LANGUAGES[name]))


def _same(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())


def _expected(name: str) -> list[str]:
    return [_same(block.text) for block in blocks(name)]


def _extracted(name: str, expected: list[str]) -> list[str]:
    """The paragraphs of all pages; one that a page's end cuts as `expected` has it is one."""
    found: list[str] = []
    for page in _pages(name):
        paragraphs = [_same(part) for part in page.text.split("\n") if part]
        if found and paragraphs and f"{found[-1]} {paragraphs[0]}" in expected:
            found[-1] += f" {paragraphs.pop(0)}"
        found += paragraphs
    return found


@each_document
def test_pages_are_read(name: str) -> None:
    assert [(page.number, page.status) for page in _pages(name)] == [(n, "ok") for n in (1, 2, 3)]
    assert (DOCUMENTS / f"{name}.pdf").stat().st_size <= _MOST_BYTES


@each_document
def test_paragraphs_headings_rows_and_notes_are_all_there_in_order(name: str) -> None:
    expected = _expected(name)
    assert _extracted(name, expected) == expected


@each_document
def test_running_heads_and_folios_are_gone_and_nothing_else(name: str) -> None:
    (head,) = running_heads(name)
    zero = ord(_DEVANAGARI_ZERO if _LANGUAGES[name] == "hi" else "0")
    for page in _pages(name):
        assert [_same(line) for line in page.removed] == [head, chr(zero + page.number)]


@each_document
def test_chunks_lead_back_to_their_pages(name: str) -> None:
    texts = {page.number: page.text for page in _pages(name)}
    for chunk in _chunks(name):
        assert chunk.text == " ".join(texts[s.page][s.start : s.end] for s in chunk.spans)


@each_document
def test_chunks_hold_the_text_under_its_headings(name: str) -> None:
    heading = ""
    under: dict[str | None, str] = {}
    notes = []
    for block in blocks(name):
        if block.kind in ("h1", "h2"):
            heading = _same(block.text)
        elif block.kind == "note":
            notes.append(_same(block.text))
        else:
            under[heading] = f"{under.get(heading, '')} {_same(block.text)}".strip()
    found: dict[str | None, str] = {}
    for chunk in _chunks(name):
        key = _same(chunk.heading) if chunk.heading else None
        found[key] = f"{found.get(key, '')} {_same(chunk.text)}".strip()
    assert found.pop(None, "") == " ".join(notes)
    assert found == under


def test_words_that_break_at_a_line_end_are_whole() -> None:
    import pypdfium2

    broken = set()
    for name in ("rivers", "law"):
        document = pypdfium2.PdfDocument(DOCUMENTS / f"{name}.pdf")
        whole = {word for text in _expected(name) for word in re.findall(r"[\w-]+", text)}
        text = "\n".join(page.text for page in _pages(name))
        for page in document:
            for left, right in _BROKEN.findall(page.get_textpage().get_text_range()):
                ways = {way for way in (left + right, f"{left}-{right}") if way in whole}
                (word,) = ways
                broken.add(word)
                assert re.search(rf"(?<![\w-]){word}(?![\w-])", text), word
    assert len(broken) >= 4
    assert any("-" in word for word in broken)
    assert any("-" not in word for word in broken)


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_every_document_is_listed_with_its_facts() -> None:
    listed = {row["document_id"]: row for row in _rows(DOCUMENTS.parent / "documents.csv")}
    assert set(listed) == set(NAMES)
    assert {name: row["language"] for name, row in listed.items()} == _LANGUAGES
    facts = _rows(DOCUMENTS / "facts.csv")
    assert {row["document_id"] for row in facts} == set(NAMES)
    for row in facts:
        assert row["claim"], row
        assert re.match(r"https?://", row["url"]), row
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", row["checked"]), row


def test_numbers_of_the_documents_stand_in_their_facts() -> None:
    claims = dict.fromkeys(NAMES, "")
    for row in _rows(DOCUMENTS / "facts.csv"):
        claims[row["document_id"]] += f" {row['claim']}"
    digits = str.maketrans("०१२३४५६७८९", "0123456789")
    for name in NAMES:
        stated = set(re.findall(r"\d[\d,.]*\d|\d", claims[name].translate(digits)))
        body = [b.text for b in blocks(name) if b.kind != "note"]
        used = re.findall(r"\d[\d,.]*\d|\d\d", " ".join(body).translate(digits))
        assert sorted(set(used) - stated) == [], name
