"""What a right answer costs: a ratio of two sums, with an interval that resamples both."""

from typing import Any

import polars as pl

from bench_pipeline.contracts.suite import SuiteSpec
from bench_pipeline.score.inputs import ScoringInputs
from bench_pipeline.score.metrics import MISSING
from bench_pipeline.stats import family_sums, stratified_ratio_means

COST_PER_CORRECT = "cost_per_correct"


def cost_per_correct(suite: SuiteSpec, inputs: ScoringInputs, model: str) -> dict[str, Any]:
    """Dollars a right answer of `model`: the cost of all its answers over its right ones.

    A ratio of two sums over families, so the bootstrap recomputes both. Undefined where a cost is
    unknown or no answer is right.
    """
    own = inputs.grades.filter((pl.col("model") == model) & (pl.col("verdict") != MISSING))
    costs = (
        inputs.completions.filter((pl.col("model") == model) & (pl.col("status") != "infra_error"))
        .group_by("item_id")
        .agg(pl.col("cost_usd").sum(), pl.col("cost_usd").null_count().alias("unknown"))
    )
    items = (
        own.group_by("item_id")
        .agg((pl.col("verdict") == "correct").sum().alias("correct"))
        .join(costs, on="item_id")
        .join(inputs.items.select("item_id", "family_id", "category"), on="item_id")
        .sort("item_id")
    )
    return _ratio(suite, items)


def _ratio(suite: SuiteSpec, items: pl.DataFrame) -> dict[str, Any]:
    correct = int(items["correct"].sum())
    unknown = int(items["unknown"].sum())
    if unknown or not correct:
        return {
            "value": None,
            "low": None,
            "high": None,
            "n": correct,
            "method": "ratio of sums",
            "state": "undefined",
            "reason": f"the cost of {unknown} answers is unknown" if unknown else "none is right",
        }
    values = items.select(pl.col("cost_usd", "correct").cast(pl.Float64)).to_numpy()
    families = family_sums(values, items["family_id"].to_list(), items["category"].to_list())
    (estimate,) = stratified_ratio_means(
        families.sums[:, :1],
        families.sums[:, 1:],
        families.strata,
        resamples=suite.resamples,
        seed=suite.seed,
        aggregate="micro",
    ).estimates
    return {
        "value": estimate.value,
        "low": None if estimate.low is None else max(0.0, estimate.low),
        "high": estimate.high,
        "n": correct,
        "method": estimate.method.replace("mean of items", "ratio of sums"),
        "state": estimate.state,
        "reason": estimate.reason or None,
    }
