"""One metric of every model over some items: estimate, interval, and what was left out."""

from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from bench_pipeline.contracts.suite import SuiteSpec
from bench_pipeline.score.metrics import Metric
from bench_pipeline.score.values import FloatArray, item_values
from bench_pipeline.stats import Estimate, family_sums, stratified_ratio_means, wilson_interval


def estimates_of(
    suite: SuiteSpec,
    metric: Metric,
    items: pl.DataFrame,
    grades: pl.DataFrame,
    models: list[str],
) -> tuple[tuple[Estimate, ...], list[int], FloatArray | None]:
    """Estimate and number of dropped items a model, and the joint resamples of the metric."""
    values = item_values(metric, items, grades, models)
    families = family_sums(values.values, values.families, values.strata)
    means = stratified_ratio_means(
        families.sums,
        families.counts,
        families.strata,
        resamples=suite.resamples,
        seed=suite.seed,
        aggregate="macro" if metric.aggregate == "macro" else "micro",
        bounds=(-1.0, 1.0) if metric.aggregate == "gap" else (0.0, 1.0),
        keep_resamples=True,
    )
    dropped = np.isnan(values.values).sum(axis=0)
    estimates = means.estimates
    if metric.aggregate != "gap":
        estimates = tuple(
            widened(estimate, families.counts[:, k], families.strata, metric.aggregate == "macro")
            for k, estimate in enumerate(estimates)
        )
    return estimates, [int(count) for count in dropped], means.resamples


def widened(estimate: Estimate, counts: FloatArray, strata: NDArray[Any], macro: bool) -> Estimate:
    """A share without variation with Wilson's interval instead of no interval at all.

    Fourteen right of fourteen is not ± 0, and a bootstrap of it has nothing to vary. The
    independent observations are the families with a value; for a macro mean over H strata of
    n_h families their effective number is H² / Σ 1/n_h, which has the mean's variance. Values
    between 0 and 1 vary less than yes and no, and strata that differ vary less than a plain
    sample, so the interval errs on the wide side.
    """
    if estimate.state != "degenerate" or estimate.value is None:
        return estimate
    with_value = strata[counts > 0]
    sizes = np.unique(with_value, return_counts=True)[1]
    n = int(len(sizes) ** 2 / np.sum(1 / sizes)) if macro else len(with_value)
    wilson = wilson_interval(round(estimate.value * n), n)
    return replace(
        estimate,
        low=min(wilson.low or 0.0, estimate.value),
        high=max(wilson.high or 0.0, estimate.value),
        method=f"Wilson over {n} families, as no resample varies",
    )
