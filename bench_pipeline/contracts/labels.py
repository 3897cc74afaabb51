"""The label files of a suite: what a person said of something, bound to what they saw of it."""

from dataclasses import dataclass

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

#: the round of label files that have none
ONLY_ROUND = "review"


@dataclass(frozen=True, slots=True)
class ReviewLabel:
    """What one person said of one item or question, whose content had that hash then."""

    about: str
    content_hash: str
    annotator: str
    round: str
    label: str
    place: Place


def load_review_labels(
    suite: SuiteSpec,
    *,
    about: str,
    content: str,
    labels: tuple[str, ...],
    rounds: tuple[str, ...] = (),
) -> list[ReviewLabel]:
    """The labels in the suite's files; none where it declares none.

    `about` and `content` name the columns of the id and of the hash. Without `rounds` the files
    have no such column. Annotators are slugs, so that two spellings of one name are not two people.

    Raises:
        InputError: at the first row that is wrong, or says something twice.
    """
    required = (about, content, "annotator", *(("round",) if rounds else ()), "label")
    found: dict[tuple[str, ...], ReviewLabel] = {}
    for file in suite_files(suite, suite.labels, "labels") if suite.labels else ():
        for place, raw in read_rows(file, name_in(suite, file), required, ("comment",)):
            label = ReviewLabel(
                about=filled(place, about, raw[about], "an id"),
                content_hash=filled(place, content, raw[content], "the hash of what was seen"),
                annotator=slug(place, "annotator", raw["annotator"]),
                round=one_of(place, "round", raw["round"], rounds) if rounds else ONLY_ROUND,
                label=one_of(place, "label", raw["label"], labels),
                place=place,
            )
            key = (label.about, label.content_hash, label.annotator, label.round)
            if key in found:
                raise place.error(
                    "annotator",
                    f"{shown(label.annotator)} labelled '{label.about}' in this round already "
                    f"({found[key].place})",
                    "one label a person and round",
                )
            found[key] = label
    return list(found.values())
