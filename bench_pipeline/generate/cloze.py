"""The cloze baseline: mask a date, a number or a name in a sentence, and ask for it.

It needs no model, so that the whole lane can be seen on one's own documents at once. It knows
nothing of what is worth asking: it is a baseline, and named so wherever its questions appear.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import regex

from bench_pipeline.text import split_sentences, tokens

BLANK = "____"
_LEAST_WORDS, _MOST_WORDS = 8, 70
_MOST_PER_CHUNK, _MOST_ANSWER_WORDS = 6, 5
# a word ends behind the vowel signs and points of its last letter, which `\b` takes for no part
_B, _E = r"(?<![\p{L}\p{M}\p{N}])", r"(?![\p{L}\p{M}\p{N}])"
_MONTH = (
    "January|February|March|April|May|June|July|August|September|October|November|December|"
    "जनवरी|फ़रवरी|फरवरी|मार्च|अप्रैल|मई|जून|जुलाई|अगस्त|सितंबर|सितम्बर|अक्टूबर|अक्तूबर|नवंबर|नवम्बर|दिसंबर|"
    "दिसम्बर"
)
_DATE = regex.compile(
    rf"{_B}(?:\d{{1,2}}(?:st|nd|rd|th)?(?: day of)? )?(?:{_MONTH}),? \d{{4}}{_E}"
    rf"|{_B}\d{{1,2}}(?:st|nd|rd|th)? (?:{_MONTH}){_E}"
)
_YEAR = regex.compile(
    rf"(?<![.,/(-]){_B}(?:(?:1[5-9]|20)[0-9]{{2}}|(?:१[५-९]|२०)[०-९]{{2}}){_E}(?![/)-])"
)
_UNIT = (
    "lakh|crore|per cent|percent|years|months|days|members|rupees|kilometres|km|metres|hectares|"
    "districts|states|States|languages|seats|लाख|करोड़|प्रतिशत|वर्ष|वर्षों|साल|दिन|दिनों|महीने|घंटे|किलोमीटर|"
    "किमी|मीटर|हेक्टेयर|रुपये|रुपए|ज़िले|ज़िलों|राज्य|राज्यों|भाषाएँ|भाषाओं|सदस्य|सदस्यों|सीटें|सीटों|न्यायाधीश"
)
_NUMBER = regex.compile(rf"(?<![.,/(-]){_B}\d[\d,]*(?:\.\d+)? (?:{_UNIT}){_E}(?!\s*of this)")
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_ONES = "one|two|three|four|five|six|seven|eight|nine"
_WORDED = (
    rf"(?:{_TENS})(?:-(?:{_ONES}))?|{_ONES}|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|"
    "eighteen|one hundred|two hundred and fifty|five hundred"
)
_COUNTED = "years|months|days|weeks|members|persons|hours|per cent|Judges|States|parts|languages"
# not एक, which is the article too
_HINDI_WORDED = (
    "दो|तीन|चार|पाँच|पांच|छह|छः|सात|आठ|नौ|दस|ग्यारह|बारह|तेरह|चौदह|पंद्रह|सोलह|सत्रह|अठारह|उन्नीस|बीस|पच्चीस|"
    "तीस|पैंतीस|चालीस|पचास|साठ|बासठ|पैंसठ|सत्तर|अस्सी|नब्बे|सौ"
)
_HINDI_COUNTED = (
    "वर्ष|वर्षों|साल|दिन|दिनों|सप्ताह|महीने|घंटे|सदस्य|सदस्यों|राज्य|राज्यों|ज़िले|ज़िलों|भाग|भागों|बार|भाषाएँ|"
    "भाषाओं|न्यायाधीश|न्यायाधीशों"
)
_COUNT = regex.compile(
    rf"(?<!-){_B}(?:(?:{_WORDED}) (?:{_COUNTED})|one-third|two-thirds|one-half|one-fourth"
    rf"|(?:{_HINDI_WORDED}) (?:{_HINDI_COUNTED})|दो-तिहाई|एक-तिहाई|दो तिहाई|एक तिहाई){_E}"
)
_HINDI_WORD = r"(?:\p{Deva}[\p{Deva}\p{M}]*)"
# an ordinal counts something: a century, or what a state or an amendment is the how manieth of
_ORDINAL = regex.compile(
    rf"{_B}\p{{Deva}}[\p{{Deva}}\p{{M}}]{{2,}}(?:वाँ|वां|वीं|वें)"
    rf"(?= (?:शताब्दी|सदी|राज्य|संशोधन|प्रविष्टि|अनुसूची|राष्ट्रपति|प्रधानमंत्री){_E})"
)
_QUOTED = regex.compile(r"(?<=[“‘])[\p{Deva}\p{M}]+(?: [\p{Deva}\p{M}]+){0,3}(?=[”’])")
_CALLED = regex.compile(
    rf"(?<= (?:में|को|जिन्हें|जिसे|इसे|उसे|इन्हें|उन्हें) )(?!भी |ही ){_HINDI_WORD}(?: {_HINDI_WORD})?"
    rf"(?= (?:कहते हैं|कहते थे|कहा जाता है|कहा जाता था|कहा गया है){_E})"
)
_PARTICLE = "ने|को|का|की|के|से|में|पर|और|या|भी|ही|द्वारा|थे|थीं|था|थी|है|हैं|जो|जिन्हें|जिनका|जिनके|जिनकी"
# nobody but a person has these before the name, and these words end the name
_PERSON = regex.compile(
    rf"{_B}(?:डॉ\.|प्रो\.|पंडित|महात्मा|श्रीमती|मौलाना|संत|स्वामी|कवि|कवयित्री|प्रधानमंत्री|राष्ट्रपति) "
    rf"(?P<name>(?:(?!(?:{_PARTICLE}){_E})(?:{_HINDI_WORD}|\p{{Deva}}\p{{M}}*\.) ){{1,3}}"
    rf"(?!(?:{_PARTICLE}){_E}){_HINDI_WORD})(?= (?:ने|थे|थीं|द्वारा|को|का|की|के|और){_E})"
)
# no half of a compound, and no word that has its capital from the clause that it opens
_NAMED = rf"{_B}(?<!^|-|\[)(?!(?:If|The|In|On|When|Where|No|Every|Any|All|Each|An?|For|Such){_E})"
_NAME = regex.compile(
    rf"{_NAMED}[A-Z][a-z]+(?:(?: of the| of| and| the| for)? [A-Z][a-z]+){{1,3}}{_E}(?!-)"
)
_LINK = regex.compile(r" (?:of the|of|and|the|for) ")
#: capitalised words that name a part of a text, or nothing much
_NO_TERM = "State|States|Article|Articles|Part|Schedule|Chapter|Table|Provided|Subject|Explanation"
_TERM = regex.compile(rf"{_NAMED}(?!(?:{_NO_TERM}){_E})[A-Z][a-z]{{3,}}{_E}(?!-)")
#: most telling first: a sentence is asked about once
_KINDS = (
    ("date", _DATE),
    ("year", _YEAR),
    ("number", _NUMBER),
    ("count", _COUNT),
    ("count", _ORDINAL),
    ("name", _PERSON),
    ("name", _NAME),
    ("term", _QUOTED),
    ("term", _CALLED),
    ("term", _TERM),
)
_VERB = regex.compile(
    rf"{_B}(?:is|are|was|were|has|have|had|shall|may|can|became|came|begins?|began|lies|flows?|holds?|"
    r"rose|joined|covers?|means|includes?|consists?|made|makes|won|built|wrote|ruled"
    rf"|है|हैं|था|थे|थी|थीं|होता|होती|होते|गया|गई|गए|बना|बनी|बने){_E}"
)
#: notes, contents and amendments: lines that are no sentences of the work
_NO_SENTENCE = regex.compile(
    r"\.{4,}|(?:\. ){4,}|\*{2,}"
    r"|\b(?:ibid|w\.e\.f|Subs\.|Ins\.|Omitted|Sch\.|cls?\.|Rep\.|Act \d|See\b)|^\W*\d"
)
#: a sentence that only the one before it explains
_LEANS_BACK = regex.compile(
    r"^(?:It|Its|He|She|They|His|Her|Their|This|These|That|Those|Both|Another)\b"
    r"|\b(?:at|in|on|of) that (?:first|second|last|same|year|day)\b"
    rf"|^(?:यह|वह|ये|वे|इस|उस|इसी|उसी|इन|उन|इसके|इसकी|इसका|उसके|उसकी|उसका|इनके|इनकी|इनका|इनमें|उनके|उनकी|उनका|"
    rf"उन्होंने|इन्होंने|इसमें|उसमें|वहाँ|यहाँ){_E}"
)
#: "12A.", "(3)", "(iv)": the number of an article or clause, no part of its sentence
_ENUMERATOR = regex.compile(
    r"^(?:[\d\[\s]*\d+[A-Z]{0,3}\.[\s\u2014-]*)?(?:\(\s*(?:\d+[A-Z]?|[a-z]{1,4})\)\s*)*"
)
#: the mark of a footnote behind a sentence's end
_MARK = regex.compile(r"(?<=[.।!][\"”’')\]]*)(?:[*†‡§]{1,3}|\d{1,2})$")
_OPENING = regex.compile(r"^(?:[\"“‘'(\[]*)(?:[A-Z]|[\u0904-\u0939])")


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
        sentence = _MARK.sub("", chunk[start:end])
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
        and not _LEANS_BACK.search(sentence)
        and bool(_VERB.search(sentence))
    )


def _mask(sentence: str) -> tuple[str, tuple[int, int]] | None:
    """The most telling kind of thing that stands once in the sentence, and the last such place."""
    for kind, pattern in _KINDS:
        part = "name" if "name" in pattern.groupindex else 0
        spans = [_short(sentence, *match.span(part)) for match in pattern.finditer(sentence)]
        found = [span for span in spans if span and sentence.count(sentence[slice(*span)]) == 1]
        if found:
            return kind, found[-1]
    return None


def _short(sentence: str, start: int, end: int) -> tuple[int, int] | None:
    """A thing of few words: itself, or of a long name what it is of; None where there is none."""
    while len(sentence[start:end].split()) > _MOST_ANSWER_WORDS:
        link = _LINK.search(sentence, start, end)
        if link is None:
            return None
        start = link.end()
    return start, end


def _question(sentence: str, mask: tuple[int, int], title: str, language: str) -> str:
    masked = f"{sentence[: mask[0]]}{BLANK}{sentence[mask[1] :]}".strip()
    asked = "रिक्त स्थान भरें" if language == "hi" else "fill in the blank"
    return f"{title}: {asked}: {masked}"
