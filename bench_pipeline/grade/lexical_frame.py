"""Substring and word overlap for a whole frame at once, by the rules of the scalar graders.

Rows that need more than tokens (thinking blocks, JSON, aliases, choices, words that decline) go
through the scalar grader one by one; the rest is polars expressions.
"""

from decimal import Decimal
from typing import Any

import polars as pl

from bench_pipeline.contracts.grades import Flag, Verdict
from bench_pipeline.grade import _lexical as lexical
from bench_pipeline.grade._answer import MAX_LENGTH
from bench_pipeline.grade._door import grade
from bench_pipeline.grade._errors import GradeInputError
from bench_pipeline.grade._refusal import refusing_source, whole_refusal_lines
from bench_pipeline.text._frame_keys import folded_column, token_line_column

SCHEMA: dict[str, pl.DataType | type[pl.DataType]] = {
    "verdict": pl.String,
    "rule": pl.String,
    "reason": pl.String,
    "extracted": pl.String,
    "flags": pl.List(pl.String),
}
_HEDGED = [str(Flag.HEDGED_MATCH)]
_NEEDS_SCALAR = r"(?i)\{|<\s?/?\s?(?:think|thought|reasoning)|\[/?think\]|\p{M}{41}"


def grade_lexical_frame(
    frame: pl.DataFrame, answer_type: str, threshold: str = "0.5"
) -> pl.DataFrame:
    """Grade each row of a frame; one row of `verdict, rule, reason, extracted, flags` for each.

    Columns read: `answer` (string, null for none), `gold` (string) and, where they exist, `aliases`
    and `choices` (lists of strings). `threshold` is the suite's, for word overlap. Spans are left
    out. GradeInputError for another answer type, a missing column or a gold without a word.
    """
    if answer_type not in ("substring", "word_overlap"):
        raise GradeInputError(
            f"answer type {answer_type!r} has no frame grader; accepted are substring, word_overlap"
        )
    missing = {"answer", "gold"} - set(frame.columns)
    if missing:
        raise GradeInputError(
            f"the frame has no column {sorted(missing)}; accepted are answer, gold, "
            f"aliases, choices"
        )
    table = _with_lines(frame)
    _check_golds(table)
    table = table.with_columns(scalar=_needs_scalar(table))
    plain = table.filter(~pl.col("scalar"))
    decided = (
        _substring(plain)
        if answer_type == "substring"
        else _word_overlap(plain, Decimal(threshold))
    )
    by_hand = _scalar_rows(table.filter("scalar"), answer_type, threshold)
    return pl.concat([decided, by_hand]).sort("row").drop("row")


def _with_lines(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with folded answers and the token lines of answers and golds."""
    folded = folded_column(frame.get_column("answer").cast(pl.String).fill_null(""))
    gold = folded_column(frame.get_column("gold").cast(pl.String).fill_null(""))
    return frame.with_row_index("row").with_columns(
        folded=folded, line=token_line_column(folded), gold_line=token_line_column(gold)
    )


def _check_golds(table: pl.DataFrame) -> None:
    bad = table.filter(pl.col("gold_line") == " ")
    if bad.height:
        raise GradeInputError(
            f"row {bad.get_column('row')[0]}: lexical gold is {bad.get_column('gold')[0]!r}; "
            "accepted is a text with at least one word or number"
        )


def _needs_scalar(table: pl.DataFrame) -> pl.Series:
    """Which rows hold more than tokens; a necessary condition of every rule outside this module."""
    condition = (
        (pl.col("line") == " ")
        | pl.col("answer").str.contains(_NEEDS_SCALAR)
        | (pl.col("answer").str.len_chars() > MAX_LENGTH)
        | pl.col("folded").str.contains(refusing_source())
        | pl.col("line").is_in(whole_refusal_lines())
    )
    for name in ("aliases", "choices"):
        if name in table.columns:
            condition |= pl.col(name).list.len().fill_null(0) > 0
    return table.select(condition.fill_null(True).alias("scalar")).get_column("scalar")


def _hedged(table: pl.DataFrame) -> pl.DataFrame:
    """The frame with `hedged`: the gold is there, denied everywhere or as an alternative."""
    triggers = pl.col("line").str.contains_any(list(lexical.HEDGE_TRIGGERS))
    suspects = table.filter(pl.col("found") & triggers).select("row", "line", "gold_line")
    rows = [
        row
        for row, line, gold_line in suspects.iter_rows()
        if lexical.is_hedged(line, gold_line, ())
    ]
    hedged = pl.DataFrame(
        {"row": rows, "hedged": [True] * len(rows)}, schema={"row": pl.UInt32, "hedged": pl.Boolean}
    )
    return table.join(hedged, on="row", how="left", maintain_order="left").with_columns(
        pl.col("hedged").fill_null(False)
    )


def _with_flags() -> pl.Expr:
    hedged = pl.lit(pl.Series([_HEDGED]), dtype=pl.List(pl.String)).first()
    none = pl.lit(pl.Series([[]], dtype=pl.List(pl.String))).first()
    return pl.when("hedged").then(hedged).otherwise(none).alias("flags")


def _found(table: pl.DataFrame) -> pl.DataFrame:
    table = table.with_columns(found=pl.col("line").str.contains(pl.col("gold_line"), literal=True))
    return _hedged(table)


def _substring(table: pl.DataFrame) -> pl.DataFrame:
    found = pl.col("found")
    return _found(table).select(
        "row",
        pl.when(found)
        .then(pl.lit(str(Verdict.CORRECT)))
        .otherwise(pl.lit(str(Verdict.INCORRECT)))
        .alias("verdict"),
        pl.when(found)
        .then(pl.lit(lexical.SUBSTRING_FOUND))
        .otherwise(pl.lit(lexical.SUBSTRING_ABSENT))
        .alias("rule"),
        pl.when("hedged")
        .then(pl.lit(lexical.FOUND_HEDGED))
        .when(found)
        .then(pl.lit(lexical.FOUND))
        .otherwise(pl.lit(lexical.ABSENT))
        .alias("reason"),
        pl.when(found).then(pl.col("gold_line").str.strip_chars(" ")).alias("extracted"),
        _with_flags(),
    )


def _word_overlap(table: pl.DataFrame, threshold: Decimal) -> pl.DataFrame:
    top, bottom = threshold.as_integer_ratio()
    stop = pl.lit(pl.Series([sorted(lexical.stopwords())]), dtype=pl.List(pl.String)).first()
    counted = _found(table).with_columns(gold_tokens=_tokens("gold_line").list.unique())
    counted = counted.with_columns(content=pl.col("gold_tokens").list.set_difference(stop))
    counted = counted.with_columns(
        content=pl.when(pl.col("content").list.len() > 0).then("content").otherwise("gold_tokens")
    ).with_columns(total=pl.col("content").list.len().cast(pl.Int64))
    hits = (
        counted.select("row", "line", "content")
        .explode("content")
        .select(
            "row",
            hit=pl.col("line").str.contains(
                pl.concat_str(pl.lit(" "), "content", pl.lit(" ")), literal=True
            ),
        )
        .group_by("row")
        .agg(hits=pl.col("hit").sum().cast(pl.Int64))
    )
    counted = counted.join(hits, on="row", how="left", maintain_order="left")
    reached = pl.col("hits") * bottom >= pl.col("total") * top
    share = pl.concat_str(
        pl.col("hits").cast(pl.String), pl.lit("/"), pl.col("total").cast(pl.String)
    )
    return counted.with_columns(hedged=pl.col("hedged") & reached).select(
        "row",
        pl.when(reached)
        .then(pl.lit(str(Verdict.CORRECT)))
        .otherwise(pl.lit(str(Verdict.INCORRECT)))
        .alias("verdict"),
        pl.lit(lexical.OVERLAP).alias("rule"),
        pl.concat_str(share, pl.lit(f" {lexical.OVERLAP_REASON}")).alias("reason"),
        share.alias("extracted"),
        _with_flags(),
    )


def _tokens(name: str) -> pl.Expr:
    return pl.col(name).str.strip_chars(" ").str.split(" ")


def _scalar_rows(table: pl.DataFrame, answer_type: str, threshold: str) -> pl.DataFrame:
    """The rows that the scalar grader decides."""
    rows: list[dict[str, Any]] = []
    extra = [name for name in ("aliases", "choices") if name in table.columns]
    for row in table.select("row", "answer", "gold", *extra).iter_rows(named=True):
        options: dict[str, Any] = {name: row[name] for name in extra if row[name]}
        options["threshold"] = threshold
        found = grade(answer_type, row["gold"], row["answer"], options)
        rows.append(
            {
                "row": row["row"],
                "verdict": str(found.verdict),
                "rule": found.rule,
                "reason": found.reason,
                "extracted": found.extracted,
                "flags": sorted(str(flag) for flag in found.flags),
            }
        )
    return pl.DataFrame(rows, schema={"row": pl.UInt32, **SCHEMA})
