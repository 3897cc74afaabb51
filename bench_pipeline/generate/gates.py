"""Deterministic gates: why a candidate cannot be a question of a closed-book benchmark.

Every gate has a reason of its own, and the first that holds is the candidate's. They read the
candidate and its chunk only, so a change to them is a new verdict on what is stored, never a call.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from bench_pipeline.contracts.paths import reference_dir
from bench_pipeline.contracts.yaml_files import read_yaml
from bench_pipeline.text import fold, hidden_characters, script_share, token_line, tokens

MOST_ANSWER_WORDS = 5
_MOST_ANSWER_CHARACTERS = 80
_MOST_QUESTION_CHARACTERS = 600
#: language → the script that its questions are written in
SCRIPTS = {"en": "Latn", "hi": "Deva"}
_LEAST_SCRIPT_SHARE = 0.8
_BLANK = "____"
_LEAST_QUESTION_WORDS = 4


@dataclass(frozen=True, slots=True)
class Draft:
    """A question and its answer as a generator wrote them, with the chunk they came from."""

    question: str
    answer: str
    chunk: str
    language: str = "en"


@dataclass(frozen=True, slots=True)
class GateVerdict:
    """`reason` is None for a draft that passes; `span` is the answer's place in the chunk."""

    reason: str | None
    span: tuple[int, int] | None = None


def pass_gates(draft: Draft) -> GateVerdict:
    """The verdict of all gates on `draft`; an answer that is too long is not looked for."""
    short = len(draft.answer) <= _MOST_ANSWER_CHARACTERS
    span = find_verbatim(draft.answer, draft.chunk) if short else None
    for reason, holds in _GATES:
        if holds(draft):
            return GateVerdict(reason, span)
    if span is None:
        return GateVerdict("answer_not_verbatim")
    return GateVerdict(None, span)


def find_verbatim(answer: str, chunk: str) -> tuple[int, int] | None:
    """Where `answer` stands in `chunk` on word boundaries: as it is, or folded.

    Folding maps quotes, dashes, digits of other scripts and case; a paraphrase stays absent. The
    span is of the chunk as it is.
    """
    if not answer.strip():
        return None
    exact = _on_boundaries(answer.strip(), chunk)
    if exact is not None:
        return exact
    folded = fold(chunk)
    found = _on_boundaries(fold(answer.strip()).text, folded.text)
    return folded.raw_span(*found) if found is not None else None


def _on_boundaries(needle: str, text: str) -> tuple[int, int] | None:
    start = text.find(needle)
    while start >= 0:
        end = start + len(needle)
        before, after = text[start - 1 : start], text[end : end + 1]
        if not (_joins(before) and _joins(needle[:1])) and not (
            _joins(after) and _joins(needle[-1:])
        ):
            return start, end
        start = text.find(needle, start + 1)
    return None


def _joins(character: str) -> bool:
    """Whether a character is part of a word: letters, digits, and the marks that carry vowels."""
    return character.isalnum() or bool(re.match(r"[\u0300-\u036f\u0900-\u0dff]", character))


def _hidden_characters(draft: Draft) -> bool:
    return bool(hidden_characters(draft.question + draft.answer, SCRIPTS.get(draft.language)))


def _question_length(draft: Draft) -> bool:
    return len(draft.question) > _MOST_QUESTION_CHARACTERS


def _answer_length(draft: Draft) -> bool:
    if len(draft.answer) > _MOST_ANSWER_CHARACTERS:
        return True
    return not 1 <= len(draft.answer.split()) <= MOST_ANSWER_WORDS


def _no_question(draft: Draft) -> bool:
    question = draft.question.strip()
    asks = question.endswith(("?", "؟", "।")) or _BLANK in question
    return not asks or len(question.split()) < _LEAST_QUESTION_WORDS


def _wrong_script(draft: Draft) -> bool:
    script = SCRIPTS.get(draft.language)
    return script is not None and script_share(draft.question, script) < _LEAST_SCRIPT_SHARE


def _refers_to_passage(draft: Draft) -> bool:
    line = token_line(draft.question)
    return any(phrase in line for phrase in _phrases("self_reference.yaml", "phrases"))


def _dangling_pronoun(draft: Draft) -> bool:
    """A pronoun before anything is named: it opens the question or follows its question words.

    "This" and its like point at nothing only where no noun follows them.
    """
    pronouns = {phrase.strip() for phrase in _phrases("self_reference.yaml", "pronouns")}
    words = tokens(draft.question)
    for position, word in enumerate(words[:_OPENING]):
        following = words[position + 1] if position + 1 < len(words) else ""
        if word in _DETERMINERS:
            if following in _VERBS or not following:
                return True
        elif word in pronouns:
            return True
        if word not in _QUESTION_WORDS:
            return False
    return False


_OPENING = 4
_DETERMINERS = frozenset({"this", "that", "these", "those", "such"})
_QUESTION_WORDS = frozenset(
    [
        *(
            "who",
            "what",
            "when",
            "where",
            "which",
            "why",
            "how",
            "in",
            "on",
            "at",
            "of",
            "by",
            "to",
        ),
        *("is", "are", "was", "were", "did", "does", "do", "has", "had", "many", "much", "year"),
    ]
)
#: after one of these, "this" and "that" point at nothing that the question names
_VERBS = frozenset(
    [
        *(
            "is",
            "are",
            "was",
            "were",
            "come",
            "came",
            "begin",
            "began",
            "end",
            "happen",
            "happened",
        ),
        *("take", "took", "apply", "applies", "mean", "means", "occur", "occurred", "have", "has"),
    ]
)


def _answer_in_question(draft: Draft) -> bool:
    answer = token_line(draft.answer)
    return bool(answer.strip()) and answer in token_line(draft.question)


def _not_about_india(draft: Draft) -> bool:
    line = token_line(draft.question) + token_line(draft.answer)
    return not any(
        word in line for kind in ("words", "places") for word in _phrases("india.yaml", kind)
    )


@cache
def _phrases(file: str, kind: str) -> frozenset[str]:
    """The phrases of a reference file as token lines, which begin and end with a space."""
    return frozenset(token_line(phrase) for phrase in read_yaml(reference_dir() / file)[kind])


#: the lengths come first: no later gate reads a text of any length
_GATES: tuple[tuple[str, Callable[[Draft], bool]], ...] = (
    ("question_length", _question_length),
    ("answer_length", _answer_length),
    ("hidden_characters", _hidden_characters),
    ("no_question", _no_question),
    ("wrong_script", _wrong_script),
    ("refers_to_passage", _refers_to_passage),
    ("dangling_pronoun", _dangling_pronoun),
    ("answer_in_question", _answer_in_question),
    ("not_about_india", _not_about_india),
)
REASONS = (*(reason for reason, _ in _GATES), "answer_not_verbatim")
