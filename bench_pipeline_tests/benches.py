"""Small benchmarks for tests: a folder of assets with a tiny suite and a roster."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml

from bench_pipeline.contracts.paths import PROJECT_ROOT


def write_bench(
    folder: Path, url: str, questions: int = 40, *, models: int = 1, **settings: Any
) -> Path:
    """`assets/` with the suite `sums` and models `fake-1`, `fake-2`, … at `url`."""
    suite = folder / "suites" / "sums"
    suite.mkdir(parents=True)
    (suite / "suite.yaml").write_text(
        "name: sums\ntitle: Sums\nitems: items.csv\n"
        "regimes: {natural: natural.j2}\nresamples: 200\n"
    )
    rows = [f"s{i},What is {i} plus {i}?,numeric,{2 * i}" for i in range(questions)]
    (suite / "items.csv").write_text("item_id,question,answer_type,gold\n" + "\n".join(rows) + "\n")
    entry = {"provider": "openai", "model": "m", "base_url": url, "family": "fake", **settings}
    roster = {"models": [{"id": f"fake-{k + 1}", **entry} for k in range(models)]}
    (folder / "models.yaml").write_text(yaml.safe_dump(roster))
    return folder


def bench_environment(assets: Path) -> dict[str, str]:
    """The environment in which `bench` runs on `assets` and the test's own warehouse."""
    environment = {**os.environ, "BENCH_ASSETS": str(assets), "PYTHONPATH": str(PROJECT_ROOT)}
    environment.pop("DAGSTER_HOME", None)
    return environment


def bench(assets: Path, *arguments: str, **extra: str) -> subprocess.CompletedProcess[str]:
    """Run `bench` to its end."""
    return subprocess.run(
        [sys.executable, "-m", "bench_pipeline.cli.main", *arguments],
        env={**bench_environment(assets), **extra},
        cwd=PROJECT_ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def start_bench(assets: Path, *arguments: str) -> subprocess.Popen[bytes]:
    """Start `bench` and leave it running."""
    return subprocess.Popen(
        [sys.executable, "-m", "bench_pipeline.cli.main", *arguments],
        env=bench_environment(assets),
        cwd=PROJECT_ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
