"""What is expected of a frame, and how it is checked: an adapter to great-expectations."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal

import polars as pl

from bench_pipeline.contracts.schema import TableSchema

_SAMPLE = 10


@dataclass(frozen=True, slots=True)
class Expectation:
    """One great-expectations expectation by its snake-case name, with its arguments.

    An `error` stops the frame; a `warn` is reported beside it.
    """

    kind: str
    arguments: dict[str, Any] = field(default_factory=dict)
    severity: Literal["error", "warn"] = "error"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one expectation. `broken` is a failure of the check, not of the data."""

    expectation: Expectation
    success: bool
    unexpected: int
    sample: list[str]
    broken: str | None = None


def schema_expectations(schema: TableSchema) -> tuple[Expectation, ...]:
    """What a table's contract says: filled columns, closed sets, a unique key, at least a row."""
    least = 0 if schema.may_be_empty else 1
    found = [Expectation("expect_table_row_count_to_be_between", {"min_value": least})]
    for column in schema.columns:
        if not column.nullable:
            found.append(
                Expectation("expect_column_values_to_not_be_null", {"column": column.name})
            )
        if column.allowed is not None:
            arguments = {"column": column.name, "value_set": list(column.allowed)}
            found.append(Expectation("expect_column_values_to_be_in_set", arguments))
    if len(schema.key) == 1:
        found.append(Expectation("expect_column_values_to_be_unique", {"column": schema.key[0]}))
    else:
        arguments = {"column_list": list(schema.key)}
        found.append(Expectation("expect_compound_columns_to_be_unique", arguments))
    return tuple(found)


def validate(frame: pl.DataFrame, expectations: Sequence[Expectation]) -> list[Outcome]:
    """Check `frame`; one outcome an expectation, in order."""
    import great_expectations as gx
    from great_expectations.expectations import registry

    suite = gx.ExpectationSuite(
        name="gate",
        expectations=[
            registry.get_expectation_impl(expectation.kind)(
                **expectation.arguments, meta={"position": position}
            )
            for position, expectation in enumerate(expectations)
        ],
    )
    # list columns have no pandas type that every expectation understands; their JSON has
    flat = frame.with_columns(
        pl.col(name).list.join(",")
        for name, dtype in frame.schema.items()
        if dtype == pl.List(pl.String)
    )
    batch = _batch_definition().get_batch(
        batch_parameters={"dataframe": flat.to_pandas(use_pyarrow_extension_array=True)}
    )
    results = batch.validate(suite, result_format="BASIC").results
    by_position = {result.expectation_config.meta["position"]: result for result in results}
    return [_outcome(expectations[i], by_position[i]) for i in range(len(expectations))]


@cache
def _batch_definition() -> Any:
    """The in-memory pandas source; great-expectations keeps one context a process."""
    import os

    os.environ["GX_ANALYTICS_ENABLED"] = "false"
    import great_expectations as gx
    from great_expectations.data_context.types.base import ProgressBarsConfig

    context = gx.get_context(mode="ephemeral")
    context.variables.progress_bars = ProgressBarsConfig(globally=False)
    source = context.data_sources.add_pandas("frames")
    return source.add_dataframe_asset("frame").add_batch_definition_whole_dataframe("whole")


def _outcome(expectation: Expectation, result: Any) -> Outcome:
    broken = None
    if result.exception_info:
        infos = result.exception_info
        nested = infos.values() if "raised_exception" not in infos else [infos]
        raised = [info for info in nested if isinstance(info, dict) and info["raised_exception"]]
        broken = str(raised[0]["exception_message"])[:500] if raised else None
    details = result.result or {}
    sample = [str(value)[:80] for value in details.get("partial_unexpected_list") or []]
    if not sample and "observed_value" in details and not result.success:
        sample = [f"observed {details['observed_value']}"]
    return Outcome(
        expectation=expectation,
        success=bool(result.success),
        unexpected=int(details.get("unexpected_count") or 0),
        sample=sample[:_SAMPLE],
        broken=broken,
    )
