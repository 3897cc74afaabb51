"""bench-pipeline: every answer in the journal before it counts, folded to Parquet at the end."""

import asyncio
from pathlib import Path

from _common import MAX_TOKENS, MODEL, Stopwatch, arguments, question, report

from bench_pipeline.contracts.roster import ModelSpec
from bench_pipeline.providers import Prompt, ask, prepare
from bench_pipeline.storage.responses import ResponseStore


def main() -> None:
    options = arguments()
    spec = ModelSpec.model_validate(
        {
            "id": "timed",
            "provider": "openai",
            "model": MODEL,
            "base_url": options.url,
            "family": "fake",
            "prices": {"input": "0.1", "output": "0.4", "as_of": "2026-11-30"},
            "limits": {"max_in_flight": options.in_flight},
        }
    )
    work = (
        prepare(
            spec,
            Prompt(f"p{i}", [{"role": "user", "content": question(i)}], 0.0, MAX_TOKENS),
        )
        for i in range(options.count)
    )
    store = ResponseStore(Path(options.folder))
    with Stopwatch() as asking, store.writing():
        summary = asyncio.run(ask(spec, work, store))
    report(summary.answered, asking)


if __name__ == "__main__":
    main()
