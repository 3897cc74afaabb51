"""What scoring reads: whatever grades exist, and what they must add up to."""

from dataclasses import dataclass, replace

import polars as pl

from bench_pipeline.contracts.grades import CODE
from bench_pipeline.contracts.roster import Roster
from bench_pipeline.contracts.schema import TableSchema
from bench_pipeline.contracts.suite import SuiteSpec
from bench_pipeline.contracts.tables import BASELINES, COMPLETIONS, GOLD, GRADES, ITEMS, PROMPTS
from bench_pipeline.storage.tables import TableStore


@dataclass(frozen=True, slots=True)
class ScoringInputs:
    """The tables of one suite, models and baselines together.

    `models` are those that a board of the suite has a row for: the active roster, and whoever
    was asked before. `grades` are of today's prompts only. `stale` says whose grades are of other
    golds, or whose answers were asked with other settings, than today's. `version` is that of
    the golds, `disputed` the items that an open correction speaks of.
    """

    items: pl.DataFrame
    prompts: pl.DataFrame
    grades: pl.DataFrame
    completions: pl.DataFrame
    models: list[str]
    baselines: list[str]
    stale: dict[str, str]
    version: str
    disputed: frozenset[str] = frozenset()

    def of_profile(self, profile: str) -> "ScoringInputs":
        """The part of everything that the profile asks."""
        prompts = self.prompts.filter(pl.col("profiles").list.contains(profile))
        keys = ["item_id", "regime", "sample"]
        return replace(
            self,
            items=self.items.join(prompts.select("item_id").unique(), on="item_id", how="semi"),
            prompts=prompts,
            grades=self.grades.join(prompts.select(keys), on=keys, how="semi"),
            completions=self.completions.join(
                prompts.select("prompt_id"), on="prompt_id", how="semi"
            ),
        )

    @property
    def everyone(self) -> list[str]:
        """Models, then baselines."""
        return [*self.models, *self.baselines]


def load_inputs(suite: SuiteSpec, store: TableStore, roster: Roster) -> ScoringInputs:
    """Read the tables of `suite`; partitions that do not exist are models that are missing.

    A completion counts while its prompt is what is asked today (joined by prompt hash), a grade
    while its completion does; what no longer counts is missing.

    Raises:
        FileNotFoundError: items, prompts or gold were never published.
    """
    items, prompts, gold = (_required(store, suite, table) for table in (ITEMS, PROMPTS, GOLD))
    completions = store.read_partitions(suite.name, COMPLETIONS).join(
        prompts.select("prompt_id", "prompt_hash"), on=["prompt_id", "prompt_hash"], how="semi"
    )
    graded = store.read_partitions(suite.name, GRADES).join(
        completions.select("model", "request_id"), on=["model", "request_id"], how="semi"
    )
    baselines = store.read(suite.name, BASELINES) if suite.baselines else None
    if baselines is None:
        baselines = BASELINES.empty()
    asked = store.partitions(suite.name, COMPLETIONS.name)
    return ScoringInputs(
        items=items,
        prompts=prompts,
        # of several protocols' grades of one answer, scores rest on the suite's
        grades=pl.concat([graded, baselines])
        .filter(pl.col("grader").is_in([CODE, suite.protocol]))
        .join(items.select("item_id"), on="item_id", how="semi"),
        completions=completions,
        models=sorted({*(model.id for model in roster.active()), *asked}),
        baselines=baselines["model"].unique(maintain_order=True).to_list(),
        stale=_stale(suite, graded, completions, gold, roster),
        version=str(gold["version"][0]),
        disputed=frozenset(gold.filter("disputed")["item_id"]),
    )


def _stale(
    suite: SuiteSpec,
    graded: pl.DataFrame,
    completions: pl.DataFrame,
    gold: pl.DataFrame,
    roster: Roster,
) -> dict[str, str]:
    """Model → why its figures would not be what the board says they are."""
    reasons: dict[str, str] = {}
    other_gold = graded.join(gold, on=["item_id", "gold_hash"], how="anti")
    for model, count in other_gold.group_by("model").len().iter_rows():
        reasons[model] = f"{count} grades were made against other golds; grade it again"
    for model, settings in completions.select("model", "settings_hash").unique().iter_rows():
        spec = roster.get(model)
        if spec is None:
            reasons[model] = "no longer in the roster (a retired model keeps its row)"
        elif spec.settings_hash != settings:
            reasons[model] = (
                "its answers were asked with other settings; "
                f"bench run --suite {suite.name} --model {model}"
            )
    return reasons


def _required(store: TableStore, suite: SuiteSpec, schema: TableSchema) -> pl.DataFrame:
    frame = store.read(suite.name, schema)
    if frame is None:
        raise FileNotFoundError(
            f"{store.path(suite.name, schema.name)} does not exist; materialise "
            f"{suite.name}/{schema.name} first (bench run does)"
        )
    return frame
