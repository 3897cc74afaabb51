"""Pairs of answers (an item and its control), and the months and days that facts name."""

from datetime import date
from typing import TypeAlias

from bench_pipeline_tests.release.recompute.tools import (
    Span,
    Value,
    answer,
    month_number,
    months_of,
    span_from,
    text,
)

Pair: TypeAlias = tuple[Value | Span, Value | Span]
Pairs: TypeAlias = dict[str, Pair]


def numbered(prefix: str, *parts: Pairs) -> dict[str, str]:
    """The answers under the ids of their items; no number may be given twice."""
    golds: dict[str, str] = {}
    for part in parts:
        for key, (home, abroad) in part.items():
            assert f"{prefix}-{key}-in" not in golds, key
            golds |= {
                f"{prefix}-{key}-in": answer(home),
                f"{prefix}-{key}-ctl": answer(abroad),
            }
    return golds


# --- months --------------------------------------------------------------------------------------


def months_from(first: int, count: int) -> str:
    """So many months on end, the year going round."""
    return months_of(span_from(date(2001, (first - 1) % 12 + 1, 1), count))


def months_between(first: int, last: int) -> str:
    """The months from the first to the last, both counted."""
    return months_from(first, (last - first) % 12 + 1)


def named_months(fact_id: str) -> tuple[int, int]:
    """The first and the last month of a fact such as "July to October"."""
    first, last = text(fact_id).split(" to ")
    return month_number(first), month_number(last)


def season_months(fact_id: str) -> str:
    return months_between(*named_months(fact_id))


# --- days ----------------------------------------------------------------------------------------


def _day(words: str, year: int) -> date:
    number, month = words.split()
    return date(year, month_number(month), int(number))


def start(fact_id: str, year: int, season: str = "") -> date:
    """The day that a fact names, first of two if it names two, or the first of one season."""
    words = text(fact_id)
    if season:
        (words,) = (part for part in words.split(", ") if part.startswith(season))
    return _day(words.split("from ")[-1].split(" to ")[0], year)


def period(fact_id: str, year: int) -> Span:
    """The stretch that opens in the year and ends on the closing day that comes next."""
    first = start(fact_id, year)
    last = _day(text(fact_id).split(" to ")[1], year)
    return first, last if last > first else last.replace(year=year + 1)
