"""`vetted[all documents] → pairs → unique` of a suite that is made from documents.

Both read whatever documents were vetted: one that failed must not hold up the others.
"""

from pathlib import Path

import dagster as dg
import polars as pl

from bench_pipeline.contracts.construction import DROPPED, KEPT, PAIRS, UNIQUE, VETTED
from bench_pipeline.contracts.paths import disk_warehouse
from bench_pipeline.contracts.suite import SuiteSpec
from bench_pipeline.dedup._deduplicate import Settings, at_threshold, deduplicate
from bench_pipeline.dedup._survivors import survivors, survivors_svg
from bench_pipeline.providers.embeddings import embedder
from bench_pipeline.quality.gate import Published, gate, gated_asset
from bench_pipeline.storage.files import replace_file
from bench_pipeline.storage.tables import TableStore
from bench_pipeline.text import text_key

SEVERAL_ANSWERS = "several_answers"
_PLOTTED = [round(0.7 + 0.02 * step, 2) for step in range(15)]


def dedup_assets(suite: SuiteSpec) -> list[dg.AssetsDefinition]:
    """The assets of one suite."""
    vetted_key = dg.AssetKey([suite.name, VETTED.name])
    settings = Settings.of(suite.dedup)

    @gated_asset(suite, PAIRS, kinds={"pytorch"}, deps=[vetted_key])
    def pairs(context: dg.AssetExecutionContext) -> Published:
        rows = vetted_rows(suite)
        embed = embedder(suite.dedup.model, cache=disk_warehouse() / "cache" / "embeddings")
        ledger = deduplicate(as_frame(rows), settings, embed).pairs
        decisions = ledger["decision"].value_counts(sort=True)
        counts = [(str(decision), int(count)) for decision, count in decisions.iter_rows()]
        yield from gate(
            context,
            ledger,
            PAIRS,
            accounting=[("questions in", rows.height), ("pairs", ledger.height), *counts],
        )

    @gated_asset(suite, UNIQUE, kinds={"polars"}, reads=["pairs"], deps=[vetted_key])
    def unique(context: dg.AssetExecutionContext, pairs: pl.DataFrame) -> Published:
        rows = vetted_rows(suite)
        model = embedder(suite.dedup.model, cache=None).name
        found = at_threshold(
            pairs, as_frame(rows), settings.threshold, settings.ngram_threshold, model
        )
        frame = unique_table(rows, found.rows)
        dropped = frame.filter(pl.col("status") == DROPPED).height
        curve = survivors(pairs, as_frame(rows), _PLOTTED, model)
        yield from gate(
            context,
            frame,
            UNIQUE,
            accounting=[
                ("questions in", rows.height),
                (KEPT, frame.height - dropped),
                ("dropped", dropped),
                *_reasons(frame),
                ("for people to look at", int(frame["review"].sum())),
            ],
            metadata={
                "survivors": dg.MetadataValue.md(_markdown(curve)),
                "plot": dg.MetadataValue.path(str(_plot(suite, curve, settings.threshold))),
            },
        )

    return [pairs, unique]


def vetted_rows(suite: SuiteSpec) -> pl.DataFrame:
    """The kept rows of every document that was vetted, in the order of documents and rows."""
    return (
        TableStore.default()
        .read_partitions(suite.name, VETTED)
        .filter(pl.col("status") == KEPT)
        .unique("candidate_id", keep="first", maintain_order=True)
    )


def as_frame(rows: pl.DataFrame) -> pl.DataFrame:
    """`vetted` rows as `deduplicate` reads them."""
    return rows.select(
        pl.col("candidate_id").alias("id"),
        pl.col("question").alias("text"),
        "answer",
        pl.col("total").cast(pl.Float64).alias("score"),
        "language",
    )


def unique_table(rows: pl.DataFrame, decided: pl.DataFrame) -> pl.DataFrame:
    """The `unique` table: each vetted row with what became of it.

    Kept questions that read the same and have different answers have several defensible ones:
    none of them stays.
    """
    own = rows.drop("status", "reason").join(
        decided.rename({"id": "candidate_id"}), on="candidate_id", maintain_order="left"
    )
    keys = [text_key(question) for question in own["question"]]
    keyed = own.with_columns(pl.Series("key", keys, pl.String))
    several = (pl.col("status") == KEPT) & (
        pl.col("key").filter(pl.col("status") == KEPT).count().over("key") > 1
    )
    return keyed.with_columns(
        pl.when(several).then(pl.lit(SEVERAL_ANSWERS)).otherwise("reason").alias("reason"),
        pl.when(several).then(pl.lit(DROPPED)).otherwise("status").alias("status"),
    ).select(list(UNIQUE.polars))


def _reasons(frame: pl.DataFrame) -> list[tuple[str, int]]:
    reasons = frame["reason"].drop_nulls().value_counts(sort=True)
    return [(str(reason), int(count)) for reason, count in reasons.iter_rows()]


def _plot(suite: SuiteSpec, curve: pl.DataFrame, threshold: float) -> Path:
    """The questions kept against the threshold, as a picture beside the tables."""
    path = disk_warehouse() / "plots" / suite.name / "survivors.svg"
    title = f"{suite.title}: questions kept"
    replace_file(path, survivors_svg(curve, threshold, title).encode())
    return path


def _markdown(counts: pl.DataFrame) -> str:
    lines = [f"| {' | '.join(counts.columns)} |", "|" + "---:|" * counts.width]
    lines += ["| " + " | ".join(map(str, row)) + " |" for row in counts.iter_rows()]
    return "\n".join(lines)
