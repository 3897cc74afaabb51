"""What the text around a number says about it: list marker, year, reason, operand, negation.

Every rule here is about the form of the text, never about the gold.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from decimal import Decimal

from bench_pipeline.grade._sentences import sentence_end
from bench_pipeline.text import NumberMention

_LIST_AFTER = re.compile(r"[*_]{0,2}[.)][*_]{0,2}\s{1,4}[*_]{0,2}\S")
_STEP_BEFORE = re.compile(r"(?<![a-z])(?:step|चरण)\s{0,2}[*_#]{0,2}$")
_CITATION = re.compile(r"\[\^?$")
_LABEL_BEFORE = re.compile(
    r"(?<![a-z\u0900-\u0963])(?:section|sec|article|art|chapter|table|figure|fig|"
    r"part|point|class|note|rule|schedule|clause|"
    r"para|page|question|option|item|version|phase|form|category|entry|grade|type|"
    r"stage|level|series|act|amendment|"
    r"no|nos|number|धारा|अनुच्छेद|कक्षा|नियम)\.?\s{0,2}(?:no\.?\s?)?$"
)
_PER_BEFORE = re.compile(r"(?<![a-z\u0900-\u0963])(?:per|every|each|out of|प्रति|हर)\s{1,2}$")
_PART_BEFORE = re.compile(r"(?<![a-z])(?:in|into|over|of)\s{1,2}$")
_PART_AFTER = re.compile(r"\s{1,2}(?:equal\s)?(?:instal|tranche|part|phase|stage|किस्त|किश्त|kist)")
_EACH_AFTER = re.compile(
    r"[\s*/-]{0,4}(?:(?:[a-z]{1,10}|रुपये|रुपए)\s)?(?:each|apiece|per instal|a "
    r"piece|की|ki)(?![a-z\u0900-\u0963])"
)
_YEAR_BEFORE = re.compile(
    r"(?<![a-z\u0900-\u0963])(?:in|since|as of|by|from|until|till|to|of|year|around|"
    r"during|after|before|and|act,?|"
    r"budget|fy|ay|census|scheme|rules,?|january|february|march|april|may|june|july|"
    r"august|september|october|"
    r"november|december|वर्ष|सन|साल|सन्)[\s,]{1,2}$"
)
_YEAR_AFTER = re.compile(r"\s{0,2}(?:में|से|तक|onwards|act|budget|census|ce|ad|bce|bc)(?![a-z])")
_NEGATED_BEFORE = re.compile(
    r"(?:(?<![a-z])(?:not|isn't|aren't|wasn't|never|rather than|instead of|neither|"
    r"nor|cannot be|can't be|unlike)"
    r"|≠|!=)(?:\s{1,2}(?:exactly|equal|equals|to|the|a|an|be|simply|₹|rs\.?|inr|"
    r"as)){0,3}[\s*_₹$]{0,4}$"
)
_NOT_ONLY = re.compile(r"not\s{1,2}(?:only|just|more than|less than|later than|exceeding)")
_NEGATED_AFTER = re.compile(
    r"[\s*_]{0,3}(?:[^\s\d.,;!?()]{1,14}\s{1,2}){0,2}(?:नहीं|nahi|nahin|nahi)(?![a-z])"
)
_OPERATOR_AFTER = re.compile(
    r"[\s*_}]{0,4}(?:[a-z\u0900-\u0963/.]{1,12}\s{1,2}){0,2}(?:[×÷]|\+(?=\s?[\d₹])|"
    r"/(?=\s?\d)|\*(?=\s?\d)|\\times|\\div|\\cdot|-(?=\s?[\d.,]{1,20}\s?=)|"
    r"x(?=\s?\d)|"
    r"(?:multiplied|divided) by|plus(?![a-z])|times(?![a-z])|गुणा|minus(?![a-z]))"
)
_OPERATOR_BEFORE = re.compile(
    r"(?:[×÷+]|[\d)][ \t]?\*(?!\*)|\\times|\\div|\\cdot|(?<=\d)\s?/|(?<=[\d)])\s?x|"
    r"(?:multiplied|divided)\s{1,2}by|"
    r"(?<![a-z])(?:multiply|multiplying|divide|dividing)\s[^\n.;=]{0,40}\sby|"
    r"(?<![a-z])(?:plus|times|multiply|multiplying|divide|dividing|add|adding|"
    r"subtract|subtracting)|गुणा|(?<=\d) -)[\s*_({\\$₹]{0,4}$"
)
_FUNCTION_BEFORE = re.compile(
    r"(?:√|\\sqrt|(?<![a-z])(?:sqrt|log|ln|(?:square|cube) root of|factorial of))[\s({]{0,3}$"
)
_EQUATION_AFTER = re.compile(
    r"[\s*_)}$\\]{0,4}(?:[^\s\d=.;:,\n]{1,14}[\s*_]{0,2}){0,4}(?:=|≈|"
    r"(?<![a-z])(?:equals?|is equal to|is equivalent "
    r"to)(?![a-z]))[\s*]{0,3}[^\n.;?]{0,30}?(?:\d|[a-z])"
)
_DEFINITION_AFTER = re.compile(
    r"\s{0,2}(?:[^\s\d.;:,\n=]{1,14}\s{1,2}){0,3}(?:is|are|has|have|contains?|"
    r"makes?|means|consists? of|में|का|mein|me)\s[^\n.;?]{0,30}?\d"
)
_PARENTHESIS = re.compile(r"(?<!\\)\([^()\n]{1,240}\)|(?<!\\)\[[^\[\]\n]{1,240}\](?!\()")
_ALTERNATIVE = re.compile(r"(?<![a-z\u0900-\u0963])(?:or|vs|versus|या|ya)(?![a-z\u0900-\u0963])")
_REASON = re.compile(
    r"(?<![a-z\u0900-\u0963])(?:because|given that|considering|knowing that|recall "
    r"that|note that|remember that|"
    r"since(?!\s{1,2}(?:\d{4}|then))|as(?=\s{1,2}(?:1|one|there|each|a|an)\s)|"
    r"where(?=\s)|क्योंकि|चूंकि|चूँकि|kyunki|kyonki)(?![a-z\u0900-\u0963])"
)
_REASON_END = re.compile(r",\s|\)|(?<![a-z])(?:so|therefore|hence|thus|then|इसलिए)(?![a-z])")
_URL = re.compile(r"(?:https?://|www\.)\S{1,300}")
_ONE = frozenset({"one", "a", "an", "ek", "एक"})


# Necessary conditions, searched once for a text before its numbers are looked at one by one.
OPERATION_HINT = re.compile(
    r"[×÷+*/=≈\\√]|sqrt|log|ln|root of|factorial|\dx|\d x|\d ?-|"
    r"equal|equiv|multipl|divid|plus|times|minus|add|subtract|गुणा"
)
NEGATION_HINT = re.compile(r"not|n't|never|rather|instead|n[eo]i?t?h?er|nor|unlike|≠|!=|नहीं|nahi")


class Spans:
    """Half-open spans, asked whether one of them holds a place."""

    def __init__(self, spans: Iterable[tuple[int, int]]) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        for start, end in sorted(spans):
            if self._ends and start <= self._ends[-1]:
                self._ends[-1] = max(self._ends[-1], end)
            else:
                self._starts.append(start)
                self._ends.append(end)

    def hold(self, place: int) -> bool:
        """Whether `place` lies in one of the spans."""
        index = bisect_right(self._starts, place) - 1
        return index >= 0 and place < self._ends[index]


def supporting_spans(text: str) -> Spans:
    """Spans whose values only support the answer: parentheses, reasons, addresses of pages."""
    spans = []
    if "(" in text or "[" in text:
        for match in _PARENTHESIS.finditer(text):
            if not _ALTERNATIVE.search(match[0]):
                spans.append(match.span())
    covered = 0
    for match in _REASON.finditer(text):
        if match.start() < covered:
            continue
        stop = sentence_end(text, match.end())
        ends = _REASON_END.search(text, match.end(), stop)
        covered = ends.start() if ends else stop
        spans.append((match.start(), covered))
    if "://" in text or "www." in text:
        spans.extend(match.span() for match in _URL.finditer(text))
    return Spans(spans)


def without_noise(text: str, mentions: list[NumberMention]) -> list[NumberMention]:
    """The numbers that do more than number a list entry, a step or a footnote."""
    markers = {mention.value for mention in mentions if _is_list_marker(text, mention)}
    return [mention for mention in mentions if not _is_noise(text, mention, markers)]


def _is_small(mention: NumberMention) -> bool:
    return (
        mention.value is not None
        and not mention.words
        and mention.scale == 1
        and 0 <= mention.value <= 99
    )


def _is_list_marker(text: str, mention: NumberMention) -> bool:
    if not _is_small(mention) or _LIST_AFTER.match(text, mention.end) is None:
        return False
    line = text[text.rfind("\n", 0, mention.start) + 1 : mention.start]
    return not line.strip(" \t>*#_(-")


def _is_noise(text: str, mention: NumberMention, markers: set[Decimal | None]) -> bool:
    if not _is_small(mention):
        return False
    if mention.value in markers and _is_list_marker(text, mention):
        # A list begins with one; "18. I have nothing to add" begins with the answer.
        return mention.value == 1 or (mention.value is not None and mention.value - 1 in markers)
    before = text[max(0, mention.start - 12) : mention.start]
    if _STEP_BEFORE.search(before):
        return True
    return bool(_CITATION.search(before)) and text[mention.end : mention.end + 1] == "]"


def is_negated(text: str, start: int, end: int) -> bool:
    """Whether the text denies the value at this place ("not 5", "5 नहीं")."""
    before = text[max(0, start - 40) : start]
    if _NEGATED_BEFORE.search(before) and not _NOT_ONLY.search(before):
        return True
    return _NEGATED_AFTER.match(text, end) is not None


def is_operand(text: str, start: int, end: int) -> bool:
    """Whether the value is worked with: an operand, or the left side of an equation."""
    return is_worked_with(text, start, end) or bool(_EQUATION_AFTER.match(text, end, end + 110))


def is_expression(text: str, mentions: Sequence[NumberMention]) -> bool:
    """Whether the numbers are two or more operands, or each is what a function takes."""
    if all(_FUNCTION_BEFORE.search(text, max(0, m.start - 30), m.start) for m in mentions):
        return True
    return len(mentions) > 1 and all(is_worked_with(text, m.start, m.end) for m in mentions)


def is_worked_with(text: str, start: int, end: int) -> bool:
    """Whether an operator or a function takes the value."""
    if _OPERATOR_AFTER.match(text, end, end + 60):
        return True
    return bool(start) and _OPERATOR_BEFORE.search(text, max(0, start - 60), start) is not None


def is_definition_subject(text: str, mention: NumberMention) -> bool:
    """Whether the number is the one of "1 crore is 100 lakh": the thing defined, not its value."""
    return (
        mention.coefficient == 1
        and _DEFINITION_AFTER.match(text, mention.end, mention.end + 90) is not None
    )


def is_year(text: str, mention: NumberMention) -> bool:
    """Whether a plain four-digit number is placed like a year."""
    if mention.words or mention.currency or mention.scale != 1 or mention.value is None:
        return False
    token = text[mention.start : mention.end]
    if len(token) != 4 or not token.isdigit() or not "1500" <= token <= "2199":
        return False
    before = text[max(0, mention.start - 16) : mention.start]
    return bool(_YEAR_BEFORE.search(before)) or _YEAR_AFTER.match(text, mention.end) is not None


def is_reference(text: str, mention: NumberMention) -> bool:
    """Whether the number names or counts something else ("Section 80", "per 100", "2,000 each")."""
    if mention.ordinal:
        return True
    before = text[max(0, mention.start - 18) : mention.start]
    if _LABEL_BEFORE.search(before) or _PER_BEFORE.search(before):
        return True
    if _PART_BEFORE.search(before) and _PART_AFTER.match(text, mention.end):
        return True
    if _EACH_AFTER.match(text, mention.end):
        return True
    return mention.words and text[mention.start : mention.end] in _ONE
