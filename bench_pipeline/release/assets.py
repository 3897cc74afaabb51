"""`bank → items / gold` of a suite."""

from collections.abc import Callable

import dagster as dg
import polars as pl

from bench_pipeline.contracts.suite import SuiteSpec
from bench_pipeline.contracts.tables import BANK, GOLD, ITEMS, PAIR_ROLES
from bench_pipeline.quality.expectations import Expectation
from bench_pipeline.quality.gate import Published, gate, gated_asset
from bench_pipeline.release.bank import UNVERIFIED, GoldCheck, load_bank
from bench_pipeline.release.sides import gold_of, items_of

ItemsCheck = Callable[[SuiteSpec, pl.DataFrame], None]


def release_assets(
    suite: SuiteSpec, check_gold: GoldCheck, check_items: ItemsCheck
) -> list[dg.AssetsDefinition]:
    """The assets of one suite.

    `check_gold` is the grade stage's and `check_items` the score stage's, handed in by
    `definitions`, so that what they would refuse is refused before anything is asked.
    """

    @gated_asset(suite, BANK, kinds={"csv"})
    def bank(context: dg.AssetExecutionContext) -> Published:
        frame = load_bank(suite, check_gold)
        check_items(suite, frame)
        unverified = frame.filter(pl.col("source_checked") == UNVERIFIED).height
        yield from gate(
            context,
            frame,
            BANK,
            accounting=[
                ("items read", frame.height),
                ("dropped", 0),
                ("matched pairs", frame["pair_id"].drop_nulls().n_unique()),
                ("clarification items", frame.filter(pl.col("kind") == "clarification").height),
                ("with a source whose text was read", frame.height - unverified),
                ("unverified", unverified),
            ],
            metadata={"by_category": _counts(frame)},
        )

    @gated_asset(suite, ITEMS, kinds={"polars", "parquet"}, reads=["bank"])
    def items(context: dg.AssetExecutionContext, bank: pl.DataFrame) -> Published:
        frame = items_of(bank)
        unique = Expectation("expect_column_values_to_be_unique", {"column": "question"})
        kept = [("in", bank.height), ("kept", frame.height), ("dropped", 0)]
        yield from gate(context, frame, ITEMS, expectations=[unique], accounting=kept)

    @gated_asset(suite, GOLD, kinds={"polars", "parquet"}, reads=["bank"])
    def gold(context: dg.AssetExecutionContext, bank: pl.DataFrame) -> Published:
        frame = gold_of(bank, suite)
        kept = [("in", bank.height), ("kept", frame.height), ("dropped", 0)]
        yield from gate(context, frame, GOLD, accounting=kept)

    return [bank, items, gold]


def _counts(bank: pl.DataFrame) -> dg.MarkdownMetadataValue:
    lines = [f"| category | {' | '.join(PAIR_ROLES)} |", "|---|---:|---:|---:|"]
    for (category,), rows in sorted(bank.group_by("category"), key=lambda pair: str(pair[0])):
        counts = [str(rows.filter(pl.col("pair_role") == role).height) for role in PAIR_ROLES]
        lines.append(f"| {category} | {' | '.join(counts)} |")
    return dg.MetadataValue.md("\n".join(lines))
