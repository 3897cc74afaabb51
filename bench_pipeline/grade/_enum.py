"""The enum grader: which choice the answer asserts; denials and letters are read."""

import re
from dataclasses import dataclass
from functools import lru_cache

from bench_pipeline.contracts.grades import Grade, Verdict
from bench_pipeline.grade._answer import Answer
from bench_pipeline.grade._errors import GradeInputError
from bench_pipeline.grade._marked import Tier
from bench_pipeline.grade._options import Options
from bench_pipeline.text import text_key
from bench_pipeline.text._number_words import folded_word, read_reference

_EDGE = "a-z0-9\u0900-\u0963"
_BOOLEANS = {"true": "true", "yes": "true", "false": "false", "no": "false"}
_DENIED_BEFORE = re.compile(
    rf"(?<![{_EDGE}])(?:not|never|neither|nor|isn't|aren't|wasn't|doesn't|don't|"
    rf"cannot be|can't be|rather than|instead of|unlike|as opposed to|न तो|न)"
    rf"[\s*_\"'(]{{1,4}}(?:(?!but(?![{_EDGE}])|only(?![{_EDGE}])|"
    rf"just(?![{_EDGE}]))[^\s.,;:!?]{{1,14}}[\s*_\"']{{1,3}}){{0,2}}$"
)
_DENIED_AFTER = re.compile(
    rf"[\s*_\"')]{{0,4}}(?:(?:is|are|was|would be|होना|करना|है|crop|season|फसल|"
    rf"option)[\s*_]{{1,3}}){{0,2}}(?:not|isn't|नहीं|nahi|"
    rf"nahin)(?![{_EDGE}])(?!\s{{1,2}}only)"
)
_REJECTED_AFTER = re.compile(
    rf"[\s*_\"')]{{0,4}}(?:is|are|was|would be)\s{{1,2}}(?:(?:clearly|also|"
    rf"simply)\s)?(?:incorrect|wrong|false|out|ruled out)(?![{_EDGE}])"
)
_LETTERS = {
    **{chr(97 + index): index for index in range(8)},
    "क": 0,
    "ख": 1,
    "ग": 2,
    "घ": 3,
    "ङ": 4,
}
_LETTER = "[a-hकखगघङ]"
_LETTER_ALONE = re.compile(
    rf"[\s*_\"'({{\[]{{0,6}}(?:(?:option|choice|"
    rf"विकल्प)[\s*_:]{{1,3}})?\(?({_LETTER})[\s*_\"').}}\]:,]{{0,6}}"
)
_LETTER_NAMED = re.compile(
    rf"(?<![{_EDGE}])(?:option|choice|"
    rf"विकल्प)[\s*_:]{{1,3}}\(?[\"'*]{{0,3}}({_LETTER})(?![{_EDGE}'])"
)
_LETTER_FIRST = re.compile(
    r"[\s*_\"']{0,4}\(?([A-Hकखगघङ])(?:[.):]|\s?[-\u2014]\s|\*\*)[\s*_]{0,3}\S"
)
_LETTER_MARKED = re.compile(r"[\s*_\"']{0,4}\(?([A-Hकखगघङ])\)?[*_]{0,2}(?=[\s.,):;-]|$)")
_LETTER_BRACKETED = re.compile(r"(?:^|[\s*])\(([A-H])\)(?=[\s.,*]|$)")


@dataclass(frozen=True, slots=True)
class Choices:
    """The choices of an item: `pattern` finds any form, `canonical` names its choice."""

    names: tuple[str, ...]
    pattern: "re.Pattern[str]"
    canonical: dict[str, str]
    boolean: bool
    negators: frozenset[str] = frozenset()


def _spaced(form: str) -> str:
    return re.sub(r"[\s_-]+", " ", form).strip()


def _build(
    pairs: tuple[tuple[str, tuple[str, ...]], ...], boolean: bool, negators: frozenset[str]
) -> Choices:
    canonical: dict[str, str] = {}
    for name, aliases in pairs:
        for form in (name, *aliases):
            key = _spaced(folded_word(form))
            other = canonical.setdefault(key, name)
            if other != name:
                raise GradeInputError(
                    f"option 'choices': {form!r} stands for both {other!r} and {name!r}"
                )
    forms = sorted(canonical, key=lambda form: -len(form))
    source = "|".join(re.escape(form).replace(r"\ ", r"[\s_-]{1,3}") for form in forms)
    pattern = re.compile(rf"(?<![{_EDGE}])(?:{source})(?![{_EDGE}])")
    return Choices(tuple(name for name, _ in pairs), pattern, canonical, boolean, negators)


@lru_cache(maxsize=1)
def _boolean_choices() -> Choices:
    data = read_reference("booleans.yaml")
    pairs = tuple((name, tuple(data[name])) for name in ("true", "false"))
    return _build(pairs, True, frozenset(folded_word(word) for word in data["negators"]))


@lru_cache(maxsize=4096)
def choices_of(pairs: tuple[tuple[str, tuple[str, ...]], ...]) -> Choices:
    """The choices that an item lists; true and false, or yes and no, keep their built-in forms."""
    keys = {text_key(name) for name, _ in pairs}
    if keys in ({"true", "false"}, {"yes", "no"}):
        base = _boolean_choices()
        own = {
            _spaced(folded_word(form)): _BOOLEANS[text_key(name)]
            for name, aliases in pairs
            for form in (name, *aliases)
        }
        merged = {**base.canonical, **own}
        grouped = tuple(
            (name, tuple(form for form, to in merged.items() if to == name))
            for name in ("true", "false")
        )
        return _build(grouped, True, base.negators)
    return _build(pairs, False, frozenset())


def read_enum_gold(gold: str, options: Options) -> tuple[str, Choices]:
    """The canonical choice of the gold; GradeInputError where it is none of the choices."""
    key = text_key(gold.strip())
    if not options.choices:
        if key in _BOOLEANS:
            return _BOOLEANS[key], _boolean_choices()
        raise GradeInputError(
            f"enum gold is {gold!r}; accepted without option 'choices' are true, false, yes and no"
        )
    choices = choices_of(options.choices)
    name = choices.canonical.get(_spaced(folded_word(gold.strip())))
    if name is None:
        raise GradeInputError(
            f"enum gold is {gold!r}; accepted are the choices {', '.join(choices.names)}"
        )
    return name, choices


@dataclass(frozen=True, slots=True)
class _Reading:
    """What a stretch of text asserts and denies, with the place of the first assertion."""

    asserted: tuple[str, ...]
    denied: frozenset[str]
    span: tuple[int, int] = (0, 0)


def _is_denied(text: str, start: int, end: int) -> bool:
    lead = text[max(0, start - 48) : start]
    if _DENIED_BEFORE.search(lead) and not re.search(
        r"[.;!?\n]", lead[lead.rfind("not") :] if "not" in lead else ""
    ):
        return True
    return (
        _DENIED_AFTER.match(text, end) is not None or _REJECTED_AFTER.match(text, end) is not None
    )


def _opposite(name: str) -> str:
    return "false" if name == "true" else "true"


def _matches(
    text: str, cased: str, start: int, end: int, choices: Choices
) -> list[tuple[str, bool, tuple[int, int]]]:
    """(choice, denied, span) for each form in a stretch of text."""
    found = []
    for match in choices.pattern.finditer(text, start, end):
        form = match[0]
        if len(form) == 1 and form.isascii() and cased[match.start()].islower() and end - start > 3:
            continue
        if form in choices.negators and _denies_a_form(text, match.start(), match.end(), choices):
            continue
        name = choices.canonical[_spaced(form)]
        found.append((name, _is_denied(text, *match.span()), match.span()))
    return found


def _denies_a_form(text: str, start: int, end: int, choices: Choices) -> bool:
    """Whether a negator belongs to a form beside it ("सही नहीं"), or to a phrase ("no doubt")."""
    lead = text[max(0, start - 24) : start]
    before = list(choices.pattern.finditer(lead))
    if before and re.fullmatch(r"[\s*_]{1,3}(?:[^\s.,]{1,8}\s){0,1}", lead[before[-1].end() :]):
        return True
    if (
        text[start:end] == "no"
        and text[:start].strip(" \n*_\"'")
        and re.match(r"\s[a-z]", text[end:])
    ):
        return True
    return (
        re.match(r"\s(?:doubt|question|longer|more|matter|one|way)(?![a-z])", text[end : end + 12])
        is not None
    )


def _read(answer: Answer, start: int, end: int, choices: Choices, marked: bool) -> _Reading:
    """The assertions and denials of a stretch; to deny true is to assert false."""
    asserted: dict[str, tuple[int, int]] = {}
    denied: set[str] = set()
    for name, is_denied, span in _matches(answer.text, answer.cased, start, end, choices):
        if is_denied and choices.boolean:
            asserted.setdefault(_opposite(name), span)
        elif is_denied:
            denied.add(name)
        else:
            asserted.setdefault(name, span)
    if not choices.boolean:
        letter = _letter(answer, start, end, choices, marked)
        if letter is not None:
            asserted.setdefault(letter[0], letter[1])
    first = min(asserted.values(), default=(start, end))
    return _Reading(tuple(asserted), frozenset(denied - set(asserted)), first)


def _letter(
    answer: Answer, start: int, end: int, choices: Choices, marked: bool
) -> tuple[str, tuple[int, int]] | None:
    """The choice that a letter names: alone, named as an option, or first with its own mark."""
    text, cased = answer.text[start:end], answer.cased[start:end]
    found = _LETTER_ALONE.fullmatch(text) or _LETTER_FIRST.match(cased)
    if found is None and marked:
        found = _LETTER_MARKED.match(cased)
    named = {
        match[1] for match in _LETTER_NAMED.finditer(text) if not _is_denied(text, *match.span())
    }
    if found is None and len(named) == 1:
        found = next(match for match in _LETTER_NAMED.finditer(text) if match[1] in named)
    if found is None:
        bracketed = {match[1] for match in _LETTER_BRACKETED.finditer(cased)}
        found = _LETTER_BRACKETED.search(cased) if len(bracketed) == 1 else None
    if found is None:
        return None
    index = _LETTERS[found[1].lower()]
    if index >= len(choices.names):
        return None
    return choices.names[index], (start + found.start(1), start + found.end(1))


def _leading(answer: Answer, choices: Choices) -> _Reading | None:
    """The yes or no with which an answer opens, before it explains."""
    match = choices.pattern.search(answer.text)
    if match is None or not choices.boolean:
        return None
    opens = not answer.text[: match.start()].strip(" \n*_\"'#>-(")
    closes = re.match(r"[\s*_\"')]{0,4}(?:[,.!;:\n\u2014-]|$)", answer.text[match.end() :])
    if not opens or closes is None:
        return None
    return _Reading((choices.canonical[_spaced(match[0])],), frozenset(), match.span())


def _decide(answer: Answer, choices: Choices) -> tuple[_Reading, str]:
    """The reading that counts and its rule: marks, then the opening word, then the whole."""
    for tier in (Tier.FINAL, Tier.ANSWER, Tier.BOLD):
        readings = []
        for region in answer.regions:
            if region.tier is tier:
                reading = _read(answer, region.start, region.end, choices, tier is not Tier.BOLD)
                if reading.asserted or (reading.denied and tier is not Tier.BOLD):
                    readings.append((reading, region.rule))
        names = {name for reading, _ in readings for name in reading.asserted}
        if readings and (len(names) == 1 or tier is not Tier.BOLD):
            merged = _Reading(tuple(names), readings[0][0].denied, readings[0][0].span)
            return merged, readings[0][1]
    leading = None if answer.is_retracted else _leading(answer, choices)
    if leading is not None:
        return leading, "opening_word"
    return _read(answer, 0, len(answer.text), choices, answer.from_json), "whole_answer"


def grade_enum(answer: Answer, gold: tuple[str, Choices], options: Options) -> Grade:
    """Compare the one choice that the answer asserts with the gold choice."""
    name, choices = gold
    reading, rule = _decide(answer, choices)
    span = answer.span(*reading.span)
    if len(reading.asserted) > 1:
        reason = f"two choices are asserted: {', '.join(sorted(reading.asserted))}"
        return Grade(Verdict.UNDETERMINED, "rival_choices", reason)
    if reading.asserted:
        asserted = reading.asserted[0]
        if asserted == name:
            return Grade(Verdict.CORRECT, rule, "the choice is the gold one", asserted, span)
        return Grade(
            Verdict.INCORRECT, rule, f"the choice is {asserted}, the gold {name}", asserted, span
        )
    if name in reading.denied:
        return Grade(Verdict.INCORRECT, "denied", f"the answer denies {name}", f"not {name}", span)
    left = [other for other in choices.names if other not in reading.denied]
    if reading.denied and len(left) == 1:
        return Grade(
            Verdict.CORRECT, "others_denied", "every other choice is denied", left[0], span
        )
    return Grade(Verdict.UNDETERMINED, "nothing_comparable", "no choice was found")
