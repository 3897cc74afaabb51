"""The one door through which a stage publishes a table.

A blocking check stops its own run only and a backfill goes on past it, so the frame is held to
its expectations in memory, before any materialisation: a bad one goes to `warehouse/rejected/`
with its report, the run fails without retry, and the last good table stays.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import dagster as dg
import polars as pl

from bench_pipeline.contracts.schema import Column, SchemaMismatchError, TableSchema
from bench_pipeline.contracts.suite import SuiteSpec
from bench_pipeline.providers.stored import Watch
from bench_pipeline.quality.expectations import (
    Expectation,
    Outcome,
    schema_expectations,
    validate,
)
from bench_pipeline.quality.rejected import keep_rejected

GATE = "gate"
#: metadata of the observation that an asking run leaves, for its page
SPENT = "spent_usd"
_SHOWN_FAILURES = 5


Published = Iterator[dg.AssetCheckResult | dg.MaterializeResult[pl.DataFrame]]


def gated_asset(
    suite: SuiteSpec,
    schema: TableSchema,
    *,
    kinds: set[str],
    reads: Sequence[str] = (),
    **settings: Any,
) -> Callable[[Callable[..., Published]], dg.AssetsDefinition]:
    """An asset `SUITE/TABLE` whose function publishes through `gate`.

    `reads` names tables of the same suite that come in as arguments of those names; `settings`
    go to `dagster.asset`. The resource `progress` is a `contracts.progress.Reporter`.
    """
    key = dg.AssetKey([suite.name, schema.name])
    decorator: Callable[[Callable[..., Published]], dg.AssetsDefinition] = dg.asset(
        key=key,
        group_name=suite.name,
        kinds=kinds,
        owners=list(suite.owners),
        description=schema.description,
        metadata={
            "dagster/table_name": f"{suite.name}.{schema.name}",
            "dagster/column_schema": dg.TableSchema([_column(c) for c in schema.columns]),
        },
        check_specs=[
            dg.AssetCheckSpec(
                GATE, asset=key, blocking=True, description="expectations, held before publishing"
            )
        ],
        ins={name: dg.AssetIn(dg.AssetKey([suite.name, name])) for name in reads},
        required_resource_keys={"progress"},
        **settings,
    )
    return decorator


def gate(
    context: dg.AssetExecutionContext,
    frame: pl.DataFrame,
    schema: TableSchema,
    *,
    expectations: Sequence[Expectation] = (),
    outcomes: Sequence[Outcome] = (),
    accounting: Sequence[tuple[str, int]] = (),
    metadata: Mapping[str, Any] | None = None,
) -> Published:
    """Publish `frame` as `schema`, or refuse to.

    `outcomes` are of checks that the caller made itself, beside the `expectations` that are held
    here. `accounting` lists what came in, was kept and was dropped, for the asset page.

    Raises:
        dagster.Failure: an expectation of level error failed; nothing was published.
    """
    key = context.asset_key
    suite, table = key.path[-2], key.path[-1]
    partition = context.partition_key if context.has_partition_key else None
    title = f"{suite}: {table}" + (f" of {partition}" if partition else "")
    with context.resources.progress.stage(title, frame.height) as bar:
        outcomes = [*_outcomes(frame, schema, expectations), *outcomes]
        bar.advance(frame.height)
    failed = [o for o in outcomes if not o.success and o.expectation.severity == "error"]
    warned = [o for o in outcomes if not o.success and o.expectation.severity == "warn"]
    report = dg.MetadataValue.md(_report(outcomes))
    yield dg.AssetCheckResult(
        asset_key=key,
        check_name=GATE,
        passed=not failed,
        severity=dg.AssetCheckSeverity.ERROR,
        metadata={"expectations": len(outcomes), "warnings": len(warned), "report": report},
    )
    broken = [outcome for outcome in failed if outcome.broken]
    if broken:
        shown = "; ".join(_sentence(outcome) for outcome in broken[:_SHOWN_FAILURES])
        raise dg.Failure(
            description=f"{suite}/{table} could not be checked and is not published: {shown}",
            metadata={"report": report},
            allow_retries=False,
        )
    if failed:
        path = keep_rejected(frame, suite, table, partition, outcomes)
        shown = "; ".join(_sentence(outcome) for outcome in failed[:_SHOWN_FAILURES])
        raise dg.Failure(
            description=f"{suite}/{table} is not published: {shown}. Frame and report: {path}",
            metadata={"report": report, "rejected": str(path)},
            allow_retries=False,
        )
    yield dg.MaterializeResult(
        value=frame,
        metadata={
            "dagster/row_count": frame.height,
            **({"kept_and_dropped": _accounting(accounting)} if accounting else {}),
            **(metadata or {}),
        },
    )


def log_spending(context: dg.AssetExecutionContext, usd: float) -> None:
    """Say what a run paid, whatever becomes of it: a command's cap counts on it.

    The event is for people; Dagster drops it where a step raises before it yields anything.
    """
    context.resources.progress.paid(usd)
    partition = context.partition_key if context.has_partition_key else None
    context.log_event(
        dg.AssetObservation(context.asset_key, partition=partition, metadata={SPENT: usd})
    )


def watch_of(context: dg.AssetExecutionContext, max_usd: float | None) -> Watch:
    """What an asset that asks hands to `providers.stored`: bars, log, spending and its cap."""
    return Watch(
        context.resources.progress,
        context.log.info,
        lambda usd: log_spending(context, usd),
        max_usd,
    )


def _outcomes(
    frame: pl.DataFrame, schema: TableSchema, expectations: Sequence[Expectation]
) -> list[Outcome]:
    try:
        conforming = schema.conform(frame)
    except SchemaMismatchError as error:
        wrong = Expectation("expect_table_columns_to_match_schema", {"table": schema.name})
        return [Outcome(wrong, success=False, unexpected=0, sample=[str(error)])]
    return validate(conforming, (*schema_expectations(schema), *expectations))


def _sentence(outcome: Outcome) -> str:
    arguments = outcome.expectation.arguments
    about = arguments.get("column") or arguments.get("column_list") or ""
    if outcome.broken:
        return f"{outcome.expectation.kind} {about} could not be checked: {outcome.broken}"
    sample = f", such as {', '.join(outcome.sample[:3])}" if outcome.sample else ""
    count = f" ({outcome.unexpected} rows{sample})" if outcome.unexpected else sample
    kind = outcome.expectation.kind
    return f"{kind} {about} failed{count}" if about else f"{kind} failed{count}"


def _report(outcomes: list[Outcome]) -> str:
    lines = ["| expectation | about | result | rows | sample |", "|---|---|---|---|---|"]
    for outcome in sorted(outcomes, key=lambda o: o.success):
        arguments = outcome.expectation.arguments
        about = arguments.get("column") or arguments.get("column_list") or ""
        result: str = "ok" if outcome.success else outcome.expectation.severity
        if outcome.broken:
            result = "could not be checked"
        sample = outcome.broken or "; ".join(outcome.sample[:3])
        sample = sample.replace("|", "\\|").replace("\n", " ")
        lines.append(
            f"| {outcome.expectation.kind} | {about} | {result} | {outcome.unexpected} | {sample} |"
        )
    return "\n".join(lines)


def _accounting(rows: Sequence[tuple[str, int]]) -> dg.MarkdownMetadataValue:
    lines = ["| | rows |", "|---|---:|", *(f"| {what} | {count:,} |" for what, count in rows)]
    return dg.MetadataValue.md("\n".join(lines))


def _column(column: Column) -> dg.TableColumn:
    return dg.TableColumn(
        name=column.name,
        type=str(column.dtype),
        description=column.description,
        constraints=dg.TableColumnConstraints(nullable=column.nullable),
    )
