"""`scores + comparisons → leaderboard` of a suite, and the one catalog over all of them."""

from collections.abc import Sequence

import dagster as dg
import polars as pl

from bench_pipeline.contracts.boards import LEADERBOARD
from bench_pipeline.contracts.paths import disk_warehouse
from bench_pipeline.contracts.suite import SuiteSpec
from bench_pipeline.contracts.tables import TABLES
from bench_pipeline.partitions import roster
from bench_pipeline.publish.leaderboard import PinnedData, build_leaderboard
from bench_pipeline.quality.gate import Published, gate, gated_asset
from bench_pipeline.storage.catalog import build_catalog
from bench_pipeline.storage.tables import TableStore
from bench_pipeline.storage.versions import with_other_versions

CATALOG = dg.AssetKey(["catalog", "duckdb"])


def publishing_assets(suite: SuiteSpec) -> list[dg.AssetsDefinition]:
    """The assets of one suite."""

    @gated_asset(
        suite,
        LEADERBOARD,
        kinds={"polars", "parquet"},
        reads=["scores", "comparisons", "items", "gold"],
    )
    def leaderboard(
        context: dg.AssetExecutionContext,
        scores: pl.DataFrame,
        comparisons: pl.DataFrame,
        items: pl.DataFrame,
        gold: pl.DataFrame,
    ) -> Published:
        data = PinnedData.of(items, gold)
        own = build_leaderboard(scores, comparisons, roster(), suite, data)
        frame = with_other_versions(
            TableStore.default(), suite.name, LEADERBOARD, own, data.version
        )
        withheld = own["withheld"].drop_nulls().len()
        yield from gate(
            context,
            frame,
            LEADERBOARD,
            accounting=[
                ("rows", own.height),
                ("withheld", withheld),
                ("baselines", own.filter("baseline").height),
                ("rows of other versions, kept", frame.height - own.height),
            ],
            metadata={"board": dg.MetadataValue.md(_markdown(own)), "version": data.version},
        )

    return [leaderboard]


def catalog_asset(suites: Sequence[SuiteSpec]) -> dg.AssetsDefinition:
    """`bench.duckdb`: built whole by one run at a time, swapped in, opened read-only by readers."""

    @dg.asset(
        key=CATALOG,
        group_name="catalog",
        kinds={"duckdb"},
        pool="catalog",
        deps=[dg.AssetKey([suite.name, LEADERBOARD.name]) for suite in suites],
        description="Views over every table of every suite, for SQL.",
    )
    def catalog(context: dg.AssetExecutionContext) -> dg.MaterializeResult[None]:
        path = disk_warehouse() / "bench.duckdb"
        built = build_catalog(path, TableStore.default(), tuple(s.name for s in suites))
        context.log.info(f"{sum(built.values())} views in {path}")
        return dg.MaterializeResult(
            metadata={"dagster/uri": str(path), "views": sum(built.values()), "of": len(TABLES)}
        )

    return catalog


def _markdown(board: pl.DataFrame) -> str:
    lines = [
        "| profile | model | value | 95 % interval | n | withheld |",
        "|---|---|---|---|---|---|",
    ]
    for row in board.iter_rows(named=True):
        value = "–" if row["value"] is None else f"{row['value']:.1f}"
        interval = "–" if row["low"] is None else f"{row['low']:.1f} to {row['high']:.1f}"
        lines.append(
            f"| {row['profile']} | {row['title']} | {value} | {interval} | {row['n']} "
            f"| {row['withheld'] or ''} |"
        )
    return "\n".join(lines)
