"""How many questions a threshold leaves, as numbers and as a picture."""

from collections.abc import Sequence
from html import escape

import polars as pl

from bench_pipeline.dedup._deduplicate import at_threshold
from bench_pipeline.providers.embeddings import MINILM

_WIDTH, _HEIGHT = 640, 320
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 16, 40, 48
_TICKS = 5


def survivors(
    pairs: pl.DataFrame, frame: pl.DataFrame, thresholds: Sequence[float], model: str = MINILM
) -> pl.DataFrame:
    """One row a threshold: `threshold`, `kept`, `dropped`, `review` (pairs for people).

    The threshold is the embedding's and the n-grams' at once. Nothing is compared again: a
    threshold below the ledger's floor repeats the floor's figures.

    Raises:
        InputError: see `at_threshold`.
    """
    rows = []
    for threshold in thresholds:
        found = at_threshold(pairs, frame, threshold, threshold, model)
        kept = len(found.kept)
        rows.append((threshold, kept, frame.height - kept, found.review.height))
    schema = {"threshold": pl.Float64, "kept": pl.Int64, "dropped": pl.Int64, "review": pl.Int64}
    return pl.DataFrame(rows, schema=schema, orient="row")


def survivors_svg(counts: pl.DataFrame, threshold: float, title: str = "Questions kept") -> str:
    """The survivors against the threshold as an SVG picture, the threshold in force marked.

    `counts` is what `survivors` gives, with at least two different thresholds.

    Raises:
        ValueError: there are fewer.
    """
    points: list[tuple[float, int]] = counts.sort("threshold").select("threshold", "kept").rows()
    if len({at for at, _ in points}) < 2:
        raise ValueError("a curve needs two thresholds or more")
    first, last = points[0][0], points[-1][0]
    most = max(1, *(kept for _, kept in points))

    def x(at: float) -> float:
        return _LEFT + (at - first) / (last - first) * (_WIDTH - _LEFT - _RIGHT)

    def y(kept: float) -> float:
        return _HEIGHT - _BOTTOM - kept / most * (_HEIGHT - _TOP - _BOTTOM)

    line = " ".join(f"{x(at):.1f},{y(kept):.1f}" for at, kept in points)
    marks = [
        f'<text x="{x(at):.1f}" y="{_HEIGHT - _BOTTOM + 18}" text-anchor="middle">{at:.2f}</text>'
        for at in (first + (last - first) * k / _TICKS for k in range(_TICKS + 1))
    ]
    marks += [
        f'<text x="{_LEFT - 8}" y="{y(kept) + 4:.1f}" text-anchor="end">{kept:,}</text>'
        f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y(kept):.1f}" y2="{y(kept):.1f}" '
        'stroke="#ddd"/>'
        for kept in sorted({round(most * k / _TICKS) for k in range(_TICKS + 1)})
    ]
    if first <= threshold <= last:
        marks.append(
            f'<line x1="{x(threshold):.1f}" x2="{x(threshold):.1f}" y1="{_TOP}" '
            f'y2="{_HEIGHT - _BOTTOM}" stroke="#c33" stroke-dasharray="4 3"/>'
            f'<text x="{x(threshold):.1f}" y="{_TOP - 6}" text-anchor="middle" fill="#c33">'
            f"in force: {threshold:g}</text>"
        )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        f'width="{_WIDTH}" height="{_HEIGHT}" font-family="sans-serif" font-size="12">'
        f'<rect width="100%" height="100%" fill="#fff"/>'
        f'<text x="{_LEFT}" y="18" font-size="14">{escape(title)}</text>'
        f"{''.join(marks)}"
        f'<polyline points="{line}" fill="none" stroke="#246" stroke-width="2"/>'
        f'<text x="{_WIDTH / 2}" y="{_HEIGHT - 8}" text-anchor="middle">cosine threshold</text>'
        "</svg>\n"
    )
