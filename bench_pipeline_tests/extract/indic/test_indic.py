"""Text in the scripts of India is what was printed, syllable by syllable."""

import unicodedata
from pathlib import Path

import pytest

from bench_pipeline.extract import read_document
from bench_pipeline_tests.extract.indic.make_indic import HERE, STYLES, sentences

_ZWNJ = "\u200c"


def _printed(language: str) -> list[str]:
    """The words of a document; neither program keeps a joiner that is no part of a syllable."""
    texts = [text for _, text in sentences()[language] for _ in STYLES]
    return unicodedata.normalize("NFC", " ".join(texts)).replace(_ZWNJ, "").split()


@pytest.mark.parametrize("path", sorted(HERE.glob("*.pdf")), ids=lambda path: path.stem)
def test_words_are_those_that_were_printed(path: Path) -> None:
    language = path.stem.partition("_")[0]
    (page,) = read_document(path, language=language)
    assert page.status == "ok"
    assert page.text.split() == _printed(language)


def test_each_language_is_printed_by_chromium() -> None:
    printed = {path.stem for path in HERE.glob("*_chromium.pdf")}
    assert printed == {f"{language}_chromium" for language in sentences()}
