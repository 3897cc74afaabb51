"""The `item_analysis` table: difficulty, discrimination, and golds that a person should see again.

An item that every strong model misses, or on which unrelated models agree on one wrong value, is
as likely a wrong gold as a hard question. It is listed for people, and changes no score.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl

from bench_pipeline.contracts.boards import ITEM_ANALYSIS
from bench_pipeline.contracts.suite import SuiteSpec
from bench_pipeline.score.inputs import ScoringInputs
from bench_pipeline.score.metrics import CORRECT, Metric
from bench_pipeline.score.values import FloatArray, item_values

#: percent of the items right from which on a model's misses say something about the item
STRONG_FROM = 50.0
_LEAST_STRONG = 2
_LEAST_FOR_CORRELATION = 3
_ITEM_VALUE = Metric("item_value", "Share of right answers", pl.lit(True), CORRECT)


def analyse_items(
    suite: SuiteSpec, inputs: ScoringInputs, families: Mapping[str, str]
) -> pl.DataFrame:
    """The table. `families` maps models to their family: relatives share their mistakes."""
    rows: list[dict[str, Any]] = []
    for profile in suite.all_profiles:
        own = inputs.of_profile(profile)
        asked = [m for m in own.models if own.grades.filter(pl.col("model") == m).height]
        values = item_values(_ITEM_VALUE, own.items, own.grades, asked)
        strong = _strong(values.values)
        shared = _shared_mistakes(own.grades, families)
        for k, item_id in enumerate(values.units):
            row = _analysis(values.values, k, strong, shared.get(item_id))
            place = {"version": inputs.version, "profile": profile, "item_id": item_id}
            rows.append({**place, "category": values.strata[k], **row})
    return pl.DataFrame(rows, schema=ITEM_ANALYSIS.polars)


def _strong(values: FloatArray) -> list[int]:
    """Positions of the models that get at least `STRONG_FROM` percent of the items right."""
    present = ~np.isnan(values)
    counts = present.sum(axis=0)
    sums = np.where(present, values, 0.0).sum(axis=0)
    return [
        k for k in range(values.shape[1]) if counts[k] and 100 * sums[k] >= STRONG_FROM * counts[k]
    ]


def _analysis(
    values: FloatArray, k: int, strong: list[int], shared: tuple[str, int] | None
) -> dict[str, Any]:
    own = values[k]
    present = ~np.isnan(own)
    discrimination, reason = _discrimination(values, k)
    missed = [own[m] for m in strong if present[m]]
    why = []
    if len(missed) >= _LEAST_STRONG and max(missed) == 0.0:
        why.append(f"all {len(missed)} models that get half of the items right miss it")
    if shared is not None:
        why.append(f"{shared[1]} model families give the same wrong value")
    return {
        "n_models": int(present.sum()),
        "difficulty": 100 * float(own[present].mean()) if present.any() else None,
        "discrimination": discrimination,
        "reason": reason,
        "wrong_value": shared[0] if shared else None,
        "wrong_families": shared[1] if shared else 0,
        "candidate": bool(why),
        "why": "; ".join(why) or None,
    }


def _discrimination(values: FloatArray, k: int) -> tuple[float | None, str | None]:
    """Corrected item-rest correlation over models (Pearson, the item left out of the rest)."""
    own = values[k]
    others = np.delete(values, k, axis=0)
    present = ~np.isnan(others)
    counts = present.sum(axis=0)
    usable = ~np.isnan(own) & (counts > 0)
    if usable.sum() < _LEAST_FOR_CORRELATION:
        return None, f"{int(usable.sum())} models have a value, {_LEAST_FOR_CORRELATION} needed"
    rest = np.where(present, others, 0.0).sum(axis=0)[usable] / counts[usable]
    item = own[usable]
    if np.ptp(item) == 0 or np.ptp(rest) < 1e-12:
        return None, "all models have the same value"
    return float(np.corrcoef(item, rest)[0, 1]), None


def _shared_mistakes(
    grades: pl.DataFrame, families: Mapping[str, str]
) -> dict[str, tuple[str, int]]:
    """Item → (wrong value, families) where more than half of two or more families give it."""
    wrong = (
        grades.filter(pl.col("model").is_in(list(families)))
        .with_columns(
            pl.col("model").replace_strict(families, return_dtype=pl.String).alias("family")
        )
        .filter(pl.col("extracted").is_not_null())
    )
    answering = wrong.group_by("item_id").agg(pl.col("family").n_unique().alias("answering"))
    counts = (
        wrong.filter(pl.col("verdict") == "incorrect")
        .group_by("item_id", "extracted")
        .agg(pl.col("family").n_unique().alias("families"))
        .join(answering, on="item_id")
        .filter((pl.col("families") >= 2) & (2 * pl.col("families") > pl.col("answering")))
        .sort("item_id", "families", "extracted", descending=[False, True, False])
        .unique("item_id", keep="first", maintain_order=True)
    )
    return {
        row["item_id"]: (row["extracted"], row["families"]) for row in counts.iter_rows(named=True)
    }
