"""The `comparisons` table: every pair of ranked models, paired over items, Holm over all pairs.

The family is *all* pairs of a profile, which is fixed before any score exists; the neighbours on
a board depend on the scores and are a selection from it, not a family.
"""

from typing import Any

import polars as pl

from bench_pipeline.contracts.boards import COMPARISONS
from bench_pipeline.contracts.suite import SuiteSpec
from bench_pipeline.score.inputs import ScoringInputs
from bench_pipeline.score.metrics import Metric
from bench_pipeline.score.scoring import OVERALL, RANK, primary_metric
from bench_pipeline.score.values import ItemValues, item_values
from bench_pipeline.stats import (
    family_sums,
    pairwise_macro_permutation,
    stratified_ratio_means,
)

_FEWEST_RESAMPLES = 100
_SAME = 1e-9


class StaleScoresError(RuntimeError):
    """Scores that are older than the grades they would be compared with."""


def compare_models(suite: SuiteSpec, inputs: ScoringInputs, scores: pl.DataFrame) -> pl.DataFrame:
    """The `comparisons` rows of the models that `scores` ranks at the version of `inputs`.

    Empty under two of them.
    """
    rows: list[dict[str, Any]] = []
    scores = scores.filter(pl.col("version") == inputs.version)
    for profile in suite.all_profiles:
        ranked = (
            scores.filter(
                (pl.col("profile") == profile)
                & (pl.col("metric") == RANK)
                & (pl.col("slice") == OVERALL)
                & pl.col("value").is_not_null()
            )
            .sort("value")["model"]
            .to_list()
        )
        values = dict(
            scores.filter((pl.col("profile") == profile) & pl.col("primary"))
            .select("model", "value")
            .iter_rows()
        )
        if len(ranked) > 1:
            scored = {model: values[model] for model in ranked}
            rows += _pairs(suite, inputs.of_profile(profile), profile, scored)
    return pl.DataFrame(rows, schema=COMPARISONS.polars)


def _pairs(
    suite: SuiteSpec, inputs: ScoringInputs, profile: str, scored: dict[str, float]
) -> list[dict[str, Any]]:
    ranked = list(scored)
    metric = primary_metric(suite)
    values = item_values(metric, inputs.items, inputs.grades, ranked)
    _refuse_newer_grades(metric, values, scored)
    tested = pairwise_macro_permutation(
        values.values,
        values.families,
        values.strata,
        aggregate="macro" if metric.aggregate == "macro" else "micro",
        seed=suite.seed,
        bounds=(-1.0, 1.0),
        resamples=suite.resamples,
    )
    rows = []
    for k, (a, b) in enumerate(tested.pairs):
        test = tested.tests[k]
        rows.append(
            {
                "version": inputs.version,
                "profile": profile,
                "metric": metric.name,
                "model_a": ranked[a],
                "model_b": ranked[b],
                "difference": _points(test.difference),
                "low": _points(test.low),
                "high": _points(test.high),
                "p_raw": test.p_value,
                "p_holm": tested.holm.adjusted[k],
                "permutations": test.permutations,
                "monte_carlo_error": test.monte_carlo_error,
                "significant": tested.holm.rejected[k],
                "adjacent": b == a + 1,
                "n": test.n,
                "family_size": tested.holm.comparisons,
                "method": test.method,
                "state": test.state,
                "reason": _reason(test.reason, k in tested.undecided),
            }
        )
    return rows


def _reason(reason: str, undecided: bool) -> str | None:
    open_question = "more permutations could still change Holm's decision" if undecided else ""
    return "; ".join(part for part in (reason, open_question) if part) or None


def _refuse_newer_grades(metric: Metric, values: ItemValues, scored: dict[str, float]) -> None:
    """Ranks come from `scores`, differences from grades: both must be of the same grades."""
    families = family_sums(values.values, values.families, values.strata)
    points = stratified_ratio_means(
        families.sums,
        families.counts,
        families.strata,
        resamples=_FEWEST_RESAMPLES,
        seed=0,
        aggregate="macro" if metric.aggregate == "macro" else "micro",
    ).estimates
    for (model, stored), point in zip(scored.items(), points, strict=True):
        if point.value is None or abs(100 * point.value - stored) > _SAME:
            raise StaleScoresError(
                f"the grades of '{model}' are not those that were scored; materialise scores first"
            )


def _points(share: float | None) -> float | None:
    return None if share is None else 100.0 * share
