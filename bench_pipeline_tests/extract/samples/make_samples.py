"""Prints the sample documents of the suite `indicquest` from their sources, and reads the sources.

Run from the project's root: `python -m bench_pipeline_tests.extract.samples.make_samples`. It needs
Chromium and the Noto fonts, under the SIL Open Font License (Debian: `apt-get install chromium
fonts-noto-core`); nothing else of the project does, since the PDFs hold the parts of the fonts that
they use. Another version of either gives other bytes of the same text.

The sources are HTML, so what a reader of the PDF must find is known without any extractor: `blocks`
is the golden that `test_samples` holds extraction to. What is awkward about them, on purpose:

- two columns that run over a page's end, under a table over the whole width (`rivers`, `festivals`)
  or over a heading and a table (`law`), and whose last page they fill by half or less
- a running head and a folio on every page: alike on all (`rivers`), at the outer edge, so on the
  right and on the left by turns (`law`), with folios in Devanagari digits (`festivals`)
- a footnote at a page's foot, marked `*` or `1`, the mark set against its word, and raised (`law`)
- words that break at a line's end, at soft hyphens, and compounds that break at their own hyphen
  and must keep it (`law`)
- ligatures (ff, fi, fl, ffi), decimals, thousands with commas, a table whose rows belong together
- Devanagari (`festivals`) ragged on the right, with conjuncts, nuktas, a zero-width joiner, dandas,
  abbreviations that end in a full stop, and digits of both scripts; it has no zero-width
  non-joiner, since Chromium prints none
"""

import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path

DOCUMENTS = Path(__file__).parents[3] / "assets" / "suites" / "indicquest" / "documents"
NAMES = ("rivers", "law", "festivals")
_SOURCES = DOCUMENTS / "src"
_CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
_HEAD = re.compile(r'@(?:top|bottom)-(?:left|center|right) \{ content: "(.+?)"')
_DATED = re.compile(rb"/(CreationDate|ModDate) \(D:\d{14}")
_DATE = rb"/\1 (D:20260101000000"
_SOFT_HYPHEN = "\u00ad"


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, a heading, a row of a table or a footnote, as it reads.

    `kind` is the element that it is: `h1`, `h2`, `p`, `tr`, or `note` for a footnote.
    """

    kind: str
    text: str


def blocks(name: str) -> list[Block]:
    """What stands in the document `name`, in reading order, without running heads and folios."""
    reader = _Reader()
    reader.feed(_source(name))
    return reader.found


def running_heads(name: str) -> set[str]:
    """The texts at the head of the pages of the document `name`."""
    return set(_HEAD.findall(_source(name)))


def _source(name: str) -> str:
    return (_SOURCES / f"{name}.html").read_text(encoding="utf-8")


class _Reader(HTMLParser):
    """Collects the text of the body, a block an element; the cells of a row stand a space apart."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[Block] = []
        self._kind: str | None = None
        self._text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("h1", "h2", "p", "tr"):
            self._kind, self._text = "note" if ("class", "note") in attrs else tag, ""
        elif tag in ("td", "th"):
            self._text += " "

    def handle_data(self, data: str) -> None:
        self._text += data

    def handle_endtag(self, tag: str) -> None:
        if self._kind is not None and tag in ("h1", "h2", "p", "tr"):
            text = " ".join(self._text.replace(_SOFT_HYPHEN, "").split())
            self.found.append(Block(self._kind, text))
            self._kind = None


def print_document(name: str) -> bytes:
    """The PDF of the document `name`, the same bytes whenever it is printed."""
    chromium = next(filter(None, map(shutil.which, _CHROMIUM)), None)
    if chromium is None:
        raise SystemExit("needs Chromium (Debian: apt-get install chromium fonts-noto-core)")
    with tempfile.TemporaryDirectory() as folder:
        printed = Path(folder) / "printed.pdf"
        command = [
            *(chromium, "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer"),
            *(f"--user-data-dir={folder}/profile", f"--print-to-pdf={printed}"),
            (_SOURCES / f"{name}.html").as_uri(),
        ]
        subprocess.run(command, check=True, capture_output=True, timeout=120)
        return _DATED.sub(_DATE, printed.read_bytes())


def main() -> None:
    for name in NAMES:
        (DOCUMENTS / f"{name}.pdf").write_bytes(print_document(name))


if __name__ == "__main__":
    main()
