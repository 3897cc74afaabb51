"""Helpers of the second computation: facts, groupings, check digits, dates and plain decimals.

Nothing here is shared with the package under test: every rule is written anew.
"""

import calendar
import csv
from datetime import date, timedelta
from fractions import Fraction
from functools import cache
from pathlib import Path

FACTS = Path(__file__).resolve().parents[3] / "assets" / "suites" / "bkp" / "facts"

Value = Fraction | int | date | str


@cache
def _facts() -> dict[str, dict[str, str]]:
    rows: dict[str, dict[str, str]] = {}
    for path in sorted(FACTS.glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as lines:
            rows |= {row["fact_id"]: row for row in csv.DictReader(lines)}
    return rows


def text(fact_id: str) -> str:
    return _facts()[fact_id]["value"]


def number(fact_id: str) -> Fraction:
    return Fraction(text(fact_id))


def whole(fact_id: str) -> int:
    return int(text(fact_id))


def places(fact_id: str) -> slice:
    """Read "places 9 to 12 of …" in a fact's subject as a slice of the code."""
    first, last = (int(word) for word in _facts()[fact_id]["subject"].split() if word.isdigit())
    return slice(first - 1, last)


# --- numbers -------------------------------------------------------------------------------------


def half_up(value: Fraction, decimals: int = 0) -> Fraction:
    scale = 10**decimals
    twice = 2 * value * scale + 1
    return Fraction(twice.numerator // (2 * twice.denominator), scale)


def terminates(value: Fraction) -> bool:
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    return rest == 1


def plain(value: Fraction | int) -> str:
    """A decimal without grouping; two decimals where the expansion would not end."""
    exact = Fraction(value)
    if not terminates(exact):
        exact = half_up(exact, 2)
    decimals = 0
    while (exact * 10**decimals).denominator != 1:
        decimals += 1
    digits = str(abs(int(exact * 10**decimals))).rjust(decimals + 1, "0")
    sign = "-" if exact < 0 else ""
    cut = len(digits) - decimals
    return sign + digits[:cut] + ("." + digits[cut:] if decimals else "")


def _grouped(value: Fraction | int, larger_groups: int) -> str:
    rest, thousand = divmod(int(value), 1000)
    if not rest:
        return str(thousand)
    groups = [f"{thousand:03d}"]
    while rest:
        rest, low = divmod(rest, 10**larger_groups)
        groups.append(str(low).rjust(larger_groups, "0") if rest else str(low))
    return ",".join(reversed(groups))


def indian(value: Fraction | int) -> str:
    return _grouped(value, 2)


def western(value: Fraction | int) -> str:
    return _grouped(value, 3)


def place_digit(value: int, place: Fraction | int) -> int:
    return value // int(place) % 10


# --- check digits --------------------------------------------------------------------------------


def _luhn_sum(code: str, base: int) -> int:
    total = 0
    for index, character in enumerate(reversed(code)):
        total += sum(divmod(int(character, base) * (1 + index % 2), base))
    return total % base


def _completing(code: str, base: int) -> str:
    """The one character that brings the weighted sum of the longer code to zero."""
    alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[:base]
    (found,) = (sign for sign in alphabet if _luhn_sum(code + sign, base) == 0)
    return found


def luhn(digits: str) -> int:
    return int(_completing(digits, 10))


def gstin_check(code: str) -> str:
    assert len(code) == 14
    return _completing(code, 36)


#: the permutation of Verhoeff as its cycles: one step forward in the cycle for each place
CYCLES = ((0, 1, 5, 8, 9, 4, 2, 7), (3, 6))


def _permuted(digit: int, times: int) -> int:
    (cycle,) = (cycle for cycle in CYCLES if digit in cycle)
    return cycle[(cycle.index(digit) + times) % len(cycle)]


def _symmetry(digit: int) -> tuple[int, int]:
    """A pentagon's symmetry x -> sign * x + turn: 0 to 4 turn it, 5 to 9 mirror it."""
    return (1, digit) if digit < 5 else (-1, digit - 5)


def _verhoeff_holds(digits: str) -> bool:
    sign, turn = 1, 0
    for index, character in enumerate(reversed(digits)):
        inner_sign, inner_turn = _symmetry(_permuted(int(character), index))
        sign, turn = sign * inner_sign, (sign * inner_turn + turn) % 5
    return (sign, turn) == (1, 0)


def verhoeff(digits: str) -> int:
    (found,) = (digit for digit in range(10) if _verhoeff_holds(f"{digits}{digit}"))
    return found


def mod97(code: str) -> int:
    remainder = 0
    for character in "".join(str(int(sign, 36)) for sign in code):
        remainder = (10 * remainder + int(character)) % 97
    return remainder


def isbn10(digits: str) -> str:
    assert len(digits) == 9
    for check in range(11):
        values = [*map(int, digits), check]
        if sum((10 - place) * value for place, value in enumerate(values)) % 11 == 0:
            return "0123456789X"[check]
    raise AssertionError(digits)


def ean13(digits: str) -> int:
    assert len(digits) == 12
    odd, even = digits[0::2], digits[1::2]
    return -(sum(map(int, odd)) + 3 * sum(map(int, even))) % 10


# --- dates ---------------------------------------------------------------------------------------

Span = tuple[date, date]


def month_number(name: str) -> int:
    return list(calendar.month_name).index(name.strip())


def add_months(day: date, months: int) -> date:
    """The same day so many months on, or the last day of a shorter month."""
    years, month = divmod(day.month - 1 + months, 12)
    year = day.year + years
    last = calendar.monthrange(year, month + 1)[1]
    return date(year, month + 1, min(day.day, last))


def span_from(first: date, months: int) -> Span:
    return first, add_months(first, months) - timedelta(days=1)


def quarter(year_start: date, which: int) -> Span:
    return span_from(add_months(year_start, 3 * (which - 1)), 3)


def half(year_start: date, which: int) -> Span:
    return span_from(add_months(year_start, 6 * (which - 1)), 6)


def quarter_number(month: int, start_month: int) -> int:
    return (month - start_month) % 12 // 3 + 1


def days_in(span: Span) -> int:
    return (span[1] - span[0]).days + 1


def dash(span: Span) -> str:
    return f"{span[0].isoformat()}..{span[1].isoformat()}"


def months_of(span: Span) -> str:
    count = (span[1].year - span[0].year) * 12 + span[1].month - span[0].month + 1
    return ",".join(str(add_months(span[0], step).month) for step in range(count))


# --- answers -------------------------------------------------------------------------------------


def answer(value: Value | Span) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, tuple):
        return dash(value)
    return plain(value)


def on(year: int, prefix: str) -> date:
    """A due date whose month and day are the facts of one prefix."""
    return date(year, whole(f"{prefix}_month"), whole(f"{prefix}_day"))
