"""The documents of a suite: the file that lists them, and the files themselves.

A document is one row of the suite's documents file; what is wrong with a row stops the suite, what
is wrong with a PDF is that document's own.
"""

import hashlib
from pathlib import Path
from typing import Any

import polars as pl

from bench_pipeline.contracts.construction import DOCUMENTS
from bench_pipeline.contracts.csv_files import (
    Place,
    filled,
    name_in,
    one_of,
    read_rows,
    refuse_duplicate,
    slug,
)
from bench_pipeline.contracts.errors import InputError, shown
from bench_pipeline.contracts.suite import SuiteSpec

_REQUIRED = ("document_id", "file", "title", "licence", "source")
_OPTIONAL = ("language", "domain", "grade", "board")


def load_documents(suite: SuiteSpec) -> pl.DataFrame:
    """The `documents` table of `suite`, in the order of its file.

    Raises:
        InputError: a row is wrong, or names a file that is not there.
    """
    if suite.documents is None:
        return DOCUMENTS.empty()
    listing = suite.path(suite.documents)
    places: dict[str, Place] = {}
    rows = []
    for place, raw in read_rows(listing, name_in(suite, listing), _REQUIRED, _OPTIONAL):
        row = _document(suite, place, raw)
        refuse_duplicate(places, row["document_id"], place, "document_id")
        rows.append(row)
    if not rows:
        raise InputError(listing, "there is no document in it", accepted=", ".join(_REQUIRED))
    unknown = sorted(set(suite.passwords) - set(places))
    if unknown:
        raise InputError(
            suite.folder / "suite.yaml",
            f"there is no document {shown(unknown[0])}",
            field="passwords",
            accepted=", ".join(places),
        )
    return pl.DataFrame(rows, schema=DOCUMENTS.polars)


def _document(suite: SuiteSpec, place: Place, raw: dict[str, str]) -> dict[str, Any]:
    domain = raw.get("domain") or ("all" if not suite.categories else "")
    if suite.categories:
        one_of(place, "domain", domain, tuple(suite.categories))
    content = _content(suite, place, filled(place, "file", raw["file"], "a PDF of the suite"))
    return {
        "document_id": slug(place, "document_id", raw["document_id"]),
        "file": raw["file"],
        "title": filled(place, "title", raw["title"], "the title of the work"),
        "language": raw.get("language") or "en",
        "domain": domain,
        "grade": raw.get("grade") or None,
        "board": raw.get("board") or None,
        "licence": filled(place, "licence", raw["licence"], "the licence of the text"),
        "source": filled(place, "source", raw["source"], "where it comes from"),
        "sha256": hashlib.sha256(content).hexdigest(),
        "bytes": len(content),
    }


def _content(suite: SuiteSpec, place: Place, file: str) -> bytes:
    if Path(file).is_absolute():
        raise place.error("file", f"found {shown(file)}", "a file under the suite's folder")
    try:
        return suite.path(file).read_bytes()
    except (OSError, ValueError) as error:
        raise place.error(
            "file", f"found {shown(file)}: {error}", "a file that is there"
        ) from error
