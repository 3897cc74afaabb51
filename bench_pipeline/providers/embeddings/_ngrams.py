"""Character n-grams: how alike two texts are written, in any script and without a model."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bench_pipeline.text import text_key

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


class NgramVectors:
    """Counts of two to four characters within words, dampened, of length one.

    There are no weights by rarity: a cosine then depends on its two texts alone, so that a new
    row changes no pair that was compared before. Word order counts for nothing here.
    """

    name = "char-ngrams"

    def vectors(self, texts: Sequence[str]) -> "csr_matrix":
        """A sparse (n, number of different n-grams) float32 matrix; a text with none is zeros."""
        import numpy as np
        from scipy.sparse import csr_matrix
        from sklearn.feature_extraction.text import TfidfVectorizer

        keys = [text_key(text) for text in texts]
        if not any(key.strip() for key in keys):
            return csr_matrix((len(texts), 1), dtype=np.float32)
        made = TfidfVectorizer(
            analyzer="char_wb",
            ngram_range=(2, 4),
            lowercase=False,
            use_idf=False,
            sublinear_tf=True,
            dtype=np.float32,
        )
        return csr_matrix(made.fit_transform(keys))
