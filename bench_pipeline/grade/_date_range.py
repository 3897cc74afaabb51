"""The date-range grader: a start and an end, or the name of a year that the item explains."""

import re
from dataclasses import dataclass, replace
from datetime import date as Day
from datetime import timedelta
from functools import lru_cache

from bench_pipeline.contracts.grades import Grade, Verdict
from bench_pipeline.grade import _context as context
from bench_pipeline.grade._answer import Answer
from bench_pipeline.grade._date import read_iso
from bench_pipeline.grade._dates_text import DateMention, days_in, find_dates, month_names
from bench_pipeline.grade._errors import GradeInputError
from bench_pipeline.grade._options import Options
from bench_pipeline.grade._select import Candidate, Outcome, Strength, select
from bench_pipeline.text import fold

_START_MONTH = {"fiscal": 4, "assessment": 4, "tax": 4, "crop": 7, "sugar": 10, "calendar": 1}
_REASONS = {
    Outcome.NONE: "no start and end were found",
    Outcome.RIVALS: "several periods differ and none is marked as the answer",
    Outcome.RESTATED: "the only period repeats the question",
}
_KIND_WORDS = (
    (
        r"fy|f\.y\.?|financial year|fiscal year|fiscal|financial|वित्त वर्ष|वित्तीय "
        r"वर्ष|vitt varsh",
        "fiscal",
    ),
    (r"ay|a\.y\.?|assessment year|निर्धारण वर्ष|कर निर्धारण वर्ष|आकलन वर्ष", "assessment"),
    (r"tax year|कर वर्ष", "tax"),
    (r"crop year|agricultural year|कृषि वर्ष|फसल वर्ष", "crop"),
    (r"sugar year|sugar season|ss|चीनी वर्ष|चीनी सीजन", "sugar"),
    (r"calendar year|cy|कैलेंडर वर्ष", "calendar"),
    (
        r"kharif marketing season|kms|rabi marketing season|rms|marketing year|"
        r"marketing season|विपणन वर्ष",
        "marketing",
    ),
)
_KIND = "|".join(f"(?P<k{index}>{words})" for index, (words, _) in enumerate(_KIND_WORDS))
_PAIR = re.compile(
    rf"(?:(?<![a-z\u0900-\u0963])(?:{_KIND})[\s:,(*_-]{{0,4}}(?:of\s)?)?"
    r"(?<![\d/.-])(?P<first>(?:1[89]|20|21)\d{2})\s?[-/–]\s?(?P<second>(?:20|19|"
    r"21)\d{2}|\d{2})(?![\d/]|-\d|\.\d)"
)
_SHORT_FY = re.compile(r"(?<![a-z\u0900-\u0963])(?P<kind>fy|ay)\s?'?(?P<end>\d{2})(?![\d-])")
_SINGLE = re.compile(
    rf"(?<![a-z\u0900-\u0963])(?:{_KIND})[\s:,(*_-]{{0,4}}(?:of\s)?(?P<first>(?:1[89]|20|21)\d{{2}})(?![\d/-])"
)
_PART = re.compile(
    r"(?<![a-z])(?:(?P<q>q[1-4])|(?P<h>h[12])|(?P<word>first|second|third|fourth|"
    r"last)\s(?P<of>quarter|half))"
)
_CONNECTOR = re.compile(
    r"(?<![a-z\u0900-\u0963])(?:to|till|til|until|untill|through|thru|upto|up to|"
    r"and|ends?|ending|से|तक|और|se|tak|समाप्त)(?![a-z\u0900-\u0963])"
    r"|[-—–~→]|\.\.|\\to"
)
_GAP_LIMIT = 70


@dataclass(frozen=True, slots=True)
class Period:
    """A first and a last day; `label` says that it was named ("FY 2023-24"), not spelled out."""

    first: Day
    last: Day
    label: bool = False

    def __str__(self) -> str:
        return f"{self.first.isoformat()}..{self.last.isoformat()}"


def _first_day(date: DateMention) -> Day:
    return Day(date.year or 1, date.month or 1, date.day or 1)


def _last_day(date: DateMention) -> Day:
    year, month = date.year or 1, date.month or 12
    return Day(year, month, date.day or days_in(year, month))


def read_range_gold(gold: str, options: Options) -> Period:
    """The gold as a period; GradeInputError unless it is "start..end" in ISO, in that order."""
    parts = gold.strip().split("..")
    if len(parts) != 2:
        raise GradeInputError(f'date_range gold is {gold!r}; accepted is "YYYY-MM-DD..YYYY-MM-DD"')
    first, last = (read_iso(part, "date_range") for part in parts)
    period = Period(_first_day(first), _last_day(last))
    if period.last < period.first:
        raise GradeInputError(f"date_range gold is {gold!r}: it ends before it begins")
    return period


def year_period(first: int, start_month: int) -> Period:
    """The twelve months that begin with `start_month` of the year `first`."""
    begin = Day(first, start_month, 1)
    end = Day(first + 1, start_month, 1) - timedelta(days=1)
    return Period(begin, end, label=True)


def _kind(match: "re.Match[str]") -> str | None:
    groups = match.groupdict()
    for index, (_, kind) in enumerate(_KIND_WORDS):
        if groups.get(f"k{index}"):
            return kind
    return None


def _start_month(kind: str | None, options: Options) -> int | None:
    """The month in which a named year begins; None where neither the name nor the item says."""
    if kind is None or (kind == "marketing" and options.year == "marketing"):
        if options.year == "marketing":
            return options.year_start
        return _START_MONTH.get(options.year or "")
    return _START_MONTH.get(kind)


def _pair_first_year(match: "re.Match[str]") -> int | None:
    """The first year of "2023-24" or "2023-2024"; None where the second does not follow it."""
    first, second = int(match["first"]), match["second"]
    follows = int(second) == first + 1 if len(second) == 4 else int(second) == (first + 1) % 100
    return first if follows else None


def _quarter(text: str, start: int, end: int, period: Period, start_month: int) -> Period | None:
    """The quarter or half of a named year that stands beside it ("Q3 FY 2023-24")."""
    around = _PART.search(text, max(0, start - 24), start) or _PART.match(
        text, min(len(text), end + 1)
    )
    if around is None:
        return period
    words = {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": 4}
    if around["q"]:
        index, months = int(around["q"][1]), 3
    elif around["h"]:
        index, months = int(around["h"][1]), 6
    else:
        months = 3 if around["of"] == "quarter" else 6
        index = 2 if months == 6 and around["word"] == "last" else words[around["word"]]
        if months == 6 and index > 2:
            return None
    offset = start_month - 1 + (index - 1) * months
    begin = Day(period.first.year + offset // 12, offset % 12 + 1, 1)
    after = offset + months
    return Period(
        begin,
        Day(period.first.year + after // 12, after % 12 + 1, 1) - timedelta(days=1),
        label=True,
    )


def _named(text: str, options: Options) -> list[Candidate[Period | None]]:
    """Named years; a name that nothing explains is a candidate with no period."""
    found: list[Candidate[Period | None]] = []
    for match in _PAIR.finditer(text):
        if _month_follows(text, match.end()):
            continue
        first = _pair_first_year(match)
        month = _start_month(_kind(match), options)
        if first is None:
            continue
        spelled = month if month is not None and (month != 1 or _kind(match)) else None
        period = year_period(first, spelled) if spelled is not None and spelled != 1 else None
        if period is not None and spelled is not None:
            period = _quarter(text, *match.span(), period, spelled)
        found.append(Candidate(*match.span(), period, bare=False))
    for match in _SHORT_FY.finditer(text):
        period = year_period(1999 + int(match["end"]), 4)
        found.append(Candidate(*match.span(), _quarter(text, *match.span(), period, 4), bare=False))
    for match in _SINGLE.finditer(text):
        period = year_period(int(match["first"]), 1) if _kind(match) == "calendar" else None
        found.append(Candidate(*match.span(), period, bare=False))
    return found


def _month_follows(text: str, end: int) -> bool:
    """Whether "1809 - 10" goes on with a month: the ten is a day."""
    return re.match(rf"\s{{0,2}}(?:of\s)?{month_names().pattern}", text[end : end + 24]) is not None


def _spelled(text: str, dates: list[DateMention]) -> list[Candidate[Period | None]]:
    """Pairs of dates with a connector between; the start borrows the year of the end."""
    found: list[Candidate[Period | None]] = []
    index = 0
    while index + 1 < len(dates):
        one, two = dates[index], dates[index + 1]
        gap = text[one.end : two.start]
        joined = (
            len(gap) <= _GAP_LIMIT and not re.search(r"\d|\n\s*\n", gap) and _CONNECTOR.search(gap)
        )
        period = _between(one, two) if joined else None
        if period is None:
            index += 1
            continue
        found.append(Candidate(one.start, two.end, period))
        index += 2
    return found


@lru_cache(maxsize=1)
def _month_range_pattern() -> "re.Pattern[str]":
    month = month_names().pattern
    first, last = month.replace("?P<m>", "?P<m1>"), month.replace("?P<m>", "?P<m2>")
    joint = r"\s{0,2}(?:[-\u2014–]|to|till|until|through|से|se)\s{0,2}"
    return re.compile(
        rf"(?<!\d)(?<!\d\s){first}{joint}(?:the end "
        rf"of\s)?{last}[\s,]{{0,2}}(?P<y>(?:1[89]|20|21)\d{{2}})(?!\d)"
    )


def _month_ranges(text: str) -> list[Candidate[Period | None]]:
    """ "October to December 2023": two months and one year for both."""
    numbers = month_names().numbers
    found: list[Candidate[Period | None]] = []
    for match in _month_range_pattern().finditer(text):
        year = int(match["y"])
        first, last = (
            DateMention(0, 0, None, numbers[match["m1"]]),
            DateMention(0, 0, year, numbers[match["m2"]]),
        )
        found.append(Candidate(*match.span(), _between(first, last)))
    return found


def _between(one: DateMention, two: DateMention) -> Period | None:
    if one.month is None or two.month is None or two.year is None:
        return None
    if (one.day is None) != (two.day is None):
        return None
    year = one.year
    if year is None:
        borrowed = (one.month, one.day or 1) <= (two.month, two.day or 1)
        year = two.year if borrowed else two.year - 1
    if one.day is not None and one.day > days_in(year, one.month):
        return None
    first = Day(year, one.month, one.day or 1)
    last = _last_day(two)
    return Period(first, last) if first <= last else None


def _same_period(one: Period | None, two: Period | None) -> bool:
    if one is None or two is None:
        return one is two
    return (one.first, one.last) == (two.first, two.last)


def _read(text: str, options: Options) -> list[Candidate[Period | None]]:
    """The periods of a folded text: spelled ones first, then named ones outside of them."""
    named = [*_named(text, options), *_month_ranges(text)]
    taken = [(c.start, c.end) for c in named]
    dates = [
        found
        for found in find_dates(text, options.century_pivot)
        if not any(found.start < end and start < found.end for start, end in taken)
    ]
    spelled = _spelled(text, dates)
    if options.year == "calendar" and not spelled and not named:
        years = [found for found in dates if found.month is None and found.year is not None]
        named = [Candidate(y.start, y.end, year_period(y.year or 1, 1), bare=True) for y in years]
    return sorted([*spelled, *named], key=lambda candidate: candidate.start)


@lru_cache(maxsize=8192)
def _question_periods(question: str, options: Options) -> tuple[Period, ...]:
    return tuple(c.value for c in _read(fold(question).text, options) if c.value is not None)


def _candidates(answer: Answer, options: Options) -> list[Candidate[Period | None]]:
    text = answer.text
    asked = _question_periods(options.question, options) if options.question else ()
    supporting = context.supporting_spans(text)
    found = []
    for candidate in _read(text, options):
        if context.is_negated(text, candidate.start, candidate.end):
            continue
        period = candidate.value
        strength = Strength.STRONG
        if (
            period is not None
            and period.label
            and any(p.label and _same_period(p, period) for p in asked)
        ):
            strength = Strength.RESTATED
        elif supporting.hold(candidate.start):
            strength = Strength.WEAK
        found.append(Candidate(candidate.start, candidate.end, period, strength, candidate.bare))
    spelled = [c for c in found if c.value is not None and not c.value.label]
    if any(c.strength is Strength.STRONG for c in spelled):
        # Dates that are spelled out say what a year's name beside them means.
        found = [c if c in spelled else replace(c, strength=_weaker(c)) for c in found]
    return found


def _weaker(candidate: Candidate[Period | None]) -> Strength:
    return Strength.WEAK if candidate.strength is Strength.STRONG else candidate.strength


def grade_date_range(answer: Answer, gold: Period, options: Options) -> Grade:
    """Compare the one period that the answer asserts with the gold, first and last day."""
    selection = select(answer, _candidates(answer, options), _same_period)
    if selection.candidate is None:
        return Grade(Verdict.UNDETERMINED, selection.rule, _REASONS[selection.outcome])
    period = selection.candidate.value
    span = answer.span(selection.candidate.start, selection.candidate.end)
    if period is None:
        reason = "a year is named, and neither the answer nor the item says when it begins"
        return Grade(Verdict.UNDETERMINED, "year_kind_unknown", reason, span=span)
    if _same_period(period, gold):
        return Grade(
            Verdict.CORRECT, selection.rule, "the period is the gold one", str(period), span
        )
    return Grade(
        Verdict.INCORRECT,
        selection.rule,
        f"the period is {period}, the gold {gold}",
        str(period),
        span,
    )
