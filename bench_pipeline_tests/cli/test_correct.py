"""Corrections through the command: shown first, then golds, grades, scores and board follow."""

import csv
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from click.testing import CliRunner, Result

from bench_pipeline.cli.main import main
from bench_pipeline.contracts.boards import SCORES
from bench_pipeline.contracts.tables import GRADES
from bench_pipeline.release.bank import item_hash
from bench_pipeline.storage.tables import TableStore
from bench_pipeline_tests.benches import write_bench
from bench_pipeline_tests.fakes.provider import Answer, Call, FakeProvider, answer

COLUMNS = ["item_id", "field", "old_value", "new_value", "reason", "source", "reviewer", "date"]


def _run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def _sum(call: Call) -> Answer:
    """Right, but for the model that always says one more."""
    words = call.question.split()
    right = 2 * int(words[words.index("plus") - 1])
    return answer(f"It is {right + (call.body['model'] == 'm-off')}.")


def _bench(tmp_path: Path, url: str, questions: int, models: int) -> Path:
    assets = write_bench(tmp_path / "assets", url, questions, models=models)
    suite = assets / "suites" / "sums" / "suite.yaml"
    suite.write_text(suite.read_text() + "corrections: corrections.csv\n")
    roster = assets / "models.yaml"
    roster.write_text(roster.read_text().replace("model: m\n", "model: m-off\n", 1))
    return assets


def _corrections(path: Path, rows: list[tuple[str, str, str]]) -> Path:
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        for item_id, old, new in rows:
            writer.writerow([item_id, "gold", old, new, "made up", "a test", "r1", "2026-02-03"])
    return path


def _board(*arguments: str) -> list[dict[str, Any]]:
    return list(json.loads(_run("board", "--json", *arguments).output)["sums"])


def _grades() -> pl.DataFrame:
    frame = TableStore.default().read_partitions("sums", GRADES)
    return frame.drop("version").sort("model", "request_id")


def _scores(version: str) -> pl.DataFrame:
    frame = TableStore.default().read("sums", SCORES)
    assert frame is not None
    keys = ["model", "profile", "metric", "slice"]
    return frame.filter(pl.col("version") == version).drop("version").sort(keys)


def test_a_correction_is_shown_applied_rolled_back_and_applied_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FakeProvider(_sum) as server:
        assets = _bench(tmp_path, server.url, 12, 3)
        monkeypatch.setenv("BENCH_ASSETS", str(assets))
        assert _run("run").exit_code == 0
        asked = server.asked
        before = _grades()
        file = _corrections(tmp_path / "new.csv", [("s3", "6", "7"), ("s5", "10", "13")])

        shown = _run("correct", "--file", str(file), "--dry-run")
        assert shown.exit_code == 0, shown.output
        assert "sums 0.1.0 → 0.1.1" in shown.output
        assert "1 × incorrect → correct" in shown.output
        assert "2 × correct → incorrect" in shown.output
        assert not (assets / "suites/sums/corrections.csv").exists()
        declined = CliRunner().invoke(main, ["correct", "--file", str(file)], input="n\n")
        assert declined.exit_code == 1
        assert not (assets / "suites/sums/corrections.csv").exists()

        assert _run("correct", "--file", str(file), "--yes").exit_code == 0
        after = _grades()
        touched = after.filter(pl.col("item_id").is_in(["s3", "s5"]))
        assert touched.height == 6
        assert _same_but(before, after, {"s3", "s5"})
        assert set(touched["gold_hash"]).isdisjoint(before["gold_hash"])
        values = {row["model"]: row["value"] for row in _board()}
        assert values["fake-2"] == pytest.approx(100 * 10 / 12)
        assert values["fake-1"] == pytest.approx(100 * 1 / 12)

        taken = ["--roll-back", "1", "--reason", "it was right", "--reviewer", "r2"]
        assert _run("correct", *taken, "--yes").exit_code == 0
        assert _grades().equals(before)
        assert _scores("0.1.2").equals(_scores("0.1.0"))
        assert _run("correct", "--file", str(file), "--yes").exit_code == 0
        assert _grades().equals(after)
        assert _scores("0.1.3").equals(_scores("0.1.1"))
        assert server.asked == asked
    assert [row["value"] for row in _board("--version", "0.1.0") if row["model"] == "fake-2"] == [
        100.0
    ]
    unknown = _run("board", "--version", "9.9.9")
    assert unknown.exit_code == 2
    assert "0.1.0, 0.1.1, 0.1.2, 0.1.3" in unknown.output


def _same_but(a: pl.DataFrame, b: pl.DataFrame, items: set[str]) -> bool:
    rest = ~pl.col("item_id").is_in(sorted(items))
    return a.filter(rest).equals(b.filter(rest))


def test_an_open_correction_gives_a_score_without_its_item(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FakeProvider(_sum) as server:
        assets = _bench(tmp_path, server.url, 6, 2)
        monkeypatch.setenv("BENCH_ASSETS", str(assets))
        items = assets / "suites/sums/items.csv"
        items.write_text(items.read_text().replace("numeric,6\n", "numeric,7\n"))
        assert _run("run").exit_code == 0
        file = _corrections(tmp_path / "new.csv", [("s3", "7", "6")])
        lines = file.read_text().splitlines()
        file.write_text(f"{lines[0]},state\n{lines[1]},open\n")
        done = _run("correct", "--file", str(file), "--yes", "--json")
        assert done.exit_code == 0, done.output
    scores = _scores("0.1.0").filter((pl.col("model") == "fake-2") & (pl.col("slice") == "overall"))
    values = dict(scores.select("metric", "value").iter_rows())
    assert values["accuracy"] == pytest.approx(100 * 5 / 6)
    assert values["undisputed"] == pytest.approx(100.0)
    printed = _run("board").output
    assert "Undisputed: the score without the openly disputed items: s3" in " ".join(
        printed.split()
    )


def test_items_added_later_leave_the_old_board_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FakeProvider(_sum) as server:
        assets = _bench(tmp_path, server.url, 120, 2)
        monkeypatch.setenv("BENCH_ASSETS", str(assets))
        assert _run("run").exit_code == 0
        old = _board()
        items = assets / "suites/sums/items.csv"
        items.write_text(
            items.read_text() + "t1,What is 600 plus 600?,numeric,1200\n"
            "t2,What is 601 plus 601?,numeric,1202\n"
        )
        refused = _run("run", "--limit", "0")
        assert refused.exit_code == 1
        assert "field 'version': a board of version 0.1.0 stands on other items" in refused.output
        assert _board() == old
        suite = assets / "suites/sums/suite.yaml"
        suite.write_text(suite.read_text() + "version: 0.2.0\n")
        assert _run("run", "--limit", "0").exit_code == 0
        asked = server.asked
    assert asked == 240
    assert _board("--version", "0.1.0") == old
    new = {row["model"]: row for row in _board()}
    assert (new["fake-2"]["version"], new["fake-2"]["n"]) == ("0.2.0", 120)
    assert (new["fake-2"]["expected"], new["fake-2"]["missing"]) == (122, 2)
    assert {row["n"] for row in old if not row["baseline"]} == {120}
    printed = " ".join(_run("board").output.split())
    assert "fake-2: 2 answers are missing, of 2 items: t1, t2" in printed
    assert "missing" not in " ".join(_run("board", "--version", "0.1.0").output.split())


def test_a_correction_that_does_not_fit_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assets = _bench(tmp_path, "http://127.0.0.1:9/v1", 4, 1)
    monkeypatch.setenv("BENCH_ASSETS", str(assets))
    file = _corrections(tmp_path / "new.csv", [("s3", "5", "7")])
    done = _run("correct", "--file", str(file), "--yes")
    assert done.exit_code == 2
    assert f"{file}, row 2, field 'old_value': found '5'; accepted: what stands there, '6'" in (
        done.output
    )
    assert not (assets / "suites/sums/corrections.csv").exists()
    assert _run("correct", "--roll-back", "1").exit_code == 2


@pytest.mark.slow
def test_a_hundred_corrections_over_five_models(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FakeProvider(_sum) as server:
        assets = _bench(tmp_path, server.url, 1086, 5)
        monkeypatch.setenv("BENCH_ASSETS", str(assets))
        assert _run("run").exit_code == 0
        asked = server.asked
        before, scores = _grades(), _scores("0.1.0")
        changed = [(f"s{10 * k}", str(20 * k), str(20 * k + 1)) for k in range(1, 105)]
        file = _corrections(tmp_path / "new.csv", changed)
        assert _run("correct", "--file", str(file), "--yes").exit_code == 0
        after = _grades()
        items = {item_id for item_id, _, _ in changed}
        assert _same_but(before, after, items)
        differing = before.join(after, on=before.columns, how="anti", nulls_equal=True)
        assert differing.height == 5 * 104
        assert set(differing["item_id"]) == items
        taken = ["--roll-back", "1", "--reason", "no", "--reviewer", "r2", "--yes"]
        assert _run("correct", *taken).exit_code == 0
        assert _grades().equals(before)
        assert _scores("0.1.2").equals(scores)
        assert server.asked == asked


def test_json_says_which_items_change_for_which_models(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FakeProvider(_sum) as server:
        assets = _bench(tmp_path, server.url, 40, 2)
        monkeypatch.setenv("BENCH_ASSETS", str(assets))
        assert _run("run").exit_code == 0
        rows = [(f"s{k}", str(2 * k), str(2 * k + 1)) for k in range(1, 36)]
        file = _corrections(tmp_path / "new.csv", rows)
        done = _run("correct", "--file", str(file), "--dry-run", "--json")
    planned = json.loads(done.output)
    assert planned["version"] == {"before": "0.1.0", "after": "0.1.1"}
    assert {item["item_id"]: item["verdicts_change_of"] for item in planned["items"]} == {
        item_id: ["fake-1", "fake-2"] for item_id, _, _ in rows
    }
    assert planned["models"]["fake-1"] == {
        "answers_graded_again": 35,
        "verdicts": [{"before": "incorrect", "after": "correct", "answers": 35}],
    }


def test_a_correction_before_any_run_waits_in_the_ledger(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FakeProvider(_sum) as server:
        assets = _bench(tmp_path, server.url, 4, 1)
        monkeypatch.setenv("BENCH_ASSETS", str(assets))
        file = _corrections(tmp_path / "new.csv", [("s3", "6", "7")])
        done = _run("correct", "--file", str(file), "--yes")
        assert done.exit_code == 0, done.output
        assert server.asked == 0
        assert _run("run").exit_code == 0
    assert {row["version"] for row in _board()} == {"0.1.1"}
    listed = json.loads(_run("correct", "--list", "--json").output)
    assert [(row["item_id"], row["state"]) for row in listed] == [("s3", "applied")]
    assert "s3" in _run("correct", "--list").output


def test_a_correction_does_not_hide_an_edit_without_a_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FakeProvider(_sum) as server:
        assets = _bench(tmp_path, server.url, 4, 1)
        monkeypatch.setenv("BENCH_ASSETS", str(assets))
        assert _run("run").exit_code == 0
        items = assets / "suites/sums/items.csv"
        items.write_text(items.read_text().replace("What is 2", "How much is 2"))
        file = _corrections(tmp_path / "new.csv", [("s3", "6", "7")])
        done = _run("correct", "--file", str(file), "--yes")
        assert done.exit_code == 2
        assert (
            "stands on other items, golds or corrections; accepted: a version above" in done.output
        )
        assert not (assets / "suites/sums/corrections.csv").exists()
        suite = assets / "suites/sums/suite.yaml"
        suite.write_text(suite.read_text() + "version: 0.2.0\nwithhold: {missing: 0.5}\n")
        done = _run("correct", "--file", str(file), "--yes")
        assert done.exit_code == 0, done.output
    row = next(row for row in _board() if not row["baseline"])
    # the reworded question was never asked: its old answer is not graded under the new one
    assert (row["version"], row["expected"], row["missing"]) == ("0.2.1", 4, 1)


def test_what_would_not_pass_the_gate_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assets = _bench(tmp_path, "http://127.0.0.1:9/v1", 4, 1)
    monkeypatch.setenv("BENCH_ASSETS", str(assets))
    folder = assets / "suites/sums"
    settings = folder / "suite.yaml"
    settings.write_text(settings.read_text() + "labels: labels/*.csv\n")
    items = folder / "items.csv"
    lines = items.read_text().splitlines()
    lines = [lines[0] + ",split", *(f"{row}," for row in lines[1:-1]), lines[-1] + ",test"]
    items.write_text("\n".join(lines) + "\n")
    seen = item_hash("What is 3 plus 3?", "numeric", "6", "{}")
    (folder / "labels").mkdir()
    labels = [f"s3,{seen},p{k},adjudication,accept" for k in (1, 2)]
    (folder / "labels" / "made-up.csv").write_text(
        "\n".join(["item_id,item_hash,annotator,round,label", *labels]) + "\n"
    )
    assert _run("check").exit_code == 0
    file = _corrections(tmp_path / "new.csv", [("s3", "6", "7")])
    done = _run("correct", "--file", str(file), "--yes")
    assert done.exit_code == 2
    assert "it is test, the item is 'draft'" in done.output
    assert not (folder / "corrections.csv").exists()


def test_a_command_that_was_cut_short_is_made_good_by_giving_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FakeProvider(_sum) as server:
        assets = _bench(tmp_path, server.url, 4, 2)
        monkeypatch.setenv("BENCH_ASSETS", str(assets))
        assert _run("run").exit_code == 0
        file = _corrections(tmp_path / "new.csv", [("s3", "6", "7")])
        back = ("--roll-back", "1", "--reason", "no", "--reviewer", "r2", "--yes")
        for arguments, version in ((("--file", str(file), "--yes"), "0.1.1"), (back, "0.1.2")):
            with pytest.MonkeyPatch.context() as cut:
                cut.setattr("bench_pipeline.cli.correct.regrade", _killed)
                assert _run("correct", *arguments).exit_code == 137
            assert _board()[0]["version"] != version
            printed = " ".join(_run("board").output.split())
            assert "bench correct --suite sums brings it up" in printed
            done = _run("correct", *arguments)
            assert done.exit_code == 0, done.output
            assert "nothing new for the ledger" in done.output
            assert _board()[0]["version"] == version
            assert "brings it up" not in _run("board").output
        assert _run("correct").exit_code == 0
        assert server.asked == 8
    assert len(json.loads(_run("correct", "--list", "--json").output)) == 1


def _killed(_: object) -> None:
    raise SystemExit(137)


def test_a_ledger_that_was_taken_away_is_noticed_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FakeProvider(_sum) as server:
        assets = _bench(tmp_path, server.url, 4, 1)
        monkeypatch.setenv("BENCH_ASSETS", str(assets))
        assert _run("run").exit_code == 0
        file = _corrections(tmp_path / "new.csv", [("s3", "6", "7")])
        assert _run("correct", "--file", str(file), "--yes").exit_code == 0
        ledger = assets / "suites/sums/corrections.csv"
        ledger.unlink()
        other = _corrections(tmp_path / "other.csv", [("s2", "4", "5")])
        done = _run("correct", "--file", str(other), "--yes")
        assert done.exit_code == 2
        assert "a board takes in change 1 of the corrections ledger, which ends at" in done.output
        assert not ledger.exists()


@pytest.mark.parametrize("columns", ["80", "100", "160"])
def test_a_narrow_board_drops_columns_and_never_digits(
    columns: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FakeProvider(_sum) as server:
        assets = _bench(tmp_path, server.url, 6, 2)
        monkeypatch.setenv("BENCH_ASSETS", str(assets))
        assert _run("run").exit_code == 0
    monkeypatch.setenv("COLUMNS", columns)
    printed = _run("board").output
    rows = [line for line in printed.splitlines() if line.startswith(("│", "┃"))]
    assert max(len(line) for line in printed.splitlines()) <= int(columns)
    assert any(line.rstrip(" │").endswith("6/6") for line in rows)
    assert "…" not in "".join(rows)
    assert ("No room for" in printed) == (columns != "160")


def test_a_buried_correction_is_not_taken_for_a_standing_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FakeProvider(_sum) as server:
        assets = _bench(tmp_path, server.url, 4, 1)
        monkeypatch.setenv("BENCH_ASSETS", str(assets))
        assert _run("run").exit_code == 0
        there = _corrections(tmp_path / "there.csv", [("s3", "6", "7")])
        back = _corrections(tmp_path / "back.csv", [("s3", "7", "6")])
        for file in (there, back):
            assert _run("correct", "--file", str(file), "--yes").exit_code == 0
        again = _run("correct", "--file", str(there), "--yes")
    assert again.exit_code == 2
    assert "is 'applied' already" in again.output


def test_an_open_correction_of_a_value_that_was_mended_can_be_decided(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FakeProvider(_sum) as server:
        assets = _bench(tmp_path, server.url, 4, 1)
        monkeypatch.setenv("BENCH_ASSETS", str(assets))
        assert _run("run").exit_code == 0
        file = _corrections(tmp_path / "new.csv", [("s3", "6", "7")])
        head, row = file.read_text().splitlines()
        file.write_text(f"{head},state\n{row},open\n")
        done = _run("correct", "--file", str(file), "--yes")
        assert done.exit_code == 0, done.output
        assert "--roll-back" not in done.output
        items = assets / "suites/sums/items.csv"
        items.write_text(items.read_text().replace("numeric,6\n", "numeric,7\n"))
        suite = assets / "suites/sums/suite.yaml"
        suite.write_text(suite.read_text() + "version: 0.2.0\n")
        checked = _run("check")
        assert checked.exit_code == 0
        assert "is 'open' about '6', and '7' stands there now; enter it as rejected" in (
            checked.output
        )
        file.write_text(f"{head},state\n{row},rejected\n")
        assert _run("correct", "--file", str(file), "--yes").exit_code == 0
        assert "is 'open' about" not in _run("check").output
