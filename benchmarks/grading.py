"""Grading throughput: numeric answers a second, and lexical rows a second on whole frames.

Run `python benchmarks/grading.py`. Answers of about 60 tokens, made from a seed; two passes, the
second is printed, so that caches are warm as they are in a partition.
"""

import random
import time

import polars as pl

from bench_pipeline.grade import grade
from bench_pipeline.grade.lexical_frame import grade_lexical_frame

NUMERIC = 20_000
LEXICAL = 100_000
WORDS = [
    "the",
    "river",
    "rises",
    "in",
    "hills",
    "near",
    "a",
    "town",
    "and",
    "flows",
    "east",
    "through",
    "plains",
    "until",
    "it",
    "meets",
]
GOLDS = ["Arabian Sea", "Brahmaputra", "1947", "Chandragupta Maurya", "Article 370"]


def numeric_answers(rng: random.Random) -> list[tuple[str, str]]:
    """(gold, answer): a sentence or two around a number, half of them right."""
    rows = []
    for _ in range(NUMERIC):
        value = rng.randrange(1, 10**7)
        said = value if rng.random() < 0.5 else value * 10
        prose = " ".join(rng.choices(WORDS, k=rng.randrange(5, 40)))
        rows.append((str(value), f"{prose}. So the answer is {said:,}."))
    return rows


def lexical_frame(rng: random.Random) -> pl.DataFrame:
    """Answers of 60 tokens; a third of them hold their gold."""
    golds = rng.choices(GOLDS, k=LEXICAL)
    answers = []
    for gold in golds:
        words = rng.choices(WORDS, k=60)
        if rng.random() < 0.33:
            words[rng.randrange(58)] = gold
        answers.append(" ".join(words))
    return pl.DataFrame({"gold": golds, "answer": answers})


def main() -> None:
    """Print both rates."""
    rng = random.Random(7)
    answers = numeric_answers(rng)
    frame = lexical_frame(rng)
    for final in (False, True):
        started = time.perf_counter()
        for gold, answer in answers:
            grade("numeric", gold, answer, {"question": "How long is it?"})
        numeric = NUMERIC / (time.perf_counter() - started)
        rates = {}
        for answer_type in ("substring", "word_overlap"):
            started = time.perf_counter()
            grade_lexical_frame(frame, answer_type)
            rates[answer_type] = LEXICAL / (time.perf_counter() - started)
        if final:
            print(f"numeric       {numeric:>10,.0f} answers/s (one core; bar 10,000 on two)")
            for name, rate in rates.items():
                print(f"{name:<14}{rate:>10,.0f} rows/s (bar 50,000)")


if __name__ == "__main__":
    main()
