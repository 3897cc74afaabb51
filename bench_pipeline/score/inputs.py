"""What scoring reads: whatever grades exist, and what they must add up to."""

from dataclasses import dataclass

import polars as pl

from bench_pipeline.contracts.schema import TableSchema
from bench_pipeline.contracts.suite import SuiteSpec
from bench_pipeline.contracts.tables import BASELINES, COMPLETIONS, GOLD, GRADES, ITEMS, PROMPTS
from bench_pipeline.storage.tables import TableStore


@dataclass(frozen=True, slots=True)
class ScoringInputs:
    """The tables of one suite, models and baselines together.

    `models` are those that a board of the suite has a row for: the active roster, and whoever
    was asked before. `stale` says whose grades were made against other golds than today's.
    """

    items: pl.DataFrame
    prompts: pl.DataFrame
    grades: pl.DataFrame
    completions: pl.DataFrame
    models: list[str]
    baselines: list[str]
    stale: dict[str, str]

    def of_profile(self, profile: str) -> "ScoringInputs":
        """The part of everything that the profile asks."""
        prompts = self.prompts.filter(pl.col("profiles").list.contains(profile))
        keys = ["item_id", "regime", "sample"]
        return ScoringInputs(
            items=self.items.join(prompts.select("item_id").unique(), on="item_id", how="semi"),
            prompts=prompts,
            grades=self.grades.join(prompts.select(keys), on=keys, how="semi"),
            completions=self.completions.join(
                prompts.select("prompt_id"), on="prompt_id", how="semi"
            ),
            models=self.models,
            baselines=self.baselines,
            stale=self.stale,
        )

    @property
    def everyone(self) -> list[str]:
        """Models, then baselines."""
        return [*self.models, *self.baselines]


def load_inputs(suite: SuiteSpec, store: TableStore, active: list[str]) -> ScoringInputs:
    """Read the tables of `suite`; partitions that do not exist are models that are missing.

    Raises:
        FileNotFoundError: items, prompts or gold were never published.
    """
    items, prompts, gold = (_required(store, suite, table) for table in (ITEMS, PROMPTS, GOLD))
    graded = store.read_partitions(suite.name, GRADES)
    completions = store.read_partitions(suite.name, COMPLETIONS)
    baselines = store.read(suite.name, BASELINES) if suite.baselines else None
    if baselines is None:
        baselines = BASELINES.empty()
    stale = {
        model: f"{count} grades were made against other golds; materialise {suite.name}/grades"
        for model, count in graded.join(gold, on=["item_id", "gold_hash"], how="anti")
        .group_by("model")
        .len()
        .iter_rows()
    }
    asked = set(store.partitions(suite.name, COMPLETIONS.name))
    return ScoringInputs(
        items=items,
        prompts=prompts,
        grades=pl.concat([graded, baselines]).join(
            items.select("item_id"), on="item_id", how="semi"
        ),
        completions=completions,
        models=sorted({*active, *asked}),
        baselines=baselines["model"].unique(maintain_order=True).to_list(),
        stale=stale,
    )


def _required(store: TableStore, suite: SuiteSpec, schema: TableSchema) -> pl.DataFrame:
    frame = store.read(suite.name, schema)
    if frame is None:
        raise FileNotFoundError(
            f"{store.path(suite.name, schema.name)} does not exist; materialise "
            f"{suite.name}/{schema.name} first (bench run does)"
        )
    return frame
