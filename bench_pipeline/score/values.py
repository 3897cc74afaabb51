"""One value per item before anything is resampled, and the families that are resampled."""

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from bench_pipeline.score.metrics import Metric

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ItemValues:
    """Values of one metric: `values` is units × models, NaN where nothing is determinable.

    A unit is an item, or a matched pair for a gap. `families` (the unit of independence) and
    `strata` (the category) hold one label a unit.
    """

    units: list[str]
    values: FloatArray
    families: list[str]
    strata: list[str]


def item_values(
    metric: Metric, items: pl.DataFrame, grades: pl.DataFrame, models: list[str]
) -> ItemValues:
    """The values of `metric` for every item of its population and every model, in fixed order.

    `items` are the profile's; `grades` has the columns of the table, of all `models`.
    """
    population = items.filter(metric.population).sort("item_id")
    graded = grades.join(population.select("item_id"), on="item_id", how="semi")
    if metric.aggregate == "agreement":
        responses = _agreement(graded, metric.worth)
    else:
        responses = (
            graded.with_columns(metric.worth.alias("worth"))
            .group_by("model", "item_id", "regime")
            .agg(pl.col("worth").mean())
        )
    values = responses.group_by("model", "item_id").agg(pl.col("worth").mean())
    grid = population.select("item_id", "family_id", "category", "pair_id", "pair_role").join(
        pl.DataFrame({"model": models}, schema={"model": pl.String}), how="cross"
    )
    grid = grid.join(values, on=["model", "item_id"], how="left")
    if metric.aggregate == "gap":
        grid = _gaps(grid)
    return _as_arrays(grid, models)


def _agreement(graded: pl.DataFrame, extracted: pl.Expr) -> pl.DataFrame:
    """Share of agreeing pairs in each item × regime with two or more extracted values.

    With c_v answers of value v among n, C(n, 2) pairs of which Σ C(c_v, 2) agree.
    """
    counted = (
        graded.with_columns(extracted.alias("value"))
        .drop_nulls("value")
        .group_by("model", "item_id", "regime", "value")
        .agg(pl.len().cast(pl.Float64).alias("c"))
    )
    return (
        counted.group_by("model", "item_id", "regime")
        .agg(
            (pl.col("c") * (pl.col("c") - 1)).sum().alias("agreeing"),
            pl.col("c").sum().alias("n"),
        )
        .filter(pl.col("n") > 1)
        .select(
            "model",
            "item_id",
            "regime",
            (pl.col("agreeing") / (pl.col("n") * (pl.col("n") - 1))).alias("worth"),
        )
    )


def _gaps(grid: pl.DataFrame) -> pl.DataFrame:
    """Control minus core, pair by pair; null where either has no value."""
    keys = ["pair_id", "model", "family_id", "category"]
    core = grid.filter(pl.col("pair_role") == "core").select(*keys, pl.col("worth").alias("core"))
    control = grid.filter(pl.col("pair_role") == "control").select(
        "pair_id", "model", pl.col("worth").alias("control")
    )
    return core.join(control, on=["pair_id", "model"], maintain_order="left").select(
        pl.col("pair_id").alias("item_id"),
        "family_id",
        "category",
        "model",
        (pl.col("control") - pl.col("core")).alias("worth"),
    )


def _as_arrays(grid: pl.DataFrame, models: list[str]) -> ItemValues:
    if grid.is_empty():
        return ItemValues([], np.zeros((0, len(models))), [], [])
    wide = (
        grid.pivot(on="model", index=["item_id", "family_id", "category"], values="worth")
        .sort("item_id")
        .select("item_id", "family_id", "category", *models)
    )
    values = wide.select(pl.col(models).cast(pl.Float64).fill_null(np.nan)).to_numpy()
    return ItemValues(
        units=wide["item_id"].to_list(),
        values=values.reshape(wide.height, len(models)),
        families=wide["family_id"].to_list(),
        strata=wide["category"].to_list(),
    )
