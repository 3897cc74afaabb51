"""Frames and vectors that the tests of deduplication share."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray


class Planted:
    """An embedder that gives the vectors it was told, by text."""

    name = "planted"

    def __init__(self, vectors: dict[str, NDArray[np.float32]]) -> None:
        self._vectors = vectors
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.asked += texts
        return np.stack([self._vectors[text] for text in texts])


def unit_vectors(seed: int, count: int, dimensions: int = 8, spread: float = 0.4) -> Any:
    """Unit vectors around a few centres, so that many pairs are close."""
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(max(1, count // 4), dimensions))
    made = centres[rng.integers(len(centres), size=count)]
    made = made + spread * rng.normal(size=made.shape)
    return (made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float32)


def words_frame(count: int, seed: int) -> pl.DataFrame:
    """Rows whose texts no guard tells apart but by the answers of some."""
    rng = np.random.default_rng(seed)
    answers = [None, "the lotus", "the peacock"]
    return pl.DataFrame(
        {
            "id": [f"q{row}" for row in range(count)],
            "text": [f"what is called {'z' * row}y here" for row in range(count)],
            "answer": [answers[k] for k in rng.integers(3, size=count)],
            "score": [None if k == 0 else float(k) for k in rng.integers(4, size=count)],
            "language": ["en"] * count,
        },
        schema_overrides={"answer": pl.String, "score": pl.Float64},
    )
