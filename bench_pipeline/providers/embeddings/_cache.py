"""Vectors that were paid for with time: kept by model and text, shared by whoever runs."""

import hashlib
import io
import time
import uuid
import zipfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench_pipeline.providers.embeddings._base import Embedder, EmbeddingError
from bench_pipeline.storage.files import replace_file

#: texts encoded before what they gave is written, so that a run that is stopped loses little
_BATCH = 2048
_Known = dict[str, NDArray[np.float32]]


class CachedEmbedder:
    """An embedder whose vectors are read from `folder` where they are there.

    Every run adds segments of its own and none is ever changed, so that runs at one time need no
    lock: at worst they encode a text twice. A segment is put in place whole; one that cannot be
    read is passed over, and its texts are encoded again.
    """

    def __init__(self, inner: Embedder, folder: Path, identity: str) -> None:
        self.name = inner.name
        self._inner = inner
        self._folder = folder / hashlib.sha256(identity.encode()).hexdigest()[:16]

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The vectors of the texts; only those that are new are encoded, each once."""
        hashes = [
            hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest() for text in texts
        ]
        wanted = dict(zip(hashes, texts, strict=True))
        known = self._read(set(wanted))
        new = [key for key in wanted if key not in known]
        for at in range(0, len(new), _BATCH):
            batch = new[at : at + _BATCH]
            vectors = self._inner.embed([wanted[key] for key in batch])
            self._write(batch, vectors)
            known.update(zip(batch, vectors, strict=True))
        if not hashes:
            return self._inner.embed([])
        if len({len(known[key]) for key in wanted}) > 1:
            raise EmbeddingError(
                f"the cache {self._folder} holds vectors of other lengths than {self.name} gives; "
                "delete that folder"
            )
        return np.stack([known[key] for key in hashes])

    def _read(self, wanted: set[str]) -> _Known:
        known: _Known = {}
        for path in sorted(self._folder.glob("segment-*.npz")):
            known.update(_segment(path, wanted - known.keys()))
            if len(known) == len(wanted):
                break
        return known

    def _write(self, keys: list[str], vectors: NDArray[np.float32]) -> None:
        memory = io.BytesIO()
        np.savez(memory, keys=np.array(keys, dtype="S64"), vectors=vectors)
        name = f"segment-{time.time_ns():020d}-{uuid.uuid4().hex[:8]}.npz"
        replace_file(self._folder / name, memory.getvalue())


def _segment(path: Path, wanted: set[str]) -> _Known:
    """The wanted vectors of one segment; none of one that is damaged or vanished."""
    try:
        with np.load(path, allow_pickle=False) as arrays:
            keys = [key.decode("ascii") for key in arrays["keys"].tolist()]
            if wanted.isdisjoint(keys):
                return {}
            vectors = arrays["vectors"]
        if vectors.ndim != 2 or vectors.dtype != np.float32 or not np.isfinite(vectors).all():
            return {}
        return {key: row for key, row in zip(keys, vectors, strict=True) if key in wanted}
    except (OSError, EOFError, ValueError, KeyError, AttributeError, zipfile.BadZipFile):
        return {}
