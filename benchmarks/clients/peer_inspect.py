"""inspect-ai through its Python interface, on a local dataset.

Tuned: no display, no realtime log, no scoring, as many samples as connections.
"""

import json
import os
from pathlib import Path

from _common import MAX_TOKENS, MODEL, arguments, question, report


def main() -> None:
    options = arguments()
    folder = Path(options.folder).resolve()
    data = folder / "items.jsonl"
    with open(data, "w") as file:
        for number in range(options.count):
            file.write(json.dumps({"input": question(number), "target": "B"}) + "\n")
    os.environ.update(FAKE_API_KEY="none", FAKE_BASE_URL=options.url)

    from inspect_ai import Task, eval
    from inspect_ai.dataset import json_dataset

    logs = eval(
        Task(dataset=json_dataset(str(data))),
        model=f"openai-api/fake/{MODEL}",
        max_connections=options.in_flight,
        max_samples=options.in_flight,
        max_tokens=MAX_TOKENS,
        temperature=0.0,
        display="none",
        log_dir=str(folder / "logs"),
        log_realtime=False,
        score=False,
    )
    report(len(logs[0].samples or []))


if __name__ == "__main__":
    main()
