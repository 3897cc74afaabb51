"""Grading throughput: numeric answers a second, and lexical rows a second on whole frames.

Run `python benchmarks/grading.py`. Answers of up to 60 tokens, made from a seed; two passes, the
second is printed, so that caches are warm as they are in a partition.
"""

import random
import time
from concurrent.futures import ProcessPoolExecutor

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


def grade_all(seed: int) -> float:
    """Seconds to grade the numeric answers of one seed, the second time over."""
    answers = numeric_answers(random.Random(seed))
    for final in (False, True):
        started = time.perf_counter()
        for gold, answer in answers:
            grade("numeric", gold, answer, {"question": "How long is it?"})
        if final:
            return time.perf_counter() - started
    raise AssertionError


def main() -> None:
    """Print the rates."""
    print(f"numeric, one process     {NUMERIC / grade_all(1):>10,.0f} answers/s")
    with ProcessPoolExecutor(2) as pool:
        slowest = max(pool.map(grade_all, (1, 2)))
    print(f"numeric, two processes   {2 * NUMERIC / slowest:>10,.0f} answers/s (bar 10,000)")
    frame = lexical_frame(random.Random(7))
    for answer_type in ("substring", "word_overlap"):
        for final in (False, True):
            started = time.perf_counter()
            grade_lexical_frame(frame, answer_type)
            if final:
                rate = LEXICAL / (time.perf_counter() - started)
                print(f"{answer_type:<25}{rate:>10,.0f} rows/s (bar 50,000)")


if __name__ == "__main__":
    main()
