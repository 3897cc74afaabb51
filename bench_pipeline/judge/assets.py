"""`completions[model] + gold → judgements[model]` of a suite that names a judge."""

import dagster as dg
import polars as pl
from pydantic import Field

from bench_pipeline.contracts.judging import BY_STATUS, JUDGED, JUDGEMENTS, UNPARSEABLE
from bench_pipeline.contracts.renderings import rendered_too, with_renderings
from bench_pipeline.contracts.suite import Judge, SuiteSpec
from bench_pipeline.judge.asking import JUDGE_ROLE, judge_requests, second_requests
from bench_pipeline.judge.judgements import Row, answers_to_judge, is_judged, judgements_table
from bench_pipeline.partitions import models, roster
from bench_pipeline.providers.stored import StoredReply, Watch, ask_and_read
from bench_pipeline.quality.gate import Published, gate, gated_asset, watch_of
from bench_pipeline.storage.responses import ResponseStore


class JudgeConfig(dg.Config):
    """How much to spend in this run; a later one goes on from there."""

    max_usd: float | None = Field(default=None, ge=0)


def judging_assets(suite: SuiteSpec) -> list[dg.AssetsDefinition]:
    """The asset of a suite that names a judge; none for another."""
    settings = suite.judge
    if settings is None:
        return []

    @gated_asset(
        suite,
        JUDGEMENTS,
        kinds={"llm", "parquet"},
        reads=with_renderings(suite, "completions", "items", "gold"),
        partitions_def=models,
    )
    def judgements(
        context: dg.AssetExecutionContext,
        config: JudgeConfig,
        completions: pl.DataFrame,
        items: pl.DataFrame,
        gold: pl.DataFrame,
        **rendered: pl.DataFrame,
    ) -> Published:
        rows = answers_to_judge(completions, *rendered_too(items, gold, rendered))
        watch = watch_of(context, config.max_usd)
        frame = _judged(context, watch, suite, settings, rows)
        unanswered = len(rows) - frame.height
        counts = [(s, frame.filter(pl.col("status") == s).height) for s in _STATUSES]
        verdicts = frame["verdict"].drop_nulls().value_counts(sort=True).rows()
        yield from gate(
            context,
            frame,
            JUDGEMENTS,
            accounting=[
                ("short answers in", len(rows)),
                *counts,
                ("that the judge has not answered", unanswered),
                *verdicts,
                ("speak to their grader", frame.filter(pl.col("flags").list.len() > 0).height),
            ],
            metadata={"judge": settings.model},
        )
        if unanswered:
            raise dg.Failure(
                description=watch.unanswered(unanswered, "answers are not judged yet"),
                allow_retries=False,
            )

    return [judgements]


_STATUSES = (JUDGED, UNPARSEABLE, BY_STATUS)


def _judged(
    context: dg.AssetExecutionContext,
    watch: Watch,
    suite: SuiteSpec,
    settings: Judge,
    rows: list[Row],
) -> pl.DataFrame:
    """Every row's judgement: asked once, and once more where the reply has no verdict."""
    spec = roster().askable(settings.model)
    store = ResponseStore.of(JUDGE_ROLE, suite.name, spec.id)
    title = f"{suite.name}: judging {context.partition_key}"
    first = judge_requests(suite, settings, spec, [row for row in rows if is_judged(row)])
    replies = ask_and_read(spec, first, store, title, watch)
    again = second_requests(suite, settings, spec, first, replies)
    second: dict[str, StoredReply] = {}
    if again:
        second = ask_and_read(spec, again, store, f"{title}, once more", watch)
    return judgements_table(rows, spec.id, replies, second)
