"""A bad frame is kept with its report and never published; the last good table stays."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import dagster as dg
import polars as pl
import pytest

from bench_pipeline.contracts.progress import SilentReporter
from bench_pipeline.contracts.suite import SuiteSpec
from bench_pipeline.contracts.tables import GOLD
from bench_pipeline.quality import rejected
from bench_pipeline.quality.expectations import Expectation, schema_expectations, validate
from bench_pipeline.quality.gate import Published, gate, gated_asset
from bench_pipeline.storage.io_manager import parquet_tables

SUITE = SuiteSpec(name="tiny", title="Tiny", items="items.csv")


def _gold(ids: list[str | None], gold: list[str | None] | None = None) -> pl.DataFrame:
    n = len(ids)
    return pl.DataFrame(
        {
            "item_id": ids,
            "gold": gold or ["1"] * n,
            "options": ["{}"] * n,
            "gold_hash": ["h"] * n,
            "correction_id": [None] * n,
            "disputed": [False] * n,
            "change": [0] * n,
            "version": ["0.1.0"] * n,
        },
        schema=GOLD.polars,
    )


def _materialise(
    frame: pl.DataFrame, expectations: Sequence[Expectation] = (), instance: Any = None
) -> dg.ExecuteInProcessResult:
    @gated_asset(SUITE, GOLD, kinds={"parquet"}, retry_policy=dg.RetryPolicy(max_retries=2))
    def gold(context: dg.AssetExecutionContext) -> Published:
        counts = [("in", frame.height), ("kept", frame.height), ("dropped", 0)]
        yield from gate(context, frame, GOLD, expectations=expectations, accounting=counts)

    return dg.materialize(
        [gold],
        resources={"io_manager": parquet_tables, "progress": SilentReporter()},
        raise_on_error=False,
        instance=instance or dg.DagsterInstance.ephemeral(),
    )


def test_a_good_frame_is_published_with_its_accounting(warehouse: Path) -> None:
    result = _materialise(_gold(["a", "b"]))
    assert result.success
    metadata = result.asset_materializations_for_node("tiny__gold")[0].metadata
    assert metadata["dagster/row_count"].value == 2
    assert "| kept | 2 |" in str(metadata["kept_and_dropped"].value)
    assert (warehouse / "tables" / "tiny" / "gold.parquet").exists()
    assert not (warehouse / "rejected").exists()


@pytest.mark.parametrize(
    ("frame", "words"),
    [
        (_gold(["a", "a"]), "unique"),
        (_gold([]), "row_count"),
        (_gold(["a"]).drop("gold"), "missing columns"),
        (_gold(["a", "b"], ["1", None]), "to_not_be_null"),
        (_gold(["a"]).with_columns(pl.lit(1).alias("gold")), "found Int32, accepted String"),
    ],
)
def test_a_bad_frame_is_refused_kept_and_reported(
    frame: pl.DataFrame, words: str, warehouse: Path
) -> None:
    good = warehouse / "tables" / "tiny" / "gold.parquet"
    assert _materialise(_gold(["good"])).success
    before = good.read_bytes()

    result = _materialise(frame)

    assert not result.success
    assert not result.asset_materializations_for_node("tiny__gold")
    checks = result.get_asset_check_evaluations()
    assert [check.passed for check in checks] == [False]
    assert good.read_bytes() == before
    folder = warehouse / "rejected" / "tiny" / "gold"
    report = json.loads(next(folder.glob("*.json")).read_text())
    failed = [e for e in report["expectations"] if not e["success"]]
    assert words in json.dumps(failed)
    assert pl.read_parquet(next(folder.glob("*.parquet"))).equals(frame)


def test_a_failed_run_is_not_retried_and_says_where_the_frame_is() -> None:
    result = _materialise(_gold(["a", "a"]))
    failure = next(e for e in result.all_events if e.is_step_failure).step_failure_data
    assert failure.user_failure_data is not None
    assert "rejected/tiny/gold" in str(failure.user_failure_data.description)
    assert not [e for e in result.all_events if e.is_step_up_for_retry]


def test_a_warning_is_reported_and_does_not_stop(warehouse: Path) -> None:
    warn = Expectation(
        "expect_column_values_to_be_in_set", {"column": "gold", "value_set": ["2"]}, "warn"
    )
    result = _materialise(_gold(["a"]), [warn])
    assert result.success
    assert result.get_asset_check_evaluations()[0].metadata["warnings"].value == 1


def test_a_check_that_breaks_is_no_bad_data() -> None:
    broken = Expectation("expect_column_values_to_be_unique", {"column": "no such column"})
    outcome = validate(_gold(["a"]), [broken])[0]
    assert not outcome.success
    assert outcome.broken is not None
    assert "no such column" in outcome.broken


def test_only_the_newest_rejected_frames_are_kept(
    warehouse: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rejected, "KEPT", 2)
    for _ in range(4):
        _materialise(_gold(["a", "a"]))
    folder = warehouse / "rejected" / "tiny" / "gold"
    assert len(list(folder.glob("*.parquet"))) == 2
    assert len(list(folder.glob("*.json"))) == 2


def test_the_contract_alone_makes_the_expectations() -> None:
    kinds = [e.kind for e in schema_expectations(GOLD)]
    assert kinds.count("expect_column_values_to_not_be_null") == 7
    assert "expect_column_values_to_be_unique" in kinds
