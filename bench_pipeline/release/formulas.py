"""Formulas of golds: exact arithmetic over facts, and the few functions that items need.

A formula is a small expression, not Python: numbers are exact rationals, names are facts, strings
stand as arguments only, and nothing else is understood. What a formula gives is compared with
the gold that the item's row states, so that neither can be wrong alone.
"""

import ast
import calendar
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction

from bench_pipeline.release.check_digits import (
    ean13_check,
    gstin_check,
    isbn10_check,
    luhn_check,
    mod97_remainder,
    verhoeff_check,
)

Value = Fraction | str | date | tuple[int, ...] | tuple[date, date]
_MAX_LENGTH = 500
_MAX_EXPONENT = 64
_MAX_DIGITS = 400
_MOST_PLACES = 30
_DECIMAL = re.compile(r"\d{1,60}(?:\.\d{0,60})?|\.\d{1,60}")


class FormulaError(ValueError):
    """A formula that cannot be read, or does not give a gold."""


@dataclass(frozen=True, slots=True)
class Formula:
    """A parsed formula.

    `steps` counts its operators and function calls, `digits` the significant digits of its
    longest literal number: what a control twin must match.
    """

    tree: ast.expr
    names: frozenset[str]
    steps: int
    digits: int

    @classmethod
    def parse(cls, text: str) -> "Formula":
        """The formula in `text`.

        Raises:
            FormulaError: it is not one.
        """
        if len(text) > _MAX_LENGTH:
            raise FormulaError(f"it is longer than {_MAX_LENGTH} characters")
        try:
            tree = ast.parse(text, mode="eval").body
        except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
            raise FormulaError(f"it cannot be read ({error})") from error
        nodes = list(ast.walk(tree))
        called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
        names = {n.id for n in nodes if isinstance(n, ast.Name) and id(n) not in called}
        literals = [ast.get_source_segment(text, n) or "" for n in nodes if _is_number(n)]
        return cls(
            tree=_with_sources(tree, text),
            names=frozenset(names),
            steps=sum(isinstance(node, ast.BinOp | ast.Call) for node in nodes),
            digits=max((_significant(literal) for literal in literals), default=0),
        )

    def value(self, facts: Mapping[str, Fraction]) -> Value:
        """What the formula gives; a text in quotes alone computes nothing and is refused.

        Raises:
            FormulaError: a name is no fact with a number, or the arithmetic is impossible.
        """
        if isinstance(self.tree, ast.Constant) and self.tree.kind != "number":
            raise FormulaError(f"a text alone computes nothing; {_accepted()}")
        try:
            return _value(self.tree, facts)
        except ZeroDivisionError as error:
            raise FormulaError("it divides by zero") from error
        except (ArithmeticError, ValueError, RecursionError) as error:
            raise FormulaError(str(error) or type(error).__name__) from error


def as_gold(value: Value) -> str:
    """A formula's value as a gold is written.

    Raises:
        FormulaError: a number that no finite decimal writes; the formula must round it.
    """
    if isinstance(value, Fraction):
        return plain_decimal(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, tuple):
        if value and isinstance(value[0], date):
            return "..".join(part.isoformat() for part in value if isinstance(part, date))
        return ",".join(str(month) for month in value)
    return value


def plain_decimal(number: Fraction) -> str:
    """`number` without exponent or trailing zeros.

    Raises:
        FormulaError: it has no finite decimal form.
    """
    rest = number.denominator
    places = 0
    while rest % 10 == 0:
        rest, places = rest // 10, places + 1
    twos = fives = 0
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    if rest != 1:
        raise FormulaError(f"{number} has no finite decimal form; accepted: round(…, places)")
    places += max(twos, fives)
    scaled = number * 10**places
    digits = str(abs(scaled.numerator)).rjust(places + 1, "0")
    whole, part = digits[: len(digits) - places], digits[len(digits) - places :].rstrip("0")
    return ("-" if number < 0 else "") + (f"{whole}.{part}" if part else whole)


def _is_number(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Constant)
        and isinstance(node.value, int | float)
        and not isinstance(node.value, bool)
    )


def _significant(literal: str) -> int:
    return len(literal.replace(".", "").replace("_", "").strip("0"))


def _with_sources(tree: ast.expr, text: str) -> ast.expr:
    """Numbers as they are written, not as floats hold them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and _is_number(node):
            node.value = ast.get_source_segment(text, node) or ""
            node.kind = "number"
    return tree


def _value(node: ast.expr, facts: Mapping[str, Fraction]) -> Value:
    if isinstance(node, ast.Constant):
        if node.kind == "number":
            return _literal(str(node.value))
        if isinstance(node.value, str):
            return node.value
    if isinstance(node, ast.Name):
        if node.id not in facts:
            raise FormulaError(f"'{node.id}' is no fact with a number")
        return facts[node.id]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_number(_value(node.operand, facts))
    if isinstance(node, ast.BinOp):
        left, right = (_number(_value(side, facts)) for side in (node.left, node.right))
        return _bounded(_operate(node.op, left, right))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        if node.func.id not in FUNCTIONS:
            raise FormulaError(f"there is no function '{node.func.id}'; {_accepted()}")
        arguments = [_value(argument, facts) for argument in node.args]
        try:
            return FUNCTIONS[node.func.id](*arguments)
        except TypeError as error:
            raise FormulaError(f"{node.func.id}() does not take {len(arguments)} values") from error
    raise FormulaError(f"'{ast.unparse(node)[:60]}' is not understood; {_accepted()}")


def _literal(text: str) -> Fraction:
    """A number as it is written, without exponent: `1e99999999` would never end."""
    if not _DECIMAL.fullmatch(text):
        raise FormulaError(f"'{text[:40]}' is no number; accepted: digits with one point at most")
    return _bounded(Fraction(text))


def _accepted() -> str:
    return f"accepted: numbers, facts, + - * / **, {', '.join(sorted(FUNCTIONS))}"


def _operate(operator: ast.operator, left: Fraction, right: Fraction) -> Fraction:
    if isinstance(operator, ast.Add):
        return left + right
    if isinstance(operator, ast.Sub):
        return left - right
    if isinstance(operator, ast.Mult):
        return left * right
    if isinstance(operator, ast.Div):
        return left / right
    if isinstance(operator, ast.Pow):
        if right.denominator != 1 or abs(right) > _MAX_EXPONENT:
            raise FormulaError(f"an exponent is {right}; accepted: whole, at most {_MAX_EXPONENT}")
        return Fraction(left ** int(right))
    raise FormulaError(f"the operator {type(operator).__name__} is not understood; {_accepted()}")


def _bounded(number: Fraction) -> Fraction:
    if max(abs(number.numerator), number.denominator) >= 10**_MAX_DIGITS:
        raise FormulaError(f"a number has more than {_MAX_DIGITS} digits")
    return number


def _number(value: Value) -> Fraction:
    if not isinstance(value, Fraction):
        raise FormulaError(f"{value!r} is not a number")
    return value


def _whole(value: Value) -> int:
    number = _number(value)
    if number.denominator != 1:
        raise FormulaError(f"{number} is not a whole number")
    return int(number)


def _date(value: Value) -> date:
    if not isinstance(value, date):
        raise FormulaError(f"{value!r} is not a date; accepted: day(year, month, day)")
    return value


def _text(value: Value) -> str:
    if not isinstance(value, str):
        raise FormulaError(f"{value!r} is not a text; accepted: a text in quotes")
    return value


def _round(value: Value, places: Value) -> Fraction:
    """Half up, away from zero: as school arithmetic does it, not to even."""
    if not 0 <= _whole(places) <= _MOST_PLACES:
        raise FormulaError(f"round to {_whole(places)} places; accepted: 0 to {_MOST_PLACES}")
    number, unit = _number(value), Fraction(1, 10 ** _whole(places))
    quotient = abs(number) / unit + Fraction(1, 2)
    rounded = (quotient.numerator // quotient.denominator) * unit
    return -rounded if number < 0 else rounded


def _floor(value: Value) -> Fraction:
    number = _number(value)
    return Fraction(number.numerator // number.denominator)


def _modulo(value: Value, divisor: Value) -> Fraction:
    return _number(value) % _number(divisor)


def _grouped(value: Value, sizes: Callable[[int], int]) -> str:
    number = _whole(value)
    digits = str(abs(number))
    groups: list[str] = []
    while digits:
        size = sizes(len(groups))
        digits, group = digits[:-size], digits[-size:]
        groups.append(group)
    return ("-" if number < 0 else "") + ",".join(reversed(groups))


def _add_months(value: Value, count: Value) -> date:
    start = _date(value)
    month = start.year * 12 + start.month - 1 + _whole(count)
    year, month = divmod(month, 12)
    last = calendar.monthrange(year, month + 1)[1]
    return date(year, month + 1, min(start.day, last))


def _months(first: Value, last: Value) -> tuple[int, ...]:
    start, end = _whole(first), _whole(last)
    if not (1 <= start <= 12 and 1 <= end <= 12):
        raise FormulaError(f"months({start}, {end}); accepted: 1 to 12")
    return tuple((start - 1 + k) % 12 + 1 for k in range((end - start) % 12 + 1))


def _digit(check: Callable[[str], str]) -> Callable[[Value], Value]:
    def call(text: Value) -> Value:
        found = check(_text(text))
        return Fraction(found) if found.isdecimal() else found

    return call


FUNCTIONS: dict[str, Callable[..., Value]] = {
    "round": _round,
    "floor": _floor,
    "mod": _modulo,
    "indian": lambda value: _grouped(value, lambda group: 3 if group == 0 else 2),
    "western": lambda value: _grouped(value, lambda _: 3),
    "verhoeff": _digit(verhoeff_check),
    "luhn": _digit(luhn_check),
    "isbn10": _digit(isbn10_check),
    "ean13": _digit(ean13_check),
    "gstin_check": lambda text: gstin_check(_text(text)),
    "mod97": lambda text: Fraction(mod97_remainder(_text(text))),
    "day": lambda y, m, d: date(_whole(y), _whole(m), _whole(d)),
    "year": lambda value: Fraction(_date(value).year),
    "add_days": lambda value, count: _date(value) + timedelta(days=_whole(count)),
    "add_months": _add_months,
    "days_between": lambda a, b: Fraction((_date(b) - _date(a)).days),
    "period": lambda a, b: (_date(a), _date(b)),
    "months": _months,
}
