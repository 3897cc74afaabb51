"""Completions and a judge's replies to the `judgements` table, on whole frames."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from bench_pipeline.contracts.judging import (
    ADDRESSES_JUDGE,
    BY_STATUS,
    CORRECTNESS,
    JUDGED,
    JUDGEMENTS,
    UNPARSEABLE,
)
from bench_pipeline.contracts.tables import SHORT_ANSWER
from bench_pipeline.judge.fence import addresses_judge
from bench_pipeline.judge.verdicts import read_verdict
from bench_pipeline.providers.stored import StoredReply
from bench_pipeline.text import visible_span

Row = dict[str, Any]
_NOTHING_TO_JUDGE = "the answer is empty"
_FILTERED = "the provider filtered the answer"


def answers_to_judge(
    completions: pl.DataFrame, items: pl.DataFrame, gold: pl.DataFrame
) -> list[Row]:
    """The short answers of a `completions` table with question, language, gold and its hash.

    `answer` is what stands outside of thinking blocks; rows without a stored answer are none.
    """
    answered = completions.filter(pl.col("status") != "infra_error")
    asked = items.filter(pl.col("answer_type") == SHORT_ANSWER)
    rows = answered.join(
        asked.select("item_id", "question", "language"), on="item_id", maintain_order="left"
    ).join(gold.select("item_id", "gold", "gold_hash", "version"), on="item_id")
    return [{**row, "answer": _visible(row["text"])} for row in rows.iter_rows(named=True)]


def is_judged(row: Row) -> bool:
    """Whether there is an answer to judge: the row's status and its text decide, no model."""
    return row["status"] in ("ok", "truncated") and bool(row["answer"].strip())


def judgements_table(
    rows: Sequence[Row],
    judge: str,
    first: Mapping[str, StoredReply],
    second: Mapping[str, StoredReply],
) -> pl.DataFrame:
    """The `judgements` table; a row that the judge has not answered is left out, to be asked.

    `first` and `second` hold, by completion, the judge's reply and the one to its one more try.
    """
    found = []
    for row in rows:
        decided = _decided(row, first.get(row["request_id"]), second.get(row["request_id"]))
        if decided is not None:
            common = {name: row[name] for name in JUDGEMENTS.polars if name in row}
            flags = [ADDRESSES_JUDGE] if addresses_judge(row["answer"]) else []
            own = {"judge": judge, "criterion": CORRECTNESS, "rating": None, "flags": flags}
            found.append({**common, **own, **decided})
    return pl.DataFrame(found, schema=JUDGEMENTS.polars)


def _decided(row: Row, first: StoredReply | None, second: StoredReply | None) -> Row | None:
    nothing: Row = {"verdict": None, "justification": None, "parsed": None}
    if not is_judged(row):
        declined = row["status"] == "filtered"
        return {
            **nothing,
            "verdict": "not_attempted" if declined else None,
            "status": BY_STATUS,
            "reason": _FILTERED if declined else _NOTHING_TO_JUDGE,
            "judge_request_id": None,
        }
    if first is None:
        return None
    said = read_verdict(first.text, first.finish_reason)
    reply = first
    if said.problem is not None:
        if second is None:
            return None
        said, reply = read_verdict(second.text, second.finish_reason), second
    return {
        "verdict": said.verdict,
        "justification": said.justification,
        "status": JUDGED if said.problem is None else UNPARSEABLE,
        "reason": said.problem,
        "parsed": said.how,
        "judge_request_id": reply.request_id,
    }


def _visible(text: str | None) -> str:
    start, end = visible_span(text or "")
    return (text or "")[start:end]
