"""The process that opens a document: PDFium's crashes, hangs and bombs end here.

Reads one request from standard input, writes one line a message to standard output: `opened`
with the number of pages, then for each page `begun` and `page`. A parent that hears `begun` and
no `page` knows which page it was.
"""

import gc
import os
import resource
import sys
from pathlib import Path
from typing import Any

import orjson

from bench_pipeline.extract._faults import scan_fault, text_fault
from bench_pipeline.extract._glyphs import read_glyphs
from bench_pipeline.extract._layout import reading_order
from bench_pipeline.extract._lines import RawPage

_MB = 1024 * 1024
#: beyond PDF's own largest page, 200 inches: nothing that people read is this large
_MOST_POINTS = 14_400 * 4


def main() -> None:
    """Answer the one request on standard input."""
    request = orjson.loads(sys.stdin.buffer.read())
    # PDFium may print; only messages belong on the pipe
    pipe = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    memory = request["memory_mb"] * _MB
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    seconds = int(request["seconds"]) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))

    def tell(kind: str, **said: Any) -> None:
        pipe.write(orjson.dumps({"kind": kind, **said}, option=orjson.OPT_APPEND_NEWLINE))
        pipe.flush()

    # a page makes thousands of small objects and no cycles; collecting costs a tenth of the time
    gc.disable()
    document = _open(Path(request["path"]), request["password"], tell)
    if document is None:
        return
    pages = len(document)
    if pages > request["most_pages"]:
        tell("refused", problem=f"it has {pages} pages; at most {request['most_pages']} are read")
        return
    tell("opened", pages=pages)
    first, last = share_of(pages, request["worker"], request["workers"])
    for index in range(max(first, request["begin"]), last):
        tell("begun", number=index + 1)
        tell("page", page=_read_page(document, index, request["script"]))
    # PDFium's own tidying up of a broken file is one more place to crash in
    os._exit(0)


def share_of(pages: int, worker: int, workers: int) -> tuple[int, int]:
    """The pages (from 0, the end exclusive) that one of `workers` processes reads."""
    return pages * worker // workers, pages * (worker + 1) // workers


def exit_words(code: int) -> str:
    """How a process ended that ended badly."""
    return f"signal {-code}" if code < 0 else f"exit code {code}"


def _open(path: Path, password: str | None, tell: Any) -> Any:
    import pypdfium2

    try:
        return pypdfium2.PdfDocument(path, password=password)
    except pypdfium2.PdfiumError as error:
        if error.err_code == pypdfium2.raw.FPDF_ERR_PASSWORD:
            tell("locked")
        elif error.err_code == pypdfium2.raw.FPDF_ERR_SUCCESS:
            tell("refused", problem="it has no pages")
        else:
            tell("refused", problem=f"it cannot be opened as a PDF ({error})")
    except (OSError, MemoryError) as error:
        tell("refused", problem=f"it cannot be read ({error})")
    return None


def _read_page(document: Any, index: int, script: str) -> RawPage:
    """One page; its problem is its own."""
    import pypdfium2

    number = index + 1
    try:
        page = document[index]
        left, bottom, right, top = page.get_bbox()
        if max(right - left, top - bottom) > _MOST_POINTS:
            size = f"{right - left:.0f} × {top - bottom:.0f} points"
            return RawPage(number, "failed", f"the page is {size} large, which no page of text is")
        text_page = page.get_textpage()
        glyphs = read_glyphs(page.raw, text_page.raw)
        scan = scan_fault(page, glyphs.segments)
    except (pypdfium2.PdfiumError, MemoryError, OSError) as error:
        return RawPage(number, "failed", f"the page cannot be read ({error or 'out of memory'})")
    if scan is not None:
        return RawPage(number, "no_text_layer", scan)
    fault = text_fault(glyphs, script)
    if fault is not None:
        return RawPage(number, *fault)
    if not glyphs.segments:
        return RawPage(number, "ok", "the page is blank: no text and no image")
    return RawPage(number, "ok", None, top - bottom, reading_order(glyphs.segments))


if __name__ == "__main__":
    main()
