"""Real documents: the Constitution from pages to chunks, and two statistical tables.

The files are not the project's own; a test skips where they are absent.
"""

import re
from collections import Counter
from pathlib import Path

import pytest

from bench_pipeline.extract import Chunk, Page, chunk_pages, read_document

_DATA = Path(__file__).parents[3] / "shared" / "data"
_CONSTITUTION = _DATA / "en_constitution_of_india.pdf"
_TABLES = ["table_rice_surplus.pdf", "table_rainfall.pdf"]
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_ARTICLE = re.compile(r"(?:\d*\[)*(\d+[A-Z]{0,2})\. ")


def _present(path: Path) -> Path:
    if not path.is_file():
        pytest.skip(f"{path.name} is not part of the project and is absent here")
    return path


@pytest.fixture(scope="module")
def pages() -> list[Page]:
    return read_document(_present(_CONSTITUTION), workers=2)


@pytest.fixture(scope="module")
def chunks(pages: list[Page]) -> list[Chunk]:
    return chunk_pages(pages)


def _bare(path: Path) -> list[str]:
    import pypdfium2

    document = pypdfium2.PdfDocument(path)
    return [page.get_textpage().get_text_range() for page in document]


def _letters(text: str) -> Counter[str]:
    return Counter(re.sub(r"[\s\ufffe\u00ad-]", "", text))


def test_every_page_is_read(pages: list[Page]) -> None:
    assert [page.number for page in pages] == list(range(1, 495))
    assert Counter(page.status for page in pages) == {"ok": 494}


def test_no_character_is_lost_or_doubled(pages: list[Page]) -> None:
    differing = [
        page.number
        for page, bare in zip(pages, _bare(_CONSTITUTION), strict=True)
        if _letters(page.text + "".join(page.removed)) != _letters(bare)
    ]
    assert differing == []


def test_running_heads_and_folios_are_gone(pages: list[Page]) -> None:
    body = [page for page in pages if page.number >= 30]
    assert [page.number for page in body if "THE CONSTITUTION OF INDIA" in page.text] == []
    assert [page.number for page in body if re.match(r"\((?:Part|\w+ Sch)", page.text)] == []
    # page 447 is printed without a folio, and the index after it counts one page less
    without = [
        page.number
        for page in body
        if str(page.number - (28 if page.number < 447 else 27))
        not in [re.sub(r"\D", "", head) for head in page.removed if not head.startswith("(")]
    ]
    assert without == [447]


def test_unique_headings_stay(pages: list[Page]) -> None:
    text = "\n".join(page.text for page in pages)
    for heading in ("FUNDAMENTAL RIGHTS", "DIRECTIVE PRINCIPLES OF STATE POLICY", "PREAMBLE"):
        assert heading in text


def test_words_that_break_are_whole(pages: list[Page]) -> None:
    text = "\n".join(page.text for page in pages)
    assert "\ufffe" not in text
    assert re.search(r"\bParlia\b|\bConsti\b|\bLegis\b", text) is None
    assert "sub-clause" in text
    assert "Governor-General" in text


def test_every_chunk_leads_back_to_its_text(pages: list[Page], chunks: list[Chunk]) -> None:
    texts = {page.number: page.text for page in pages}
    for chunk in chunks:
        assert chunk.text == " ".join(texts[s.page][s.start : s.end] for s in chunk.spans)
    assert max(len(chunk.text) for chunk in chunks) <= 1500


def test_articles_have_the_headings_of_the_contents(pages: list[Page], chunks: list[Chunk]) -> None:
    contents = "\n".join(page.text for page in pages[8:28])
    titles = dict(re.findall(r"(?m)^(\d+[A-Z]{0,2})\. (.+?)(?: ?\.{3,}.*)?$", contents))
    compared = same = 0
    for chunk in chunks:
        article = _ARTICLE.match(chunk.text)
        if article and 30 <= chunk.spans[0].page <= 302 and article.group(1) in titles:
            compared += 1
            same += _opening(titles[article.group(1)]) == _opening(chunk.heading or "")
    assert compared >= 430
    assert same >= compared - 2


def _opening(title: str) -> str:
    return re.sub(r"\W", "", re.sub(r"\d\[", "", title)).casefold()[:12]


def test_chunks_run_over_page_ends(chunks: list[Chunk]) -> None:
    assert sum(len(chunk.spans) > 1 for chunk in chunks) > 100


@pytest.mark.slow
def test_pages_are_the_same_at_any_number_of_workers(pages: list[Page]) -> None:
    assert read_document(_CONSTITUTION, workers=1) == pages
    assert read_document(_CONSTITUTION, workers=5) == pages


@pytest.mark.parametrize("name", _TABLES)
def test_every_number_of_a_table_is_there_in_row_order(name: str) -> None:
    path = _present(_DATA / name)
    (page,) = read_document(path)
    (bare,) = _bare(path)
    whole = page.text + " " + " ".join(page.removed)
    assert Counter(_NUMBER.findall(whole)) == Counter(_NUMBER.findall(bare))
    # the file draws its rows in order, under a head that it does not
    ours, theirs = page.text.split("\n"), bare.splitlines()
    rows = [row.strip() for row in theirs if re.match(r"\d+ [A-Z].* -?\d", row)]
    assert len(rows) >= 30
    assert [line for line in ours if line in set(rows)] == rows
