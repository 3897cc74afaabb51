"""A mutation fuzzer over `grade()`: known values in known styles, spoilt and unspoilt.

`python -m bench_pipeline_tests.grade.mutations 1000000` prints, per grader, the share of unspoilt
right values graded correct, the wrong values graded correct (none may be), the undetermined share,
and answers a second. Noise (characters lost, doubled, swapped, cut) is graded too: it has no
known verdict, but nothing may raise.
"""

import random
import sys
import time
import unicodedata
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from bench_pipeline.contracts.grades import Verdict
from bench_pipeline.grade import ANSWER_TYPES, grade
from bench_pipeline_tests.grade.styles import styles

_FULLWIDTH = str.maketrans("0123456789", "０１２３４５６７８９")
_DEVANAGARI = str.maketrans("0123456789", "०१२३४५६७८९")
_UNITS = ["kg", "g", "km", "m", "acre", "hectare", "litre", "sq ft"]
_SEASONS = {"kharif": ["monsoon crop"], "rabi": ["winter crop"], "zaid": ["summer crop"]}
_STRINGS = ["Sali", "Winter wheat", "AAACB1234C", "12,34,567", "Thiruvananthapuram", "Z", "Boro"]

Rng = random.Random
Known = tuple[str, dict[str, Any]]


def _plain(rng: Rng) -> str:
    digits = rng.choice([1, 2, 3, 4, 5, 6, 7, 8])
    whole = rng.randrange(2, 10**digits + 2)
    return str(whole) if rng.random() < 0.8 else f"{whole}.{rng.randrange(1, 10)}"


def _date(rng: Rng) -> str:
    return f"{rng.randrange(1900, 2040)}-{rng.randrange(1, 13):02d}-{rng.randrange(1, 29):02d}"


def _months(rng: Rng) -> str:
    first, length = rng.randrange(12), rng.randrange(2, 6)
    return ",".join(str((first + k) % 12 + 1) for k in range(length))


def _fiscal(rng: Rng) -> str:
    year = rng.randrange(1950, 2030)
    return f"{year}-04-01..{year + 1}-03-31"


_KNOWN: dict[str, Callable[[Rng], Known]] = {
    "numeric": lambda rng: (_plain(rng), {}),
    "numeric_with_unit": lambda rng: (f"{_plain(rng)} {rng.choice(_UNITS)}", {}),
    "date": lambda rng: (_date(rng), {}),
    "date_range": lambda rng: (_fiscal(rng), {"year": "fiscal"}),
    "month_set": lambda rng: (_months(rng), {}),
    "enum": lambda rng: (
        (rng.choice(["true", "false"]), {})
        if rng.random() < 0.5
        else (rng.choice(list(_SEASONS)), {"choices": _SEASONS})
    ),
    "string_normalized": lambda rng: (rng.choice(_STRINGS), {}),
    "clarification": lambda rng: (
        "-",
        {"depends_on": ["state"], "question": "How many square feet is a bigha?"},
    ),
}


def _keep(rng: Rng, text: str) -> str:
    """`text` with something around or on it that changes nothing it says."""
    frame = rng.choice(
        [
            "{}",
            "Sure! {}",
            "{}\n\nI hope this helps.",
            "  {}\n",
            "> {}",
            "Okay, let me work it out.\n\n{}",
            "<think>\nIs it something else?\n</think>\n{}",
            "## Result\n\n{}",
            "“{}”",
        ]
    )
    if text.lstrip().startswith(("{", "```")):
        return frame.format(text)
    change = rng.random()
    if change < 0.1:
        text = unicodedata.normalize("NFD", text)
    elif change < 0.2:
        text = text.translate(rng.choice([_FULLWIDTH, _DEVANAGARI]))
    elif change < 0.3:
        text = text.replace(" ", "\u00a0")
    return frame.format(text)


def _noise(rng: Rng, text: str) -> str:
    """`text` with a few characters lost, doubled, swapped, replaced or cut off."""
    letters = list(text)
    for _ in range(rng.randrange(1, 6)):
        if not letters:
            break
        k = rng.randrange(len(letters))
        change = rng.randrange(5)
        if change == 0:
            del letters[k]
        elif change == 1:
            letters.insert(k, letters[k])
        elif change == 2:
            letters[k] = chr(rng.choice([rng.randrange(32, 127), rng.randrange(0x900, 0x97F)]))
        elif change == 3:
            letters[k:] = letters[k:][::-1]
        else:
            del letters[k:]
    return "".join(letters)


@dataclass
class Tally:
    """What became of one grader's answers."""

    right: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    noise: int = 0
    seconds: float = 0.0
    mistakes: list[str] = field(default_factory=list)
    declined: list[str] = field(default_factory=list)

    @property
    def answers(self) -> int:
        return self.right.total() + self.wrong.total() + self.noise


def fuzz(answer_type: str, count: int, seed: int) -> Tally:
    """Grade `count` mutated answers of one type."""
    rng, tally = random.Random(f"{answer_type}:{seed}"), Tally()
    while tally.answers < count:
        gold, options = _KNOWN[answer_type](rng)
        other = _KNOWN[answer_type](rng)[0]
        for text in styles(answer_type, gold, options):
            _one(rng, tally, answer_type, gold, options, text, spoilt=False)
        if answer_type == "clarification":
            wrong = styles("numeric", _plain(rng), {})
        elif other == gold or (options.get("choices", {}) and other not in options["choices"]):
            continue
        else:
            wrong = styles(answer_type, other, options)
        for text in wrong:
            _one(rng, tally, answer_type, gold, options, text, spoilt=True)
    return tally


def _one(
    rng: Rng,
    tally: Tally,
    answer_type: str,
    gold: str,
    options: dict[str, Any],
    text: str,
    *,
    spoilt: bool,
) -> None:
    noisy = rng.random() < 0.15
    answer = _noise(rng, text) if noisy else _keep(rng, text)
    started = time.perf_counter()
    verdict = grade(answer_type, gold, answer, options).verdict
    tally.seconds += time.perf_counter() - started
    if noisy:
        tally.noise += 1
    elif spoilt:
        tally.wrong[verdict] += 1
        if verdict is Verdict.CORRECT:
            tally.mistakes.append(f"{answer_type} gold {gold!r}: {answer!r} graded correct")
    else:
        tally.right[verdict] += 1
        if verdict is not Verdict.CORRECT and len(tally.declined) < 20:
            tally.declined.append(f"{answer_type} gold {gold!r}: {answer!r} graded {verdict}")


def main() -> None:
    """Print the table for so many answers in all."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    print(f"{'grader':<20}{'answers':>9}{'right: correct':>16}{'undeterm.':>11}", end="")
    print(f"{'wrong: correct':>16}{'undeterm.':>11}{'answers/s':>11}")
    bad = 0
    for answer_type in ANSWER_TYPES:
        tally = fuzz(answer_type, count // len(ANSWER_TYPES), seed=1)
        right, wrong = tally.right.total(), tally.wrong.total()
        bad += len(tally.mistakes)
        print(
            f"{answer_type:<20}{tally.answers:>9,}"
            f"{tally.right[Verdict.CORRECT] / right:>16.2%}"
            f"{tally.right[Verdict.UNDETERMINED] / right:>11.2%}"
            f"{tally.wrong[Verdict.CORRECT]:>16,}"
            f"{tally.wrong[Verdict.UNDETERMINED] / max(wrong, 1):>11.2%}"
            f"{tally.answers / tally.seconds:>11,.0f}"
        )
        for line in [*tally.mistakes[:5], *tally.declined[:5]]:
            print("   ", line)
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
