"""The options of an item, checked once and read as a frozen record."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from bench_pipeline.grade._errors import GradeInputError

YEAR_KINDS = ("fiscal", "crop", "sugar", "assessment", "calendar")


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read an ambiguous question: `label` ("Punjab") and its `value` ("2500 sq m")."""

    label: str
    value: str


@dataclass(frozen=True, slots=True)
class Options:
    """What an item tells its grader; every field is optional. See `Options.read` for shapes."""

    question: str = ""
    abs_tolerance: Decimal | None = None
    rel_tolerance: Decimal | None = None
    percent: bool = False
    accept_equivalent: bool = False
    state: str | None = None
    century_pivot: int = 30
    year: str | None = None
    year_start: int | None = None
    choices: tuple[tuple[str, tuple[str, ...]], ...] = ()
    grouping: bool = False
    aliases: tuple[str, ...] = ()
    readings: tuple[Reading, ...] = ()
    depends_on: tuple[str, ...] = ()
    threshold: Decimal = Decimal("0.5")

    @classmethod
    def read(cls, options: Mapping[str, Any] | None) -> "Options":
        """The record for a mapping; GradeInputError names an unknown key or a malformed value."""
        if not options:
            return _EMPTY
        fields: dict[str, Any] = {}
        for name, value in options.items():
            reader = _READERS.get(name)
            if reader is None:
                accepted = ", ".join(sorted(_READERS))
                raise GradeInputError(f"unknown option {name!r}; accepted are {accepted}")
            if value is not None:
                fields.update(reader(name, value))
        return cls(**fields)


def _fail(name: str, value: Any, accepted: str) -> GradeInputError:
    return GradeInputError(f"option {name!r} is {value!r}; accepted is {accepted}")


def read_decimal(value: Any) -> Decimal | None:
    """A finite decimal from a string or an integer, else None."""
    if isinstance(value, bool) or not isinstance(value, str | int | float | Decimal):
        return None
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def _text(name: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, str):
        raise _fail(name, value, "a string")
    return {name: value}


def _flag(name: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, bool):
        raise _fail(name, value, "true or false")
    return {name: value}


def _strings(name: str, value: Any) -> tuple[str, ...]:
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise _fail(name, value, "a list of strings")
    entries = tuple(value)
    if not all(isinstance(entry, str) and entry.strip() for entry in entries):
        raise _fail(name, value, "a list of non-empty strings")
    return entries


def _string_list(name: str, value: Any) -> dict[str, Any]:
    return {name: _strings(name, value)}


def _tolerance(name: str, value: Any) -> dict[str, Any]:
    accepted = '{"abs": "0.5"} or {"rel": "0.01"}, a decimal of zero or more'
    if not isinstance(value, Mapping) or len(value) != 1 or not set(value) <= {"abs", "rel"}:
        raise _fail(name, value, accepted)
    ((kind, amount),) = value.items()
    number = read_decimal(amount)
    if number is None or number < 0:
        raise _fail(name, value, accepted)
    return {f"{kind}_tolerance": number}


def _pivot(name: str, value: Any) -> dict[str, Any]:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 100:
        raise _fail(name, value, "a whole number from 0 to 100: smaller two-digit years are 20xx")
    return {name: value}


def _year(name: str, value: Any) -> dict[str, Any]:
    if isinstance(value, str) and value in YEAR_KINDS:
        return {"year": value}
    if isinstance(value, Mapping) and set(value) == {"marketing"}:
        month = value["marketing"]
        if isinstance(month, int) and not isinstance(month, bool) and 1 <= month <= 12:
            return {"year": "marketing", "year_start": month}
    raise _fail(name, value, f'one of {", ".join(YEAR_KINDS)}, or {{"marketing": month 1-12}}')


def _choices(name: str, value: Any) -> dict[str, Any]:
    accepted = (
        "a mapping {choice: [aliases]} or a list of choices, at least two, in the order asked"
    )
    if isinstance(value, Mapping):
        pairs = tuple((choice, _strings(name, aliases or ())) for choice, aliases in value.items())
    elif isinstance(value, list | tuple):
        pairs = tuple((choice, ()) for choice in value)
    else:
        raise _fail(name, value, accepted)
    if len(pairs) < 2 or not all(isinstance(choice, str) and choice.strip() for choice, _ in pairs):
        raise _fail(name, value, accepted)
    return {name: pairs}


def _readings(name: str, value: Any) -> dict[str, Any]:
    accepted = 'a list of {"label": ..., "value": ...}'
    if not isinstance(value, list | tuple):
        raise _fail(name, value, accepted)
    found = []
    for entry in value:
        if not isinstance(entry, Mapping) or set(entry) != {"label", "value"}:
            raise _fail(name, value, accepted)
        if not all(isinstance(part, str) and part.strip() for part in entry.values()):
            raise _fail(name, value, accepted)
        found.append(Reading(entry["label"], entry["value"]))
    return {name: tuple(found)}


def _threshold(name: str, value: Any) -> dict[str, Any]:
    number = read_decimal(value)
    if number is None or not 0 < number <= 1:
        raise _fail(name, value, "a number above 0 and up to 1")
    return {name: number}


_READERS = {
    "question": _text,
    "tolerance": _tolerance,
    "percent": _flag,
    "accept_equivalent": _flag,
    "state": _text,
    "century_pivot": _pivot,
    "year": _year,
    "choices": _choices,
    "grouping": _flag,
    "aliases": _string_list,
    "readings": _readings,
    "depends_on": _string_list,
    "threshold": _threshold,
}
_EMPTY = Options()
