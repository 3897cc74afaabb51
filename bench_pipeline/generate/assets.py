"""`chunks[document] → candidates[document] → vetted[document]` of a suite."""

from collections.abc import Mapping, Sequence
from typing import Any

import dagster as dg
import polars as pl
from pydantic import Field

from bench_pipeline.contracts.construction import CANDIDATES, KEPT, UNSCORED, VETTED
from bench_pipeline.contracts.roster import ModelSpec
from bench_pipeline.contracts.suite import SuiteSpec
from bench_pipeline.generate.agents import AGENT_ONE_SCHEMA, AGENT_TWO_SCHEMA
from bench_pipeline.generate.asking import AGENT_ONE, AGENT_TWO, agent_requests
from bench_pipeline.generate.candidates import (
    NOT_ANSWERED,
    agent_candidates,
    cloze_candidates,
    needs_second_try,
    vet,
)
from bench_pipeline.partitions import documents_of, roster
from bench_pipeline.providers.stored import StoredReply, Watch, ask_and_read
from bench_pipeline.quality.gate import Published, gate, gated_asset, watch_of
from bench_pipeline.storage.responses import ResponseStore


class AgentConfig(dg.Config):
    """How much to spend in this run; a later one goes on from there."""

    max_usd: float | None = Field(default=None, ge=0)


def generation_assets(suite: SuiteSpec) -> list[dg.AssetsDefinition]:
    """The assets of one suite."""
    partitions = documents_of(suite.name)
    settings = suite.generation

    @gated_asset(
        suite,
        CANDIDATES,
        kinds={"llm"},
        reads=["documents", "chunks"],
        partitions_def=partitions,
    )
    def candidates(
        context: dg.AssetExecutionContext,
        config: AgentConfig,
        documents: pl.DataFrame,
        chunks: pl.DataFrame,
    ) -> Published:
        title = _title(documents, context.partition_key)
        watch = watch_of(context, config.max_usd)
        asked = spread(chunks, settings.chunks_per_document)
        frames = [cloze_candidates(asked, title)] if settings.cloze else []
        unanswered = 0
        if settings.agent_one is not None:
            spec = roster().askable(settings.agent_one)
            rows = [{**row, "title": title} for row in asked.iter_rows(named=True)]
            found = _answers(
                context, watch, suite, spec, AGENT_ONE, AGENT_ONE_SCHEMA, rows, "chunk_id"
            )
            unanswered = asked.height - len(found)
            frames.append(agent_candidates(asked, spec.id, found))
        frame = pl.concat(frames) if frames else CANDIDATES.empty()
        yield from gate(
            context,
            frame,
            CANDIDATES,
            accounting=[
                ("chunks in", chunks.height),
                ("of them left aside by `chunks_per_document`", chunks.height - asked.height),
                ("chunks that Agent 1 has not answered", unanswered),
                ("candidates", frame.height),
                ("of the cloze baseline", frame.filter("baseline").height),
                (KEPT, frame.filter(pl.col("status") == KEPT).height),
                *_reasons(frame),
            ],
        )
        if unanswered:
            raise dg.Failure(
                description=watch.unanswered(unanswered, "chunks have no answer yet"),
                allow_retries=False,
            )

    @gated_asset(
        suite,
        VETTED,
        kinds={"llm"},
        reads=["documents", "chunks", "candidates"],
        partitions_def=partitions,
    )
    def vetted(
        context: dg.AssetExecutionContext,
        config: AgentConfig,
        documents: pl.DataFrame,
        chunks: pl.DataFrame,
        candidates: pl.DataFrame,
    ) -> Published:
        kept = candidates.filter(pl.col("status") == KEPT)
        said: dict[str, list[StoredReply]] = {}
        watch = watch_of(context, config.max_usd)
        if settings.agent_two is not None:
            spec = roster().askable(settings.agent_two)
            rows = _candidate_rows(kept, chunks, _title(documents, context.partition_key))
            for attempt in range(2):
                found = _answers(
                    context,
                    watch,
                    suite,
                    spec,
                    AGENT_TWO,
                    AGENT_TWO_SCHEMA,
                    rows,
                    "candidate_id",
                    sample=attempt,
                )
                for key, reply in found.items():
                    said.setdefault(key, []).append(reply)
                rows = [row for row in rows if _asks_again(found.get(row["candidate_id"]))]
        frame = vet(candidates, settings.agent_two, said)
        unscored = frame.filter(pl.col("status") == UNSCORED).height
        yield from gate(
            context,
            frame,
            VETTED,
            accounting=[
                ("candidates in", candidates.height),
                ("dropped by the gates before", candidates.height - kept.height),
                ("kept", frame.filter(pl.col("status") == KEPT).height),
                ("unscored", unscored),
                *_reasons(frame),
            ],
        )
        unanswered = frame.filter(pl.col("reason") == NOT_ANSWERED).height
        if unanswered:
            raise dg.Failure(
                description=watch.unanswered(unanswered, "candidates are not marked yet"),
                allow_retries=False,
            )

    return [candidates, vetted]


def _answers(
    context: dg.AssetExecutionContext,
    watch: Watch,
    suite: SuiteSpec,
    spec: ModelSpec,
    role: str,
    schema: Mapping[str, Any],
    rows: Sequence[Mapping[str, Any]],
    key: str,
    sample: int = 0,
) -> dict[str, StoredReply]:
    """Key → reply, after asking for what has none stored."""
    return ask_and_read(
        spec,
        agent_requests(suite, spec, role, schema, rows, key=key, sample=sample),
        ResponseStore.of(role, suite.name, spec.id),
        f"{suite.name}: {role.replace('_', ' ')} on {context.partition_key}",
        watch,
    )


def spread(chunks: pl.DataFrame, wanted: int | None) -> pl.DataFrame:
    """At most `wanted` of a document's chunks, evenly spread: its first ones are front matter."""
    if wanted is None or wanted >= chunks.height:
        return chunks
    ordered = chunks.sort("position")
    return ordered[[(2 * k + 1) * ordered.height // (2 * wanted) for k in range(wanted)]]


def _asks_again(reply: StoredReply | None) -> bool:
    return reply is not None and needs_second_try(reply)


def _candidate_rows(kept: pl.DataFrame, chunks: pl.DataFrame, title: str) -> list[dict[str, Any]]:
    """What Agent 2 sees: the candidate and its chunk, nothing of what Agent 1 thought."""
    joined = kept.select(
        "candidate_id", "chunk_id", "question", "answer", "domain", "language"
    ).join(chunks.select("chunk_id", "text"), on="chunk_id", maintain_order="left")
    return [{**row, "title": title} for row in joined.iter_rows(named=True)]


def _title(documents: pl.DataFrame, document_id: str) -> str:
    return str(documents.filter(pl.col("document_id") == document_id)["title"][0])


def _reasons(frame: pl.DataFrame) -> list[tuple[str, int]]:
    """Every reason with its count, most frequent first."""
    reasons = frame["reason"].drop_nulls().value_counts(sort=True)
    return [(str(reason), int(count)) for reason, count in reasons.iter_rows()]
