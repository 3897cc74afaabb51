"""Answers that no model gave, shown on every board: what a score must beat to mean much."""

#: roster ids may not begin so
BASELINE_PREFIX = "baseline-"
BASELINE_TITLES = {
    "majority": "Baseline: most frequent answer of the type",
    "refuse": "Baseline: always refuse",
    "hedge": "Baseline: always hedge",
    "echo": "Baseline: echo the question",
}
