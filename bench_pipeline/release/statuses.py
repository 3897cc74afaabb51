"""Review statuses from reviewers' labels: draft → reviewed → adjudicated.

Reviewed: one person accepted the item. Adjudicated: two people judged it independently and agree,
or a third one resolved their difference; where a third one has spoken, that decides. Annotators
are slugs, so that two spellings of one name are not two people. A label is bound to the item's
content: when question, gold or options change, the item is a draft again until somebody looks.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import polars as pl

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
from bench_pipeline.release.bank import item_hash

ROUNDS = ("review", "adjudication", "resolution")
LABELS = ("accept", "reject")
_COLUMNS = ("item_id", "item_hash", "annotator", "round", "label")


@dataclass(frozen=True, slots=True)
class ReviewLabel:
    """What one person said of one item."""

    item_id: str
    item_hash: str
    annotator: str
    round: str
    label: str
    place: Place


def load_labels(suite: SuiteSpec) -> list[ReviewLabel]:
    """The labels in the suite's files; none where it declares none.

    Raises:
        InputError: at the first row that is wrong, or says something twice.
    """
    found: dict[tuple[str, str, str, str], ReviewLabel] = {}
    for file in suite_files(suite, suite.labels, "labels") if suite.labels else ():
        for place, raw in read_rows(file, name_in(suite, file), _COLUMNS, ("comment",)):
            label = ReviewLabel(
                item_id=filled(place, "item_id", raw["item_id"], "an item's id"),
                item_hash=filled(place, "item_hash", raw["item_hash"], "the hash of what was seen"),
                annotator=slug(place, "annotator", raw["annotator"]),
                round=one_of(place, "round", raw["round"], ROUNDS),
                label=one_of(place, "label", raw["label"], LABELS),
                place=place,
            )
            key = (label.item_id, label.item_hash, label.annotator, label.round)
            if key in found:
                raise place.error(
                    "annotator",
                    f"{shown(label.annotator)} labelled '{label.item_id}' in this round already "
                    f"({found[key].place})",
                    "one label a person, item and round",
                )
            found[key] = label
    return list(found.values())


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
        if label.item_id not in hashes:
            raise label.place.error(
                "item_id", f"there is no item {shown(label.item_id)}", "an id of the bank"
            )
        if label.item_hash == hashes[label.item_id]:
            own[label.item_id].append(label)
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
        f"{label.place} ({label.item_id}), field 'item_hash': found {shown(label.item_hash)}, the "
        f"item is {hashes[label.item_id]} now; the label does not count"
        for label in labels
        if label.item_hash != hashes[label.item_id]
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
