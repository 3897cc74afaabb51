"""The metrics a suite can have: whom each is about, what a response is worth, how it adds up.

`population` selects items, `worth` gives a graded response its value (null: it does not count),
and an item's value is the mean over regimes of the mean over samples. What counts is the same
everywhere: accuracy = correct / (correct + incorrect + refused); undetermined is in neither.
"""

from dataclasses import dataclass, replace
from typing import Literal

import polars as pl

#: the verdict of a request that has no answer; it counts in the sensitivity figures only
MISSING = "missing"
#: the primary metric without the openly disputed items
UNDISPUTED = "undisputed"
_verdict = pl.col("verdict")
_DETERMINED = _verdict.is_in(["correct", "incorrect"])
_COUNTS = _verdict.is_in(["correct", "incorrect", "refused"])
CORRECT = pl.when(_COUNTS).then((_verdict == "correct").cast(pl.Float64))
_IS_QUESTION = pl.col("kind") == "question"
_IS_CORE = _IS_QUESTION & (pl.col("pair_role") != "control")


def _flagged(*flags: str) -> pl.Expr:
    return pl.any_horizontal(*(pl.col("flags").list.contains(flag) for flag in flags))


def _share_of_determined(condition: pl.Expr) -> pl.Expr:
    return pl.when(_DETERMINED).then(condition.cast(pl.Float64))


def _share_of_answered(verdict: str) -> pl.Expr:
    return pl.when(_verdict != MISSING).then((_verdict == verdict).cast(pl.Float64))


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric. Values are shares, shown times 100 in `unit`.

    `aggregate` is `macro` (mean of the category means), `micro` (mean over items), `gap` (mean
    over matched pairs of control minus core) or `agreement` (share of agreeing pairs of extracted
    values among samples, within item × regime).
    """

    name: str
    title: str
    population: pl.Expr
    worth: pl.Expr
    aggregate: Literal["macro", "micro", "gap", "agreement"] = "micro"
    unit: Literal["percent", "points"] = "percent"
    higher_is_better: bool = True


METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (
        Metric(
            "bharat_score",
            "Bharat Score: mean of the category accuracies over the paired core items",
            pl.col("pair_role") == "core",
            CORRECT,
            aggregate="macro",
        ),
        Metric("accuracy", "Accuracy over items that are not control twins", _IS_CORE, CORRECT),
        Metric(
            "control_accuracy",
            "Accuracy over control twins",
            pl.col("pair_role") == "control",
            CORRECT,
        ),
        Metric(
            "locale_gap",
            "Locale Gap Δ: control minus India accuracy over matched pairs",
            pl.col("pair_role").is_in(["core", "control"]),
            CORRECT,
            aggregate="gap",
            unit="points",
            higher_is_better=False,
        ),
        Metric(
            "oom_rate",
            "Share of numeric answers off by ten times or more",
            _IS_CORE & pl.col("answer_type").is_in(["numeric", "numeric_with_unit"]),
            _share_of_determined(_flagged("order_of_magnitude")),
            higher_is_better=False,
        ),
        Metric(
            "unit_discipline",
            "Share of unit answers with an explicit right unit",
            _IS_CORE & (pl.col("answer_type") == "numeric_with_unit"),
            _share_of_determined(~_flagged("unit_missing", "unit_wrong")),
        ),
        Metric(
            "refusal_rate",
            "Share of answers that decline",
            _IS_QUESTION,
            _share_of_answered("refused"),
            higher_is_better=False,
        ),
        Metric(
            "undetermined_share",
            "Share of answers with nothing comparable",
            _IS_QUESTION,
            _share_of_answered("undetermined"),
            higher_is_better=False,
        ),
        Metric(
            "consistency",
            "Share of agreeing pairs of extracted values among samples",
            _IS_QUESTION,
            pl.col("extracted"),
            aggregate="agreement",
        ),
        Metric(
            "ambiguity_handling",
            "Share of clarification items that were met with a hedge or a question",
            pl.col("kind") == "clarification",
            CORRECT,
        ),
        Metric(
            "overconfidence",
            "Share of clarification items that got one unhedged value",
            pl.col("kind") == "clarification",
            pl.when(_COUNTS).then(_flagged("overconfident").cast(pl.Float64)),
            higher_is_better=False,
        ),
    )
}


def without_disputed(primary: Metric, disputed: frozenset[str]) -> Metric:
    """The primary metric over the items that no open correction speaks of."""
    return replace(
        primary,
        name=UNDISPUTED,
        title="The primary metric without the openly disputed items",
        population=primary.population & ~pl.col("item_id").is_in(sorted(disputed)),
    )


def sensitivity(primary: Metric) -> tuple[Metric, ...]:
    """The primary metric under other rules for what is not known; none where it is no accuracy.

    Each has the primary's population and aggregate, so that it can be read beside it.
    """
    if primary.worth is not CORRECT:
        return ()
    correct = (_verdict == "correct").cast(pl.Float64)
    known = pl.when(_COUNTS).then(correct)
    return (
        replace(
            primary,
            name="strict_accuracy",
            title="The primary metric with undetermined answers as wrong",
            worth=pl.when(_verdict != MISSING).then(correct),
        ),
        replace(
            primary,
            name="worst_case",
            title="The primary metric with missing answers as wrong",
            worth=pl.when(_verdict == MISSING).then(0.0).otherwise(known),
        ),
        replace(
            primary,
            name="best_case",
            title="The primary metric with missing answers as right",
            worth=pl.when(_verdict == MISSING).then(1.0).otherwise(known),
        ),
    )


def applies(metric: Metric, items: pl.DataFrame, samples: int) -> bool:
    """Whether `items` have the metric: its population is not empty, and agreement has samples."""
    return bool(items.filter(metric.population).height) and (
        metric.aggregate != "agreement" or samples > 1
    )
