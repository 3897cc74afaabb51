"""Dates as text writes them: the finder that the date, date_range and month graders share."""

import re
from dataclasses import dataclass
from functools import lru_cache

from bench_pipeline.text._number_words import folded_word, read_reference

_LETTER = r"a-z\u0900-\u0963"
_DAY = r"(?P<d>0?[1-9]|[12]\d|3[01])(?:\s?(?:st|nd|rd|th))?"
_YEAR = r"(?P<y>(?:1[0-9]|20|21)\d{2})"
_SEP = r"[\s,./-]{0,3}"
_SHORT = (
    r"(?:\s?'(?P<s>\d{2})|\s?-\s?(?P<s2>\d{2})|[\s,]{1,2}(?P<s3>\d{2})(?=\s*(?:$|[.!?;\n*)\"]))"
)
_SHORT += r")(?![\d:])"
_NOT_INSIDE = r"(?<![\d/-])(?<!\d\.)(?<![a-z])"
_NUMERIC_HINT = re.compile(r"\d\s?[-/.]\s?\d")


@dataclass(frozen=True, slots=True)
class DateMention:
    """One date in folded text. Year and day may be missing; `month` is missing for a bare year."""

    start: int
    end: int
    year: int | None = None
    month: int | None = None
    day: int | None = None

    @property
    def iso(self) -> str | None:
        """`YYYY`, `YYYY-MM` or `YYYY-MM-DD`; None for a day and month without a year."""
        if self.year is None:
            return None
        parts = [f"{self.year:04d}"]
        parts += [f"{part:02d}" for part in (self.month, self.day) if part is not None]
        return "-".join(parts)


@dataclass(frozen=True, slots=True)
class MonthNames:
    """Month names, folded, with the number of each, and a pattern that finds one."""

    numbers: dict[str, int]
    ambiguous: frozenset[str]
    pattern: str


@lru_cache(maxsize=1)
def month_names() -> MonthNames:
    """The names of `months.yaml`, read once."""
    data = read_reference("months.yaml")
    numbers = {
        folded_word(name): int(number) for number, names in data["months"].items() for name in names
    }
    ordered = sorted(numbers, key=lambda name: -len(name))
    pattern = rf"(?<![{_LETTER}])(?P<m>{'|'.join(map(re.escape, ordered))})(?![{_LETTER}])\.?"
    return MonthNames(numbers, frozenset(map(folded_word, data["ambiguous"])), pattern)


@lru_cache(maxsize=1)
def _named_patterns() -> tuple["re.Pattern[str]", ...]:
    month = month_names().pattern
    after = r"(?!\d|[.,]\d|%)"
    day_month = rf"(?<![\d./,]){_DAY}\s{{0,2}}(?:of\s{{1,2}})?[-/,]?\s?(?:day of\s)?{month}"
    month_day = rf"{month}\s{{0,2}}-?{_DAY}(?![\d:])"
    return tuple(
        re.compile(pattern)
        for pattern in (
            rf"(?<!\d){_YEAR}{_SEP}{month}{_SEP}{_DAY}(?!\d)",
            rf"{day_month}(?:{_SEP}|\s{{1,2}}(?:of|in)(?:\sthe year)?\s){_YEAR}{after}",
            rf"{day_month}{_SHORT}",
            rf"{month_day}(?:{_SEP}|\s{{1,2}}of\s){_YEAR}{after}",
            # "32 August 1947" is no date, and neither August 1947 nor 1947.
            rf"(?P<bad>\d{{1,3}}(?:\s?(?:st|nd|rd|"
            rf"th))?)\s{{0,2}}(?:of\s{{1,2}})?{month}{_SEP}{_YEAR}",
            rf"{month}(?:{_SEP}|\s{{1,2}}of\s){_YEAR}{after}",
            rf"{month}\s?[-']\s?(?P<s>\d{{2}})(?!\d)",
            rf"(?<!\d){_YEAR}\s{{0,2}}(?:में|की|के|का)?\s?{month}",
            rf"{day_month}",
            rf"{month_day}",
        )
    )


_NUMERIC = (
    re.compile(
        _NOT_INSIDE + r"(?P<y>(?:1[0-9]|20|"
        r"21)\d{2})(?P<sep>[-/.])(?P<m>\d{1,2})(?P=sep)(?P<d>\d{1,2})(?![\d/-])(?!\.\d)"
    ),
    re.compile(
        _NOT_INSIDE + r"(?P<a>\d{1,2})\s?(?P<sep>[-/.])\s?(?P<b>\d{1,2})\s?(?P=sep)\s?(?P<y>\d{4}|"
        r"\d{2})(?![\d/-])(?!\.\d)"
    ),
)
_ISO_MONTH = re.compile(
    _NOT_INSIDE + r"(?P<y>(?:1[0-9]|20|21)\d{2})-(?P<m>0[1-9]|1[0-2])(?![\d/-])(?!\.\d)"
)
_SLASH_MONTH = re.compile(
    _NOT_INSIDE + r"(?P<m>0?[1-9]|1[0-2])/(?P<y>(?:1[0-9]|20|21)\d{2})(?![\d/-])"
)
_BARE_YEAR = re.compile(
    r"(?<![\d.,/₹$-])(?<![a-z])(?P<y>1\d{3}|20\d{2}|21\d{2})(?![\d%/]|[.,-]\d|"
    r"\s?(?:bc|bce)(?![a-z]))"
)


def full_year(short: int, pivot: int) -> int:
    """A two-digit year in full: below the pivot it is 20xx, else 19xx."""
    return (2000 if short < pivot else 1900) + short


def days_in(year: int, month: int) -> int:
    """The number of days of a month of the Gregorian calendar."""
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return 30 if month in (4, 6, 9, 11) else 31


def _valid(year: int | None, month: int, day: int | None) -> bool:
    return 1 <= month <= 12 and (day is None or 1 <= day <= days_in(year or 2000, month))


def _from_numeric(match: "re.Match[str]", pivot: int) -> DateMention | None:
    groups = match.groupdict()
    year = int(groups["y"])
    if len(groups["y"]) == 2:
        year = full_year(year, pivot)
    orders = (
        [(groups["m"], groups["d"])]
        if "m" in groups
        else [(groups["b"], groups["a"]), (groups["a"], groups["b"])]
    )
    for month_text, day_text in orders:
        month, day = int(month_text), int(day_text)
        if _valid(year, month, day):
            return DateMention(*match.span(), year, month, day)
    return None


def _from_named(match: "re.Match[str]", pivot: int) -> DateMention | None:
    groups = match.groupdict()
    month = month_names().numbers[groups["m"]]
    day = int(groups["d"]) if groups.get("d") else None
    short = next((groups[name] for name in ("s", "s2", "s3") if groups.get(name)), None)
    year = int(groups["y"]) if groups.get("y") else None
    if short is not None:
        year = full_year(int(short), pivot)
    if groups.get("bad") or not _valid(year, month, day):
        return None
    return DateMention(*match.span(), year, month, day)


def _month_only(match: "re.Match[str]") -> DateMention:
    return DateMention(*match.span(), int(match["y"]), int(match["m"]))


def find_dates(text: str, pivot: int, bare_years: bool = True) -> list[DateMention]:
    """The dates of a folded text in order, the fullest reading of each place; impossible ones are
    left out and hide no other reading.
    """
    found: list[DateMention] = []
    taken = bytearray(len(text))

    def keep(mention: DateMention | None, match: "re.Match[str]") -> None:
        start, end = match.span()
        if any(taken[start:end]):
            return
        taken[start:end] = b"\x01" * (end - start)
        if mention is not None:
            found.append(mention)

    if _NUMERIC_HINT.search(text):
        for pattern in _NUMERIC:
            for match in pattern.finditer(text):
                keep(_from_numeric(match, pivot), match)
    for pattern in _named_patterns():
        for match in pattern.finditer(text):
            keep(_from_named(match, pivot), match)
    for match in _ISO_MONTH.finditer(text):
        keep(_month_only(match), match)
    for match in _SLASH_MONTH.finditer(text):
        keep(_month_only(match), match)
    if bare_years:
        for match in _BARE_YEAR.finditer(text):
            keep(DateMention(*match.span(), int(match["y"])), match)
    return sorted(found, key=lambda mention: mention.start)
