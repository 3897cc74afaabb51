"""Texts as unit vectors, so that their cosines say how alike they are.

Here belong the models that encode (the packaged one, a folder or hub id, an OpenAI-compatible
URL), the cache of what they gave, and the character n-grams that stand in where no model reads a
script. Here does not belong what a cosine means: thresholds and guards are `dedup`'s.

Public: `embedder`, `Embedder`, `can_read`, `NgramVectors`, `MINILM`, `EmbeddingError`.
"""

from bench_pipeline.providers.embeddings._base import MINILM, Embedder, EmbeddingError, can_read
from bench_pipeline.providers.embeddings._ngrams import NgramVectors
from bench_pipeline.providers.embeddings._open import embedder

__all__ = ["MINILM", "Embedder", "EmbeddingError", "NgramVectors", "can_read", "embedder"]
