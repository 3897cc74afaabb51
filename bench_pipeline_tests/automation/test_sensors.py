from pathlib import Path

import dagster as dg
import pytest

from bench_pipeline.automation.sensors import roster_partitions
from bench_pipeline_tests.benches import write_bench


def _evaluate(instance: dg.DagsterInstance) -> dg.SensorResult:
    result = roster_partitions(dg.build_sensor_context(instance=instance))
    assert isinstance(result, dg.SensorResult)
    return result


def test_a_model_added_to_the_roster_gets_its_partition(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assets = write_bench(tmp_path / "assets", "http://127.0.0.1:1/v1", models=2)
    monkeypatch.setenv("BENCH_ASSETS", str(assets))
    with dg.DagsterInstance.ephemeral() as instance:
        instance.add_dynamic_partitions("models", ["fake-1", "retired-long-ago"])
        requests = _evaluate(instance).dynamic_partitions_requests
        assert requests is not None
        assert [list(request.partition_keys) for request in requests] == [["fake-2"]]
        instance.add_dynamic_partitions("models", ["fake-2"])
        assert "all 2 models" in str(_evaluate(instance).skip_reason)


def test_a_broken_roster_skips_with_its_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "models.yaml").write_text("models: 7\n")
    monkeypatch.setenv("BENCH_ASSETS", str(tmp_path))
    with dg.DagsterInstance.ephemeral() as instance:
        assert "one list named 'models'" in str(_evaluate(instance).skip_reason)


def test_it_runs_without_being_told() -> None:
    assert roster_partitions.default_status is dg.DefaultSensorStatus.RUNNING
