"""Vectors from any server with OpenAI's `/embeddings`."""

import random
import time
from collections.abc import Sequence
from typing import Any

import httpx
import numpy as np
import orjson
from numpy.typing import NDArray

from bench_pipeline.contracts.errors import shown
from bench_pipeline.providers.embeddings._base import EmbeddingError, unit
from bench_pipeline.providers.redaction import redactor_of
from bench_pipeline.providers.retry import pause, retry_after

#: texts a request; servers commonly take up to 2,048 of them, and short requests fail cheaply
_BATCH = 128
_TRIES = 6
_SECONDS = 120.0
_RETRIED = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})


class OpenAIEmbedder:
    """`POST BASE_URL/embeddings`, key as a bearer token, one request after another."""

    def __init__(self, model: str, base_url: str, key: str | None) -> None:
        self.name = f"openai:{model}@{base_url}"
        self._model = model
        self._url = base_url.rstrip("/") + "/embeddings"
        self._headers = {"authorization": f"Bearer {key}"} if key else {}
        self._redactor = redactor_of(key)
        self._random = random.Random()

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Shape (n, d).

        Raises:
            EmbeddingError: the server refused, kept failing, or gave something else than a vector
                for each text.
        """
        if not texts:
            return np.empty((0, 0), np.float32)
        with httpx.Client(timeout=_SECONDS, headers=self._headers) as client:
            batches = [
                self._vectors(client, list(texts[at : at + _BATCH]))
                for at in range(0, len(texts), _BATCH)
            ]
        if len({batch.shape[1] for batch in batches}) > 1:
            raise EmbeddingError(f"{self.name} gave vectors of different lengths")
        return unit(np.concatenate(batches), self.name)

    def _vectors(self, client: httpx.Client, texts: list[str]) -> NDArray[np.float32]:
        body = self._post(client, {"model": self._model, "input": texts})
        try:
            rows = orjson.loads(body)["data"]
            placed = {int(row["index"]): row["embedding"] for row in rows}
            vectors = np.array([placed[place] for place in range(len(texts))], dtype=np.float32)
        except (orjson.JSONDecodeError, KeyError, TypeError, ValueError) as error:
            raise EmbeddingError(f"{self.name} sent no vector for each text") from error
        if len(rows) != len(texts) or vectors.ndim != 2:
            raise EmbeddingError(f"{self.name} sent {len(rows)} vectors for {len(texts)} texts")
        return vectors

    def _post(self, client: httpx.Client, body: dict[str, Any]) -> bytes:
        """The reply's body; what may pass is tried again."""
        problem = ""
        for tries in range(_TRIES):
            asked = None
            try:
                reply = client.post(self._url, json=body)
            except httpx.HTTPError as error:
                problem = f"{type(error).__name__}: {error}"
            else:
                if reply.status_code == httpx.codes.OK:
                    return reply.content
                problem = f"status {reply.status_code}: {shown(reply.text, 200)}"
                if reply.status_code not in _RETRIED:
                    break
                asked = retry_after(reply.headers)
            if tries + 1 < _TRIES:
                time.sleep(pause(tries, asked, self._random))
        said = self._redactor.text(problem) if self._redactor else problem
        raise EmbeddingError(f"{self.name} gave no vectors: {said}")
