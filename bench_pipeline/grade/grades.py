"""Completions and gold to grades: one verdict a completion, on whole frames."""

import json
from collections.abc import Callable
from typing import Any

import polars as pl

from bench_pipeline.contracts.grades import CODE, PROTOCOLS, Grade
from bench_pipeline.contracts.tables import GRADES, SHORT_ANSWER
from bench_pipeline.grade import grade_response

_ADVANCE_EVERY = 50


def grade_completions(
    completions: pl.DataFrame,
    items: pl.DataFrame,
    gold: pl.DataFrame,
    advance: Callable[[int], None] = lambda _: None,
) -> pl.DataFrame:
    """The `grades` table of a `completions` table; rows without an answer are no grades.

    A short answer has a row for each lexical protocol, every other type one of its own grader.
    Every distinct (item, status, text) is graded once: samples at temperature 0 repeat.
    """
    answered = completions.filter(pl.col("status") != "infra_error")
    rows = answered.join(
        items.select("item_id", "answer_type", "question"), on="item_id", maintain_order="left"
    ).join(gold, on="item_id", maintain_order="left")
    cache: dict[tuple[str, str, str, str | None], Grade] = {}
    records: list[dict[str, Any]] = []
    graded = 0
    for row in rows.iter_rows(named=True):
        for grader, kind in graders_of(row["answer_type"]):
            key = (row["item_id"], grader, row["status"], row["text"])
            verdict = cache.get(key)
            if verdict is None:
                options = {**json.loads(row["options"]), "question": row["question"]}
                verdict = cache[key] = grade_response(
                    row["status"], kind, row["gold"], row["text"] or "", options
                )
            records.append(grade_record(row, grader, verdict))
        graded += 1
        if graded % _ADVANCE_EVERY == 0:
            advance(_ADVANCE_EVERY)
    advance(graded % _ADVANCE_EVERY)
    return pl.DataFrame(records, schema=GRADES.polars)


def graders_of(answer_type: str) -> tuple[tuple[str, str], ...]:
    """(name in `grades`, grader's answer type) of everything that grades an answer type."""
    if answer_type == SHORT_ANSWER:
        return tuple((protocol, protocol) for protocol in PROTOCOLS)
    return ((CODE, answer_type),)


def grade_record(row: dict[str, Any], grader: str, verdict: Grade) -> dict[str, Any]:
    """One row of `grades`: the completion's keys and the verdict."""
    start, end = verdict.span if verdict.span is not None else (None, None)
    return {
        "request_id": row["request_id"],
        "item_id": row["item_id"],
        "model": row["model"],
        "regime": row["regime"],
        "sample": row["sample"],
        "grader": grader,
        "verdict": str(verdict.verdict),
        "flags": sorted(str(flag) for flag in verdict.flags),
        "extracted": verdict.extracted,
        "span_start": start,
        "span_end": end,
        "rule": verdict.rule,
        "reason": verdict.reason,
        "jaccard": verdict.jaccard,
        "gold_hash": row["gold_hash"],
        "version": row["version"],
    }
