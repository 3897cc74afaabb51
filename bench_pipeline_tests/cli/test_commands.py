"""The commands as a person or a script meets them."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from bench_pipeline.cli.main import main
from bench_pipeline_tests.benches import write_bench
from bench_pipeline_tests.fakes.provider import Answer, Call, FakeProvider, answer, error


def _run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def _board() -> list[dict[str, Any]]:
    """The published rows of the suite `sums`."""
    return list(json.loads(_run("board", "--json").output)["sums"])


def _sum(call: Call) -> Answer:
    words = call.question.split()
    return answer(f"It is {2 * int(words[words.index('plus') - 1])}.")


PRICES = {"input": 2, "output": 10, "as_of": "2026-01-01"}


def _estimate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, **settings: Any) -> dict[str, Any]:
    assets = write_bench(tmp_path / "assets", "http://127.0.0.1:9/v1", 10, **settings)
    monkeypatch.setenv("BENCH_ASSETS", str(assets))
    done = _run("estimate", "--json")
    assert done.exit_code == 0, done.output
    return dict(json.loads(done.output)[0])


def test_an_estimate_needs_no_call_and_writes_nothing(
    tmp_path: Path, warehouse: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = _estimate(tmp_path, monkeypatch, prices=PRICES)
    assert (found["requests"], found["to_ask"], found["measured_on"]) == (10, 10, 0)
    assert 0 < found["expected_usd"] < found["at_most_usd"]
    assert found["seconds"] is None
    assert not (warehouse / "tables").exists()
    assert not (warehouse / "responses").exists()


def test_an_unknown_price_stays_unknown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = _estimate(tmp_path, monkeypatch)
    assert found["expected_usd"] is None
    assert found["at_most_usd"] is None
    assert "unknown" in _run("estimate").output


def test_a_run_an_estimate_after_it_and_the_board(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FakeProvider(_sum) as server:
        assets = write_bench(tmp_path / "assets", server.url, 10, prices=PRICES)
        monkeypatch.setenv("BENCH_ASSETS", str(assets))
        assert "no board yet" in _run("board").output
        assert _run("run", "--limit", "4").exit_code == 0
        assert server.asked == 4
        left = json.loads(_run("estimate", "--json").output)[0]
        assert (left["answered"], left["to_ask"], left["measured_on"]) == (4, 6, 4)
        assert left["completion_tokens"] == 6 * 5  # as measured: the fake writes 5 tokens
        done = _run("run", "--max-usd", "1")
        assert done.exit_code == 0, done.output
        assert server.asked == 10
    assert "Sums" in done.output
    board = _board()
    best = board[0]
    assert (best["model"], best["value"], best["expected"]) == ("fake-1", 100.0, 10)
    assert best["cost_usd"] == pytest.approx(10 * (10 * 2 + 5 * 10) / 1e6)


def test_a_cap_that_stops_ends_non_zero_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FakeProvider(_sum) as server:
        assets = write_bench(tmp_path / "assets", server.url, 30, prices=PRICES)
        monkeypatch.setenv("BENCH_ASSETS", str(assets))
        done = _run("run", "--max-usd", "0.0055")
        assert done.exit_code == 1
        assert "cap of $0.0055" in done.output
        assert 0 < server.asked < 30


def test_grade_says_why(tmp_path: Path) -> None:
    cases = tmp_path / "cases.jsonl"
    rows = [
        {"answer_type": "numeric", "gold": "100000", "answer": "10 lakh"},
        {"answer_type": "numeric", "gold": "18", "answer": "I can't help with that."},
    ]
    cases.write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = _run("grade", "--cases", str(cases))
    first, second = [json.loads(line) for line in done.output.splitlines()]
    assert first["verdict"] == "incorrect"
    assert first["flags"] == ["order_of_magnitude"]
    assert first["reason"]
    assert second["verdict"] == "refused"


def test_a_broken_case_file_names_its_line(tmp_path: Path) -> None:
    cases = tmp_path / "cases.jsonl"
    cases.write_text(
        '{"answer_type": "numeric", "gold": "1", "answer": "1"}\n{"answer_type": "x"\n'
    )
    done = _run("grade", "--cases", str(cases))
    assert done.exit_code == 2
    assert "cases.jsonl" in done.output
    assert "2" in done.output
    assert "Traceback" not in done.output


def test_power_gives_the_sources_figures() -> None:
    found = json.loads(
        _run("power", "--n", "400", "--baseline", "0.71", "--difference", "0.05", "--json").output
    )
    assert found["needed"] == 1220
    small = json.loads(_run("power", "--n", "123", "--baseline", "0.5", "--json").output)
    assert (small["high"] - small["low"]) / 2 == pytest.approx(8.7, abs=0.05)
    assert small["detectable"] == pytest.approx(17, abs=1)


def test_one_cap_holds_for_all_models_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FakeProvider(_sum) as server:
        assets = write_bench(tmp_path / "assets", server.url, 30, models=2, prices=PRICES)
        monkeypatch.setenv("BENCH_ASSETS", str(assets))
        # room for one request's bound, and for all answers of the first model but not of both
        done = _run("run", "--max-usd", "0.0075")
        assert done.exit_code == 1
        assert 30 < server.asked < 60
        assert server.asked * (10 * 2 + 5 * 10) / 1e6 <= 0.0075


def test_a_retired_model_is_not_asked_and_a_removed_one_is_not_ranked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FakeProvider(_sum) as server:
        assets = write_bench(tmp_path / "assets", server.url, 5, models=2)
        monkeypatch.setenv("BENCH_ASSETS", str(assets))
        assert _run("run").exit_code == 0
        roster = assets / "models.yaml"
        both = roster.read_text()
        roster.write_text(both.replace("id: fake-2", "id: fake-2\n  retired: true"))
        refused = _run("run", "--model", "fake-2")
        assert refused.exit_code == 2
        assert "retired" in refused.output
        roster.write_text("models:" + both.split("models:")[1].rsplit("- base_url", 1)[0])
        assert _run("run").exit_code == 0
        assert server.asked == 10
    rows = {row["model"]: row for row in _board()}
    assert rows["fake-1"]["withheld"] is None
    assert "no longer in the roster" in rows["fake-2"]["withheld"]


def test_a_suite_without_the_profile_is_left_out_aloud(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assets = write_bench(tmp_path / "assets", "http://127.0.0.1:9/v1", 3)
    other = assets / "suites" / "more"
    other.mkdir()
    text = (assets / "suites/sums/suite.yaml").read_text().replace("name: sums", "name: more")
    (other / "suite.yaml").write_text(text + "profiles: {few: {pairs_per_category: 1}}\n")
    (other / "items.csv").write_text((assets / "suites/sums/items.csv").read_text())
    monkeypatch.setenv("BENCH_ASSETS", str(assets))
    found = _run("estimate", "--profile", "few")
    assert found.exit_code == 0
    assert "sums has no profile 'few' and is left out" in found.output
    assert _run("estimate", "--profile", "few", "--suite", "sums").exit_code == 2


def test_brackets_in_a_title_are_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with FakeProvider(_sum) as server:
        assets = write_bench(tmp_path / "assets", server.url, 2, title="[/red] [bold]M")
        suite = assets / "suites" / "sums" / "suite.yaml"
        suite.write_text(suite.read_text().replace("title: Sums", 'title: "Sums [/red]"'))
        monkeypatch.setenv("BENCH_ASSETS", str(assets))
        done = _run("run")
    assert done.exit_code == 0, done.output
    assert "Sums [/red]" in done.output


@pytest.mark.parametrize(
    "line",
    [
        '{"answer_type": "numeric", "gold": "1", "answer": 4}',
        '{"answer_type": ["numeric"], "gold": "1", "answer": "1"}',
        '{"answer_type": "numeric", "gold": "1", "answer": "1", "options": [1]}',
        "[" * 100_000,
    ],
)
def test_case_rows_of_other_types_are_named(line: str, tmp_path: Path) -> None:
    cases = tmp_path / "cases.jsonl"
    cases.write_text(line)
    done = _run("grade", "--cases", str(cases))
    assert done.exit_code == 2
    assert "cases.jsonl, line 1" in done.output


def test_a_model_that_cannot_be_asked_leaves_the_cap_to_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def behave(call: Call) -> Answer:
        return error(401) if call.body["model"] == "locked" else _sum(call)

    with FakeProvider(behave) as server:
        assets = write_bench(tmp_path / "assets", server.url, 5, models=2, prices=PRICES)
        roster = assets / "models.yaml"
        roster.write_text(roster.read_text().replace("model: m", "model: locked", 1))
        monkeypatch.setenv("BENCH_ASSETS", str(assets))
        done = _run("run", "--max-usd", "1")
    assert done.exit_code == 1
    rows = {row["model"]: row for row in _board()}
    assert rows["fake-2"]["value"] == 100.0
    assert rows["fake-1"]["withheld"]


def test_a_cap_with_an_unpriced_model_is_refused_before_anything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FakeProvider(_sum) as server:
        assets = write_bench(tmp_path / "assets", server.url, 5)
        monkeypatch.setenv("BENCH_ASSETS", str(assets))
        done = _run("run", "--max-usd", "1")
        assert done.exit_code == 2
        assert "entry 'fake-1', field 'prices'" in done.output
        assert server.asked == 0


def test_a_corrected_gold_reaches_a_retired_model_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FakeProvider(_sum) as server:
        assets = write_bench(tmp_path / "assets", server.url, 5, models=2)
        monkeypatch.setenv("BENCH_ASSETS", str(assets))
        assert _run("run").exit_code == 0
        roster = assets / "models.yaml"
        roster.write_text(roster.read_text().replace("id: fake-2", "id: fake-2\n  retired: true"))
        items = assets / "suites" / "sums" / "items.csv"
        items.write_text(items.read_text().replace("numeric,6\n", "numeric,7\n"))
        refused = _run("run")
        assert refused.exit_code == 1
        assert "a board of version 0.1.0 stands on other items, golds" in refused.output
        suite = assets / "suites" / "sums" / "suite.yaml"
        suite.write_text(suite.read_text() + "version: 0.1.1\n")
        assert _run("run").exit_code == 0
        assert server.asked == 10
    rows = _board()
    assert [row["value"] for row in rows if not row["baseline"]] == [80.0, 80.0]
