"""Review statuses from reviewers' labels: draft → reviewed → adjudicated.

Reviewed: one person accepted the item. Adjudicated: two people judged it independently and agree,
or a third one resolved their difference; where a third one has spoken, that decides. Annotators
are slugs, so that two spellings of one name are not two people. A label is bound to the item's
content: when question, gold or options change, the item is a draft again until somebody looks.
"""

from collections import defaultdict
from collections.abc import Iterable

import polars as pl

from bench_pipeline.contracts.errors import shown
from bench_pipeline.contracts.labels import ReviewLabel, load_review_labels
from bench_pipeline.contracts.suite import SuiteSpec
from bench_pipeline.release.bank import item_hash

ROUNDS = ("review", "adjudication", "resolution")
LABELS = ("accept", "reject")


def load_labels(suite: SuiteSpec) -> list[ReviewLabel]:
    """The labels of items in the suite's files; none where it declares none.

    Raises:
        InputError: at the first row that is wrong, or says something twice.
    """
    return load_review_labels(
        suite, about="item_id", content="item_hash", labels=LABELS, rounds=ROUNDS
    )


def with_statuses(bank: pl.DataFrame, labels: Iterable[ReviewLabel]) -> pl.DataFrame:
    """`bank` with every item's status and hash; labels of other content do not count.

    Raises:
        InputError: a label names no item.
    """
    hashes = {
        row[0]: item_hash(*row[1:])
        for row in bank.select("item_id", "question", "answer_type", "gold", "options").iter_rows()
    }
    own: dict[str, list[ReviewLabel]] = defaultdict(list)
    for label in labels:
        if label.about not in hashes:
            raise label.place.error(
                "item_id", f"there is no item {shown(label.about)}", "an id of the bank"
            )
        if label.content_hash == hashes[label.about]:
            own[label.about].append(label)
    statuses = [status_of(own[item_id]) for item_id in bank["item_id"]]
    return bank.with_columns(
        pl.Series("status", statuses, pl.String),
        pl.Series("item_hash", [hashes[item_id] for item_id in bank["item_id"]], pl.String),
    )


def outdated_labels(bank: pl.DataFrame, labels: Iterable[ReviewLabel]) -> list[str]:
    """Labels of other content than the items have, a sentence each; they count for nothing.

    `bank` is one with its hashes.
    """
    hashes = dict(bank.select("item_id", "item_hash").iter_rows())
    return [
        f"{label.place} ({label.about}), field 'item_hash': found {shown(label.content_hash)}, the "
        f"item is {hashes[label.about]} now; the label does not count"
        for label in labels
        if label.content_hash != hashes[label.about]
    ]


def status_of(labels: Iterable[ReviewLabel]) -> str:
    """The status of an item from the labels of its content as it is today."""
    by_round: dict[str, dict[str, str]] = defaultdict(dict)
    for label in labels:
        by_round[label.round][label.annotator] = label.label
    judged = by_round["adjudication"]
    resolved = {label for person, label in by_round["resolution"].items() if person not in judged}
    if len(judged) >= 2:
        verdicts = set(judged.values())
        decided = resolved if resolved or len(verdicts) > 1 else verdicts
        if decided == {"accept"}:
            return "adjudicated"
        if decided == {"reject"}:
            return "draft"
    said = {*by_round["review"].values(), *judged.values()}
    return "reviewed" if said == {"accept"} else "draft"
