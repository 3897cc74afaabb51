"""What reading a document gives, and the bounds it is read within."""

from dataclasses import dataclass

STATUSES = (
    "ok",
    "legacy_font",
    "bad_unicode_map",
    "no_text_layer",
    "needs_password",
    "ocr",
    "failed",
)


@dataclass(frozen=True, slots=True)
class Page:
    """One page of one document; number 0 stands for a document that could not be opened.

    `text` is NFC with ZWJ and ZWNJ kept, in reading order, without running heads and folios; it is
    empty where the status is neither `ok` nor `ocr`. An empty line parts paragraphs; a single line
    end follows a heading or a table's row. `reason` says, for a person, why the status is not `ok`
    or why an `ok` page is empty. `removed` are the heads, feet and folios that were taken out.
    """

    number: int
    status: str
    text: str
    reason: str | None
    removed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one document: wall seconds, MB of address space a process, pages.

    OCR takes a second a page, so it has its own wall seconds, for each page.
    """

    seconds: float = 300.0
    memory_mb: int = 2048
    pages: int = 20_000
    ocr_seconds: float = 60.0
