"""One search for close pairs as a process of its own: vectors in, count, time and memory out."""

import argparse
import json
import resource
import time
from pathlib import Path

import numpy as np


def ours(vectors: np.ndarray, threshold: float) -> np.ndarray:
    """Pairs as rows of (left, right)."""
    from bench_pipeline.dedup import similar_pairs

    found = similar_pairs(vectors, threshold)
    return np.stack([found.left, found.right], axis=1)


def faiss_flat(vectors: np.ndarray, threshold: float) -> np.ndarray:
    """The same by faiss's exact range search, a batch of queries at a time."""
    import faiss

    index = faiss.IndexFlatIP(vectors.shape[1])
    index.add(vectors)
    pairs = []
    for start in range(0, len(vectors), 4096):
        limits, _, labels = index.range_search(vectors[start : start + 4096], threshold)
        counts = np.diff(limits.astype(np.int64))
        left = np.repeat(np.arange(start, start + len(counts)), counts)
        above = labels > left
        pairs.append(np.stack([left[above], labels[above]], axis=1))
    return np.concatenate(pairs)


def main() -> None:
    """Print a line of JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--search", choices=["ours", "faiss"], required=True)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--threshold", type=float, required=True)
    wanted = parser.parse_args()
    vectors = np.load(wanted.folder / "vectors.npy")
    planted = np.load(wanted.folder / "planted.npy")
    search = ours if wanted.search == "ours" else faiss_flat
    search(vectors[:256], wanted.threshold)  # imports and first touches are not counted
    started = time.perf_counter()
    pairs = search(vectors, wanted.threshold)
    seconds = time.perf_counter() - started
    found = {(min(pair), max(pair)) for pair in pairs.tolist()}
    line = {
        "seconds": seconds,
        "pairs": len(pairs),
        "planted_found": sum((min(pair), max(pair)) in found for pair in planted.tolist()),
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }
    print(json.dumps(line))


if __name__ == "__main__":
    main()
