"""Unique questions after review: one flag removes a question, no label lets it pass as a draft.

Three people see every survivor in the benchmark that this follows, and a question that any of them
flags is removed, never repaired. A label is bound to question and answer.
"""

import hashlib
from collections import Counter, defaultdict
from dataclasses import dataclass

import polars as pl

from bench_pipeline.contracts.construction import DROPPED, KEPT, REVIEWED
from bench_pipeline.contracts.csv_files import (
    Place,
    filled,
    name_in,
    one_of,
    read_rows,
    slug,
    suite_files,
)
from bench_pipeline.contracts.errors import shown
from bench_pipeline.contracts.suite import SuiteSpec

ACCEPT = "accept"
FLAGS = ("factual_error", "ambiguous", "too_easy", "weakly_indian")
_COLUMNS = ("candidate_id", "content_hash", "annotator", "label")


@dataclass(frozen=True, slots=True)
class QuestionLabel:
    """What one reviewer said of one question."""

    candidate_id: str
    content_hash: str
    annotator: str
    label: str
    place: Place


def content_hash(question: str, answer: str) -> str:
    """What a label is bound to: twelve hex digits of question and answer."""
    return hashlib.sha256(f"{question}\x1f{answer}".encode()).hexdigest()[:12]


def load_question_labels(suite: SuiteSpec) -> list[QuestionLabel]:
    """The labels in the suite's files; none where it declares none.

    Raises:
        InputError: at the first row that is wrong, or says something twice.
    """
    found: dict[tuple[str, str, str], QuestionLabel] = {}
    for file in suite_files(suite, suite.labels, "labels") if suite.labels else ():
        for place, raw in read_rows(file, name_in(suite, file), _COLUMNS, ("comment",)):
            label = QuestionLabel(
                candidate_id=filled(place, "candidate_id", raw["candidate_id"], "a question's id"),
                content_hash=filled(place, "content_hash", raw["content_hash"], "its hash"),
                annotator=slug(place, "annotator", raw["annotator"]),
                label=one_of(place, "label", raw["label"], (ACCEPT, *FLAGS)),
                place=place,
            )
            key = (label.candidate_id, label.content_hash, label.annotator)
            if key in found:
                raise place.error(
                    "annotator",
                    f"{shown(label.annotator)} labelled it already ({found[key].place})",
                    "one label a person and question",
                )
            found[key] = label
    return list(found.values())


def review(unique: pl.DataFrame, labels: list[QuestionLabel]) -> pl.DataFrame:
    """The `reviewed` table of a `unique` table's kept rows.

    Raises:
        InputError: a label names no question of the lane.
    """
    known = set(unique["candidate_id"])
    said: dict[tuple[str, str], list[str]] = defaultdict(list)
    for label in labels:
        if label.candidate_id not in known:
            problem = f"there is no question {shown(label.candidate_id)}"
            raise label.place.error("candidate_id", problem, "an id of the `unique` table")
        said[label.candidate_id, label.content_hash].append(label.label)
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
