"""The cloze baseline: mask a date, a number or a name in a sentence, and ask for it.

It needs no model, so that the whole lane can be seen on one's own documents at once. It knows
nothing of what is worth asking: it is a baseline, and named so wherever its questions appear.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bench_pipeline.text import split_sentences, tokens

BLANK = "____"
_LEAST_WORDS, _MOST_WORDS = 8, 70
_MOST_PER_CHUNK = 6
_MONTH = (
    "January|February|March|April|May|June|July|August|September|October|November|December|"
    "जनवरी|फ़रवरी|फरवरी|मार्च|अप्रैल|मई|जून|जुलाई|अगस्त|सितंबर|अक्टूबर|नवंबर|दिसंबर"
)
_DATE = re.compile(
    rf"\b(?:\d{{1,2}}(?:st|nd|rd|th)?(?: day of)? )?(?:{_MONTH}),? \d{{4}}\b"
    rf"|\b\d{{1,2}}(?:st|nd|rd|th)? (?:{_MONTH})\b"
)
_YEAR = re.compile(r"(?<![\w.,/(-])(?:1[5-9]|20)\d\d(?![\w/)-])")
_UNIT = (
    "lakh|crore|per cent|percent|years|months|days|members|rupees|kilometres|km|metres|hectares|"
    "districts|states|States|languages|seats|लाख|करोड़|प्रतिशत|वर्ष|किलोमीटर|ज़िले|राज्य|भाषाएँ"
)
_NUMBER = re.compile(rf"(?<![\w.,/(-])\d[\d,]*(?:\.\d+)? (?:{_UNIT})\b(?!\s*of this)")
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_ONES = "one|two|three|four|five|six|seven|eight|nine"
_WORDED = (
    rf"(?:{_TENS})(?:-(?:{_ONES}))?|{_ONES}|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|"
    "eighteen|one hundred|two hundred and fifty|five hundred"
)
_COUNTED = "years|months|days|weeks|members|persons|hours|per cent|Judges|States|parts|languages"
_COUNT = re.compile(
    rf"(?<![\w-])(?:(?:{_WORDED}) (?:{_COUNTED})|one-third|two-thirds|one-half|one-fourth)\b"
)
_NAME = re.compile(r"\b(?<!^)[A-Z][a-z]+(?:(?: of| and| the| for)? [A-Z][a-z]+){1,3}\b")
#: capitalised words that name a part of a text, or nothing much
_NO_TERM = "State|States|Article|Articles|Part|Schedule|Chapter|Table|Provided|Subject|Explanation"
_TERM = re.compile(rf"\b(?<!^)(?!(?:{_NO_TERM})\b)[A-Z][a-z]{{3,}}\b")
#: most telling first: a sentence is asked about once
_KINDS = (
    ("date", _DATE),
    ("year", _YEAR),
    ("number", _NUMBER),
    ("count", _COUNT),
    ("name", _NAME),
    ("term", _TERM),
)
_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|shall|may|can|became|came|begins?|began|lies|flows?|holds?|"
    r"rose|joined|covers?|means|includes?|consists?|made|makes|won|built|wrote|ruled)\b"
    r"|(?:है|हैं|था|थे|थी|होता|होती|होते|गया|गई|गए|बना|बनी|बने)(?=[\s।,]|$)"
)
#: notes, contents and amendments: lines that are no sentences of the work
_NO_SENTENCE = re.compile(
    r"\.{4,}|(?:\. ){4,}|\*{2,}"
    r"|\b(?:ibid|w\.e\.f|Subs\.|Ins\.|Omitted|Sch\.|cls?\.|Rep\.|Act \d|See\b)|^\W*\d"
)
#: "12A.", "(3)", "(iv)": the number of an article or clause, no part of its sentence
_ENUMERATOR = re.compile(
    r"^(?:[\d\[\s]*\d+[A-Z]{0,3}\.[\s\u2014-]*)?(?:\(\s*(?:\d+[A-Z]?|[a-z]{1,4})\)\s*)*"
)
_OPENING = re.compile(r"^(?:[\"“‘'(\[]*)(?:[A-Z]|[\u0904-\u0939])")


@dataclass(frozen=True, slots=True)
class Cloze:
    """A masked sentence: the question, its answer, and the answer's span in the chunk."""

    question: str
    answer: str
    start: int
    end: int
    kind: str


def cloze_questions(chunk: str, title: str, language: str = "en") -> Iterator[Cloze]:
    """At most a few questions of `chunk`, one a sentence, in order.

    `title` names the work, so that the question stands without its passage.
    """
    made = 0
    for first_of_all, end in split_sentences(chunk, language):
        enumerator = _ENUMERATOR.match(chunk[first_of_all:end])
        start = first_of_all + (enumerator.end() if enumerator else 0)
        sentence = chunk[start:end]
        if not _can_be_asked(sentence):
            continue
        found = _mask(sentence)
        if found is None:
            continue
        kind, (first, last) = found
        yield Cloze(
            question=_question(sentence, (first, last), title, language),
            answer=sentence[first:last],
            start=start + first,
            end=start + last,
            kind=kind,
        )
        made += 1
        if made == _MOST_PER_CHUNK:
            return


def _can_be_asked(sentence: str) -> bool:
    """Whether it is a whole sentence of running text, neither too short nor too long."""
    return (
        _LEAST_WORDS <= len(tokens(sentence)) <= _MOST_WORDS
        and "\n" not in sentence
        and sentence.rstrip(" \"”’')]").endswith((".", "।", "!"))
        and bool(_OPENING.match(sentence))
        and not _NO_SENTENCE.search(sentence)
        and bool(_VERB.search(sentence))
    )


def _mask(sentence: str) -> tuple[str, tuple[int, int]] | None:
    """The most telling kind of thing that stands once in the sentence, and the last such place."""
    for kind, pattern in _KINDS:
        found = [m for m in pattern.finditer(sentence) if sentence.count(m.group()) == 1]
        if found:
            return kind, found[-1].span()
    return None


def _question(sentence: str, mask: tuple[int, int], title: str, language: str) -> str:
    masked = f"{sentence[: mask[0]]}{BLANK}{sentence[mask[1] :]}".strip()
    asked = "रिक्त स्थान भरें" if language == "hi" else "fill in the blank"
    return f"{title}: {asked}: {masked}"
