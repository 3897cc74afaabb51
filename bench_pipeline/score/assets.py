"""`grades[all models] + baselines → scores → comparisons` of a suite.

Both read whatever grades exist instead of taking them as inputs: a model that failed must not
block the board, it is listed as missing.
"""

import dagster as dg
import polars as pl

from bench_pipeline.contracts.boards import COMPARISONS, ITEM_ANALYSIS, SCORES
from bench_pipeline.contracts.judging import JUDGEMENTS, PROTOCOL_AGREEMENT, PROTOCOL_SCORES
from bench_pipeline.contracts.suite import SuiteSpec
from bench_pipeline.contracts.tables import BASELINES, COMPLETIONS, GOLD, GRADES, ITEMS, PROMPTS
from bench_pipeline.partitions import roster
from bench_pipeline.quality.expectations import Expectation
from bench_pipeline.quality.gate import Published, gate, gated_asset
from bench_pipeline.score.comparing import compare_models
from bench_pipeline.score.inputs import ScoringInputs, load_inputs
from bench_pipeline.score.item_analysis import analyse_items
from bench_pipeline.score.protocols import (
    protocol_agreement,
    protocol_scores,
    protocols_markdown,
)
from bench_pipeline.score.scoring import primary_metric, score_suite, steps
from bench_pipeline.storage.tables import TableStore
from bench_pipeline.storage.versions import with_other_versions


def scoring_assets(suite: SuiteSpec) -> list[dg.AssetsDefinition]:
    """The assets of one suite.

    Raises:
        InputError: the suite's primary metric does not exist.
    """
    primary_metric(suite)
    tables = [ITEMS, PROMPTS, GOLD, COMPLETIONS, GRADES]
    tables += [BASELINES] if suite.baselines else []
    tables += [JUDGEMENTS] if suite.judge is not None else []
    read = [dg.AssetKey([suite.name, table.name]) for table in tables]
    # what else the other two read stands above the grades already; more arrows would say no more
    graded = [dg.AssetKey([suite.name, GRADES.name])]

    @gated_asset(
        suite,
        SCORES,
        kinds={"numpy", "parquet"},
        deps=read,
    )
    def scores(context: dg.AssetExecutionContext) -> Published:
        inputs = _inputs(suite)
        title = f"{suite.name}: scoring"
        with context.resources.progress.stage(title, steps(suite, inputs)) as bar:
            own = score_suite(suite, inputs, bar.advance)
        frame = with_other_versions(TableStore.default(), suite.name, SCORES, own, inputs.version)
        undefined = own.filter(pl.col("state") == "undefined").height
        yield from gate(
            context,
            frame,
            SCORES,
            expectations=_SOUND,
            accounting=[
                ("grades in", inputs.grades.height),
                ("models", len(inputs.models)),
                ("baselines", len(inputs.baselines)),
                ("figures", own.height),
                ("undefined, with their reason", undefined),
                ("figures of other versions, kept", frame.height - own.height),
            ],
            metadata={"stale": dg.MetadataValue.json(inputs.stale), "version": inputs.version},
        )

    @gated_asset(suite, COMPARISONS, kinds={"numpy", "parquet"}, reads=["scores"], deps=graded)
    def comparisons(context: dg.AssetExecutionContext, scores: pl.DataFrame) -> Published:
        inputs = _inputs(suite)
        own = compare_models(suite, inputs, scores)
        store = TableStore.default()
        frame = with_other_versions(store, suite.name, COMPARISONS, own, inputs.version)
        told_apart = own.filter("significant").height
        yield from gate(
            context,
            frame,
            COMPARISONS,
            accounting=[
                ("pairs", own.height),
                ("told apart after Holm", told_apart),
                ("pairs of other versions, kept", frame.height - own.height),
            ],
        )

    @gated_asset(
        suite,
        ITEM_ANALYSIS,
        kinds={"numpy", "parquet"},
        deps=graded,
    )
    def item_analysis(context: dg.AssetExecutionContext) -> Published:
        families = {model.id: model.family for model in roster().models}
        frame = analyse_items(suite, _inputs(suite), families)
        candidates = frame.filter(pl.col("candidate") & (pl.col("profile") == "full"))
        yield from gate(
            context,
            frame,
            ITEM_ANALYSIS,
            accounting=[("rows", frame.height), ("for gold review", candidates.height)],
        )

    assets = [scores, comparisons, item_analysis]
    return [*assets, *_protocol_assets(suite, read)] if suite.compares_protocols else assets


def _protocol_assets(suite: SuiteSpec, read: list[dg.AssetKey]) -> list[dg.AssetsDefinition]:
    @gated_asset(suite, PROTOCOL_SCORES, kinds={"numpy", "parquet"}, deps=read)
    def protocols(context: dg.AssetExecutionContext) -> Published:
        inputs = _inputs(suite)
        families = {model.id: model.family for model in roster().models}
        own = protocol_scores(suite, inputs, families)
        store = TableStore.default()
        frame = with_other_versions(store, suite.name, PROTOCOL_SCORES, own, inputs.version)
        yield from gate(
            context,
            frame,
            PROTOCOL_SCORES,
            accounting=[
                ("figures", own.height),
                ("verdicts of a judge that could not be read", int(own["unparseable"].sum())),
                ("figures of other versions, kept", frame.height - own.height),
            ],
            metadata={"overall": dg.MetadataValue.md(protocols_markdown(own))},
        )

    @gated_asset(suite, PROTOCOL_AGREEMENT, kinds={"numpy"}, reads=["protocols", "gold"])
    def protocol_pairs(
        context: dg.AssetExecutionContext, protocols: pl.DataFrame, gold: pl.DataFrame
    ) -> Published:
        version = str(gold["version"][0])
        own = protocol_agreement(suite, protocols, version)
        store = TableStore.default()
        frame = with_other_versions(store, suite.name, PROTOCOL_AGREEMENT, own, version)
        swapped = own.filter(pl.col("swapped").list.len() > 0).height
        yield from gate(
            context,
            frame,
            PROTOCOL_AGREEMENT,
            accounting=[
                ("pairs of protocols", own.height),
                ("with models swapped", swapped),
                ("without a tau, with the reason", own["tau"].null_count()),
            ],
        )

    return [protocols, protocol_pairs]


_SOUND = tuple(
    Expectation(
        "expect_column_pair_values_a_to_be_greater_than_b",
        {
            "column_A": above,
            "column_B": below,
            "or_equal": True,
            "ignore_row_if": "either_value_is_missing",
        },
    )
    for above, below in (("high", "value"), ("value", "low"))
)


def _inputs(suite: SuiteSpec) -> ScoringInputs:
    return load_inputs(suite, TableStore.default(), roster())
