"""Extraction and chunking against bare pypdfium2 and pdfplumber, on one book.

Run `python benchmarks/extracting.py`; `--document` takes another PDF. Bars: at most 6 times the
bare text, at least 15 times faster than pdfplumber, pages to chunks in under 20 s.
"""

import argparse
import os
import subprocess
import time
from collections import Counter
from pathlib import Path
from statistics import median

from _clients import Client, cache_folder

from bench_pipeline.extract import Page, chunk_pages, read_document

_BOOK = Path(__file__).resolve().parents[2] / "shared" / "data" / "en_constitution_of_india.pdf"
_PLUMBER = Client("pdfplumber", "", ("pdfplumber==0.11.10",))
_PLUMBER_TIMES = """
import sys, time, pdfplumber
started = time.perf_counter()
with pdfplumber.open(sys.argv[1]) as document:
    for page in document.pages:
        page.extract_text()
        page.close()
print(time.perf_counter() - started)
"""


def bare_seconds(path: Path) -> float:
    """Text of every page as PDFium gives it, in this process."""
    import pypdfium2

    started = time.perf_counter()
    document = pypdfium2.PdfDocument(path)
    for page in document:
        page.get_textpage().get_text_range()
    return time.perf_counter() - started


def our_seconds(path: Path, workers: int) -> tuple[float, list[Page]]:
    """Pages as the lane reads them: child processes, statuses, order, furniture and all."""
    started = time.perf_counter()
    pages = read_document(path, workers=workers)
    return time.perf_counter() - started, pages


def cpu_seconds() -> float:
    """Processor time so far of this process and the children it has waited for."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def plumber_seconds(path: Path) -> float:
    """The peer's text of every page, in an environment of its own, imports not counted."""
    python = _PLUMBER.python(cache_folder())
    command = [python, "-c", _PLUMBER_TIMES, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return float(done.stdout)


def main() -> None:
    """Print medians of interleaved runs, the ratios, and the table of page statuses."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--document", type=Path, default=_BOOK)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--without-peer", action="store_true")
    options = parser.parse_args()
    times: dict[str, list[float]] = {"bare": [], "one": [], "two": [], "cpu": [], "chunks": []}
    pages: list[Page] = []
    for _ in range(options.rounds):
        times["bare"].append(bare_seconds(options.document))
        begun = cpu_seconds()
        times["one"].append(our_seconds(options.document, 1)[0])
        times["cpu"].append(cpu_seconds() - begun)
        seconds, pages = our_seconds(options.document, 2)
        times["two"].append(seconds)
        started = time.perf_counter()
        chunks = chunk_pages(pages)
        times["chunks"].append(time.perf_counter() - started)
    bare, one, two, cpu, chunked = (median(found) for found in times.values())
    print(f"{options.document.name}: {len(pages)} pages, {len(chunks)} chunks")
    print(f"bare pypdfium2       {bare:6.2f} s")
    print(f"pages, one worker    {one:6.2f} s, {one / bare:4.1f} × bare (bar 6), CPU {cpu:.2f} s")
    print(f"pages, two workers   {two:6.2f} s, {two / bare:4.1f} × bare")
    print(f"chunks               {chunked:6.2f} s; pages to chunks {two + chunked:.2f} s (bar 20)")
    if not options.without_peer:
        peer = plumber_seconds(options.document)
        print(f"pdfplumber           {peer:6.2f} s, {peer / one:4.1f} × ours, one worker (bar 15)")
    for status, count in Counter(page.status for page in pages).most_common():
        print(f"  {status:<18} {count:>5} pages")


if __name__ == "__main__":
    main()
