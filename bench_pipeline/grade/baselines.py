"""Answers that no model gave, graded by the same graders: what a score must beat to mean much."""

from collections import Counter

import polars as pl

from bench_pipeline.contracts.baselines import BASELINE_PREFIX, BASELINE_TITLES
from bench_pipeline.contracts.tables import BASELINES
from bench_pipeline.grade.grades import grade_completions

_REFUSAL = "I'm sorry, but I can't answer that question."
_HEDGE = "It depends on the state, the year and the definition; please say which is meant."


def grade_baselines(prompts: pl.DataFrame, items: pl.DataFrame, gold: pl.DataFrame) -> pl.DataFrame:
    """The `baselines` table: every baseline's answer to every prompt, as grades."""
    answers = items.join(gold, on="item_id").select(
        "item_id",
        _majority(items, gold).alias("majority"),
        pl.lit(_REFUSAL).alias("refuse"),
        pl.lit(_HEDGE).alias("hedge"),
        pl.col("question").alias("echo"),
    )
    frames = []
    for name in BASELINE_TITLES:
        model = f"{BASELINE_PREFIX}{name}"
        completions = prompts.join(answers, on="item_id", maintain_order="left").select(
            (pl.lit(f"{model}:") + pl.col("prompt_id")).alias("request_id"),
            "item_id",
            pl.lit(model).alias("model"),
            "regime",
            "sample",
            pl.lit("ok").alias("status"),
            pl.col(name).alias("text"),
        )
        frames.append(grade_completions(completions, items, gold))
    return pl.concat(frames).select(list(BASELINES.polars))


def _majority(items: pl.DataFrame, gold: pl.DataFrame) -> pl.Expr:
    """The most frequent gold of each answer type and language; the smallest where several lead."""
    kinds = pl.concat_str("language", pl.lit(" "), "answer_type")
    pairs = items.join(gold, on="item_id").select(kinds.alias("kind"), "gold").rows()
    leading: dict[str, str] = {}
    for kind in sorted({kind for kind, _ in pairs}):
        counts = Counter(value for own, value in pairs if own == kind)
        leading[kind] = min(counts, key=lambda value: (-counts[value], value))
    return kinds.replace_strict(leading, return_dtype=pl.String)
