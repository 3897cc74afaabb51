"""`completions[model] + gold → grades[model]`, and the baselines' grades, of a suite."""

import dagster as dg
import polars as pl

from bench_pipeline.contracts.renderings import rendered_too, with_renderings
from bench_pipeline.contracts.suite import SuiteSpec
from bench_pipeline.contracts.tables import BASELINES, GRADES
from bench_pipeline.grade.baselines import grade_baselines
from bench_pipeline.grade.grades import grade_completions
from bench_pipeline.partitions import models
from bench_pipeline.quality.gate import Published, gate, gated_asset


def grading_assets(suite: SuiteSpec) -> list[dg.AssetsDefinition]:
    """The assets of one suite."""

    @gated_asset(
        suite,
        GRADES,
        kinds={"polars", "parquet"},
        reads=with_renderings(suite, "completions", "items", "gold"),
        partitions_def=models,
    )
    def grades(
        context: dg.AssetExecutionContext,
        completions: pl.DataFrame,
        items: pl.DataFrame,
        gold: pl.DataFrame,
        **rendered: pl.DataFrame,
    ) -> Published:
        items, gold = rendered_too(items, gold, rendered)
        title = f"{suite.name}: grading {context.partition_key}"
        with context.resources.progress.stage(title, completions.height) as bar:
            frame = grade_completions(completions, items, gold, bar.advance)
        if frame.is_empty():
            raise dg.Failure(
                description=f"{context.partition_key}: no completion has an answer to grade",
                allow_retries=False,
            )
        verdicts = frame.group_by("verdict").len().sort("verdict").rows()
        yield from gate(
            context,
            frame,
            GRADES,
            accounting=[
                ("completions in", completions.height),
                ("graded", frame.height),
                ("without an answer, not graded", completions.height - frame.height),
                *verdicts,
            ],
            metadata={"gold_version": gold["version"][0]},
        )

    assets = [grades]
    if suite.baselines:

        @gated_asset(
            suite,
            BASELINES,
            kinds={"polars", "parquet"},
            reads=with_renderings(suite, "prompts", "items", "gold"),
        )
        def baselines(
            context: dg.AssetExecutionContext,
            prompts: pl.DataFrame,
            items: pl.DataFrame,
            gold: pl.DataFrame,
            **rendered: pl.DataFrame,
        ) -> Published:
            frame = grade_baselines(prompts, *rendered_too(items, gold, rendered))
            counts = [("prompts in", prompts.height), ("graded", frame.height)]
            yield from gate(context, frame, BASELINES, accounting=counts)

        assets.append(baselines)
    return assets
