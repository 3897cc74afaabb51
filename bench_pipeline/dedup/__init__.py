"""Questions that ask the same, found and kept once.

Here belong the exact comparison of vectors, the guards that keep near-misses apart, the greedy
choice of the row that stays, and the ledger that lets a threshold move without comparing again.
Here does not belong how a text becomes a vector (`providers.embeddings`), nor who writes or marks
questions.

Public: `deduplicate`, `at_threshold`, `check_frame`, `Deduplicated`, `Settings`,
`similar_pairs`, `SimilarPairs`, `guard`, `Row`, `survivors`, `survivors_svg`.
"""

from bench_pipeline.dedup._deduplicate import (
    Deduplicated,
    Settings,
    at_threshold,
    check_frame,
    deduplicate,
)
from bench_pipeline.dedup._guards import Row, guard
from bench_pipeline.dedup._similar import SimilarPairs, similar_pairs
from bench_pipeline.dedup._survivors import survivors, survivors_svg

__all__ = [
    "Deduplicated",
    "Row",
    "Settings",
    "SimilarPairs",
    "at_threshold",
    "check_frame",
    "deduplicate",
    "guard",
    "similar_pairs",
    "survivors",
    "survivors_svg",
]
