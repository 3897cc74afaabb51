"""Chunks: exact spans, sizes, sentence ends, headings, and text that runs over page ends."""

import regex
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bench_pipeline.extract import Chunk, Page, chunk_pages
from bench_pipeline.text import split_sentences

_STEADY = settings(
    max_examples=150, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck)
)
_WORD = st.sampled_from(
    [
        "The",
        "river",
        "किताब",
        "है।",
        "of",
        "1947.",
        "Art.",
        "21",
        "क्षेत्र",
        "law;",
        "x" * 90,
        "ends.",
        "Dr.",
        "(a)",
    ]
)
_TEXT = st.lists(
    st.tuples(_WORD, st.sampled_from([" ", " ", " ", " ", "\n", "\n\n"])), max_size=60
).map(lambda parts: "".join(word + gap for word, gap in parts).strip())


def _page(number: int, text: str, status: str = "ok") -> Page:
    return Page(number, status, text, None if status == "ok" else "a reason", ())


def _assert_exact(pages: list[Page], chunks: list[Chunk]) -> None:
    texts = {page.number: page.text for page in pages}
    for position, chunk in enumerate(chunks):
        assert chunk.position == position
        parts = [texts[span.page][span.start : span.end] for span in chunk.spans]
        assert chunk.text == " ".join(parts)
        numbers = [span.page for span in chunk.spans]
        assert numbers == sorted(set(numbers))


@_STEADY
@given(st.lists(_TEXT, max_size=4))
def test_spans_are_exact_and_nothing_is_lost(texts: list[str]) -> None:
    pages = [_page(number + 1, text) for number, text in enumerate(texts)]
    chunks = chunk_pages(pages, target_chars=120, most_chars=200)
    _assert_exact(pages, chunks)
    assert all(0 < len(chunk.text) <= 200 for chunk in chunks)
    # every character is in a chunk or in a heading, and in one chunk only
    for page in pages:
        covered = [False] * len(page.text)
        for span in (s for chunk in chunks for s in chunk.spans if s.page == page.number):
            assert not any(covered[span.start : span.end])
            covered[span.start : span.end] = [True] * (span.end - span.start)
        headings = {chunk.heading for chunk in chunks}
        left = "".join(
            " " if taken or char == "\n" else char
            for char, taken in zip(page.text, covered, strict=True)
        )
        for line in page.text.split("\n"):
            if line.strip() and line.strip() in left and line not in headings:
                # a heading that the next one replaces at once stands over no text
                assert len(line) <= 160


@_STEADY
@given(_TEXT)
def test_no_chunk_ends_inside_a_grapheme_cluster(text: str) -> None:
    ends = {match.end() for match in regex.finditer(r"\X", text)} | {0}
    for chunk in chunk_pages([_page(1, text)], target_chars=20, most_chars=35):
        for span in chunk.spans:
            assert span.start in ends
            assert span.end in ends


def test_an_overlong_word_of_clusters_is_cut_between_them() -> None:
    text = "क्षि" * 100
    chunks = chunk_pages([_page(1, text)], target_chars=30, most_chars=50)
    assert "".join(chunk.text for chunk in chunks) == text
    assert all(len(chunk.text) <= 50 for chunk in chunks)
    ends = {match.end() for match in regex.finditer(r"\X", text)}
    assert {span.end for chunk in chunks for span in chunk.spans} <= ends


def test_text_runs_over_a_page_end_and_footnotes_stand_apart() -> None:
    pages = [
        _page(1, "The President may summon each House to meet at\n\n1Ins. by an Act of 1951."),
        _page(2, "such time as he thinks fit. It may be prorogued."),
    ]
    chunks = chunk_pages(pages)
    _assert_exact(pages, chunks)
    assert [chunk.text for chunk in chunks] == [
        "The President may summon each House to meet at such time as he thinks fit. "
        "It may be prorogued.",
        "1Ins. by an Act of 1951.",
    ]


def test_a_heading_stays_with_its_text_and_opens_a_chunk() -> None:
    text = (
        "PART III\nFUNDAMENTAL RIGHTS\nEquality before law.\n14. The State shall not deny to any "
        "person equality before the law.\n\nProhibition of discrimination.\n15. The State shall "
        "not discriminate against any citizen."
    )
    chunks = chunk_pages([_page(1, text)])
    assert [(chunk.heading, chunk.text[:13]) for chunk in chunks] == [
        ("Equality before law.", "14. The State"),
        ("Prohibition of discrimination.", "15. The State"),
    ]


def test_a_heading_at_a_page_end_stands_over_the_next_page() -> None:
    pages = [
        _page(1, "The last sentence of the part.\n\nPART IV\nDIRECTIVE PRINCIPLES"),
        _page(2, "In this Part, unless the context otherwise requires, a word is a word."),
    ]
    assert [chunk.heading for chunk in chunk_pages(pages)] == [None, "DIRECTIVE PRINCIPLES"]


def test_rows_of_a_table_are_no_headings() -> None:
    text = "State 2011 2001\nKerala 33.4 31.8\nGoa 1.5 1.3\nSikkim 0.6 0.5"
    (chunk,) = chunk_pages([_page(1, text)])
    assert (chunk.heading, chunk.text) == (None, text)


def test_pages_that_cannot_be_used_give_nothing() -> None:
    pages = [_page(1, "", "no_text_layer"), _page(2, "One sentence stands here.", "ocr")]
    assert [chunk.text for chunk in chunk_pages(pages)] == ["One sentence stands here."]


def test_chunks_end_with_sentences() -> None:
    sentence = "Dr. Rao paid Rs. 500 under Art. 21 on 14 August 1947. About 3.5 per cent. was lost."
    text = "\n\n".join([sentence] * 12)
    chunks = chunk_pages([_page(1, text)], target_chars=150, most_chars=300)
    assert len(chunks) > 3
    ends = {end for _, end in split_sentences(text)}
    assert all(span.end in ends for chunk in chunks for span in chunk.spans)


def test_titles_and_footnotes_of_a_script_without_case() -> None:
    pages = [
        _page(
            1,
            "कला की राष्ट्रीय संस्थाएँ\nसंगीत नाटक अकादमी संगीत, नृत्य और नाटक की राष्ट्रीय संस्था है।*\n\n"
            "फ़सल के पर्व\n\n*संस्कृति मंत्रालय की सूची में छऊ नृत्य भी है।",
        ),
        _page(2, "12वें पर्व के दिन असम में बिहू का नृत्य होता है।\n\n12वें दिन वह समाप्त होता है।"),
    ]
    chunks = chunk_pages(pages, language="hi")
    _assert_exact(pages, chunks)
    assert [(chunk.heading, chunk.text) for chunk in chunks] == [
        (
            "कला की राष्ट्रीय संस्थाएँ",
            "संगीत नाटक अकादमी संगीत, नृत्य और नाटक की राष्ट्रीय संस्था है।*",
        ),
        (
            "फ़सल के पर्व",
            "12वें पर्व के दिन असम में बिहू का नृत्य होता है।\n\n12वें दिन वह समाप्त होता है।",
        ),
        (None, "*संस्कृति मंत्रालय की सूची में छऊ नृत्य भी है।"),
    ]
