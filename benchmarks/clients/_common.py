"""What every measured client shares: its arguments, the questions, and the line that it prints."""

import argparse
import json
import resource
import time
from typing import Any

MODEL = "fake-1"
MAX_TOKENS = 64


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--url", required=True)
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--in-flight", type=int, required=True)
    parser.add_argument("--folder", required=True, help="an empty folder for what it writes")
    return parser.parse_args()


def question(number: int) -> str:
    """About as long as an item of a question set; every one differs."""
    return (
        f"Question {number}. Which of these towns lies farthest to the south? "
        "Answer with one letter.\nA. Nagpur\nB. Madurai\nC. Jaipur\nD. Cuttack"
    )


def cpu_seconds() -> float:
    """Of this process alone, threads included, children not."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


class Stopwatch:
    """Wall and CPU seconds of the asking alone, beside those of the process."""

    def __enter__(self) -> "Stopwatch":
        self._wall, self._cpu = time.monotonic(), cpu_seconds()
        return self

    def __exit__(self, *_: object) -> None:
        self.wall = time.monotonic() - self._wall
        self.cpu = cpu_seconds() - self._cpu


def report(answered: int, asking: Stopwatch | None = None) -> None:
    """The last line of a client's output, read by the script that started it."""
    line: dict[str, Any] = {
        "answered": answered,
        "cpu": cpu_seconds(),
        "asking_cpu": asking.cpu if asking else None,
        "asking_seconds": asking.wall if asking else None,
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }
    print(json.dumps(line), flush=True)
