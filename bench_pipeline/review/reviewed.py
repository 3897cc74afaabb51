"""Unique questions after review: one flag removes a question, no label lets it pass as a draft.

Three people see every survivor in the benchmark that this follows, and a question that any of them
flags is removed, never repaired. A label is bound to question and answer.
"""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Sequence

import polars as pl

from bench_pipeline.contracts.construction import DROPPED, KEPT, REVIEWED
from bench_pipeline.contracts.errors import shown
from bench_pipeline.contracts.labels import ReviewLabel, load_review_labels
from bench_pipeline.contracts.suite import SuiteSpec

ACCEPT = "accept"
FLAGS = ("factual_error", "ambiguous", "too_easy", "weakly_indian")


def content_hash(question: str, answer: str) -> str:
    """What a label is bound to: twelve hex digits of question and answer."""
    return hashlib.sha256(f"{question}\x1f{answer}".encode()).hexdigest()[:12]


def load_question_labels(suite: SuiteSpec) -> list[ReviewLabel]:
    """The labels of questions in the suite's files; none where it declares none.

    Raises:
        InputError: at the first row that is wrong, or says something twice.
    """
    return load_review_labels(
        suite, about="candidate_id", content="content_hash", labels=(ACCEPT, *FLAGS)
    )


def review(unique: pl.DataFrame, labels: Sequence[ReviewLabel]) -> pl.DataFrame:
    """The `reviewed` table of a `unique` table's kept rows."""
    said: dict[tuple[str, str], list[str]] = defaultdict(list)
    for label in labels:
        said[label.about, label.content_hash].append(label.label)
    rows = []
    for row in unique.filter(pl.col("status") == KEPT).iter_rows(named=True):
        own = said[row["candidate_id"], content_hash(row["question"], row["answer"])]
        flags = Counter(label for label in own if label != ACCEPT)
        flagged = ", ".join(
            f"{flag} ({count} of {len(own)})" for flag, count in sorted(flags.items())
        )
        rows.append(
            {
                **{name: row[name] for name in REVIEWED.polars if name in row},
                "review_status": "reviewed" if own and not flags else "draft",
                "status": DROPPED if flags else KEPT,
                "reason": f"flagged: {flagged}" if flags else None,
            }
        )
    return pl.DataFrame(rows, schema=REVIEWED.polars)


def idle_labels(unique: pl.DataFrame, labels: Sequence[ReviewLabel]) -> list[str]:
    """Labels that count for nothing, a sentence each: their question is gone, or was reworded.

    They stay in their files: a question that comes back has its labels again.
    """
    today = {
        row["candidate_id"]: content_hash(row["question"], row["answer"])
        for row in unique.iter_rows(named=True)
    }
    return [
        f"{label.place}: the label does not count, "
        + (
            f"there is no question {shown(label.about)}"
            if label.about not in today
            else f"the question's content is {today[label.about]} now"
        )
        for label in labels
        if today.get(label.about) != label.content_hash
    ]
