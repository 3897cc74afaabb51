"""The tables that build a benchmark from documents. Columns may be added, never renamed.

`documents → pages → chunks → candidates → vetted → unique → reviewed`; each keeps the rows that it
dropped, with the reason, so that nothing is lost between two of them.
"""

import polars as pl

from bench_pipeline.contracts.schema import Column, TableSchema

PAGE_STATUSES = (
    "ok",
    "legacy_font",
    "bad_unicode_map",
    "no_text_layer",
    "needs_password",
    "ocr",
    "failed",
)
#: pages with one of these go on
READABLE = ("ok", "ocr")
KEPT, DROPPED, FAILED, UNSCORED = "kept", "dropped", "failed", "unscored"
#: the generator that is a baseline: no model wrote its questions
CLOZE = "cloze"
#: made-up data that shows a lane: a column's value, and said wherever it counts
EXAMPLE = "example"

_DOCUMENT_ID = Column("document_id", pl.String, "id of the document in its suite")
_CANDIDATE_ID = Column("candidate_id", pl.String, "generator, chunk, place and question, hashed")
_REASON = Column("reason", pl.String, "why it was dropped or failed", nullable=True)
_SPAN = pl.Struct({"page": pl.Int32, "start": pl.Int32, "end": pl.Int32})

DOCUMENTS = TableSchema(
    "documents",
    "The documents that questions are made from, with class, board and licence.",
    (
        _DOCUMENT_ID,
        Column("file", pl.String, "file under the suite"),
        Column("title", pl.String, "title of the work, as questions may name it"),
        Column("language", pl.String, "BCP 47 code"),
        Column("domain", pl.String, "domain of its questions: their category"),
        Column("grade", pl.String, "school class it is made for", nullable=True),
        Column("board", pl.String, "education board or publisher", nullable=True),
        Column("licence", pl.String, "licence of the text"),
        Column("source", pl.String, "where it comes from"),
        Column("sha256", pl.String, "of the file's bytes"),
        Column("bytes", pl.Int64, "size of the file"),
    ),
    key=("document_id",),
)
PAGES = TableSchema(
    "pages",
    "One row a page, with its status: a page is never silently empty.",
    (
        _DOCUMENT_ID,
        Column("page", pl.Int32, "from 1; 0 where the document could not be opened"),
        Column("status", pl.String, "what became of it", allowed=PAGE_STATUSES),
        _REASON,
        Column("text", pl.String, "NFC, in reading order, without heads and feet"),
        Column("removed", pl.List(pl.String), "running heads, feet and folios taken out"),
        Column("sha256", pl.String, "of the document's bytes"),
    ),
    key=("document_id", "page"),
)
CHUNKS = TableSchema(
    "chunks",
    "Paragraph-sized pieces of the readable pages, with the way back to their exact place.",
    (
        _DOCUMENT_ID,
        Column("chunk_id", pl.String, "document and position"),
        Column("position", pl.Int32, "order in the document, from 0"),
        Column("language", pl.String, "BCP 47 code"),
        Column("domain", pl.String, "domain of the document"),
        Column("heading", pl.String, "heading that it stands under", nullable=True),
        Column("text", pl.String, "the spans of its pages, joined by a space"),
        Column("spans", pl.List(_SPAN), "characters of each page's text"),
    ),
    key=("chunk_id",),
    may_be_empty=True,
)
_CANDIDATE_COLUMNS = (
    _CANDIDATE_ID,
    _DOCUMENT_ID,
    Column("chunk_id", pl.String, "the chunk that it was made from"),
    Column("language", pl.String, "BCP 47 code"),
    Column("domain", pl.String, "domain of the document"),
    Column("generator", pl.String, "roster id of Agent 1, or cloze"),
    Column("baseline", pl.Boolean, "made by the cloze baseline: no model wrote it"),
    Column("question", pl.String, "the question, empty where a reply had none"),
    Column("answer", pl.String, "its answer, one to five words of the chunk"),
    Column("span_start", pl.Int32, "first character of the answer in the chunk", nullable=True),
    Column("span_end", pl.Int32, "one past its last character", nullable=True),
)
CANDIDATES = TableSchema(
    "candidates",
    "Every question that a generator wrote, and every reply that gave none.",
    (
        *_CANDIDATE_COLUMNS,
        Column("status", pl.String, "kept, dropped, or failed", allowed=(KEPT, DROPPED, FAILED)),
        _REASON,
        Column("parsed", pl.String, "strict, fenced or repaired", nullable=True),
        Column("raw", pl.String, "the reply, where it gave no question", nullable=True),
        Column("request_id", pl.String, "the request that it came from", nullable=True),
    ),
    key=("candidate_id",),
    may_be_empty=True,
)
VETTED = TableSchema(
    "vetted",
    "Candidates that passed the gates, with the nine marks of Agent 2 where there is one.",
    (
        *_CANDIDATE_COLUMNS,
        Column("vetter", pl.String, "roster id of Agent 2; null where none read it", nullable=True),
        Column("marks", pl.List(pl.Int32), "the nine marks, in their order", nullable=True),
        Column("total", pl.Int32, "their sum, at most 90", nullable=True),
        Column("correct", pl.Boolean, "Agent 2's flag", nullable=True),
        Column("confidence", pl.Float64, "Agent 2's, 0 to 1", nullable=True),
        Column("status", pl.String, "what became of it", allowed=(KEPT, DROPPED, UNSCORED)),
        _REASON,
        Column("request_id", pl.String, "the request that marked it", nullable=True),
    ),
    key=("candidate_id",),
    may_be_empty=True,
)
UNIQUE = TableSchema(
    "unique",
    "Vetted questions without their duplicates; a dropped row names the kept row it repeats.",
    (
        *_CANDIDATE_COLUMNS,
        Column("total", pl.Int32, "sum of Agent 2's marks", nullable=True),
        Column("status", pl.String, "kept or dropped", allowed=(KEPT, DROPPED)),
        _REASON,
        Column("duplicate_of", pl.String, "candidate that was kept for it", nullable=True),
        Column("cosine", pl.Float64, "to that candidate", nullable=True),
        Column("review", pl.Boolean, "a guard kept it apart from a near one: people look at both"),
    ),
    key=("candidate_id",),
    may_be_empty=True,
)
PAIRS = TableSchema(
    "pairs",
    "The dedup ledger: every pair above the floor, and what was decided.",
    (
        Column("kept_id", pl.String, "the better row of the pair"),
        Column("other_id", pl.String, "the other"),
        Column("cosine", pl.Float64, "of their vectors"),
        Column("guard", pl.String, "what keeps them apart", nullable=True),
        Column("decision", pl.String, "merged, guarded, below the threshold, or moot"),
    ),
    key=("kept_id", "other_id"),
    may_be_empty=True,
)
REVIEWED = TableSchema(
    "reviewed",
    "Unique questions after their reviewers' labels; drafts where nobody has labelled.",
    (
        *_CANDIDATE_COLUMNS,
        Column("review_status", pl.String, "which review it has passed"),
        Column("status", pl.String, "kept or dropped", allowed=(KEPT, DROPPED)),
        _REASON,
    ),
    key=("candidate_id",),
)
TRANSLATIONS = TableSchema(
    "translations",
    "Every item in one language: what passed the gates, and what failed and why.",
    (
        Column("item_id", pl.String, "the item in its source language"),
        Column("language", pl.String, "BCP 47 code of the target"),
        Column("source_question", pl.String, "the question as it was translated"),
        Column("source_answer", pl.String, "its gold answer"),
        Column("engine", pl.String, "roster id, human or example; null: none tried", nullable=True),
        Column("question", pl.String, "the question in the language", nullable=True),
        Column("answer", pl.String, "the answer in the language", nullable=True),
        Column("status", pl.String, "kept or failed", allowed=(KEPT, FAILED)),
        Column("reasons", pl.List(pl.String), "every gate that it failed"),
        Column("back_question", pl.String, "its question, translated back", nullable=True),
        Column("back_reason", pl.String, "why an answer gave no question back", nullable=True),
        Column("chrf", pl.Float64, "0 to 100, of that and its source", nullable=True),
        Column("review_rank", pl.Int32, "1 is looked at first; null: not ranked", nullable=True),
    ),
    key=("item_id", "language"),
    version=2,
)
