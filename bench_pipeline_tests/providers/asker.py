"""A process that asks, so that a test can kill it: `python -m … URL FOLDER COUNT IN_FLIGHT`."""

import asyncio
import sys
from pathlib import Path

from bench_pipeline.providers import ask
from bench_pipeline.storage.responses import ResponseStore
from bench_pipeline_tests.providers.calls import model, requests


def main() -> None:
    url, folder, count, in_flight = sys.argv[1:5]
    spec = model(url, limits={"max_in_flight": int(in_flight)})
    store = ResponseStore(Path(folder))
    with store.writing():
        answered = store.answered_ids()
        missing = [r for r in requests(spec, int(count)) if r.request_id not in answered]
        summary = asyncio.run(ask(spec, missing, store))
    print(summary.answered)
    sys.exit(1 if summary.failed or summary.stopped else 0)


if __name__ == "__main__":
    main()
