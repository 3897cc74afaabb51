"""A run that is killed loses at most what was in flight, and the next one asks only the rest."""

import signal
import time
from pathlib import Path

import polars as pl
import pytest
from click.testing import CliRunner

from bench_pipeline.cli.main import main
from bench_pipeline.contracts.boards import LEADERBOARD
from bench_pipeline.contracts.tables import COMPLETIONS, GRADES, PROMPTS
from bench_pipeline.storage.responses import ResponseStore
from bench_pipeline.storage.tables import TableStore
from bench_pipeline_tests.benches import bench, start_bench, write_bench
from bench_pipeline_tests.fakes.provider import Answer, Call, FakeProvider, answer, error

pytestmark = pytest.mark.slow
IN_FLIGHT = 4


def _sum(call: Call) -> Answer:
    words = call.question.split()
    return answer(f"It is {2 * int(words[words.index('plus') - 1])}.", delay=0.02)


def test_kill_9_in_the_middle_of_completions(tmp_path: Path, warehouse: Path) -> None:
    with FakeProvider(_sum) as server:
        limits = {"max_in_flight": IN_FLIGHT}
        assets = write_bench(tmp_path / "assets", server.url, 200, limits=limits)
        process = start_bench(assets, "run")
        while server.asked < 60:
            assert process.poll() is None, "it ended before it could be killed"
            time.sleep(0.01)
        process.kill()
        process.wait()
        stored = ResponseStore(warehouse / "responses/inference/sums/fake-1").answered_ids()
        killed_at = server.asked
        assert killed_at - IN_FLIGHT <= len(stored) <= killed_at

        done = bench(assets, "run")

        assert done.returncode == 0, done.stderr
        assert server.asked - 200 <= IN_FLIGHT
        rows = TableStore.default().read("sums", COMPLETIONS, "fake-1")
        assert rows is not None
        assert rows["request_id"].n_unique() == rows.height == 200
        assert stored <= set(rows["request_id"])
        again = server.asked
        assert bench(assets, "run").returncode == 0
        assert server.asked == again


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_stops_all_asking(sent: signal.Signals, tmp_path: Path) -> None:
    with FakeProvider(_sum) as server:
        limits = {"max_in_flight": 2}
        assets = write_bench(tmp_path / "assets", server.url, 300, models=3, limits=limits)
        process = start_bench(assets, "run")
        while server.asked < 30:
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(sent)
        assert process.wait(60) not in (0, None)
        stopped_at = server.asked
        assert stopped_at < 300
        time.sleep(1)
        assert server.asked == stopped_at


def test_a_model_that_fails_leaves_the_others_their_board(tmp_path: Path) -> None:
    def behave(call: Call) -> Answer:
        return error(401) if call.headers.get("authorization") == "Bearer k2" else _sum(call)

    with FakeProvider(behave) as server:
        assets = write_bench(tmp_path / "assets", server.url, 20, models=2)
        roster = (assets / "models.yaml").read_text()
        first, second = roster.split("- base_url", 2)[1:]
        keyed = f"models:\n- api_key_env: KEY_1\n  base_url{first}"
        keyed += f"- api_key_env: KEY_2\n  base_url{second}"
        (assets / "models.yaml").write_text(keyed)

        done = bench(assets, "run", KEY_1="k1", KEY_2="k2")

        assert done.returncode == 1
        assert "fake-2" in done.stderr
        assert "401" in done.stderr
        assert "Bearer" not in done.stderr + done.stdout
    board = TableStore.default().read("sums", LEADERBOARD)
    assert board is not None
    rows = {row["model"]: row for row in board.iter_rows(named=True)}
    assert rows["fake-1"]["value"] == 100.0
    assert rows["fake-1"]["withheld"] is None
    assert rows["fake-2"]["value"] is None
    assert "20 of 20 answers are missing" in rows["fake-2"]["withheld"]


def _raise_version(assets: Path) -> None:
    """Other data is another version; without it a board that stands keeps its bank."""
    settings = assets / "suites" / "sums" / "suite.yaml"
    settings.write_text(settings.read_text() + "version: 0.2.0\n")


def test_a_corrected_gold_regrades_without_a_call(tmp_path: Path) -> None:
    with FakeProvider(_sum) as server:
        assets = write_bench(tmp_path / "assets", server.url, 10)
        assert bench(assets, "run").returncode == 0
        asked = server.asked
        items = assets / "suites" / "sums" / "items.csv"
        items.write_text(items.read_text().replace("numeric,6\n", "numeric,7\n"))
        _raise_version(assets)
        done = bench(assets, "run")
        assert done.returncode == 0, done.stderr
        assert server.asked == asked
    grades = TableStore.default().read("sums", GRADES, "fake-1")
    assert grades is not None
    wrong = grades.filter(pl.col("verdict") == "incorrect")["item_id"].to_list()
    assert wrong == ["s3"]


def test_a_changed_question_asks_that_one_alone(tmp_path: Path) -> None:
    with FakeProvider(_sum) as server:
        assets = write_bench(tmp_path / "assets", server.url, 10)
        assert bench(assets, "run").returncode == 0
        items = assets / "suites" / "sums" / "items.csv"
        items.write_text(items.read_text().replace("What is 3 plus", "How much is 3 plus"))
        _raise_version(assets)
        assert bench(assets, "run").returncode == 0
        assert server.asked == 11


def test_answers_to_yesterdays_question_are_missing_not_right(tmp_path: Path) -> None:
    with FakeProvider(_sum) as server:
        assets = write_bench(tmp_path / "assets", server.url, 10, models=2)
        assert bench(assets, "run").returncode == 0
        items = assets / "suites" / "sums" / "items.csv"
        items.write_text(items.read_text().replace("What is", "How much is"))
        _raise_version(assets)
        assert bench(assets, "run", "--model", "fake-1").returncode == 0
        assert server.asked == 30
    board = TableStore.default().read("sums", LEADERBOARD)
    assert board is not None
    rows = {row["model"]: row for row in board.to_dicts() if row["version"] == "0.2.0"}
    assert rows["fake-1"]["value"] == 100.0
    assert "10 of 10 answers are missing" in rows["fake-2"]["withheld"]


def test_answers_under_other_settings_withhold_the_row(tmp_path: Path) -> None:
    with FakeProvider(_sum) as server:
        assets = write_bench(tmp_path / "assets", server.url, 10, models=2)
        assert bench(assets, "run").returncode == 0
        roster = assets / "models.yaml"
        head, fake_2 = roster.read_text().rsplit("id: fake-2", 1)
        roster.write_text(f"{head}id: fake-2\n  system_prompt: Answer in Hindi.{fake_2}")
        assert bench(assets, "run", "--model", "fake-1").returncode == 0
    board = TableStore.default().read("sums", LEADERBOARD)
    assert board is not None
    rows = {row["model"]: row for row in board.iter_rows(named=True)}
    assert rows["fake-1"]["withheld"] is None
    assert "other settings" in rows["fake-2"]["withheld"]


def test_a_limit_of_nothing_makes_the_tables_and_asks_nothing(tmp_path: Path) -> None:
    with FakeProvider(_sum) as server:
        done = bench(write_bench(tmp_path / "assets", server.url, 5), "run", "--limit", "0")
        assert done.returncode == 0, done.stderr
        assert server.asked == 0
    prompts = TableStore.default().read("sums", PROMPTS)
    assert prompts is not None
    assert prompts.height == 5
    board = TableStore.default().read("sums", LEADERBOARD)
    assert board is not None
    assert "5 of 5 answers are missing" in board.filter(model="fake-1")["withheld"][0]


BAD_INPUT = {
    "unknown model": (["run", "--model", "nobody"], "no model 'nobody'; accepted: fake-1"),
    "unknown suite": (["run", "--suite", "lakes"], "no suite 'lakes'; accepted: sums"),
    "unknown profile": (["run", "--profile", "tiny"], "no profile 'tiny'; accepted: full"),
    "missing key": (["run"], "the environment variable NO_SUCH_KEY is not set"),
    "broken roster": (["run"], "entry 'fake-1', field 'familly': there is no such field"),
    "broken suite": (["run"], "suite.yaml, field 'smaples': there is no such field"),
    "duplicate id": (["run"], "sums/items.csv, row 4, field 'item_id'"),
    "gold its grader rejects": (["run"], "sums/items.csv, row 3, field 'gold'"),
}


@pytest.mark.parametrize("name", BAD_INPUT)
def test_bad_input_stops_before_anything_is_asked_or_written(
    name: str, tmp_path: Path, warehouse: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments, message = BAD_INPUT[name]
    with FakeProvider(_sum) as server:
        key = {"api_key_env": "NO_SUCH_KEY"} if name == "missing key" else {}
        assets = write_bench(tmp_path / "assets", server.url, 5, **key)
        files = {
            "broken roster": (assets / "models.yaml", "family:", "familly:"),
            "broken suite": (assets / "suites/sums/suite.yaml", "resamples", "smaples"),
            "duplicate id": (assets / "suites/sums/items.csv", "s2,", "s1,"),
            "gold its grader rejects": (assets / "suites/sums/items.csv", "numeric,2", "numeric,x"),
        }
        if name in files:
            path, old, new = files[name]
            path.write_text(path.read_text().replace(old, new))
        monkeypatch.setenv("BENCH_ASSETS", str(assets))
        done = CliRunner().invoke(main, arguments)
        assert done.exit_code in (1, 2), done.output
        assert message in done.output
        assert "Traceback" not in done.output
        assert server.asked == 0
    assert not (warehouse / "tables").exists()
    assert not (warehouse / "responses").exists()
