from pathlib import Path

import dagster as dg
import pytest
from click.testing import CliRunner

from bench_pipeline.automation.sensors import gold_corrections, new_documents, roster_partitions
from bench_pipeline.cli.main import main
from bench_pipeline.contracts.boards import LEADERBOARD, SCORES
from bench_pipeline.contracts.tables import GRADES
from bench_pipeline.storage.tables import TableStore
from bench_pipeline_tests.benches import write_bench
from bench_pipeline_tests.fakes.provider import Answer, Call, FakeProvider, answer


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


def test_a_document_that_is_listed_gets_its_partition(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assets = write_bench(tmp_path / "assets", "http://127.0.0.1:1/v1")
    monkeypatch.setenv("BENCH_ASSETS", str(assets))
    suite = assets / "suites" / "books"
    suite.mkdir()
    (suite / "suite.yaml").write_text("name: books\ntitle: Books\ndocuments: documents.csv\n")
    listing = suite / "documents.csv"
    header = "document_id,file,title,licence,source\n"
    listing.write_text(f"{header}one,one.pdf,One,CC0,made up\ntwo,one.pdf,Two,CC0,made up\n")
    (suite / "one.pdf").write_bytes(b"%PDF-1.4")
    with dg.DagsterInstance.ephemeral() as instance:
        instance.add_dynamic_partitions("documents_books", ["one", "gone"])
        context = dg.build_sensor_context(instance=instance)
        result = new_documents(context)
        assert isinstance(result, dg.SensorResult)
        (request,) = result.dynamic_partitions_requests or ()
        assert (request.partitions_def_name, list(request.partition_keys)) == (
            "documents_books",
            ["two"],
        )
        instance.add_dynamic_partitions("documents_books", ["two"])
        assert "every document" in str(new_documents(context).skip_reason)
        listing.write_text(f"{header}one,gone.pdf,One,CC0,made up\n")
        assert "found 'gone.pdf'" in str(new_documents(context).skip_reason)


def test_it_runs_without_being_told() -> None:
    for sensor in (roster_partitions, new_documents, gold_corrections):
        assert sensor.default_status is dg.DefaultSensorStatus.RUNNING


def _sum(call: Call) -> Answer:
    words = call.question.split()
    return answer(f"It is {2 * int(words[words.index('plus') - 1])}.")


def _tick(instance: dg.DagsterInstance) -> list[dg.RunRequest]:
    result = gold_corrections(dg.build_sensor_context(instance=instance))
    assert isinstance(result, dg.SensorResult)
    return list(result.run_requests or [])


def _step(request: dg.RunRequest) -> str:
    """A run key without the digest of the ledger: suite, version, change and step."""
    suite, version, change, digest, step = str(request.run_key).split(":", 4)
    assert len(digest) == 8
    return f"{suite}:{version}:{change}:{step}"


def _work_off(instance: dg.DagsterInstance) -> list[str]:
    """Tick and run what is requested, as the daemon does, until nothing is; the run keys."""
    from bench_pipeline.definitions import build_defs

    job = build_defs().resolve_implicit_global_asset_job_def()
    keys: list[str] = []
    for _ in range(10):
        requests = _tick(instance)
        if not requests:
            return keys
        for request in requests:
            assert _step(request) not in keys
            keys.append(_step(request))
            job.execute_in_process(
                instance=instance,
                asset_selection=list(request.asset_selection or []),
                partition_key=request.partition_key,
                tags={"dagster/run_key": str(request.run_key)},
                raise_on_error=False,
            )
    raise AssertionError(f"it never ends: {keys}")


def test_a_changed_ledger_regrades_every_model_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FakeProvider(_sum) as server, dg.DagsterInstance.ephemeral() as instance:
        ledger = _corrected_bench(tmp_path, server.url, monkeypatch)
        instance.add_dynamic_partitions("models", ["fake-1", "fake-2"])
        assert _tick(instance) == []
        for n, state in ((1, "applied"), (2, "rejected"), (3, "applied")):
            _enter(ledger, n, state)
            steps = ("gold", "grades:fake-1", "grades:fake-2", "board")
            expected = [f"sums:0.1.{n}:{n}:{step}" for step in steps]
            assert _work_off(instance) == expected
            grades = TableStore.default().read_partitions("sums", GRADES)
            verdicts = grades.filter(grades["item_id"] == "s3")["verdict"]
            assert set(verdicts) == {"correct" if state == "rejected" else "incorrect"}
            assert set(grades["version"]) == {f"0.1.{n}"}
        assert server.asked == 8
    board = TableStore.default().read("sums", LEADERBOARD)
    assert board is not None
    assert board["version"].unique(maintain_order=True).to_list() == [
        "0.1.0",
        "0.1.1",
        "0.1.2",
        "0.1.3",
    ]


def _corrected_bench(tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run suite of two models, and its ledger, which has a header only."""
    assets = write_bench(tmp_path / "assets", url, 4, models=2)
    folder = assets / "suites" / "sums"
    settings = folder / "suite.yaml"
    settings.write_text(settings.read_text() + "corrections: corrections.csv\n")
    monkeypatch.setenv("BENCH_ASSETS", str(assets))
    assert CliRunner().invoke(main, ["run"]).exit_code == 0
    ledger = folder / "corrections.csv"
    ledger.write_text(
        "change,correction_id,item_id,field,old_value,new_value,reason,source,reviewer,date,state\n"
    )
    return ledger


def _enter(ledger: Path, change: int, state: str) -> None:
    with ledger.open("a") as file:
        file.write(f"{change},c1,s3,gold,6,7,made up,a test,r1,2026-02-03,{state}\n")


def test_an_open_correction_is_worked_off_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FakeProvider(_sum) as server, dg.DagsterInstance.ephemeral() as instance:
        ledger = _corrected_bench(tmp_path, server.url, monkeypatch)
        instance.add_dynamic_partitions("models", ["fake-1", "fake-2"])
        _enter(ledger, 1, "open")
        assert _work_off(instance) == ["sums:0.1.0:1:gold", "sums:0.1.0:1:board"]
    scores = TableStore.default().read("sums", SCORES)
    assert scores is not None
    assert "undisputed" in scores["metric"].to_list()


def test_a_model_that_cannot_be_graded_does_not_hold_up_the_board(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FakeProvider(_sum) as server, dg.DagsterInstance.ephemeral() as instance:
        ledger = _corrected_bench(tmp_path, server.url, monkeypatch)
        instance.add_dynamic_partitions("models", ["fake-1", "fake-2"])
        store = TableStore.default()
        store.path("sums", "completions", "fake-1").unlink()
        _enter(ledger, 1, "applied")
        assert _work_off(instance)[-1] == "sums:0.1.1:1:board"
    board = store.read("sums", LEADERBOARD)
    assert board is not None
    rows = {
        row["model"]: row["withheld"]
        for row in board.to_dicts()
        if row["version"] == "0.1.1" and not row["baseline"]
    }
    assert rows["fake-1"]
    assert rows["fake-2"] is None


def test_a_table_of_an_older_contract_skips_with_its_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FakeProvider(_sum) as server, dg.DagsterInstance.ephemeral() as instance:
        ledger = _corrected_bench(tmp_path, server.url, monkeypatch)
        TableStore.default().path("sums", "gold").write_bytes(b"damaged")
        assert _tick(instance) == []
        _enter(ledger, 1, "applied")
        result = gold_corrections(dg.build_sensor_context(instance=instance))
        assert isinstance(result, dg.SensorResult)
        assert "is damaged" in str(result.skip_reason)


def test_a_broken_ledger_skips_with_its_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assets = write_bench(tmp_path / "assets", "http://127.0.0.1:1/v1")
    folder = assets / "suites" / "sums"
    settings = folder / "suite.yaml"
    settings.write_text(settings.read_text() + "corrections: corrections.csv\n")
    (folder / "corrections.csv").write_text("change,item\n1,x\n")
    monkeypatch.setenv("BENCH_ASSETS", str(assets))
    with dg.DagsterInstance.ephemeral() as instance:
        result = gold_corrections(dg.build_sensor_context(instance=instance))
        assert isinstance(result, dg.SensorResult)
        assert "sums/corrections.csv, row 1" in str(result.skip_reason)


def test_a_mended_row_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with FakeProvider(_sum) as server, dg.DagsterInstance.ephemeral() as instance:
        ledger = _corrected_bench(tmp_path, server.url, monkeypatch)
        _enter(ledger, 1, "applied")
        good = ledger.read_text()
        ledger.write_text(good.replace(",6,7,", ",5,7,"))
        (wrong,) = _tick(instance)
        ledger.write_text(good)
        (mended,) = _tick(instance)
    assert _step(wrong) == _step(mended) == "sums:0.1.1:1:gold"
    assert wrong.run_key != mended.run_key
