"""The month-set grader: names, numbers and ranges of months; set equality, Jaccard recorded."""

import re
from dataclasses import dataclass
from functools import lru_cache

from bench_pipeline.contracts.grades import Grade, Verdict
from bench_pipeline.grade import _context as context
from bench_pipeline.grade._answer import Answer
from bench_pipeline.grade._dates_text import month_names
from bench_pipeline.grade._errors import GradeInputError
from bench_pipeline.grade._options import Options
from bench_pipeline.grade._select import Candidate, Outcome, Strength, select

Months = frozenset[int]

_ALL = frozenset(range(1, 13))
_REASONS = {
    Outcome.NONE: "no month was found",
    Outcome.RIVALS: "several groups of months differ and none is marked as the answer",
    Outcome.RESTATED: "the only months repeat the question",
}
_WORD = r"(?<![a-z\u0900-\u0963])(?:{})(?![a-z\u0900-\u0963])"
_RANGE_WORD = re.compile(
    _WORD.format("to|till|til|until|through|thru|upto|up to|से|तक|se|tak") + r"|[-—–→~]"
)
_FILLER = re.compile(
    _WORD.format(
        r"the|months?|month of|of|early|mid|late|middle|beginning|start|end|ends?|and|"
        r"or|or so|also|then|"
        r"first week|last week|week|from|between|in|around|about|both|namely|is|as|well as|"
        r"to|till|til|until|through|thru|upto|up to|और|तथा|एवं|या|व|से|तक|के|की|महीने|"
        r"महीना|माह|शुरुआत|अंत|मध्य|"
        r"aur|ya|se|tak|ke|mahine|mahina|end of"
    )
    + r"|\d{1,2}(?:st|nd|rd|th)?|\d{4}|[\s,;&/*_()\[\].:•–—→~+|'\"-]+"
)
_SENTENCE_BREAK = re.compile(r"(?<!\d)[.;]\s|\n\s*\n")
_WHOLE_YEAR = re.compile(
    _WORD.format(
        r"all (?:the )?(?:12|twelve) months|all year(?:[ -]round)?|throughout the year|"
        r"year[ -]round|every month|"
        r"साल भर|पूरे साल|पूरे वर्ष|वर्ष भर|बारहों महीने|saal bhar|poore saal"
    )
)
_EXCEPT = re.compile(
    _WORD.format(
        r"except|excluding|barring|other than|apart from|but not|छोड़कर|सिवाय|अलावा|chhodkar"
    )
)
_OPEN_BEFORE = re.compile(
    _WORD.format(r"before|after|by|until|till|since|onwards?|prior to")
    + r"\s{1,2}(?:the\s|end of\s|mid[- ]){0,2}$"
)
_OPEN_AFTER = re.compile(r"\s{0,2}" + _WORD.format(r"onwards?|के बाद|से पहले|के पहले|ke baad|se pehle"))
_NUMBER_LIST = re.compile(
    r"\D{0,3}(?:months?:?\s{0,2})?((?:1[0-2]|0?[1-9])(?:\s{0,2}(?:,|;|/|&|-|to|and|"
    r"through|से|और)\s{0,2}(?:and\s)?(?:1[0-2]|0?[1-9])){0,11})\s{0,2}[.\])]?\s{0,2}"
)
_NUMBER_STEP = re.compile(r"(1[0-2]|0?[1-9])|(-|to|through|से)")


@dataclass(frozen=True, slots=True)
class _Name:
    start: int
    end: int
    month: int


def read_month_gold(gold: str, options: Options) -> Months:
    """The gold as a set; GradeInputError unless it is month numbers 1 to 12, comma-separated."""
    parts = [part.strip() for part in gold.split(",")]
    if not all(
        part.isascii() and part.isdigit() and 1 <= int(part) <= 12
        for part in parts
        if len(part) < 3
    ) or any(not part or len(part) > 2 for part in parts):
        raise GradeInputError(
            f'month_set gold is {gold!r}; accepted are month numbers such as "10,11,12,1"'
        )
    return frozenset(int(part) for part in parts)


def wrapped(first: int, last: int) -> Months:
    """The months from `first` to `last`, past the end of the year where it must."""
    length = (last - first) % 12 + 1
    return frozenset((first - 1 + step) % 12 + 1 for step in range(length))


def canonical(months: Months) -> str:
    """The set as text: ascending numbers."""
    return ",".join(str(month) for month in sorted(months))


@lru_cache(maxsize=1)
def _name_pattern() -> "re.Pattern[str]":
    return re.compile(month_names().pattern)


def _names(answer: Answer) -> list[_Name]:
    """The months named; one whose name is another word too must look like a month here."""
    table = month_names()
    found: list[_Name] = []
    doubtful: list[bool] = []
    for match in _name_pattern().finditer(answer.text):
        name = match["m"]
        cased = answer.cased[match.start("m") : match.end("m")]
        doubtful.append(name in table.ambiguous and cased.islower())
        found.append(_Name(match.start(), match.end(), table.numbers[name]))
    return [
        name
        for index, name in enumerate(found)
        if not doubtful[index] or _has_neighbour(answer.text, found, index)
    ]


def _has_neighbour(text: str, names: list[_Name], index: int) -> bool:
    """Whether another month stands beside this one, or nothing else does."""
    name = names[index]
    if not (text[: name.start] + text[name.end :]).strip(" \n.,*_\"'"):
        return True
    gaps = []
    if index:
        gaps.append(text[names[index - 1].end : name.start])
    if index + 1 < len(names):
        gaps.append(text[name.end : names[index + 1].start])
    return any(len(gap) <= 40 and _is_filler(gap) for gap in gaps)


def _is_filler(gap: str) -> bool:
    """Whether a gap holds nothing that starts another statement."""
    if _SENTENCE_BREAK.search(gap):
        return False
    position = 0
    while position < len(gap):
        match = _FILLER.match(gap, position)
        if match is None or match.end() == position:
            return False
        position = match.end()
    return True


def _groups(text: str, names: list[_Name]) -> list[list[_Name]]:
    groups: list[list[_Name]] = []
    for name in names:
        if (
            groups
            and name.start - groups[-1][-1].end <= 60
            and _is_filler(text[groups[-1][-1].end : name.start])
        ):
            groups[-1].append(name)
        else:
            groups.append([name])
    return groups


def _is_range(text: str, one: _Name, two: _Name) -> bool:
    gap = text[one.end : two.start]
    if "\n" in gap:
        return False
    if _RANGE_WORD.search(gap):
        return True
    lead = text[max(0, one.start - 24) : one.start]
    between = re.search(
        r"(?<![a-z])between\s{1,2}(?:the\s|months?\s|of\s|early\s|mid[- ]|late\s){0,3}$", lead
    )
    return between is not None and re.search(r"(?<![a-z])and(?![a-z])", gap) is not None


def _months_of(text: str, group: list[_Name]) -> Months:
    months: set[int] = set()
    index = 0
    while index < len(group):
        if index + 1 < len(group) and _is_range(text, group[index], group[index + 1]):
            months |= wrapped(group[index].month, group[index + 1].month)
            index += 2
        else:
            months.add(group[index].month)
            index += 1
    return frozenset(months)


def _is_open(text: str, group: list[_Name]) -> bool:
    """Whether one end of the group is open ("before June", "September onwards")."""
    if len(group) > 1:
        return _OPEN_AFTER.match(text, group[-1].end) is not None
    lead = text[max(0, group[0].start - 30) : group[0].start]
    return bool(_OPEN_BEFORE.search(lead)) or _OPEN_AFTER.match(text, group[-1].end) is not None


def _numbers_only(answer: Answer) -> Candidate[Months] | None:
    """A list of month numbers, where the answer or its mark holds nothing else."""
    places = [(region.start, region.end) for region in answer.regions] + [(0, len(answer.text))]
    for start, end in places:
        text = answer.text[start:end].strip(" \n*_`\"'$")
        found = _NUMBER_LIST.fullmatch(text)
        if found is None:
            continue
        months: set[int] = set()
        ranged, previous = False, 0
        for step in _NUMBER_STEP.finditer(found[1]):
            if step[2]:
                ranged = True
                continue
            month = int(step[1])
            months |= wrapped(previous, month) if ranged and previous else {month}
            ranged, previous = False, month
        return Candidate(start, end, frozenset(months))
    return None


def _candidates(answer: Answer) -> list[Candidate[Months]]:
    text = answer.text
    names = _names(answer)
    if not names:
        whole = _WHOLE_YEAR.search(text)
        if whole is not None:
            return [Candidate(*whole.span(), _ALL)]
        numbers = _numbers_only(answer)
        return [numbers] if numbers is not None else []
    supporting = context.supporting_spans(text)
    found = []
    for group in _groups(text, names):
        start, end = group[0].start, group[-1].end
        if context.is_negated(text, start, end):
            continue
        months = frozenset() if _is_open(text, group) else _months_of(text, group)
        strength = Strength.WEAK if supporting.hold(start) else Strength.STRONG
        found.append(Candidate(start, end, months, strength))
    return found


def _same(one: Months, two: Months) -> bool:
    return one == two


def grade_month_set(answer: Answer, gold: Months, options: Options) -> Grade:
    """Compare the set of months that the answer asserts with the gold set."""
    if _EXCEPT.search(answer.text):
        return Grade(
            Verdict.UNDETERMINED, "exception", "the answer excepts months, which is not read"
        )
    selection = select(answer, _candidates(answer), _same)
    if selection.candidate is None:
        return Grade(Verdict.UNDETERMINED, selection.rule, _REASONS[selection.outcome])
    months = selection.candidate.value
    span = answer.span(selection.candidate.start, selection.candidate.end)
    if not months:
        return Grade(Verdict.UNDETERMINED, "open_range", "one end of the range is open", span=span)
    jaccard = len(months & gold) / len(months | gold)
    if months == gold:
        return Grade(
            Verdict.CORRECT,
            selection.rule,
            "the months are the gold ones",
            canonical(months),
            span,
            jaccard=1.0,
        )
    reason = f"the months are {canonical(months)}, the gold {canonical(gold)}"
    return Grade(
        Verdict.INCORRECT, selection.rule, reason, canonical(months), span, jaccard=jaccard
    )
