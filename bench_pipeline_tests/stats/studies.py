"""Simulated studies whose truth is known: the designs of the suites, thousands at a time.

Every study is one column, so that one call of the function under test judges all of them.
"""

from dataclasses import dataclass

import numpy as np

from bench_pipeline.stats._record import FloatArray, IntArray


@dataclass(frozen=True)
class Design:
    """Families in strata. `means` are the true stratum means, `items` the items a family has."""

    name: str
    families: tuple[int, ...]
    means: tuple[float, ...]
    items: tuple[int, ...] = (1,)
    likeness: float = 0.0  # correlation of the items of a family
    bounds: tuple[float, float] = (0.0, 1.0)

    @property
    def strata(self) -> IntArray:
        return np.repeat(np.arange(len(self.families)), self.families)

    @property
    def truth(self) -> float:
        return float(np.mean(self.means))


def studies(design: Design, number: int, seed: int) -> tuple[FloatArray, FloatArray]:
    """Sums and counts (families × studies): yes/no items, or scores where bounds exceed 1."""
    rng = np.random.default_rng(seed)
    sums, counts = [], []
    for size, mean in zip(design.families, design.means, strict=True):
        items = np.resize(np.array(design.items), size)[:, None]
        if design.bounds[1] > 1.0:
            sums.append(_scores(rng, design, mean, items, number))
        else:
            chance = _family_chances(rng, mean, design.likeness, (size, number))
            sums.append(rng.binomial(items, chance).astype(np.float64))
        counts.append(np.broadcast_to(items, (size, number)).astype(np.float64))
    return np.vstack(sums), np.vstack(counts)


def _family_chances(
    rng: np.random.Generator, mean: float, likeness: float, shape: tuple[int, int]
) -> FloatArray:
    if likeness == 0.0:
        return np.full(shape, mean)
    weight = (1.0 - likeness) / likeness
    return rng.beta(mean * weight, (1.0 - mean) * weight, size=shape)


def _scores(
    rng: np.random.Generator, design: Design, mean: float, items: IntArray, number: int
) -> FloatArray:
    """Judge scores: a family's level and a rendering's own noise, kept inside the bounds.

    A scaled beta has exactly the mean wanted, where clipped normal noise would move it.
    """
    width = design.bounds[1]
    level = width * rng.beta(6.0 * mean / width, 6.0 * (1.0 - mean / width), (len(items), number))
    total = np.zeros((len(items), number))
    for rendering in range(int(items.max())):
        share = np.clip(level / width, 1e-6, 1.0 - 1e-6)
        noisy = width * rng.beta(20.0 * share, 20.0 * (1.0 - share))
        total += np.where(items > rendering, noisy, 0.0)
    return total


BKP = (96, 90, 84, 78, 70, 62, 54)
SOCIAL = (2, 2, 2, 2, 2, 2, 3, 3)
LANGUAGES = (3, 3, 3, 3, 3, 3, 3, 3, 1)
REGIONAL = (30, 26, 25, 24, 18)

DESIGNS = (
    Design(
        "534 in 7, families of 1-3", BKP, (0.8, 0.7, 0.6, 0.5, 0.45, 0.4, 0.3), (1, 1, 2, 3), 0.3
    ),
    Design("534 in 7, 3 % right", BKP, (0.03,) * 7, (1, 1, 2, 3), 0.1),
    Design("534 in 7, 97 % right", BKP, (0.97, 0.99, 0.95, 0.96, 0.98, 0.97, 0.97)),
    Design("18 in 8, scores", SOCIAL, (6, 7, 5, 6, 8, 4, 6, 7), LANGUAGES, bounds=(0.0, 10.0)),
    Design(
        "18 in 8, high scores", SOCIAL, (9, 9, 8.5, 9, 9.5, 9, 8, 9), LANGUAGES, bounds=(0.0, 10.0)
    ),
    Design(
        "18 in 8, two strata of 1",
        (4, 3, 3, 2, 2, 2, 1, 1),
        (6, 7, 5, 6, 8, 4, 6, 7),
        LANGUAGES,
        bounds=(0.0, 10.0),
    ),
    Design("123 in 5", REGIONAL, (0.7, 0.6, 0.5, 0.4, 0.5)),
    Design("123 in 5, 5 % right", REGIONAL, (0.05,) * 5),
    Design("123 in 5, 92 % right", REGIONAL, (0.95, 0.9, 0.9, 0.95, 0.9)),
)
