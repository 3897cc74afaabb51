"""The lexical graders: exact substring and word overlap, on whole tokens of text keys.

`lexical_frame` grades a whole frame by the same rules; a test holds the two equal.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from bench_pipeline.contracts.grades import Flag, Grade, Verdict
from bench_pipeline.grade._answer import Answer
from bench_pipeline.grade._errors import GradeInputError
from bench_pipeline.grade._options import Options
from bench_pipeline.text import token_line
from bench_pipeline.text._key import cached_token_line
from bench_pipeline.text._number_words import read_reference

SUBSTRING_FOUND = "substring_found"
SUBSTRING_ABSENT = "substring_absent"
OVERLAP = "word_overlap"
NO_TOKENS = "no_tokens"
FOUND = "the gold is in the answer"
FOUND_HEDGED = "the gold is in the answer, denied or beside its alternatives"
ABSENT = "the gold is not in the answer"
EMPTY = "the answer holds no word and no number"
OVERLAP_REASON = "content words of the gold are in the answer"

_FILLERS = "in|the|a|an|of|at|from|by|really|actually|simply|called|than|be|is|was"
_DENIED_BEFORE = re.compile(
    r" (?:not|never|neither|nor|without|except|rather than|instead of|(?:is|are|was|"
    r"were|did|does|do|has|could|would)n t"
    rf"|cannot be) (?:(?:{_FILLERS}) ){{0,2}}$"
)
_DENIED_AFTER = re.compile(
    r" (?:(?:is|was|are|were) (?:not|never|incorrect|wrong|false) |(?:is|was|are|"
    r"were)n t |(?:\S{1,20} ){0,1}(?:नहीं|nahi|nahin) )"
)
_OFFERED_BEFORE = (" or ", " या ", " ya ")
# Every denial and every alternative holds one of these: the frame grader looks for them first.
HEDGE_TRIGGERS = (
    " not ",
    " never ",
    " neither ",
    " nor ",
    " without ",
    " except ",
    " rather than ",
    " instead of ",
    "n t ",
    " cannot be ",
    " incorrect ",
    " wrong ",
    " false ",
    " नहीं ",
    " nahi ",
    " nahin ",
    *_OFFERED_BEFORE,
)
_CONTEXT = 80


@dataclass(frozen=True, slots=True)
class LexicalGold:
    """The token lines that count as found, and the content tokens of the gold."""

    lines: tuple[str, ...]
    content: frozenset[str]


@lru_cache(maxsize=1)
def stopwords() -> frozenset[str]:
    """Words of a gold that carry no content."""
    words = read_reference("stopwords.yaml")["words"]
    return frozenset(token for word in words for token in token_line(str(word)).split())


@lru_cache(maxsize=65536)
def _read_gold(gold: str, aliases: tuple[str, ...]) -> LexicalGold:
    lines = tuple(cached_token_line(text) for text in (gold, *aliases))
    found = lines[0].split()
    content = frozenset(found) - stopwords() or frozenset(found)
    return LexicalGold(tuple(line for line in lines if line.strip()), content)


def read_lexical_gold(gold: str, options: Options) -> LexicalGold:
    """The tokens of the gold and its aliases; GradeInputError for a gold without any."""
    read = _read_gold(gold, options.aliases)
    if not read.content:
        raise GradeInputError(
            f"lexical gold is {gold!r}; accepted is a text with at least one word or number"
        )
    return read


def is_hedged(line: str, gold_line: str, choice_lines: tuple[tuple[str, ...], ...]) -> bool:
    """Whether a token line that holds the gold denies it everywhere, offers it as an
    alternative, or lists every choice.
    """
    if choice_lines and all(any(form in line for form in forms) for forms in choice_lines):
        return True
    denied_everywhere = True
    position = line.find(gold_line)
    while position >= 0:
        end = position + len(gold_line) - 1
        before = line[max(0, position - _CONTEXT) : position + 1]
        after = line[end : end + _CONTEXT]
        if before.endswith(_OFFERED_BEFORE) or after.startswith(_OFFERED_BEFORE):
            return True
        if not (_DENIED_BEFORE.search(before) or _DENIED_AFTER.match(after)):
            denied_everywhere = False
        position = line.find(gold_line, end)
    return denied_everywhere


@lru_cache(maxsize=4096)
def choice_lines(choices: tuple[tuple[str, tuple[str, ...]], ...]) -> tuple[tuple[str, ...], ...]:
    """The token lines of each choice with its aliases."""
    return tuple(
        tuple(cached_token_line(form) for form in (name, *aliases)) for name, aliases in choices
    )


def flags_of(line: str, gold_line: str, options: Options) -> frozenset[Flag]:
    """The hedge flag of a token line that holds the gold."""
    hedged = is_hedged(line, gold_line, choice_lines(options.choices))
    return frozenset({Flag.HEDGED_MATCH}) if hedged else frozenset()


def grade_substring(answer: Answer, gold: LexicalGold, options: Options) -> Grade:
    """Correct where the tokens of the gold, or of an alias, stand in a row in the answer."""
    line = token_line(answer.body if not answer.blanked else answer.text)
    if line == " ":
        return Grade(Verdict.UNDETERMINED, NO_TOKENS, EMPTY)
    found = next((gold_line for gold_line in gold.lines if gold_line in line), None)
    if found is None:
        return Grade(Verdict.INCORRECT, SUBSTRING_ABSENT, ABSENT)
    flags = flags_of(line, found, options)
    return Grade(
        Verdict.CORRECT,
        SUBSTRING_FOUND,
        FOUND_HEDGED if flags else FOUND,
        found.strip(),
        _span(answer, found),
        flags,
    )


def _span(answer: Answer, gold_line: str) -> tuple[int, int] | None:
    """Where the gold stands: its tokens with anything but letters and digits between."""
    pattern = r"[\W_]{1,4}".join(re.escape(token) for token in gold_line.split())
    found = re.search(pattern, answer.text)
    return answer.span(*found.span()) if found else None


def grade_word_overlap(answer: Answer, gold: LexicalGold, options: Options) -> Grade:
    """Correct where the share of the gold's content tokens in the answer reaches the threshold."""
    line = token_line(answer.body if not answer.blanked else answer.text)
    if line == " ":
        return Grade(Verdict.UNDETERMINED, NO_TOKENS, EMPTY)
    found = len(gold.content & set(line.split()))
    total = len(gold.content)
    extracted = f"{found}/{total}"
    if found < options.threshold * total:
        return Grade(Verdict.INCORRECT, OVERLAP, f"{extracted} {OVERLAP_REASON}", extracted)
    whole = next((gold_line for gold_line in gold.lines if gold_line in line), None)
    flags = flags_of(line, whole, options) if whole else frozenset()
    return Grade(Verdict.CORRECT, OVERLAP, f"{extracted} {OVERLAP_REASON}", extracted, None, flags)
