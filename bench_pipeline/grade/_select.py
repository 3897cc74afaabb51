"""Which of several values an answer asserts: marks beat position, two rivals decide nothing.

The same rule serves every grader that reads values: each brings its own candidates and says when
two of them are one value.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Generic, TypeVar

from bench_pipeline.grade._answer import Answer
from bench_pipeline.grade._marked import Region, Tier

T = TypeVar("T")


class Strength(Enum):
    """How much a value in a text counts as the answer."""

    STRONG = "strong"
    # Support: a parenthesis, a reason, the left side of an equation, a year. Counts when alone.
    WEAK = "weak"
    # Repeats the question. Counts only where nothing else is there and the place says "answer".
    RESTATED = "restated"


@dataclass(frozen=True, slots=True)
class Candidate(Generic[T]):
    """One value and its place in folded text; a `bare` one may be the answer though restated."""

    start: int
    end: int
    value: T
    strength: Strength = Strength.STRONG
    bare: bool = True


class Outcome(Enum):
    """How the selection ended."""

    ONE = "one"
    NONE = "none"
    RIVALS = "rivals"
    RESTATED = "restated"


@dataclass(frozen=True, slots=True)
class Selection(Generic[T]):
    """The selected candidate (with outcome ONE) and the rule that selected it."""

    outcome: Outcome
    rule: str
    candidate: Candidate[T] | None = None


# The rule of a value that only supports an answer, where the text holds no other.
ONLY_SUPPORT = "only_support"

Same = Callable[[T, T], bool]

_EQUALS = re.compile(
    r"(?:=|≈|(?<![a-z])(?:equals?|is equal to|equal to|gives(?: us)?|makes|amounts "
    r"to|comes to|works out to|बराबर|यानी))"
    r"[\s*_$:₹\\(\[{]{0,8}(?:rs\.?\s?|inr\s?)?$"
)
_TAIL_LIMIT = 40


def distinct(candidates: Sequence[Candidate[T]], same: Same[T]) -> list[Candidate[T]]:
    """One candidate for each different value, the first of each."""
    found: list[Candidate[T]] = []
    for candidate in candidates:
        if not any(same(candidate.value, other.value) for other in found):
            found.append(candidate)
            if len(found) > 8:
                break
    return found


def _tail(text: str, end: int, candidates: Sequence[Candidate[T]]) -> Candidate[T] | None:
    """The value of "= x" where x is the last value before `end` and hardly anything follows it."""
    last = candidates[-1]
    if last.strength is Strength.RESTATED or end - last.end > _TAIL_LIMIT:
        return None
    lead = text[max(0, last.start - 30) : last.start]
    return last if _EQUALS.search(lead) else None


def _within(
    text: str, end: int, candidates: Sequence[Candidate[T]], same: Same[T]
) -> tuple[Outcome, Candidate[T] | None]:
    """The one value of a stretch of text that ends at `end`."""
    for strength in (Strength.STRONG, Strength.WEAK):
        found = distinct([c for c in candidates if c.strength is strength], same)
        if len(found) == 1:
            return Outcome.ONE, found[0]
        if found:
            tail = _tail(text, end, candidates)
            return (Outcome.ONE, tail) if tail is not None else (Outcome.RIVALS, None)
    return (Outcome.RESTATED, None) if candidates else (Outcome.NONE, None)


def _restated(candidates: Sequence[Candidate[T]], same: Same[T]) -> Candidate[T] | None:
    """The one value of a place that says "answer", though the question holds it too."""
    found = distinct([c for c in candidates if c.bare], same)
    return found[0] if len(found) == 1 else None


def _in_tier(
    answer: Answer, regions: Sequence[Region], candidates: Sequence[Candidate[T]], same: Same[T]
) -> Selection[T] | None:
    """The value of the regions of one tier; None where the next tier has to decide."""
    picked: list[Candidate[T]] = []
    rule = regions[0].rule
    for region in regions:
        inside = [c for c in candidates if region.start <= c.start < region.end]
        if not inside:
            continue
        outcome, candidate = _within(answer.text, region.end, inside, same)
        if outcome is Outcome.RESTATED and region.tier <= Tier.ANSWER:
            candidate = _restated(inside, same)
        if candidate is not None:
            picked.append(candidate)
            rule = region.rule
        elif outcome is Outcome.RIVALS and region.tier <= Tier.ANSWER:
            return Selection(Outcome.RIVALS, region.rule)
    found = distinct(picked, same)
    if len(found) == 1:
        return Selection(Outcome.ONE, rule, found[0])
    if found and regions[0].tier <= Tier.ANSWER:
        return Selection(Outcome.RIVALS, rule)
    return None


def _is_last_word(region: Region, candidates: Sequence[Candidate[T]]) -> bool:
    return not any(c.start >= region.end and c.strength is Strength.STRONG for c in candidates)


def _is_bare(answer: Answer, candidates: Sequence[Candidate[T]]) -> bool:
    """Whether the answer says next to nothing besides its one value."""
    first, last = candidates[0], candidates[-1]
    around = answer.text[: first.start] + answer.text[last.end :]
    return len(candidates) == 1 and len(around.split()) <= 3 and not re.search(r"[=+?]", around)


def select(answer: Answer, candidates: Sequence[Candidate[T]], same: Same[T]) -> Selection[T]:
    """The value that `answer` asserts among `candidates` (in text order).

    Strongest mark first; inside a mark and outside alike, one distinct value decides, "= x" at the
    end decides, and several different values decide nothing.
    """
    if not candidates:
        return Selection(Outcome.NONE, "nothing_comparable")
    regions = answer.regions
    for tier in Tier:
        of_tier = [region for region in regions if region.tier is tier]
        if tier is Tier.CONCLUSION:
            of_tier = [region for region in of_tier if _is_last_word(region, candidates)]
        if of_tier:
            selection = _in_tier(answer, of_tier, candidates, same)
            if selection is not None:
                return selection
    outcome, candidate = _within(answer.text, len(answer.text), candidates, same)
    if outcome is Outcome.ONE:
        weak = candidate is not None and candidate.strength is Strength.WEAK
        return Selection(Outcome.ONE, ONLY_SUPPORT if weak else "single_value", candidate)
    if outcome is Outcome.RESTATED:
        if answer.from_json or _is_bare(answer, candidates):
            alone = _restated(candidates, same)
            if alone is not None:
                return Selection(Outcome.ONE, "single_value", alone)
        return Selection(Outcome.RESTATED, "only_restates_the_question")
    return Selection(outcome, "rival_values")
