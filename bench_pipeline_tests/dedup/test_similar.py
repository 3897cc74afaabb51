"""Similar pairs against every pair computed in float64."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from threadpoolctl import threadpool_limits

from bench_pipeline.dedup import similar_pairs
from bench_pipeline_tests.dedup.frames import unit_vectors


def _brute(vectors: np.ndarray, threshold: float) -> dict[tuple[int, int], float]:
    wide = vectors.astype(np.float64)
    wide /= np.maximum(np.linalg.norm(wide, axis=1, keepdims=True), 1e-300)
    found = {}
    for i in range(len(wide)):
        for j in range(i + 1, len(wide)):
            cosine = round(float(np.dot(wide[i], wide[j])), 6)
            if cosine >= threshold:
                found[i, j] = cosine
    return found


def _as_dict(pairs: object) -> dict[tuple[int, int], float]:
    return dict(
        zip(
            zip(pairs.left.tolist(), pairs.right.tolist(), strict=True),
            pairs.cosine.tolist(),
            strict=True,
        )
    )


@pytest.mark.parametrize("count", [0, 1, 2, 97])
@pytest.mark.parametrize("block", [1, 7, 32, 2048])
@pytest.mark.parametrize("sparse", [False, True])
def test_every_close_pair_is_found_and_no_other(count: int, block: int, sparse: bool) -> None:
    vectors = unit_vectors(seed=count, count=count) if count else np.empty((0, 8), np.float32)
    found = similar_pairs(csr_matrix(vectors) if sparse else vectors, 0.8, block)
    expected = _brute(vectors, 0.8)
    assert _as_dict(found).keys() == expected.keys()
    for pair, cosine in _as_dict(found).items():
        assert cosine == pytest.approx(expected[pair], abs=1.1e-6)
    assert count < 97 or 50 < len(expected) < 97 * 96 / 2


def test_neither_blocks_nor_threads_change_a_bit() -> None:
    vectors = unit_vectors(seed=5, count=700, dimensions=384)
    whole = similar_pairs(vectors, 0.7)
    assert len(whole) > 100
    for block, threads in ((13, 1), (256, 2), (699, 1)):
        with threadpool_limits(threads):
            again = similar_pairs(vectors, 0.7, block)
        assert np.array_equal(whole.left, again.left)
        assert np.array_equal(whole.right, again.right)
        assert np.array_equal(whole.cosine, again.cosine)


def test_a_pair_at_the_threshold_counts() -> None:
    vectors = np.array([[1, 0], [0.6, 0.8], [0, 1]], dtype=np.float32)
    assert similar_pairs(vectors, 0.6).cosine.tolist() == [0.6, 0.8]
    assert similar_pairs(vectors, 0.600001).cosine.tolist() == [0.8]


def test_copies_have_cosine_one_and_zeros_have_none() -> None:
    row = unit_vectors(seed=1, count=1, dimensions=384)[0]
    found = similar_pairs(np.stack([row, row, np.zeros_like(row), np.zeros_like(row)]), 0.5)
    assert _as_dict(found) == {(0, 1): 1.0}


def test_memory_follows_the_pairs_not_their_square() -> None:
    import tracemalloc

    vectors = unit_vectors(seed=2, count=6000, dimensions=64, spread=3.0)
    tracemalloc.start()
    similar_pairs(vectors, 0.9, block=512)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 6000 * 6000  # a byte for each pair would be more


@pytest.mark.parametrize(
    ("vectors", "threshold", "block", "said"),
    [
        ([[1.0, 0.0]], 0.0, 8, "above 0"),
        ([[1.0, 0.0]], 1.1, 8, "at most 1"),
        ([[1.0, 0.0]], 0.5, 0, "1 or more"),
        ([[1.0, 0.0], [3.0, 4.0]], 0.5, 8, "vector 1 has length 5"),
        ([[1.0, 0.0], [float("nan"), 0.0]], 0.5, 8, "vector 1"),
    ],
)
def test_what_cannot_be_compared(
    vectors: list[list[float]], threshold: float, block: int, said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        similar_pairs(np.array(vectors, dtype=np.float32), threshold, block)
