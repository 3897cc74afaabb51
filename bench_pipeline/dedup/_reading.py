"""What the guards read from one text: its words, its numbers, its names."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from bench_pipeline.dedup._lexicon import Lexicon, Term, lexicon, stem
from bench_pipeline.text import parse_numbers, text_key, tokens

_INITIALS = re.compile(r"\b(?:[A-Z]\.\s?){2,}|\b[A-Z]\.(?=\s?[A-Z][a-z])")
_WORD = re.compile(r"[^\W_]+(?:[\u0300-\u036f\u0900-\u0dff\u200c\u200d]+[^\W_]*)*(?:['’][^\W_]+)?")
_SENTENCE_END = re.compile(r"[.?!।:]\s*[\"'“”‘’(]*$")
_ROMAN = re.compile(r"(?<=[A-Za-z])(\s+)(X{0,3}(?:IX|IV|V?I{0,3}))\b(?![.'’])")
_NUMERAL = re.compile(r"X{0,3}(?:IX|IV|V?I{1,3})")
_ROMAN_VALUES = {"I": 1, "V": 5, "X": 10}
_CLAUSE = re.compile(r"\(([a-z])\)")
_SUFFIXED = re.compile(r"\b(\d+)-([A-Z])\b")
_SHORT_SPAN = re.compile(r"\b(\d{2})(\d{2})[-–](\d{2})\b")
_ORDINAL_SUFFIXES = frozenset({"st", "nd", "rd", "th"})
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_MOST_CAPITALS = 0.75
#: characters before a word in which a sentence's end is looked for
_MARKS = 8


@dataclass(frozen=True, slots=True)
class Word:
    """One word: as it is written, its stem, and whether it is written as a name."""

    text: str
    stem: str
    capital: bool
    possessive: bool = False


class Reading:
    """One text, read when a guard first asks."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lexicon: Lexicon = lexicon()

    @cached_property
    def key(self) -> str:
        """By which two texts are the same."""
        return text_key(self.text)

    @cached_property
    def words(self) -> list[Word]:
        """Words in order, hyphens between them taken as spaces, names' variants as one form."""
        return _one_form(_words(_plain(self.text), self.lexicon), self.lexicon)

    @cached_property
    def stems(self) -> list[str]:
        """Their stems."""
        return [word.stem for word in self.words]

    @cached_property
    def stem_set(self) -> frozenset[str]:
        """Their stems, each once."""
        return frozenset(self.stems)

    @cached_property
    def content(self) -> frozenset[str]:
        """Their stems less words without content, titles, ordinals and what holds a digit."""
        known = self.lexicon
        return frozenset(
            word
            for word in self.stem_set
            if word not in known.common_stems
            and word not in known.titles
            and word not in known.ordinal_stems
            and not any(map(str.isdigit, word))
        )

    @cached_property
    def cased(self) -> bool:
        """Whether capitals tell names from other words here."""
        written = [word.text for word in self.words if word.text.isalpha()]
        capitals = sum(word[:1].isupper() for word in written)
        bicameral = any(word.lower() != word.upper() for word in written)
        return bicameral and 0 < capitals <= _MOST_CAPITALS * len(written)

    @cached_property
    def names(self) -> frozenset[str]:
        """Stems of words that are written as names."""
        if not self.cased:
            return frozenset()
        return frozenset(word.stem for word in self.words if word.capital)

    @cached_property
    def numbers(self) -> frozenset[str]:
        """Every number with the letter behind it (51a), and the letters of clauses.

        Ordinals count as their numbers, and so do Roman numerals; "one" is left out, since it is
        mostly a pronoun.
        """
        text = _with_digits(self.text, self.lexicon)
        found = {f"({letter})" for letter in _CLAUSE.findall(text)}
        for mention in parse_numbers(text):
            if mention.value is None:
                found.add(text[mention.start : mention.end])
            elif not (mention.words and mention.value == 1):
                suffix = "" if mention.suffix in _ORDINAL_SUFFIXES else mention.suffix
                found.add(f"{mention.value.normalize():f}{suffix}")
        return frozenset(found)

    @cached_property
    def negated(self) -> bool:
        """Whether it holds a negator."""
        plain = [word.text.lower().replace("’", "'") for word in self.words]
        if any(word.endswith("n't") or word in self.lexicon.negators for word in plain):
            return True
        return any(_holds(plain, phrase) for phrase in self.lexicon.negating_phrases)

    @cached_property
    def states(self) -> frozenset[Term]:
        """The states and union territories that it names."""
        return frozenset(term for term in self.lexicon.states if _holds(self.stems, term))

    @cached_property
    def members(self) -> list[dict[int, set[Term]]]:
        """For each group of opposites, the members that occur, with the terms that say so."""
        return [_members(self.stems, group) for group in self.lexicon.opposites]


def _plain(text: str) -> str:
    """Compatibility forms, no Latin accents, initials joined: `B. R. Ambedkar` as `BR Ambedkar`."""
    decomposed = unicodedata.normalize("NFKD", text)
    bare = re.sub(r"(?<=[A-Za-z])[\u0300-\u036f]+", "", decomposed)
    joined = _INITIALS.sub(
        lambda found: re.sub(r"[.\s]", "", found.group()) + " ", unicodedata.normalize("NFC", bare)
    )
    return joined


def _words(text: str, known: Lexicon) -> list[Word]:
    found = []
    for match in _WORD.finditer(text):
        written = match.group()
        bare = re.sub(r"['’]s?$", "", written)
        folded = "".join(tokens(bare)) or bare.lower()
        begins = match.start() == 0 or (
            _SENTENCE_END.search(text, max(0, match.start() - _MARKS), match.start()) is not None
        )
        capital = bare[:1].isupper() and folded not in known.common and not _NUMERAL.fullmatch(bare)
        if begins and capital and len(bare) > 1:
            # the first word is always written large: a name only if it could be none else
            capital = stem(folded) not in known.neutral and not _ordinary(folded, known)
        found.append(
            Word(
                bare if "n't" not in written.lower() else written,
                stem(folded),
                capital,
                bare != written,
            )
        )
    return found


def _ordinary(word: str, known: Lexicon) -> bool:
    """Whether a word is one of the lists of verbs and opposites, and so hardly a name."""
    return (
        word in known.negators
        or stem(word) in known.directed.keys() | known.directed_nouns.keys()
        or any((stem(word),) in group for group in known.opposites)
    )


def _one_form(words: list[Word], known: Lexicon) -> list[Word]:
    """The words with every alias replaced by its first form; the longest alias that fits."""
    longest = max(map(len, known.aliases))
    found: list[Word] = []
    at = 0
    while at < len(words):
        for size in range(min(longest, len(words) - at), 0, -1):
            piece = words[at : at + size]
            name = known.aliases.get(tuple(word.stem for word in piece))
            if name is not None:
                capital = any(word.capital for word in piece)
                text = str.capitalize if capital else str
                found += [Word(text(part), part, capital, piece[-1].possessive) for part in name]
                at += size
                break
        else:
            found.append(words[at])
            at += 1
    return found


def _with_digits(text: str, known: Lexicon) -> str:
    """The text with ordinal words and Roman numerals in digits."""
    words = "|".join(sorted(map(re.escape, known.ordinals), key=len, reverse=True))
    text = _SHORT_SPAN.sub(r"\1\2-\1\3", _SUFFIXED.sub(r"\1\2", _plain(text)))

    def ordinal(found: re.Match[str]) -> str:
        value = known.ordinals[tokens(found["ordinal"])[0]]
        tens = found["tens"]
        if tens is not None and value < 10:
            value += 10 * (_TENS.index(tens.lower()) + 2)
        return f"{value}th"

    pattern = rf"(?i)\b(?:(?P<tens>{'|'.join(_TENS)})[-\s])?(?P<ordinal>{words})(?!\w)"
    return _ROMAN.sub(_roman, re.sub(pattern, ordinal, text))


def _roman(found: re.Match[str]) -> str:
    numeral = found.group(2)
    if not numeral:
        return found.group()
    values = [_ROMAN_VALUES[letter] for letter in numeral]
    after = [*values[1:], 0]
    total = sum(-own if own < n else own for own, n in zip(values, after, strict=True))
    return f"{found.group(1)}{total}"


def _holds(words: Sequence[str], term: Term) -> bool:
    size = len(term)
    return any(tuple(words[at : at + size]) == term for at in range(len(words) - size + 1))


def _members(stems: Sequence[str], group: dict[Term, int]) -> dict[int, set[Term]]:
    """Members of a group in a text; a longer term hides the shorter ones inside it."""
    longest = max(map(len, group))
    found: dict[int, set[Term]] = {}
    at = 0
    while at < len(stems):
        for size in range(min(longest, len(stems) - at), 0, -1):
            term = tuple(stems[at : at + size])
            if term in group:
                found.setdefault(group[term], set()).add(term)
                at += size
                break
        else:
            at += 1
    return found
