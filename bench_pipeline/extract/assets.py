"""`documents → pages[document] → chunks[document]` of a suite that is made from documents."""

import os

import dagster as dg
import polars as pl

from bench_pipeline.contracts.construction import (
    CHUNKS,
    DOCUMENTS,
    PAGE_STATUSES,
    PAGES,
    READABLE,
)
from bench_pipeline.contracts.errors import InputError
from bench_pipeline.contracts.suite import SuiteSpec
from bench_pipeline.extract import Page, chunk_pages, read_document
from bench_pipeline.extract.documents import load_documents
from bench_pipeline.partitions import documents_of
from bench_pipeline.quality.gate import Published, gate, gated_asset

#: two processes read one document side by side; several documents are several runs
_WORKERS = 2


def extraction_assets(suite: SuiteSpec) -> list[dg.AssetsDefinition]:
    """The assets of one suite."""
    partitions = documents_of(suite.name)

    @gated_asset(suite, DOCUMENTS, kinds={"csv"})
    def documents(context: dg.AssetExecutionContext) -> Published:
        frame = load_documents(suite)
        counts = [("documents", frame.height), ("bytes", int(frame["bytes"].sum()))]
        yield from gate(context, frame, DOCUMENTS, accounting=counts)

    @gated_asset(suite, PAGES, kinds={"pdf"}, reads=["documents"], partitions_def=partitions)
    def pages(context: dg.AssetExecutionContext, documents: pl.DataFrame) -> Published:
        document = row_of(documents, context.partition_key)
        found = read_document(
            suite.path(document["file"]),
            language=document["language"],
            password=_password(suite, context.partition_key),
            ocr=suite.ocr,
            workers=_WORKERS,
        )
        frame = pages_table(found, document["document_id"], document["sha256"])
        counts = frame["status"].value_counts()
        by_status = dict(counts.iter_rows())
        lost = sum(count for status, count in by_status.items() if status not in READABLE)
        yield from gate(
            context,
            frame,
            PAGES,
            accounting=[
                ("pages", frame.height),
                *((s, by_status[s]) for s in PAGE_STATUSES if s in by_status),
                ("lost", lost),
            ],
            metadata={"why": dg.MetadataValue.json(_reasons(frame))},
        )

    @gated_asset(
        suite, CHUNKS, kinds={"polars"}, reads=["documents", "pages"], partitions_def=partitions
    )
    def chunks(
        context: dg.AssetExecutionContext, documents: pl.DataFrame, pages: pl.DataFrame
    ) -> Published:
        document = row_of(documents, context.partition_key)
        frame = chunks_table(pages, document)
        readable = pages.filter(pl.col("status").is_in(READABLE)).height
        yield from gate(
            context,
            frame,
            CHUNKS,
            accounting=[
                ("pages in", pages.height),
                ("readable", readable),
                ("without text that can be read", pages.height - readable),
                ("chunks", frame.height),
                ("characters", int(frame["text"].str.len_chars().sum())),
            ],
        )

    return [documents, pages, chunks]


def row_of(documents: pl.DataFrame, document_id: str) -> dict[str, str]:
    """The row of one document.

    Raises:
        InputError: the documents file no longer lists it.
    """
    found = documents.filter(pl.col("document_id") == document_id)
    if found.is_empty():
        raise InputError(
            "the documents file",
            f"there is no document '{document_id}'",
            accepted=", ".join(documents["document_id"]),
        )
    return dict(found.row(0, named=True))


def pages_table(pages: list[Page], document_id: str, sha256: str) -> pl.DataFrame:
    """The `pages` table of one document."""
    rows = [
        {
            "document_id": document_id,
            "page": page.number,
            "status": page.status,
            "reason": page.reason,
            "text": page.text,
            "removed": list(page.removed),
            "sha256": sha256,
        }
        for page in pages
    ]
    return pl.DataFrame(rows, schema=PAGES.polars)


def chunks_table(pages: pl.DataFrame, document: dict[str, str]) -> pl.DataFrame:
    """The `chunks` table of one document's `pages`."""
    readable = [
        Page(row["page"], row["status"], row["text"], row["reason"], tuple(row["removed"]))
        for row in pages.sort("page").iter_rows(named=True)
        if row["status"] in READABLE
    ]
    rows = [
        {
            "document_id": document["document_id"],
            "chunk_id": f"{document['document_id']}:{chunk.position}",
            "position": chunk.position,
            "language": document["language"],
            "domain": document["domain"],
            "heading": chunk.heading,
            "text": chunk.text,
            "spans": [{"page": s.page, "start": s.start, "end": s.end} for s in chunk.spans],
        }
        for chunk in chunk_pages(readable, language=document["language"])
    ]
    return pl.DataFrame(rows, schema=CHUNKS.polars)


def _password(suite: SuiteSpec, document_id: str) -> str | None:
    variable = suite.passwords.get(document_id)
    return os.environ.get(variable) if variable else None


def _reasons(pages: pl.DataFrame) -> dict[str, int]:
    """Why pages were lost, and how many for each reason."""
    lost = pages.filter(pl.col("reason").is_not_null())
    counts = lost["reason"].value_counts(sort=True).head(20)
    return {str(reason): int(count) for reason, count in counts.iter_rows()}
