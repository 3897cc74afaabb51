"""Character folding: one table for every form of a digit, dash, quote, space or letter variant.

Two readers use it. `fold_characters` makes the string that keys compare; `fold` makes the string
that parsers read and keeps, for each of its characters, the place in the raw text it came from.
"""

import unicodedata
from dataclasses import dataclass

import regex

_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2043\ufe58\ufe63\uff0d"
_SINGLE_QUOTES = "\u2018\u2019\u201a\u201b\u02bc\u02b9\u2032\u2035\u00b4`\u02bb"
_DOUBLE_QUOTES = "\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033\u301d\u301e"
_SPACES = "\u00a0\u1680\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
_FULL_STOPS = "\u0964\u0965\u06d4\u3002"
_IGNORABLE = (
    "\u00ad\u034f\u061c\u180e\u200b\u200e\u200f\u202a-\u202e"
    "\u2060-\u2064\u2066-\u2069\ufe00-\ufe0f\ufeff"
)
_JOINERS = "\u200c\u200d"

# A letter that was written with a virama and a joiner before it had a code point of its own.
LEGACY_SEQUENCES = {
    "\u0d23\u0d4d\u200d": "\u0d7a",
    "\u0d28\u0d4d\u200d": "\u0d7b",
    "\u0d30\u0d4d\u200d": "\u0d7c",
    "\u0d32\u0d4d\u200d": "\u0d7d",
    "\u0d33\u0d4d\u200d": "\u0d7e",
    "\u0d15\u0d4d\u200d": "\u0d7f",
    "\u0d2e\u0d4d\u200d": "\u0d54",
    "\u0d2f\u0d4d\u200d": "\u0d55",
    "\u0d34\u0d4d\u200d": "\u0d56",
    "\u09a4\u09cd\u200d": "\u09ce",
}
# Malayalam nta has three encodings; each becomes the plain conjunct.
CONJUNCT_SEQUENCES = {
    "\u0d7b\u0d4d\u0d31": "\u0d28\u0d4d\u0d31",
    "\u0d7b\u0d31": "\u0d28\u0d4d\u0d31",
}

# Block starts that share the ISCII layout: a nasal with virama before a stop of its own row is
# spelled as an anusvara as often as not.
_NASAL_BLOCKS = (0x0900, 0x0980, 0x0A00, 0x0A80, 0x0B00, 0x0C00, 0x0C80)
_NASAL_ROWS = (
    (0x19, 0x15, 0x18),
    (0x1E, 0x1A, 0x1D),
    (0x23, 0x1F, 0x22),
    (0x28, 0x24, 0x27),
    (0x2E, 0x2A, 0x2D),
)


def _nasal_sequences() -> dict[str, str]:
    """Nasal, virama, stop of its row → anusvara, stop: for each script and stop."""
    sequences = {}
    for block in _NASAL_BLOCKS:
        virama, anusvara = chr(block + 0x4D), chr(block + 0x02)
        for nasal, first, last in _NASAL_ROWS:
            for stop in range(block + first, block + last + 1):
                sequences[f"{chr(block + nasal)}{virama}{chr(stop)}"] = f"{anusvara}{chr(stop)}"
    return sequences


NASAL_SEQUENCES = _nasal_sequences()


def _character_folds() -> dict[str, str]:
    """Every one-to-one replacement; ASCII control and layout characters are left alone."""
    folds: dict[str, str] = {}
    for code in range(0x80, 0x20000):
        digit = unicodedata.decimal(chr(code), None)
        if digit is not None:
            folds[chr(code)] = str(digit)
    for code in range(0xFF01, 0xFF5F):
        folds.setdefault(chr(code), chr(code - 0xFEE0))
    folds.update(dict.fromkeys(_DASHES, "-"))
    folds.update(dict.fromkeys(_SINGLE_QUOTES, "'"))
    folds.update(dict.fromkeys(_DOUBLE_QUOTES, '"'))
    folds.update(dict.fromkeys(_SPACES, " "))
    folds.update(dict.fromkeys(_FULL_STOPS, "."))
    folds.update({"\u066b": ".", "\u066c": ",", "\u060c": ",", "\u061f": "?", "\u061b": ";"})
    folds.update({"\u064a": "\u06cc", "\u0649": "\u06cc", "\u0643": "\u06a9", "\u0647": "\u06c1"})
    folds.update({"\u0901": "\u0902", "\u0a81": "\u0a82", "\u0a70": "\u0a02"})
    folds.update({"\u2028": "\n", "\u2029": "\n", "\u0085": "\n", "\r": "\n", "\x00": " "})
    # Both small sigmas are one letter; a capital one must not become the final form by its place.
    folds.update({"\u03c2": "\u03c3", "\u03a3": "\u03c3"})
    folds.pop("`", None)
    return folds


CHARACTER_FOLDS = _character_folds()
KEY_FOLDS = {**CHARACTER_FOLDS, "\u00df": "ss", "\u1e9e": "ss"}
IGNORABLE_PATTERN = f"[{_IGNORABLE}\u0640]+"
JOINER_PATTERN = f"[{_JOINERS}]+"
# NFC sorts a run of combining marks in quadratic time, and no script stacks this many.
MARK_RUN_PATTERN = r"(\p{M}{40})\p{M}+"
SURROGATE = regex.compile(r"[\ud800-\udfff]")

_TABLE = str.maketrans(KEY_FOLDS)
# A parser needs to tell an em dash (punctuation) from a minus, and a danda from a decimal point.
_PARSE_TABLE = str.maketrans(
    {**CHARACTER_FOLDS, **dict.fromkeys(_FULL_STOPS, "\n"), "\u2014": "\u2014", "\u2015": "\u2014"}
)
_IGNORABLES = regex.compile(IGNORABLE_PATTERN)
_JOINER = regex.compile(JOINER_PATTERN)
_MARK_RUN = regex.compile(MARK_RUN_PATTERN)
_LEGACY = regex.compile("|".join(LEGACY_SEQUENCES))
_CONJUNCTS = regex.compile("|".join(CONJUNCT_SEQUENCES))
_NASAL_SEQUENCE = regex.compile(r"\L<sequences>", sequences=list(NASAL_SEQUENCES))
_ODD = regex.compile(f"[{_IGNORABLE}{_JOINERS}\u0640]|{MARK_RUN_PATTERN}")
_CLUSTER = regex.compile("|".join(LEGACY_SEQUENCES) + r"|\P{M}\p{M}*|\p{M}+")


def _fold_nasals(text: str) -> str:
    folded: str = _NASAL_SEQUENCE.sub(lambda match: NASAL_SEQUENCES[match[0]], text)
    return folded


def fold_characters(text: str) -> str:
    """The text with every character variant folded and case folded; layout and marks are kept.

    Total on any string; lone surrogates become U+FFFD. Idempotent, and equal for NFC and NFD input.
    """
    if text.isascii():
        return text.lower().replace("\r", "\n").replace("\x00", " ")
    text = SURROGATE.sub("\ufffd", text)
    text = unicodedata.normalize("NFC", _MARK_RUN.sub(r"\1", text))
    text = _IGNORABLES.sub("", text)
    text = _LEGACY.sub(lambda match: LEGACY_SEQUENCES[match[0]], text)
    text = unicodedata.normalize("NFC", _JOINER.sub("", text))
    text = _CONJUNCTS.sub(lambda match: CONJUNCT_SEQUENCES[match[0]], text)
    text = _fold_nasals(text.translate(_TABLE)).lower()
    return unicodedata.normalize("NFC", text)


@dataclass(frozen=True, slots=True)
class Folded:
    """Text as the parsers read it: `text` lower-cased, `cased` not, both of one length.

    `offsets[i]` is the raw index of character i; None says that the two have the same indices.
    """

    text: str
    cased: str
    raw_length: int
    offsets: tuple[int, ...] | None = None

    def raw_span(self, start: int, end: int) -> tuple[int, int]:
        """The half-open raw span that the folded span came from."""
        if self.offsets is None:
            return start, end
        if not self.offsets:
            return 0, self.raw_length
        first = self.offsets[start] if start < len(self.offsets) else self.raw_length
        if end >= len(self.offsets):
            return first, self.raw_length
        last = self.offsets[end]
        return first, max(last, first)


def _lower_same_length(text: str) -> str:
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(low if len(low := char.lower()) == 1 else char for char in text)


def _composed_with_offsets(text: str) -> tuple[str, list[int]]:
    """NFC cluster by cluster without joiners and other ignorables, with the raw index of each."""
    characters: list[str] = []
    offsets: list[int] = []
    for match in _CLUSTER.finditer(text):
        cluster = match[0]
        if _IGNORABLES.fullmatch(cluster) or _JOINER.fullmatch(cluster):
            continue
        composed = LEGACY_SEQUENCES.get(cluster) or unicodedata.normalize(
            "NFC", _MARK_RUN.sub(r"\1", cluster)
        )
        characters.append(composed)
        if composed == cluster:
            offsets.extend(range(match.start(), match.end()))
        else:
            offsets.extend([match.start()] * len(composed))
    return "".join(characters), offsets


def _nasals_with_offsets(text: str, offsets: list[int]) -> tuple[str, list[int]]:
    pieces: list[str] = []
    kept: list[int] = []
    position = 0
    for match in _NASAL_SEQUENCE.finditer(text):
        pieces.extend((text[position : match.start()], NASAL_SEQUENCES[match[0]]))
        kept.extend(offsets[position : match.start() + 1])
        kept.append(offsets[match.end() - 1])
        position = match.end()
    return "".join(pieces) + text[position:], kept + offsets[position:]


def fold(text: str) -> Folded:
    """The text as parsers read it: digits, dashes, quotes, spaces in ASCII; a danda ends a line."""
    if text.isascii():
        cased = (
            text.replace("\r", "\n").replace("\x00", " ")
            if "\r" in text or "\x00" in text
            else text
        )
        return Folded(cased.lower(), cased, len(text))
    if (
        _ODD.search(text) is None
        and _NASAL_SEQUENCE.search(text) is None
        and unicodedata.is_normalized("NFC", text)
    ):
        cased = text.translate(_PARSE_TABLE)
        return Folded(_lower_same_length(cased), cased, len(text))
    composed, offsets = _composed_with_offsets(text)
    composed, offsets = _nasals_with_offsets(composed.translate(_PARSE_TABLE), offsets)
    return Folded(_lower_same_length(composed), composed, len(text), tuple(offsets))
