"""Time and memory of the exact comparison of vectors, beside faiss's exact range search.

Run `python benchmarks/dedup.py`. Synthetic 384-dimensional unit vectors, one in fifty of them a
near copy of another; both searches get the same file, one process after the other, each with
all cores. `--ours` leaves faiss out, which is installed into an environment of its own.
"""

import argparse
import json
import subprocess
import tempfile
from pathlib import Path

import numpy as np
from _clients import Client, cache_folder

DIMENSIONS, THRESHOLD = 384, 0.86
OURS = Client("bench-pipeline", "dedup_search.py")
FAISS = Client("faiss", "dedup_search.py", ("faiss-cpu==1.15.1", "numpy>=2"))
_SEARCHES = {"ours": OURS, "faiss": FAISS}


def main() -> None:
    """Print a row for each size and search."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--ours", action="store_true", help="without faiss")
    parser.add_argument("--cache", type=Path, default=cache_folder())
    wanted = parser.parse_args()
    searches = ["ours"] if wanted.ours else ["ours", "faiss"]
    print("| vectors | search | seconds | pairs | planted found | peak MB |")
    print("|--:|---|--:|--:|--:|--:|")
    for size in wanted.sizes:
        with tempfile.TemporaryDirectory() as folder:
            planted = _write(Path(folder), size)
            for name in searches:
                line = _run(name, Path(folder), wanted.cache)
                print(
                    f"| {size:,} | {_SEARCHES[name].name} | {line['seconds']:.1f} | "
                    f"{line['pairs']:,} | {line['planted_found']:,} of {planted:,} | "
                    f"{line['peak_mb']:.0f} |",
                    flush=True,
                )


def _write(folder: Path, size: int) -> int:
    """Vectors and the pairs planted among them, at cosines from about 0.88 to 1."""
    rng = np.random.default_rng(size)
    vectors = rng.standard_normal((size, DIMENSIONS), dtype=np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    chosen = rng.permutation(size)
    count = size // 50
    copies, originals = chosen[:count], chosen[count : 2 * count]
    noise = rng.standard_normal((count, DIMENSIONS), dtype=np.float32)
    noise *= rng.uniform(0, 0.5, (count, 1)).astype(np.float32) / np.sqrt(np.float32(DIMENSIONS))
    near = vectors[originals] + noise
    vectors[copies] = near / np.linalg.norm(near, axis=1, keepdims=True)
    np.save(folder / "vectors.npy", vectors)
    np.save(folder / "planted.npy", np.stack([copies, originals], axis=1))
    return count


def _run(name: str, folder: Path, cache: Path) -> dict[str, float]:
    client = _SEARCHES[name]
    script = Path(__file__).resolve().parent / "clients" / client.script
    command = [client.python(cache), str(script), "--search", name, "--folder", str(folder)]
    done = subprocess.run(
        [*command, "--threshold", str(THRESHOLD)], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"{client.name} failed:\n{done.stderr[-3000:]}")
    line: dict[str, float] = json.loads(done.stdout.strip().splitlines()[-1])
    return line


if __name__ == "__main__":
    main()
