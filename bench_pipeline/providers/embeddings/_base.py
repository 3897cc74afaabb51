"""What every embedding is, and what the packaged one cannot read."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from bench_pipeline.text import scripts_of

#: the English model that comes as a Python package
MINILM = "minilm"
_LEAST_LATIN = 0.5


class EmbeddingError(RuntimeError):
    """A model or a server that gave no vectors, through no fault of the texts."""


class Embedder(Protocol):
    """A model that encodes texts. `name` tells its cosines from those of another."""

    @property
    def name(self) -> str:
        """What tables and messages call it."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row of length one for each text: shape (n, d)."""


def can_read(name: str, text: str) -> bool:
    """Whether the embedding `name` was made for the script of `text`.

    The packaged MiniLM learnt from English alone: it gives unrelated Tamil sentences a cosine of
    0.8 and more. Of other models nothing is known, and all is let through.
    """
    if name != MINILM or text.isascii():
        return True
    shares = scripts_of(text)
    return not shares or shares.get("Latn", 0.0) >= _LEAST_LATIN


def unit(vectors: NDArray[np.float32], name: str) -> NDArray[np.float32]:
    """The vectors with length one.

    Raises:
        EmbeddingError: one of them is zero or not finite.
    """
    lengths = np.linalg.norm(vectors.astype(np.float64), axis=1, keepdims=True)
    if not (np.isfinite(lengths).all() and (lengths > 0).all()):
        raise EmbeddingError(f"{name} gave a vector that is zero or not finite")
    normal: NDArray[np.float32] = (vectors / lengths).astype(np.float32)
    return normal
