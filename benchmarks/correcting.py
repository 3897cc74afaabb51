"""Time a correction of many golds over the stored answers of several models, and prove it exact.

The shipped bank is asked of made-up models on loopback, every profile's request of it; then golds
are corrected, rolled back and corrected again through `bench correct`. Printed: seconds a command,
requests that reached the server meanwhile, and whether exactly the touched grades differ.
"""

import argparse
import csv
import os
import shutil
import subprocess
import sys
import tempfile
import time
from decimal import Decimal
from pathlib import Path

import polars as pl
import yaml

from bench_pipeline.contracts.boards import SCORES
from bench_pipeline.contracts.paths import PROJECT_ROOT
from bench_pipeline.contracts.tables import GRADES
from bench_pipeline.storage.tables import TableStore
from bench_pipeline_tests.fakes.provider import Answer, Call, FakeProvider, answer

_COLUMNS = ["item_id", "field", "old_value", "new_value", "reason", "source", "reviewer", "date"]


def main() -> None:
    """Ask, correct, roll back, correct again."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=int, default=5)
    parser.add_argument("--corrections", type=int, default=104)
    parser.add_argument("--profile", default="full")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        _measure(Path(folder), wanted.models, wanted.corrections, wanted.profile)


def _measure(folder: Path, models: int, corrections: int, profile: str) -> None:
    bank = _bank()
    golds = {row["question"]: row["gold"] for row in bank}
    with FakeProvider(lambda call: _reply(call, golds)) as server:
        assets = _assets(folder, server.url, models)
        environment = {
            **os.environ,
            "BENCH_ASSETS": str(assets),
            "BENCH_WAREHOUSE": str(folder / "warehouse"),
            "BENCH_STATE_DIR": str(folder / "state"),
        }
        os.environ.update(environment)
        seconds = _bench(environment, "run", "--suite", "bkp", "--profile", profile)
        print(f"asked {server.asked} requests of {models} models in {seconds:.1f} s")
        asked = server.asked
        grades, scores = _grades(), _scores(None)
        file, items = _corrections(folder / "new.csv", bank, corrections)
        back = ["--roll-back", "1", "--reason", "made up", "--reviewer", "r2"]
        seconds = _bench(environment, "correct", "--file", str(file), "--yes")
        changed = grades.join(_grades(), on=grades.columns, how="anti", nulls_equal=True)
        print(
            f"{corrections} corrections in {seconds:.1f} s: {changed.height} of {grades.height} "
            f"grades differ, of {changed['item_id'].n_unique()} items; exactly the touched ones: "
            f"{set(changed['item_id']) == items}"
        )
        seconds = _bench(environment, "correct", *back, "--yes")
        same = _grades().equals(grades) and _scores(2).equals(scores)
        print(f"rolled back in {seconds:.1f} s; every grade and score as before: {same}")
        seconds = _bench(environment, "correct", "--file", str(file), "--yes")
        same = _scores(3).equals(_scores(1))
        print(f"corrected again in {seconds:.1f} s; as the first time: {same}")
        print(f"requests meanwhile: {server.asked - asked}")


def _bank() -> list[dict[str, str]]:
    files = sorted((PROJECT_ROOT / "assets/suites/bkp/bank").glob("*.csv"))
    return [row for file in files for row in csv.DictReader(file.open(encoding="utf-8"))]


def _assets(folder: Path, url: str, models: int) -> Path:
    assets = folder / "assets"
    shutil.copytree(PROJECT_ROOT / "assets/suites/bkp", assets / "suites/bkp")
    entry = {"provider": "openai", "model": "m", "base_url": url, "family": "made-up"}
    roster = [{"id": f"made-up-{k}", **entry, "model": f"m{k}"} for k in range(models)]
    (assets / "models.yaml").write_text(yaml.safe_dump({"models": roster}))
    return assets


def _reply(call: Call, golds: dict[str, str]) -> Answer:
    """The gold in a sentence; the k-th model is wrong on every (k + 2)-th item."""
    question = next((q for q in golds if q in call.question), "")
    every = int(call.body["model"][1:]) + 2
    wrong = sum(question.encode()) % every == 0
    return answer(f"I would say that it is {'17.123' if wrong else golds[question]}.")


def _corrections(path: Path, bank: list[dict[str, str]], count: int) -> tuple[Path, set[str]]:
    """Corrections of numeric golds to values that stand in no question."""
    rows = [row for row in bank if row["answer_type"] == "numeric"][:count]
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(_COLUMNS)
        for row in rows:
            new = str(Decimal(row["gold"]) + Decimal("0.137"))
            writer.writerow(
                [row["item_id"], "gold", row["gold"], new, "made up", "none", "r1", "2026-01-02"]
            )
    return path, {row["item_id"] for row in rows}


def _bench(environment: dict[str, str], *arguments: str) -> float:
    started = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "bench_pipeline.cli.main", *arguments],
        env=environment,
        cwd=PROJECT_ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"bench {arguments[0]} ended with {done.returncode}:\n{done.stderr}")
    return time.monotonic() - started


def _grades() -> pl.DataFrame:
    frame = TableStore.default().read_partitions("bkp", GRADES)
    return frame.drop("version").sort("model", "request_id")


def _scores(change: int | None) -> pl.DataFrame:
    frame = TableStore.default().read("bkp", SCORES)
    assert frame is not None
    versions = frame["version"].unique(maintain_order=True).to_list()
    own = frame.filter(pl.col("version") == versions[change or 0]).drop("version")
    return own.sort("model", "profile", "metric", "slice")


if __name__ == "__main__":
    main()
