"""The tables of a board: scores, comparisons, how items behave, and the leaderboard."""

import polars as pl

from bench_pipeline.contracts.schema import Column, TableSchema

#: requests a model: expected = answered + missing; answered = the four verdicts together
COVERAGE_COUNTS = (
    "expected",
    "asked",
    "answered",
    "correct",
    "incorrect",
    "refused",
    "undetermined",
    "missing",
)
RESULT_STATES = ("ok", "degenerate", "undefined")

ITEM_ID = Column("item_id", pl.String, "one thing that is asked, in one language")
MODEL = Column("model", pl.String, "id in the roster, or a baseline's")
VERSION = Column("version", pl.String, "suite version (semver) of the data that was used")
PROFILE = Column("profile", pl.String, "which stated subset of the suite the figure is about")
_RESULT = (
    Column("low", pl.Float64, "lower end of the 95 % interval", nullable=True),
    Column("high", pl.Float64, "upper end of the 95 % interval", nullable=True),
)
SCORES = TableSchema(
    "scores",
    "One metric for model × suite × slice, with interval, n and method.",
    (
        MODEL,
        VERSION,
        PROFILE,
        Column("metric", pl.String, "name of the metric"),
        Column("slice", pl.String, "overall, or category:NAME, regime:NAME …"),
        Column("value", pl.Float64, "null where undefined", nullable=True),
        *_RESULT,
        Column("n", pl.Int64, "items (or pairs) that the value rests on"),
        Column("dropped", pl.Int64, "items with nothing determinable, left out and counted"),
        Column("unit", pl.String, "percent, points, usd, ms or count"),
        Column("method", pl.String, "how the interval was computed"),
        Column("state", pl.String, "whether the value is defined", allowed=RESULT_STATES),
        Column("reason", pl.String, "why it is undefined or degenerate", nullable=True),
        Column("primary", pl.Boolean, "the metric that ranks"),
        Column("baseline", pl.Boolean, "a baseline's row"),
    ),
    key=("version", "model", "profile", "metric", "slice"),
)
COMPARISONS = TableSchema(
    "comparisons",
    "Paired differences of the primary metric between models, Holm-corrected over all pairs.",
    (
        VERSION,
        PROFILE,
        Column("metric", pl.String, "the primary metric"),
        Column("model_a", pl.String, "the higher ranked"),
        Column("model_b", pl.String, "the lower ranked"),
        Column("difference", pl.Float64, "a minus b, in points", nullable=True),
        *_RESULT,
        Column("p_raw", pl.Float64, "of this comparison alone", nullable=True),
        Column("p_holm", pl.Float64, "corrected over the family", nullable=True),
        Column("permutations", pl.Int64, "sign patterns compared", nullable=True),
        Column("monte_carlo_error", pl.Float64, "standard error of p_raw, 0 exact", nullable=True),
        Column("significant", pl.Boolean, "corrected p at or under 0.05"),
        Column("adjacent", pl.Boolean, "neighbours on the board"),
        Column("n", pl.Int64, "items that both models have a value for"),
        Column("family_size", pl.Int64, "comparisons that Holm corrected for"),
        Column("method", pl.String, "test and permutations"),
        Column("state", pl.String, "whether the difference is defined", allowed=RESULT_STATES),
        Column("reason", pl.String, "why not", nullable=True),
    ),
    key=("version", "profile", "model_a", "model_b"),
    may_be_empty=True,
)
LEADERBOARD = TableSchema(
    "leaderboard",
    "The board: a row a model, ranked on the primary metric with its interval and tie group.",
    (
        VERSION,
        PROFILE,
        MODEL,
        Column("title", pl.String, "what a reader sees"),
        Column("label", pl.String, "reasoning policy, overrides and dropped parameters"),
        Column("baseline", pl.Boolean, "a baseline's row"),
        Column("review_status", pl.String, "which gate the items passed, with their number"),
        Column("unverified", pl.Int64, "items that rest on a source which nobody read"),
        Column("bank_hash", pl.String, "sha256 of the items and golds that were used"),
        Column("change", pl.Int32, "newest change of the corrections ledger that it takes in"),
        Column("rank_low", pl.Int32, "best rank of its 95 % rank interval", nullable=True),
        Column("rank_high", pl.Int32, "worst rank of it", nullable=True),
        Column("tie_group", pl.Int32, "neighbours not separated share it", nullable=True),
        Column("primary_metric", pl.String, "the metric that ranks"),
        Column("value", pl.Float64, "null where undefined or withheld", nullable=True),
        *_RESULT,
        Column("n", pl.Int64, "items that the value rests on"),
        Column("expected", pl.Int64, "requests of the profile = answered + missing"),
        Column("asked", pl.Int64, "requests that were sent at least once"),
        Column("answered", pl.Int64, "correct + incorrect + refused + undetermined"),
        Column("correct", pl.Int64, "requests graded correct"),
        Column("incorrect", pl.Int64, "requests graded incorrect"),
        Column("refused", pl.Int64, "requests refused"),
        Column("undetermined", pl.Int64, "requests with nothing comparable"),
        Column("missing", pl.Int64, "never asked, or failed for want of an answer"),
        Column("cost_usd", pl.Float64, "of the answers; null where any is unknown", nullable=True),
        Column("latency_ms", pl.Float64, "median", nullable=True),
        Column("withheld", pl.String, "why the row is withheld, if it is", nullable=True),
    ),
    key=("version", "profile", "model"),
    version=2,
)

ITEM_ANALYSIS = TableSchema(
    "item_analysis",
    "How each item behaves over the models, and which golds a person should look at again.",
    (
        VERSION,
        PROFILE,
        ITEM_ID,
        Column("category", pl.String, "category of the suite"),
        Column("n_models", pl.Int64, "models that have a value for the item"),
        Column("difficulty", pl.Float64, "mean value over models, in percent", nullable=True),
        Column("discrimination", pl.Float64, "correlation with the rest score", nullable=True),
        Column("reason", pl.String, "why discrimination is undefined", nullable=True),
        Column("wrong_value", pl.String, "wrong value that most families share", nullable=True),
        Column("wrong_families", pl.Int64, "model families that gave it"),
        Column("candidate", pl.Boolean, "a candidate for gold review"),
        Column("why", pl.String, "why it is one", nullable=True),
    ),
    key=("profile", "item_id"),
    may_be_empty=True,
)
