"""What loading the definitions costs, and that heavy libraries wait until they are used."""

import json
import subprocess
import sys
import time

from bench_pipeline.contracts.paths import PROJECT_ROOT

HEAVY = [
    "torch",
    "sentence_transformers",
    "great_expectations",
    "scipy.stats",
    "altair",
    "xllamacpp",
]
BUDGET_SECONDS = 2.0


def _run(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=PROJECT_ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def test_no_heavy_library_is_imported_by_the_definitions() -> None:
    code = "import sys, json, bench_pipeline.definitions; print(json.dumps(sorted(sys.modules)))"
    loaded = set(json.loads(_run(code)))
    assert "dagster" in loaded
    assert not loaded & set(HEAVY)


def test_the_definitions_load_within_their_budget() -> None:
    """The one timed test: seconds over `import dagster`, the best of three each."""

    def best(code: str) -> float:
        times = []
        for _ in range(3):
            started = time.perf_counter()
            _run(code)
            times.append(time.perf_counter() - started)
        return min(times)

    extra = best("import bench_pipeline.definitions") - best("import dagster")
    assert extra < BUDGET_SECONDS
