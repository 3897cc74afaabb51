"""Who does what to whom, as far as word order tells."""

from collections.abc import Iterator, Sequence

from bench_pipeline.dedup._reading import Reading, Word

_BE = frozenset({"is", "are", "was", "were", "be", "been", "being"})
_CLAUSE_STARTS = frozenset({"who", "which", "that", "whom", "did", "does", "do", "and", "but"})
_FROM_TO = {"from": "from", "to": "to", "before": "before", "after": "after", "into": "to"}
_REACH = 4
_PREPOSITIONS = [["of"], ["in"], ["at"], ["from"], ["on"], ["for"], ["with"], ["against"]]
AGENT, PATIENT = "agent", "patient"


def roles(reading: Reading) -> dict[tuple[str, str], str]:
    """For every name and every directed verb or preposition near it, the side it is on."""
    words = reading.words
    found: dict[tuple[str, str], str] = {}
    known = reading.lexicon
    for at, word in enumerate(words):
        if word.capital:
            continue
        if word.stem in known.directed:
            sides = [(known.directed[word.stem], side) for side in _of_verb(words, at)]
        else:
            noun = known.directed_nouns.get(word.stem)
            sides = [(noun, side) for side in _of_noun(words, at)] if noun is not None else []
        for lemma, (name, role) in sides:
            found.setdefault((name, lemma), role)
    for at, word in enumerate(words[:-1]):
        side = _FROM_TO.get(word.text.lower())
        if side is not None:
            for name in _name_at(words, at + 1):
                found.setdefault((name, "way"), side)
    return found | _compared(words)


def swapped(a: Reading, b: Reading) -> bool:
    """Whether a name has one role in `a` and another in `b`."""
    first, second = roles(a), roles(b)
    return any(second.get(place, role) != role for place, role in first.items())


def _of_verb(words: Sequence[Word], verb: int) -> Iterator[tuple[str, str]]:
    passive = _passive(words, verb)
    before = next((at for at in range(verb - 1, -1, -1) if words[at].capital), None)
    if before is not None:
        by = _follows_by(words, before)
        for name in _whole_name(words, before) if by or _is_subject(words, before) else ():
            yield name, AGENT if by or not passive else PATIENT
    after = next((at for at in range(verb + 1, len(words)) if words[at].capital), None)
    if after is not None and (not passive or _follows_by(words, after)):
        for name in _whole_name(words, after):
            yield name, AGENT if passive else PATIENT


def _of_noun(words: Sequence[Word], noun: int) -> Iterator[tuple[str, str]]:
    """`son of X` and `X's son` have X on one side, `whose son was X` and `X was son of` on the
    other."""
    names = [at for at, word in enumerate(words) if word.capital]
    before = words[noun - 1] if noun else None
    of = noun + 1 < len(words) and words[noun + 1].text.lower() in ("of", "to")
    near = next((at for at in names if noun < at <= noun + _REACH), None)
    if of and near is not None:
        found, role = near, PATIENT
    elif before is not None and before.capital and before.possessive:
        found, role = noun - 1, PATIENT
    elif before is not None and before.text.lower() == "whose" and near is not None:
        found, role = near, AGENT
    elif of and names and names[0] < noun:
        found, role = max(at for at in names if at < noun), AGENT
    else:
        return
    for name in _whole_name(words, found):
        yield name, role


def _whole_name(words: Sequence[Word], at: int) -> list[str]:
    """The stems of the capitals around `at`, `of` and `the` between them passed over."""
    first = last = at
    while (before := _neighbour(words, first, -1)) is not None:
        first = before
    while (after := _neighbour(words, last, 1)) is not None:
        last = after
    return [word.stem for word in words[first : last + 1] if word.capital]


def _neighbour(words: Sequence[Word], at: int, step: int) -> int | None:
    """The next capital that belongs to the same name."""
    at += step
    while 0 <= at < len(words) and not words[at].capital:
        if words[at].text.lower() not in ("of", "the"):
            return None
        at += step
    return at if 0 <= at < len(words) else None


def _is_subject(words: Sequence[Word], at: int) -> bool:
    """Whether no preposition makes the name part of another phrase (`the ruler of X defeated`)."""
    while (before := _neighbour(words, at, -1)) is not None:
        at = before
    left = [word.text.lower() for word in words[max(0, at - 2) : at]]
    return (left[-2:-1] if left[-1:] == ["the"] else left[-1:])[-1:] not in _PREPOSITIONS


def _passive(words: Sequence[Word], verb: int) -> bool:
    """`was defeated`, also with a name between; not `was the king who defeated`."""
    if [word.text.lower() for word in words[verb + 1 : verb + 2]] == ["by"]:
        return True
    if not words[verb].text.lower().endswith(("d", "n", "t")):
        return False
    for word in reversed(words[max(0, verb - 2 * _REACH) : verb]):
        plain = word.text.lower()
        if plain in _BE:
            return True
        if plain in _CLAUSE_STARTS:
            return False
    return False


def _follows_by(words: Sequence[Word], at: int) -> bool:
    """Whether `by` leads to the name at `at`, over titles and articles."""
    for word in reversed(words[max(0, at - _REACH) : at]):
        if word.text.lower() == "by":
            return True
        if not word.capital and word.text.lower() not in ("the", "king", "emperor", "ruler"):
            return False
    return False


def _name_at(words: Sequence[Word], at: int) -> list[str]:
    if words[at].text.lower() == "the" and at + 1 < len(words):
        at += 1
    return _whole_name(words, at) if words[at].capital else []


def _compared(words: Sequence[Word]) -> dict[tuple[str, str], str]:
    """`X ... than Y`: which name is held against the other."""
    than = next((at for at, word in enumerate(words) if word.text.lower() == "than"), None)
    if than is None:
        return {}
    return {
        (word.stem, "than"): "standard" if at > than else "subject"
        for at, word in enumerate(words)
        if word.capital
    }
