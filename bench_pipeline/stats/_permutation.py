"""Sign patterns: how often chance alone parts two models as far as they were observed.

Under the null hypothesis the two models of a pair are exchangeable within a family, so the
family's difference is as likely with one sign as with the other. The statistic is linear in
those signs, so all pairs and all patterns are one matrix product.
"""

import numpy as np

from bench_pipeline.stats._record import FloatArray, Seed
from bench_pipeline.stats._resample import by_column

# 2**14 = 16,384 patterns: fewer than exact enumeration costs more than it answers.
EXACT_UNITS = 14
BLOCK_ROWS = 2_500

# Observed and permuted differences that are equal on paper (1/3 + 1/3 against 2/3) differ by
# rounding; they are ties, and ties count against the difference. Relative to Σ|terms|.
TIE = 1e-9
_SCALE = float(2**50)


class SignFlips:
    """Counts, for each column of `terms`, the sign patterns at least as extreme as observed.

    `terms` is families × pairs: what each family adds to the pair's statistic. All columns see
    the same patterns in the same order, so a pair's count depends only on its own terms, the
    seed and the number of patterns. Terms are put on an integer grid, on which products and
    sums are exact: the counts are the same at any thread count and on any machine.
    """

    def __init__(self, terms: FloatArray, seed: Seed) -> None:
        total = np.abs(by_column(terms)).sum(axis=1)
        safe = np.where(total > 0, total, 1.0)
        self._terms = np.rint(terms / safe * _SCALE)
        self._terms[np.abs(self._terms) < _SCALE * 1e-12] = 0.0  # a sum that cancels on paper
        self._sum = self._terms.sum(axis=0)
        self._threshold = np.abs(self._sum) - TIE * _SCALE
        self._rng = np.random.default_rng(seed)
        self.nonzero = (self._terms != 0).sum(axis=0)
        self.extreme = np.zeros(terms.shape[1], dtype=np.int64)
        self.patterns = np.zeros(terms.shape[1], dtype=np.int64)

    def exact(self, column: int) -> None:
        """Enumerate every pattern of the families of `column` whose difference is not zero."""
        own = self._terms[:, column]
        own = own[own != 0]
        codes = np.arange(2 ** len(own))[:, None]
        kept = ((codes >> np.arange(len(own))) & 1).astype(np.float64)
        sums = kept @ (2.0 * own) - own.sum()
        self.extreme[column] = int((np.abs(sums) >= self._threshold[column]).sum())
        self.patterns[column] = len(codes)

    def draw(self, columns: np.ndarray, patterns: int) -> None:
        """Compare `patterns` further random patterns in `columns`.

        Every earlier call must have had these columns too, or they would miss some patterns.
        """
        families = len(self._terms)
        doubled = 2.0 * self._terms[:, columns]
        for start in range(0, patterns, BLOCK_ROWS):
            rows = min(BLOCK_ROWS, patterns - start)
            raw = self._rng.integers(0, 256, size=(rows, -(-families // 8)), dtype=np.uint8)
            kept = np.unpackbits(raw, axis=1, count=families).astype(np.float64)
            sums = np.abs(kept @ doubled - self._sum[columns])
            self.extreme[columns] += (sums >= self._threshold[columns]).sum(axis=0)
        self.patterns[columns] += patterns

    def p_values(self, exact: np.ndarray) -> tuple[FloatArray, FloatArray]:
        """P-values and their Monte-Carlo standard errors; `exact` marks enumerated columns.

        Random patterns: (b + 1)/(m + 1), which counts the observed one and is never 0
        (Phipson and Smyth 2010). Enumerated: b/m, the observed one being among them.
        """
        b, m = self.extreme.astype(np.float64), self.patterns.astype(np.float64)
        p = np.where(exact, b / np.maximum(m, 1.0), (b + 1.0) / (m + 1.0))
        error = np.where(exact, 0.0, np.sqrt(p * (1.0 - p) / np.maximum(m, 1.0)))
        return np.minimum(p, 1.0), error
