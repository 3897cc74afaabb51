"""Where sentences end, in any of the languages of the suites.

`sentencex` (MIT, kept by the Wikimedia Foundation's language team) proposes the ends. Its list of
abbreviations is thin for Indian languages and it takes every numbering for a sentence, so the
rules here add the ends that are certain and strike out those that are none.
"""

from collections.abc import Iterator

import regex

_CLOSERS = "\"'”’»)\\]}"
_OPENERS = "\"'“‘«(\\["
_DANDAS = "।॥۔᱾᱿꯫"
_CERTAIN = regex.compile(
    rf"\n[ \t]*\n|[{_DANDAS}](?!\s*[।॥])[{_CLOSERS}]*"
    rf"|\.[{_CLOSERS}]+(?=\s+[{_OPENERS}]*\p{{Lu}})"
    rf"|[?!؟][{_CLOSERS}]*(?=\s+[{_OPENERS}]*[\p{{Lu}}\p{{Lo}}])"
)
# A number that closes a sentence, and a capital or a caseless letter that opens the next one.
_AFTER_NUMBER = regex.compile(
    rf"(?<=\s(?:\d+|\d\d?[:.]\d\d|\d[\d,]*\.\d+)%?)\.[{_CLOSERS}]*(?=\s+[{_OPENERS}]*[\p{{Lu}}\p{{Lo}}])"
)
# A footnote's mark stands against the stop before it, and belongs to the sentence that it ends.
_SYMBOLS = "*†‡§"
_MONTHS = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
_MARKED = regex.compile(
    rf"[.?!{_DANDAS}][{_CLOSERS}]*[{_SYMBOLS}]{{1,3}}(?=\s+[{_OPENERS}]*[\p{{Lu}}\p{{Lo}}])"
    rf"|(?<=[\p{{L}}\p{{M}}]{{2}}|[{_CLOSERS}])\.[{_CLOSERS}]*\d{{1,2}}"
    rf"(?=\s+[{_OPENERS}]*(?!{_MONTHS})\p{{Lu}})"
)
_MARK_NEXT = regex.compile(rf"[{_SYMBOLS}]{{1,3}}(?:\s|$)")
_FIGURE = regex.compile(rf"(?<=\.[{_CLOSERS}]*)\d{{1,2}}$")
_STOPPED = regex.compile(rf"\.[{_CLOSERS}\s]*$")
_LAST_WORD = regex.compile(r"(?:[^\s.(\[“‘\"'—–]+\.)*[^\s.(\[“‘\"'—–]+(?=\.[^\p{L}\p{N}]*$)")


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


# Something always follows these: titles, and "that is" or "for example".
_BEFORE_NAME = _words(
    """
    dr mr mrs ms messrs prof shri sri smt km kum lt col gen maj capt cmdr brig sgt hon rev fr
    pt pandit sh st mt ft v vs viz cf i.e e.g w.e.f ins subs rep approx ca श्री श्रीमती डॉ डा
    प्रो पं कु सुश्री स्व मो न्या ले कर्नल শ্রী ড ডা প্রফেসর শ্ৰী શ્રી ડૉ પ્રો ਸ਼੍ਰੀ ਡਾ ਪ੍ਰੋ
    ଶ୍ରୀ ଡ திரு டாக்டர் శ్రీ డా ಶ್ರೀ ಡಾ ശ്രീ ഡോ
    """
)
# A number follows these; without one they may end a sentence ("He said no.").
_BEFORE_NUMBER = _words(
    """
    rs re no nos art arts sec secs s ss cl cls ch chs vol vols p pp para paras pt pts fig
    figs sch app ex ord r rr eq tab jan feb mar apr jun jul aug sep sept oct nov dec रु रू सं
    क्र अनु पृ धारा भाग टका ট রু રૂ ரூ రూ ರೂ രൂ ਰੁ ଟ
    """
)
_NUMBER_NEXT = regex.compile(r"[(\[]?(?:\p{Nd}|[IVXLC]+\b)")
_LETTERED = _words(
    """
    part class vitamin group list form table type plan schedule appendix annexure hepatitis
    grade category zone war i ii iii
    """
)
_INITIALS = regex.compile(r"\p{Lu}(?:\.\p{Lu})*")
_OPENING_WORD = regex.compile(
    r"(?:The|This|These|That|Those|There|It|Its|In|On|At|An?|He|She|They|We|His|Her|Their|But|And|However|"
    r"After|Before|For|From|When|If|Every|Each|No|Such|Under|As|By|To|Thus|Then|Some|Many|All|What|Who)\b"
)
_NUMBERING = regex.compile(
    r"[(\[]?(?:\p{Nd}+[A-Z]{0,2}(?:\.\p{Nd}+)*|[a-z]|[ivxlc]+|[IVXLC]+)[.)]+\s*$"
)
_LEVELS = regex.compile(r"\p{Nd}+(?:\.\p{Nd}+)+")


def split_sentences(text: str, language: str = "en") -> list[tuple[int, int]]:
    """The spans of the sentences of `text`, in order; every character but spaces is in one.

    `language` is a code of the suites (`en`, `hi`, `mni-Beng`); an unknown one is split by the
    rules that most languages share. An empty line always ends a sentence, a single line end never
    does by itself. No span begins or ends inside a grapheme cluster.
    """
    spans: list[tuple[int, int]] = []
    start = 0
    for end in [*_ends(text, language), len(text)]:
        left, right = _trimmed(text, start, end)
        if left == right:
            start = end
        elif end == len(text) or _is_end(text, left, end):
            spans.append((left, right))
            start = end
    return spans


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    part = text[start:end]
    left = start + len(part) - len(part.lstrip())
    return left, max(left, start + len(part.rstrip()))


def _ends(text: str, language: str) -> Iterator[int]:
    """The places where a sentence may end, in order."""
    from sentencex import get_sentence_boundaries

    code = language.partition("-")[0]
    ends = {found["end_index"] for found in get_sentence_boundaries(code, text)}
    ends.update(match.end() for match in _CERTAIN.finditer(text))
    ends.update(match.end() for match in _AFTER_NUMBER.finditer(text))
    ends.update(match.end() for match in _MARKED.finditer(text))
    return iter(sorted(end for end in ends if 0 < end < len(text)))


def _is_end(text: str, start: int, end: int) -> bool:
    """Whether the sentence from `start` may end at `end`; both stand outside of spaces."""
    gap_end = end
    while gap_end < len(text) and text[gap_end].isspace():
        gap_end += 1
    said = text[start:end].rstrip()
    between = text[start + len(said) : gap_end]
    following = text[gap_end : gap_end + 12]
    if regex.match(r"[\p{M}\u200c\u200d]", following):
        return False
    if not between and _MARK_NEXT.match(following):
        return False
    figure = _FIGURE.search(said)
    if figure is not None:
        said, following = said[: figure.start()], figure.group() + following
    if between.count("\n") > 1:
        return True
    if not between and following:
        return said[-1] in _DANDAS and following[0] not in _CLOSERS
    opening = following.lstrip("\"'“‘«([")
    if following[:1] in ("—", "–") or opening[:1].islower():
        return False
    return _STOPPED.search(said) is None or not _is_abbreviated(said, following)


def _is_abbreviated(said: str, following: str) -> bool:
    """Whether the point that `said` ends with belongs to an abbreviation or a numbering."""
    if _NUMBERING.fullmatch(said):
        return True
    match = _LAST_WORD.search(said)
    if match is None:
        return False
    word = match.group()
    bare = word.casefold()
    if bare in _BEFORE_NAME:
        return True
    if bare in _BEFORE_NUMBER:
        return _NUMBER_NEXT.match(following) is not None
    if _LEVELS.fullmatch(word):
        return regex.match(r"\p{Lo}", following) is not None
    if _INITIALS.fullmatch(word):
        before = said[: match.start()].split()
        lettered = len(word) == 1 and before and before[-1].casefold() in _LETTERED
        return not lettered and _OPENING_WORD.match(following) is None
    return regex.fullmatch(r"\p{Lo}\p{M}*(?:\.\p{Lo}\p{M}*)*", word) is not None
