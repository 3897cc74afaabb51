"""`facts + bank → items / gold` of a suite; corrections of golds come in here."""

from collections.abc import Callable

import dagster as dg
import polars as pl

from bench_pipeline.contracts.suite import SuiteSpec
from bench_pipeline.contracts.tables import (
    BANK,
    CORRECTION_STATES,
    CORRECTIONS,
    FACTS,
    GOLD,
    ITEMS,
    PAIR_ROLES,
    REVIEW_STATUSES,
    UNVERIFIED,
)
from bench_pipeline.quality.expectations import Expectation
from bench_pipeline.quality.gate import Published, gate, gated_asset
from bench_pipeline.release.bank import GoldCheck
from bench_pipeline.release.bank_checks import comparable_pairs
from bench_pipeline.release.corrections import apply_ledger, ledger_table, load_ledger
from bench_pipeline.release.facts import SELF_CONTAINED, load_facts
from bench_pipeline.release.made import made_gold, made_items
from bench_pipeline.release.reading import check_version, read_bank
from bench_pipeline.release.sides import gold_of, items_of
from bench_pipeline.storage.tables import TableStore

ItemsCheck = Callable[[SuiteSpec, pl.DataFrame], None]


def release_assets(
    suite: SuiteSpec, check_gold: GoldCheck, check_items: ItemsCheck
) -> list[dg.AssetsDefinition]:
    """The assets of one suite.

    `check_gold` is the grade stage's and `check_items` the score stage's, handed in by
    `definitions`, so that what they would refuse is refused before anything is asked.
    """

    @gated_asset(suite, BANK, kinds={"csv"}, deps=_facts_key(suite))
    def bank(context: dg.AssetExecutionContext) -> Published:
        files = read_bank(suite, check_gold)
        frame = files.bank
        check_items(suite, frame)
        checked = frame["source_checked"]
        yield from gate(
            context,
            frame,
            BANK,
            outcomes=[*files.outcomes, check_version(suite, files, TableStore.default())],
            accounting=[
                ("items read", frame.height),
                ("dropped", 0),
                ("matched pairs", frame["pair_id"].drop_nulls().n_unique()),
                ("of them with formulas, held to one difficulty", comparable_pairs(frame)),
                ("clarification items", frame.filter(pl.col("kind") == "clarification").height),
                *((s, frame.filter(pl.col("status") == s).height) for s in REVIEW_STATUSES),
                ("with a source whose text was read", int(checked.str.starts_with("verif").sum())),
                ("self-contained", int((checked == SELF_CONTAINED).sum())),
                (UNVERIFIED, int((checked == UNVERIFIED).sum())),
            ],
            metadata={"by_category": _counts(frame), "version": files.version},
        )

    @gated_asset(suite, ITEMS, kinds={"polars", "parquet"}, reads=["bank"])
    def items(context: dg.AssetExecutionContext, bank: pl.DataFrame) -> Published:
        frame = items_of(bank)
        unique = Expectation("expect_column_values_to_be_unique", {"column": "question"})
        kept = [("in", bank.height), ("kept", frame.height), ("dropped", 0)]
        yield from gate(context, frame, ITEMS, expectations=[unique], accounting=kept)

    @gated_asset(suite, GOLD, kinds={"polars", "parquet"}, reads=["bank"], deps=_ledger_key(suite))
    def gold(context: dg.AssetExecutionContext, bank: pl.DataFrame) -> Published:
        ledger = load_ledger(suite)
        version = ledger.version(suite.version)
        frame = gold_of(apply_ledger(bank, ledger, check_gold), version, ledger.last_change)
        states = [(f"corrections {s}", len(ledger.in_state(s))) for s in CORRECTION_STATES]
        kept = [("in", bank.height), ("kept", frame.height), ("dropped", 0)]
        yield from gate(
            context,
            frame,
            GOLD,
            accounting=[*kept, *states],
            metadata={"version": version, "changes": ledger.last_change},
        )

    assets = [bank, items, gold]
    if suite.corrections:

        @gated_asset(suite, CORRECTIONS, kinds={"csv"}, reads=["bank"])
        def corrections(context: dg.AssetExecutionContext, bank: pl.DataFrame) -> Published:
            ledger = load_ledger(suite)
            apply_ledger(bank, ledger, check_gold)
            counts = [(state, len(ledger.in_state(state))) for state in CORRECTION_STATES]
            events = [("events", len(ledger.events)), ("changes", ledger.last_change)]
            frame = ledger_table(ledger)
            yield from gate(context, frame, CORRECTIONS, accounting=[*events, *counts])

        assets.append(corrections)
    if suite.facts:

        @gated_asset(suite, FACTS, kinds={"csv"})
        def facts(context: dg.AssetExecutionContext) -> Published:
            frame = load_facts(suite).table
            unread = frame.filter(pl.col("checked") == UNVERIFIED).height
            conflicting = frame.filter(pl.col("conflict").is_not_null()).height
            yield from gate(
                context,
                frame,
                FACTS,
                accounting=[
                    ("facts", frame.height),
                    ("whose source was read", frame.height - unread),
                    (UNVERIFIED, unread),
                    ("on which sources conflict", conflicting),
                ],
            )

        assets.append(facts)
    return assets


def made_assets(suite: SuiteSpec, check_items: ItemsCheck) -> list[dg.AssetsDefinition]:
    """`reviewed → items / gold` of a suite that is made from documents."""

    @gated_asset(suite, ITEMS, kinds={"polars", "parquet"}, reads=["reviewed", "documents"])
    def items(
        context: dg.AssetExecutionContext, reviewed: pl.DataFrame, documents: pl.DataFrame
    ) -> Published:
        frame = made_items(reviewed, documents, suite)
        check_items(suite, frame)
        unique = Expectation("expect_column_values_to_be_unique", {"column": "question"})
        dropped = reviewed.height - frame.height
        kept = [("in", reviewed.height), ("kept", frame.height), ("dropped", dropped)]
        yield from gate(context, frame, ITEMS, expectations=[unique], accounting=kept)

    @gated_asset(suite, GOLD, kinds={"polars", "parquet"}, reads=["reviewed"])
    def gold(context: dg.AssetExecutionContext, reviewed: pl.DataFrame) -> Published:
        frame = made_gold(reviewed, suite)
        dropped = reviewed.height - frame.height
        kept = [("in", reviewed.height), ("kept", frame.height), ("dropped", dropped)]
        yield from gate(context, frame, GOLD, accounting=kept)

    return [items, gold]


def _facts_key(suite: SuiteSpec) -> list[dg.AssetKey]:
    return [dg.AssetKey([suite.name, FACTS.name])] if suite.facts else []


def _ledger_key(suite: SuiteSpec) -> list[dg.AssetKey]:
    return [dg.AssetKey([suite.name, CORRECTIONS.name])] if suite.corrections else []


def _counts(bank: pl.DataFrame) -> dg.MarkdownMetadataValue:
    lines = [f"| category | {' | '.join(PAIR_ROLES)} |", "|---|---:|---:|---:|"]
    for (category,), rows in sorted(bank.group_by("category"), key=lambda pair: str(pair[0])):
        counts = [str(rows.filter(pl.col("pair_role") == role).height) for role in PAIR_ROLES]
        lines.append(f"| {category} | {' | '.join(counts)} |")
    return dg.MetadataValue.md("\n".join(lines))
