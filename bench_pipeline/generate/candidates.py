"""Chunks to `candidates`, candidates to `vetted`: rows, gates and reasons, on whole frames."""

from collections.abc import Iterable, Mapping
from typing import Any

import polars as pl

from bench_pipeline.contracts.construction import (
    CANDIDATES,
    CLOZE,
    DROPPED,
    FAILED,
    KEPT,
    UNSCORED,
    VETTED,
)
from bench_pipeline.generate.agents import (
    MARKS,
    MOST_QUESTIONS,
    candidate_id,
    read_marks,
    read_questions,
)
from bench_pipeline.generate.cloze import cloze_questions
from bench_pipeline.generate.gates import Draft, pass_gates
from bench_pipeline.providers.stored import StoredReply
from bench_pipeline.text import text_key

Row = dict[str, Any]
NOT_VETTED = "no Agent 2 read it"
NOT_ANSWERED = "not answered yet"
REPEATED = "repeated_in_its_reply"
MORE_THAN_FIVE = "more_than_five"


def cloze_candidates(chunks: pl.DataFrame, title: str) -> pl.DataFrame:
    """The baseline's candidates of a document's `chunks`, gated."""
    rows = []
    for chunk in chunks.iter_rows(named=True):
        for position, made in enumerate(cloze_questions(chunk["text"], title, chunk["language"])):
            row = _candidate(chunk, CLOZE, position, made.question, made.answer)
            verdict = pass_gates(
                Draft(made.question, made.answer, chunk["text"], chunk["language"])
            )
            # the mask says which of several equal places was asked about
            span = (made.start, made.end)
            rows.append({**row, **_decided(verdict.reason, span), "parsed": None})
    return _frame(rows)


def agent_candidates(
    chunks: pl.DataFrame, generator: str, replies: Mapping[str, StoredReply]
) -> pl.DataFrame:
    """Agent 1's candidates: one row a question of a reply, or one for the reply that gave none.

    A chunk without a stored reply has no row; a later run asks for it.
    """
    rows = []
    for chunk in chunks.iter_rows(named=True):
        reply = replies.get(chunk["chunk_id"])
        if reply is None:
            continue
        seen: set[tuple[str, str]] = set()
        for written in read_questions(reply.text, reply.finish_reason):
            row = _candidate(chunk, generator, written.position, written.question, written.answer)
            row |= {"parsed": written.how, "request_id": reply.request_id}
            if written.position >= MOST_QUESTIONS:
                # without its reply, which would stand once more for every row of a long list
                rows.append({**row, **_decided(MORE_THAN_FIVE, None)})
                continue
            if written.problem is not None:
                failed = {"status": FAILED, "reason": written.problem, "raw": reply.text}
                rows.append({**row, **failed})
                continue
            draft = Draft(written.question, written.answer, chunk["text"], chunk["language"])
            verdict = pass_gates(draft)
            said = (text_key(written.question), text_key(written.answer))
            # small models say one thing again and again, and every row that is kept costs a call
            reason = REPEATED if said in seen else verdict.reason
            seen.add(said)
            rows.append({**row, **_decided(reason, verdict.span)})
    return _frame(rows)


def vet(
    candidates: pl.DataFrame, vetter: str | None, replies: Mapping[str, Iterable[StoredReply]]
) -> pl.DataFrame:
    """The `vetted` table of a `candidates` table's kept rows.

    `replies` holds, by candidate, what Agent 2 said, first try first: a reply without nine good
    marks is asked again once, and then `unscored`. Without a vetter every row passes, and says so.
    """
    rows = []
    for row in candidates.filter(pl.col("status") == KEPT).iter_rows(named=True):
        said = list(replies.get(row["candidate_id"], ()))
        rows.append({**row, "vetter": vetter, **_marked(vetter, said)})
    return pl.DataFrame([_only(VETTED.polars, row) for row in rows], schema=VETTED.polars)


def needs_second_try(reply: StoredReply) -> bool:
    """Whether an Agent 2 reply has no nine good marks."""
    return read_marks(reply.text, reply.finish_reason).marks is None


def _marked(vetter: str | None, said: list[StoredReply]) -> Row:
    unmarked: Row = {"marks": None, "total": None, "correct": None, "confidence": None}
    if vetter is None:
        return {**unmarked, "status": KEPT, "reason": NOT_VETTED, "request_id": None}
    if not said:
        return {**unmarked, "status": UNSCORED, "reason": NOT_ANSWERED, "request_id": None}
    for reply in said:
        marked = read_marks(reply.text, reply.finish_reason)
        if marked.marks is None:
            continue
        reason = None
        if not marked.correct:
            reason = "agent_two_says_incorrect"
        elif not marked.one_answer:
            reason = "several_defensible_answers"
        return {
            "marks": [marked.marks[name] for name in MARKS],
            "total": marked.total,
            "correct": marked.correct,
            "confidence": marked.confidence,
            "status": KEPT if reason is None else DROPPED,
            "reason": reason,
            "request_id": reply.request_id,
        }
    last = said[-1]
    problem = read_marks(last.text, last.finish_reason).problem
    return {**unmarked, "status": UNSCORED, "reason": problem, "request_id": last.request_id}


def _candidate(chunk: Row, generator: str, position: int, question: str, answer: str) -> Row:
    return {
        "candidate_id": candidate_id(generator, chunk["chunk_id"], position, question),
        "document_id": chunk["document_id"],
        "chunk_id": chunk["chunk_id"],
        "language": chunk["language"],
        "domain": chunk["domain"],
        "generator": generator,
        "baseline": generator == CLOZE,
        "question": question,
        "answer": answer,
        "span_start": None,
        "span_end": None,
        "raw": None,
        "request_id": None,
    }


def _decided(reason: str | None, span: tuple[int, int] | None) -> Row:
    start, end = span if span is not None else (None, None)
    status = KEPT if reason is None else DROPPED
    return {"status": status, "reason": reason, "span_start": start, "span_end": end}


def _frame(rows: list[Row]) -> pl.DataFrame:
    return pl.DataFrame([_only(CANDIDATES.polars, row) for row in rows], schema=CANDIDATES.polars)


def _only(columns: Iterable[str], row: Row) -> Row:
    return {name: row[name] for name in columns}
