"""The bootstrap's bar: 28 models × 1,086 items × 10,000 resamples of the macro mean.

Run `python benchmarks/bootstrap.py`. Whole-process imports are not counted.
"""

import time

import numpy as np

from bench_pipeline.stats import family_sums, pairwise_macro_permutation, stratified_ratio_means

MODELS, ITEMS, RESAMPLES = 28, 1_086, 10_000


def main() -> None:
    """Print seconds of the scores and of all 378 paired comparisons."""
    rng = np.random.default_rng(3)
    values = (rng.random((ITEMS, MODELS)) < np.linspace(0.3, 0.8, MODELS)).astype(float)
    families = np.arange(ITEMS) // 2
    strata = families % 7
    started = time.perf_counter()
    sums = family_sums(values, families, strata)
    stratified_ratio_means(
        sums.sums, sums.counts, sums.strata, resamples=RESAMPLES, seed=1, bounds=(0.0, 1.0)
    )
    print(f"scores       {time.perf_counter() - started:6.2f} s (bar 2 s)")
    started = time.perf_counter()
    found = pairwise_macro_permutation(values, families, strata, seed=1, bounds=(-1.0, 1.0))
    print(
        f"comparisons  {time.perf_counter() - started:6.2f} s, {len(found.pairs)} pairs, "
        f"{len(found.undecided)} undecided"
    )


if __name__ == "__main__":
    main()
