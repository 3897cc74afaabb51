"""The lane as a data engineer sees it: the real web server and daemon, in a real browser."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bench_pipeline.contracts.paths import PROJECT_ROOT

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
LOCATION = "__repository__@bench_pipeline"
MODEL = "smollm2-135m"
TABLES = [
    "facts",
    "corrections",
    "bank",
    "items",
    "gold",
    "prompts",
    "completions",
    "grades",
    "baselines",
    "scores",
    "comparisons",
    "leaderboard",
]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        CHROMIUM is None, reason="needs Chromium (Debian: apt-get install chromium)"
    ),
]
_LAUNCH = """
mutation ($params: ExecutionParams!) { launchPipelineExecution(executionParams: $params) {
  __typename
  ... on LaunchRunSuccess { run { runId } }
  ... on PythonError { message }
  ... on RunConfigValidationInvalid { errors { message } } } }
"""
_STATUS = """
query ($id: ID!) { runOrError(runId: $id) { ... on Run { status } } }
"""


class Served:
    """A running UI."""

    def __init__(self, url: str) -> None:
        self.url = url

    def ask(self, query: str, **variables: Any) -> Any:
        request = urllib.request.Request(
            f"{self.url}/graphql",
            data=json.dumps({"query": query, "variables": variables}).encode(),
            headers={"content-type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=30) as reply:
            return json.load(reply)["data"]

    def materialise(
        self, *tables: str, partition: str | None = None, config: dict[str, Any] | None = None
    ) -> str:
        """Launch a run as the Materialize button does; its final status."""
        tags = [{"key": "dagster/partition", "value": partition}] if partition else []
        launched = self.ask(
            _LAUNCH,
            params={
                "selector": {
                    "repositoryName": "__repository__",
                    "repositoryLocationName": "bench_pipeline",
                    "jobName": "__ASSET_JOB",
                    "assetSelection": [{"path": ["bkp", table]} for table in tables],
                },
                "runConfigData": config or {},
                "mode": "default",
                "executionMetadata": {"tags": tags},
            },
        )["launchPipelineExecution"]
        assert launched["__typename"] == "LaunchRunSuccess", launched
        for _ in range(240):
            status = str(self.ask(_STATUS, id=launched["run"]["runId"])["runOrError"].get("status"))
            if status in ("SUCCESS", "FAILURE", "CANCELED"):
                return status
            time.sleep(0.5)
        raise AssertionError("the run did not end within two minutes")


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """`bench ui` on a free port; its process group ends with the test."""
    environment = {**os.environ, "HOME": str(tmp_path / "home")}
    (tmp_path / "home").mkdir()
    with open(tmp_path / "ui.log", "wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "bench_pipeline.cli.main", "ui", "--port", "0"],
            cwd=PROJECT_ROOT,
            env=environment,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            yield Served(_wait_until_up(process, tmp_path / "ui.log"))
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)


def _wait_until_up(process: subprocess.Popen[bytes], log: Path) -> str:
    for _ in range(120):
        time.sleep(0.5)
        text = log.read_text()
        assert process.poll() is None, text
        found = re.search(r"http://127\.0\.0\.1:\d+", text)
        if found is None:
            continue
        try:
            with urllib.request.urlopen(f"{found[0]}/server_info", timeout=5):
                return found[0]
        except OSError:
            continue
    raise AssertionError(f"the UI did not come up: {log.read_text()}")


def _keep(page: Any, name: str) -> None:
    """Keep a picture where BENCH_SCREENSHOTS names a folder."""
    if folder := os.environ.get("BENCH_SCREENSHOTS"):
        page.screenshot(path=str(Path(folder) / name))


def test_the_lane_is_drawn_materialises_and_shows_its_rows(served: Served, tmp_path: Path) -> None:
    from playwright.sync_api import expect, sync_playwright

    assert served.materialise("bank", "items", "gold", "prompts", "baselines") == "SUCCESS"
    config = {"ops": {"bkp__completions": {"config": {"profile": "demo", "limit": 10}}}}
    assert served.materialise("completions", partition=MODEL, config=config) == "SUCCESS"
    assert served.materialise("grades", partition=MODEL) == "SUCCESS"
    assert served.materialise("scores", "comparisons", "leaderboard") == "SUCCESS"

    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=CHROMIUM,
            env={**os.environ, "HOME": str(tmp_path / "home")},
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        page = browser.new_page(viewport={"width": 1600, "height": 1000})
        page.goto(f"{served.url}/locations/{LOCATION}/asset-groups/bkp/lineage")
        for table in TABLES:
            expect(page.get_by_text(table, exact=True).first).to_be_visible(timeout=30_000)
        page.wait_for_timeout(1500)
        _keep(page, "lane.png")

        page.goto(f"{served.url}/assets/bkp/completions?partition={MODEL}&view=partitions")
        for text in ("kept_and_dropped", "asked and answered now", "still without an answer"):
            expect(page.get_by_text(text).first).to_be_visible(timeout=30_000)
        expect(page.get_by_text("dagster/row_count").first).to_be_visible()
        _keep(page, "completions.png")

        page.goto(f"{served.url}/assets/bkp/completions?view=overview")
        for column in ("request_id", "finish_reason", "first_asked_version"):
            expect(page.get_by_text(column, exact=True).first).to_be_visible(timeout=30_000)
        page.goto(f"{served.url}/assets/bkp/items?view=overview")
        for text in (re.compile("^1,?086$"), re.compile("^family_id$")):
            expect(page.get_by_text(text).first).to_be_visible(timeout=30_000)
        _keep(page, "items.png")
        browser.close()
