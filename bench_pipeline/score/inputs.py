"""What scoring reads: whatever grades exist, and what they must add up to."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import polars as pl

from bench_pipeline.contracts.grades import CODE, JUDGE, Verdict
from bench_pipeline.contracts.judging import JUDGEMENTS
from bench_pipeline.contracts.roster import Roster
from bench_pipeline.contracts.schema import TableSchema
from bench_pipeline.contracts.suite import SuiteSpec
from bench_pipeline.contracts.tables import (
    BASELINES,
    COMPLETIONS,
    GOLD,
    GRADES,
    ITEMS,
    PROMPTS,
    TRANSLATED_GOLD,
    TRANSLATED_ITEMS,
)
from bench_pipeline.storage.tables import TableStore

#: a judge's words as verdicts: what does not attempt an answer declines
_VERDICTS = {
    "correct": str(Verdict.CORRECT),
    "incorrect": str(Verdict.INCORRECT),
    "not_attempted": str(Verdict.REFUSED),
}


@dataclass(frozen=True, slots=True)
class ScoringInputs:
    """The tables of one suite, models and baselines together.

    `models` are those that a board of the suite has a row for: the active roster, and whoever
    was asked before. `grades` are of today's prompts only. `stale` says whose grades are of other
    golds, or whose answers were asked with other settings, than today's. `version` is that of
    the golds, `disputed` the items that an open correction speaks of. `grades` are those of the
    suite's protocol, `every_grade` those of all protocols; `translations` holds, by language, what
    is about renderings, which count in no figure but their own.
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
    every_grade: pl.DataFrame = field(default_factory=GRADES.empty)
    translations: Mapping[str, "ScoringInputs"] = field(default_factory=dict)

    def of_profile(self, profile: str) -> "ScoringInputs":
        """The part of everything that the profile asks, translations too."""
        prompts = self.prompts.filter(pl.col("profiles").list.contains(profile))
        asked = self._of(self.items, prompts)
        return replace(
            asked,
            translations={
                language: inputs.of_profile(profile)
                for language, inputs in self.translations.items()
            },
        )

    def of_items(self, items: pl.DataFrame) -> "ScoringInputs":
        """The part of everything that is about `items`."""
        return self._of(items, self.prompts)

    def _of(self, items: pl.DataFrame, prompts: pl.DataFrame) -> "ScoringInputs":
        prompts = prompts.join(items.select("item_id"), on="item_id", how="semi")
        keys = ["item_id", "regime", "sample"]
        asked, sent = prompts.select(keys), prompts.select("prompt_id")
        return replace(
            self,
            items=items.join(prompts.select("item_id").unique(), on="item_id", how="semi"),
            prompts=prompts,
            grades=self.grades.join(asked, on=keys, how="semi"),
            every_grade=self.every_grade.join(asked, on=keys, how="semi"),
            completions=self.completions.join(sent, on="prompt_id", how="semi"),
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
    graded = _graded(suite, store, completions)
    baselines = store.read(suite.name, BASELINES) if suite.baselines else None
    baselines = BASELINES.empty() if baselines is None else baselines
    every_grade = pl.concat([graded, baselines])
    everything = ScoringInputs(
        items=items,
        prompts=prompts,
        # of several protocols' grades of one answer, scores rest on the suite's
        grades=every_grade.filter(pl.col("grader").is_in([CODE, suite.protocol])),
        completions=completions,
        models=sorted(
            {
                *(model.id for model in roster.active()),
                *store.partitions(suite.name, COMPLETIONS.name),
            }
        ),
        baselines=baselines["model"].unique(maintain_order=True).to_list(),
        stale={},
        version=str(gold["version"][0]),
        disputed=frozenset(gold.filter("disputed")["item_id"]),
        every_grade=every_grade,
    )
    own = everything.of_items(items)
    return replace(
        own,
        # of another gold a verdict is none here; the board says so by withholding the row
        every_grade=own.every_grade.join(gold, on=["item_id", "gold_hash"], how="semi"),
        stale=_stale(suite, own, gold, roster),
        translations=_translations(suite, store, everything),
    )


def _graded(suite: SuiteSpec, store: TableStore, completions: pl.DataFrame) -> pl.DataFrame:
    """Every grader's verdicts, and the judge's as the grades of a grader named `judge`."""
    frames = [store.read_partitions(suite.name, GRADES)]
    if suite.judge is not None:
        judged = store.read_partitions(suite.name, JUDGEMENTS)
        own = pl.col("judge") == suite.judge.model
        frames.append(judged.filter(own).pipe(judged_as_grades))
    asked = completions.select("model", "request_id")
    return pl.concat(frames).join(asked, on=["model", "request_id"], how="semi")


def judged_as_grades(judgements: pl.DataFrame) -> pl.DataFrame:
    """The `grades` rows that a judge's verdicts are; what has none is undetermined."""
    verdict = (
        pl.col("verdict")
        .replace_strict(_VERDICTS, default=str(Verdict.UNDETERMINED), return_dtype=pl.String)
        .fill_null(str(Verdict.UNDETERMINED))
    )
    return judgements.select(
        *("request_id", "item_id", "model", "regime", "sample"),
        pl.lit(JUDGE).alias("grader"),
        verdict.alias("verdict"),
        "flags",
        pl.col("verdict").alias("extracted"),
        pl.lit(None, dtype=pl.Int32).alias("span_start"),
        pl.lit(None, dtype=pl.Int32).alias("span_end"),
        pl.col("status").alias("rule"),
        pl.coalesce("justification", "reason", pl.lit("")).alias("reason"),
        pl.lit(None, dtype=pl.Float64).alias("jaccard"),
        *("gold_hash", "version"),
    )


def _translations(
    suite: SuiteSpec, store: TableStore, everything: ScoringInputs
) -> dict[str, ScoringInputs]:
    """Language → the inputs of its renderings, held against today's golds only."""
    items = store.read(suite.name, TRANSLATED_ITEMS) if suite.translation else None
    gold = store.read(suite.name, TRANSLATED_GOLD) if suite.translation else None
    if items is None or gold is None:
        return {}
    current = replace(
        everything,
        grades=everything.grades.join(gold, on=["item_id", "gold_hash"], how="semi"),
        every_grade=everything.every_grade.join(gold, on=["item_id", "gold_hash"], how="semi"),
    )
    return {
        language: current.of_items(items.filter(pl.col("language") == language))
        for language in sorted(items["language"].unique())
    }


def _stale(
    suite: SuiteSpec, inputs: ScoringInputs, gold: pl.DataFrame, roster: Roster
) -> dict[str, str]:
    """Model → why its figures would not be what the board says they are."""
    reasons: dict[str, str] = {}
    graded = inputs.grades.filter(~pl.col("model").is_in(inputs.baselines))
    other_gold = graded.join(gold, on=["item_id", "gold_hash"], how="anti")
    for model, count in other_gold.group_by("model").len().iter_rows():
        reasons[model] = f"{count} grades were made against other golds; grade it again"
    for model, settings in inputs.completions.select("model", "settings_hash").unique().iter_rows():
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
