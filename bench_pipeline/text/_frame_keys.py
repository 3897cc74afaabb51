"""Token lines for a whole column: the steps of `token_line` as polars expressions.

A step here and its namesake in `_fold` and `_key` share their tables and patterns; a test holds
the results equal. Characters newer than Python's own Unicode tables are the one known difference.
"""

import re
import unicodedata
from functools import lru_cache

import polars as pl

from bench_pipeline.text._fold import (
    CONJUNCT_SEQUENCES,
    IGNORABLE_PATTERN,
    JOINER_PATTERN,
    KEY_FOLDS,
    LEGACY_SEQUENCES,
    NASAL_SEQUENCES,
)
from bench_pipeline.text._key import (
    COMMA_PATTERN,
    OTHER_PATTERN,
    POINT,
    POINT_PATTERN,
    SIGN,
    SIGN_PATTERN,
)

_FOLDS = {**KEY_FOLDS, **NASAL_SEQUENCES}


@lru_cache(maxsize=1)
def _odd_pattern() -> str:
    """Text that the short route must not take: not composed, or composed anew by a fold.

    The pairs are those of the Unicode canonical compositions, so this is a necessary condition of
    every change that normalisation or the removal of joiners could make.
    """
    pairs: dict[str, list[str]] = {}
    singles, marks = [], []
    for code in range(0xA0, 0x20000):
        if 0xAC00 <= code <= 0xD7A3 or 0xD800 <= code <= 0xDFFF:
            continue
        char = chr(code)
        if unicodedata.combining(char):
            marks.append(char)
        if unicodedata.normalize("NFC", char) != char:
            singles.append(char)
            continue
        parts = unicodedata.decomposition(char).split()
        if len(parts) == 2 and not parts[0].startswith("<"):
            pairs.setdefault(chr(int(parts[1], 16)), []).append(chr(int(parts[0], 16)))
    composed = [f"[{_class(firsts)}]{re.escape(second)}" for second, firsts in pairs.items()]
    return "|".join(
        [
            IGNORABLE_PATTERN,
            JOINER_PATTERN,
            f"[{_class(singles)}\u1100-\u11ff\u0654\u0655]",
            f"[{_class(marks)}]{{2}}",
            r"[\p{Lu}\x{ff01}-\x{ff5e}]\p{M}",
            *CONJUNCT_SEQUENCES,
            *composed,
        ]
    )


def _class(chars: list[str]) -> str:
    return "".join(re.escape(char) for char in sorted(set(chars)))


def _replace_each(expression: pl.Expr, table: dict[str, str]) -> pl.Expr:
    return expression.str.replace_many(list(table), list(table.values()))


def _composed(column: pl.Expr) -> pl.Expr:
    """Composed text without ignorable characters and with modern forms of legacy sequences."""
    text = column.str.normalize("NFC").str.replace_all(IGNORABLE_PATTERN, "")
    text = _replace_each(text, LEGACY_SEQUENCES).str.replace_all(JOINER_PATTERN, "")
    return _replace_each(text.str.normalize("NFC"), CONJUNCT_SEQUENCES)


def folded_column(column: pl.Series) -> pl.Series:
    """`fold_characters` of each text of a string column without nulls."""
    text = pl.col("text")
    frame = column.to_frame("text").with_row_index("row")
    frame = frame.with_columns(ascii=text.str.len_bytes() == text.str.len_chars())
    plain = frame.filter("ascii")
    other = frame.filter(~pl.col("ascii"))
    other = other.with_columns(odd=text.str.contains(_odd_pattern()))
    odd = other.filter("odd").with_columns(_composed(text))
    regular = other.filter(~pl.col("odd"))
    lowered = _replace_each(text, _FOLDS).str.to_lowercase()
    parts = [
        plain.select("row", text.str.to_lowercase().str.replace_many(["\r", "\x00"], ["\n", " "])),
        regular.select("row", lowered),
        odd.select("row", lowered.str.normalize("NFC")),
    ]
    return pl.concat(parts).sort("row").get_column("text").alias("folded")


def token_line_column(folded: pl.Series) -> pl.Series:
    """The token line of each text of a column that `folded_column` has been through."""
    text = pl.col("folded").str.replace_all(SIGN_PATTERN, f"${{1}}{SIGN}${{2}}")
    for pattern, joint in ((COMMA_PATTERN, ""), (POINT_PATTERN, POINT)):
        # Twice: a digit that closes one match cannot open the next one in the same pass.
        text = text.str.replace_all(pattern, f"${{1}}{joint}${{2}}").str.replace_all(
            pattern, f"${{1}}{joint}${{2}}"
        )
    text = text.str.replace_all(OTHER_PATTERN, " ").str.replace_all(POINT, ".", literal=True)
    joined = text.str.replace_all("  +", " ").str.strip_chars(" ")
    line = (
        pl.when(joined == "")
        .then(pl.lit(" "))
        .otherwise(pl.concat_str(pl.lit(" "), joined, pl.lit(" ")))
    )
    return folded.to_frame("folded").select(line.alias("line")).get_column("line")
