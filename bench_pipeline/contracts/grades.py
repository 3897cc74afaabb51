"""The verdict of one grader on one completion: what every grader returns and `grades` stores."""

from dataclasses import dataclass, field
from enum import StrEnum

#: the grader of the answer types that have one of their own
CODE = "code"
#: short answers are graded by each of these; the suite says which protocol its scores rest on
PROTOCOLS = ("substring", "word_overlap")
#: the third protocol: a model's verdict, from `judgements`
JUDGE = "judge"


class Verdict(StrEnum):
    """The four verdicts; there is no fifth."""

    CORRECT = "correct"
    INCORRECT = "incorrect"
    UNDETERMINED = "undetermined"
    REFUSED = "refused"


class Flag(StrEnum):
    """What a verdict alone does not say. Reported beside it, never instead of it."""

    ORDER_OF_MAGNITUDE = "order_of_magnitude"
    ZERO = "zero"
    SIGN_FLIP = "sign_flip"
    UNIT_MISSING = "unit_missing"
    UNIT_WRONG = "unit_wrong"
    OVERCONFIDENT = "overconfident"
    HEDGED_MATCH = "hedged_match"


@dataclass(frozen=True, slots=True)
class Grade:
    """One grader's decision.

    `extracted` is the canonical form of what the answer asserts (comparable across samples),
    `span` its character offsets in the raw answer, `rule` the name of the rule that decided, and
    `reason` a sentence for a person. `jaccard` is set by the month_set grader only.
    """

    verdict: Verdict
    rule: str
    reason: str
    extracted: str | None = None
    span: tuple[int, int] | None = None
    flags: frozenset[Flag] = field(default_factory=frozenset)
    jaccard: float | None = None
