"""The string grader: equality of text keys, for formats and identifiers; grouping where asked."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from bench_pipeline.contracts.grades import Grade, Verdict
from bench_pipeline.grade import _context as context
from bench_pipeline.grade._answer import Answer
from bench_pipeline.grade._errors import GradeInputError
from bench_pipeline.grade._marked import Region, Tier
from bench_pipeline.grade._options import Options
from bench_pipeline.text import fold, text_key

_GROUPED_NUMBER = re.compile(
    r"(?<![\w.,])-?\d+(?:(?:,|\{,\}|\s(?=\d{2,3}(?!\d)))\d+)*(?:\.\d+)?(?![\w]|[.,]\d)"
)
_COMMA_IN_NUMBER = re.compile(r"(?<=\d),(?=\d)")
_IDENTIFIER = re.compile(
    r"(?<![^\s\"'`(*\[])(?=[^\s]{0,40}[\d/-]|"
    r"[A-Z]{3})[A-Za-z0-9][A-Za-z0-9/_.,:-]{1,60}[A-Za-z0-9](?![A-Za-z0-9])"
)
_QUOTED = re.compile(
    r"`{1,3}([^`\n]{1,200})`{1,3}|\"([^\"\n]{1,200})\"|(?<![\w'])'([^'\n]{2,200})'(?![\w'])"
)
_FENCE = re.compile(r"```[a-z]{0,12}\n([^`]{1,400})\n```")
_AFTER_COPULA = re.compile(
    r"(?:(?<![a-z])(?:is|are|as|called|written as|known as|named|termed|means)|"
    r"[:=])[\s*_\"'`:]{1,6}"
)
_HINDI_COPULA_END = re.compile(r"\s(?:है|हैं|कहते हैं|कहा जाता है|होता है|hai|hain|kehte hain)\s*[.!]?$")
_ARTICLE = re.compile(r"^(?:the|a|an)\s")
_SHORT_WORDS = 8


@dataclass(frozen=True, slots=True)
class StringGold:
    """The keys that count as equal; `shape` is the gold as it is written, folded."""

    keys: frozenset[str]
    shape: str
    is_identifier: bool


def comparison_key(text: str, grouping: bool) -> str:
    """The text key; digit grouping is left out where it was not asked."""
    key = text_key(text)
    return key if grouping else _COMMA_IN_NUMBER.sub("", key)


def read_string_gold(gold: str, options: Options) -> StringGold:
    """The keys of the gold and its aliases; GradeInputError for a blank gold."""
    if not gold.strip():
        raise GradeInputError(
            "string_normalized gold is empty; accepted is the string that was asked for"
        )
    if options.grouping and _GROUPED_NUMBER.fullmatch(fold(gold).text.strip()) is None:
        raise GradeInputError(
            f"string_normalized gold is {gold!r}; with option grouping, "
            'accepted is a number such as "12,34,567"'
        )
    keys = frozenset(comparison_key(text, options.grouping) for text in (gold, *options.aliases))
    return StringGold(
        keys, fold(gold).cased.strip(), _IDENTIFIER.fullmatch(fold(gold).cased.strip()) is not None
    )


def _grouped_texts(text: str, start: int, end: int) -> list[tuple[str, tuple[int, int]]]:
    """Each number of a stretch of folded text, as it is grouped."""
    found = []
    for match in _GROUPED_NUMBER.finditer(text, start, end):
        if not context.is_negated(text, *match.span()):
            found.append((match[0].replace("{,}", ","), match.span()))
    return found


def _grade_grouping(answer: Answer, gold: StringGold, options: Options) -> Grade:
    """The grouping itself decides: 12,34,567 and 1,234,567 are two answers."""
    asked = {
        text for text, _ in _grouped_texts(fold(options.question).text, 0, len(options.question))
    }
    places = [*answer.regions, Region(Tier.CONCLUSION, 0, len(answer.text), "single_value")]
    for place in places:
        found = _grouped_texts(answer.text, place.start, place.end)
        rest = [entry for entry in found if entry[0] not in asked] or (
            found if place.tier <= Tier.ANSWER or len(found) == 1 else []
        )
        distinct = {text for text, _ in rest}
        if len(distinct) == 1:
            text, span = rest[0]
            return _verdict(text in gold.keys, text, gold, place.rule, answer.span(*span))
        if distinct and place.tier <= Tier.ANSWER:
            break
        if distinct and place.rule == "single_value":
            break
    else:
        return Grade(Verdict.UNDETERMINED, "nothing_comparable", "no number was found")
    return Grade(
        Verdict.UNDETERMINED,
        "rival_values",
        "several groupings differ and none is marked as the answer",
    )


def _verdict(equal: bool, found: str, gold: StringGold, rule: str, span: tuple[int, int]) -> Grade:
    if equal:
        return Grade(Verdict.CORRECT, rule, "the text is the gold one", found, span)
    return Grade(
        Verdict.INCORRECT, rule, f"the text is {found[:80]!r}, the gold {gold.shape!r}", found, span
    )


def _matches(candidate: str, gold: StringGold, grouping: bool) -> bool:
    """Whether a candidate equals the gold, an article and a closing Hindi verb aside."""
    forms = {candidate, _HINDI_COPULA_END.sub("", candidate)}
    forms |= {_ARTICLE.sub("", form.lstrip()) for form in forms}
    return any(comparison_key(form, grouping) in gold.keys for form in forms)


def _marked(answer: Answer, gold: StringGold, options: Options) -> Grade | None:
    """The grade of what the strongest mark holds; None where no mark decides."""
    for tier in (Tier.FINAL, Tier.ANSWER, Tier.BOLD):
        regions = [region for region in answer.regions if region.tier is tier]
        texts = [(answer.text[region.start : region.end], region) for region in regions]
        texts = [(text, region) for text, region in texts if text.strip()]
        right = [region for text, region in texts if _region_matches(answer, region, gold, options)]
        if right and len(right) == len(texts):
            region = right[0]
            return _verdict(
                True,
                comparison_key(answer.text[region.start : region.end], False),
                gold,
                region.rule,
                answer.span(region.start, region.end),
            )
        if right and tier is Tier.BOLD:
            return None
        if right:
            return Grade(Verdict.UNDETERMINED, "rival_values", "the marked answers differ")
        if len(texts) == 1 and tier is not Tier.BOLD and len(texts[0][0].split()) <= _SHORT_WORDS:
            text, region = texts[0]
            return _verdict(
                False,
                comparison_key(text, False),
                gold,
                region.rule,
                answer.span(region.start, region.end),
            )
    return None


def _region_matches(answer: Answer, region: Region, gold: StringGold, options: Options) -> bool:
    text = answer.text[region.start : region.end]
    if _matches(text, gold, options.grouping):
        return True
    # A gold that holds a full stop of its own runs past the end of the sentence.
    line_end = answer.text.find("\n", region.start)
    whole_line = answer.text[region.start : line_end if line_end >= 0 else len(answer.text)]
    return _matches(whole_line, gold, options.grouping)


def _candidate_texts(
    answer: Answer, options: Options, gold: StringGold
) -> list[tuple[str, tuple[int, int]]]:
    """Texts that an unmarked answer sets apart: fenced, quoted, or shaped like an identifier."""
    cased = answer.cased
    asked = {
        comparison_key(match[0], False)
        for match in _IDENTIFIER.finditer(fold(options.question).cased)
    }
    for patterns in ((_FENCE,), (_QUOTED,), (_IDENTIFIER,) if gold.is_identifier else ()):
        found = []
        for pattern in patterns:
            for match in pattern.finditer(cased):
                group = match.lastindex or 0
                span = match.span(group)
                if context.is_negated(answer.text, *span):
                    continue
                if pattern is _IDENTIFIER and not _alike(match[group], gold):
                    continue
                if comparison_key(match[group], False) not in asked:
                    found.append((match[group], span))
        if found:
            return found
    return []


def _alike(text: str, gold: StringGold) -> bool:
    """Whether an identifier has digits and separators where the gold has some."""
    shape = gold.shape
    return all(
        any(char in text for char in group)
        for group in ("0123456789", "/", "-")
        if any(c in shape for c in group)
    )


def _after_copula(text: str, limit: int) -> Iterable[tuple[str, tuple[int, int]]]:
    for match in _AFTER_COPULA.finditer(text):
        end = text.find("\n", match.end())
        end = end if end >= 0 else len(text)
        if end - match.end() <= limit:
            yield text[match.end() : end], (match.end(), end)


def grade_string_normalized(answer: Answer, gold: StringGold, options: Options) -> Grade:
    """Compare the text that the answer gives with the gold by key."""
    if options.grouping:
        return _grade_grouping(answer, gold, options)
    whole = answer.text.strip()
    if _matches(whole, gold, False):
        return _verdict(
            True,
            comparison_key(whole, False),
            gold,
            "whole_answer",
            answer.span(0, len(answer.text)),
        )
    marked = _marked(answer, gold, options)
    if marked is not None:
        return marked
    texts = _candidate_texts(answer, options, gold)
    keys = {comparison_key(text, False) for text, _ in texts}
    if len(keys) == 1:
        text, span = texts[0]
        return _verdict(
            _matches(text, gold, False),
            comparison_key(text, False),
            gold,
            "set_apart",
            answer.span(*span),
        )
    if len(keys) > 1:
        return Grade(
            Verdict.UNDETERMINED,
            "rival_values",
            "several texts are set apart and none is marked as the answer",
        )
    for text, span in _after_copula(answer.text, 2 * len(gold.shape) + 80):
        if _matches(text, gold, False) and not context.is_negated(answer.text, *span):
            return _verdict(
                True, comparison_key(text, False), gold, "after_copula", answer.span(*span)
            )
    if answer.from_json or (
        len(whole.split()) <= _SHORT_WORDS and "\n" not in whole and not _contains(whole, gold)
    ):
        return _verdict(
            False,
            comparison_key(whole, False),
            gold,
            "whole_answer",
            answer.span(0, len(answer.text)),
        )
    return Grade(Verdict.UNDETERMINED, "nothing_comparable", "no text is set apart as the answer")


def _contains(whole: str, gold: StringGold) -> bool:
    key = f" {comparison_key(whole, False)} "
    return any(f" {gold_key} " in key for gold_key in gold.keys)
