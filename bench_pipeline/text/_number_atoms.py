"""The pieces that numbers are made of: digit groups, fractions, powers and number words, in order.

Here belongs what one piece is worth. How pieces join into one number is `_numbers`.
"""

import re
from dataclasses import dataclass
from decimal import Context, Decimal

from bench_pipeline.text._number_words import Lexicon, Role, Word

EXACT = Context(prec=80, traps=[])
MAX_DIGITS = 60

_TOKEN = re.compile(
    r"(?P<num>\d+(?:(?:,|\{,\})\d+)*(?:\.\d+)*|(?<![\w.])\.\d+)"
    r"|(?P<vulgar>[¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞])"
    r"|\\[dt]?frac\s{0,3}\{\s{0,3}(?P<top>\d{1,6})\s{0,3}\}\s{0,3}\{\s{0,3}(?P<bottom>\d{1,6})\s{0,3}\}"
    r"|(?P<word>[a-z]+|[\u0900-\u0963\u0970-\u097f]+)"
)
_VULGAR = dict(
    zip(
        "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞",
        [
            "1/4",
            "1/2",
            "3/4",
            "1/7",
            "1/9",
            "1/10",
            "1/3",
            "2/3",
            "1/5",
            "2/5",
            "3/5",
            "4/5",
            "1/6",
            "5/6",
            "1/8",
            "3/8",
            "5/8",
            "7/8",
        ],
        strict=True,
    )
)
_PLAIN = re.compile(r"\d*(?:\.\d+)?")
_GROUPED = re.compile(r"(?:[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d?(?:,\d{2})*,\d{3})(?:\.\d+)?")
_SPACE_GROUPS = re.compile(r"(?: \d{3})+(?![\d,.]*\d)")
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_POWER = (
    r"(?:\s?(?:\^|\*\*)\s?\{?\s?(?P<exponent>[+-]?\d{1,3})\s?\}?(?!\d)"
    r"|(?P<raised>[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}))"
)
_TIMES_TEN = re.compile(r"\s{0,2}(?:×|x|\*|·|\\times|\\cdot)\s{0,2}10" + _POWER)
_TEN_POWER = re.compile(_POWER)
_E_NOTATION = re.compile(r"e([+-]?\d{1,3})(?!\w|\.\d)")
_SLASH = re.compile(r"\s?/\s?(\d+)(?!\d|\s?/\s?\d|[.,]\d)")
_JOINED = re.compile(r"[:_'’]\d|\s?/\s?\d|e[+-]?\d")
_LETTERS = re.compile(r"[a-z]+|[\u0900-\u0963\u0970-\u097f]+")
_CURRENCY_BEFORE = re.compile(r"(?:[₹$€£]|(?<![a-z])(?:rs|re|inr|usd|eur|gbp)\.?|रु\.?)\s?$")


@dataclass(frozen=True, slots=True)
class Atom:
    """One piece: its place, what it is worth (None: digits that cannot be read) and its role."""

    start: int
    end: int
    value: Decimal | None
    role: Role
    digits: bool
    word: Word | None = None
    suffix: str = ""
    negative: bool = False
    currency: bool = False


def _digits_value(token: str) -> Decimal | None:
    """The value of a digit group, or None where grouping or points are not a known style."""
    token = token.replace("{,}", ",")
    if len(token) > MAX_DIGITS:
        return None
    if "," in token:
        return Decimal(token.replace(",", "")) if _GROUPED.fullmatch(token) else None
    return Decimal(token) if _PLAIN.fullmatch(token) else None


def ratio(top: str, bottom: str) -> Decimal | None:
    """top / bottom, or None for a zero denominator."""
    return EXACT.divide(Decimal(top), Decimal(bottom)) if Decimal(bottom) else None


def currency_start(text: str, start: int) -> int:
    """Where the currency mark before `start` begins; `start` itself when there is none."""
    found = _CURRENCY_BEFORE.search(text, max(0, start - 5), start)
    return found.start() if found else start


def is_negative(text: str, start: int) -> bool:
    """Whether the dash before a number is its sign: not a range, a hyphen or a list bullet."""
    if start == 0:
        return False
    edge = currency_start(text, start)
    if edge and text[edge - 1] == "-":
        before = text[edge - 2] if edge >= 2 else " "
        if before in ")]}%.-/" or before.isalnum() or "\u0900" <= before <= "\u0dff":
            return False
        lead = text[max(0, edge - 6) : edge - 1].rstrip()
        return not (before == " " and lead[-1:].isdigit())
    if edge >= 2 and text[edge - 1] == " " and text[edge - 2] == "-":
        lead = text[max(0, edge - 8) : edge - 2].rstrip()
        return lead[-1:] in ("=", ":", "(") and lead != ""
    return False


def _power(text: str, end: int, value: Decimal) -> tuple[Decimal | None, int]:
    """The value with a power of ten after it, and where that ends."""
    found = _TIMES_TEN.match(text, end)
    if found is None and value == 10:
        found = _TEN_POWER.match(text, end)
        value = Decimal(1) if found else value
    if found is not None:
        exponent = int((found["exponent"] or found["raised"]).translate(_SUPERSCRIPTS))
        return _scaled(value, exponent), found.end()
    notation = _E_NOTATION.match(text, end)
    if notation is not None:
        return _scaled(value, int(notation[1])), notation.end()
    if _TEN_POWER.match(text, end):
        return None, end
    return value, end


def _scaled(value: Decimal, exponent: int) -> Decimal | None:
    return value.scaleb(exponent, EXACT) if abs(exponent) <= MAX_DIGITS else None


def _fraction(text: str, start: int, end: int, token: str) -> tuple[Decimal | None, int] | None:
    """`1/2` as a value; None where a slash starts no fraction (a date, a year pair)."""
    found = _SLASH.match(text, end)
    if found is None:
        return None
    bottom = found[1]
    if text[max(0, start - 1) : start] == "/" or not token.isdigit():
        return None, found.end()
    padded = (len(token) > 1 and token[0] == "0") or bottom[0] == "0"
    if padded or len(token) > 4 or len(bottom) > 4 or (len(token) == 4 and len(bottom) != 4):
        return None, found.end()
    return ratio(token, bottom), found.end()


def _number_atom(text: str, match: "re.Match[str]", known: Lexicon, glued: str) -> Atom | None:
    start, end = match.span()
    if glued and glued not in known.currency:
        return None
    if text[start - 1 : start] == "^" or text[max(0, start - 2) : start] == "^{":
        return None
    token = match["num"]
    value = _digits_value(token)
    part = _fraction(text, start, end, token) if text[end : end + 2].strip()[:1] == "/" else None
    groups = _SPACE_GROUPS.match(text, end) if len(token) <= 3 and token.isdigit() else None
    if part is not None:
        value, end = part
    elif groups is not None and "000" in groups[0]:
        value, end = _digits_value(token + groups[0].replace(" ", "")), groups.end()
    elif value is not None:
        value, end = _power(text, end, value)
    if _JOINED.match(text, end):
        value = None
    letters = _LETTERS.match(text, end)
    suffix = letters[0] if letters else ""
    edge = currency_start(text, start)
    negative = is_negative(text, start)
    return Atom(start, end, value, Role.NUMBER, True, None, suffix, negative, edge < start)


def atoms(text: str, known: Lexicon) -> list[Atom]:
    """The pieces of numbers in a folded text, in order; words that mean no number are left out."""
    found: list[Atom] = []
    words = known.words
    position = 0
    glued_end, glued = -1, ""
    for match in _TOKEN.finditer(text):
        start = match.start()
        if start < position:
            continue
        kind = match.lastgroup
        if kind == "word":
            token = match["word"]
            entry = words.get(token)
            glued_end, glued = match.end(), token
            if entry is not None:
                found.append(Atom(start, glued_end, entry.value, entry.role, False, entry))
        elif kind == "num":
            atom = _number_atom(text, match, known, glued if glued_end == start else "")
            if atom is not None:
                found.append(atom)
                position = atom.end
        else:
            pair = (
                _VULGAR[match["vulgar"]].split("/")
                if kind == "vulgar"
                else [match["top"], match["bottom"]]
            )
            value = ratio(*pair)
            found.append(
                Atom(
                    start,
                    match.end(),
                    value,
                    Role.FRACTION,
                    True,
                    negative=is_negative(text, start),
                )
            )
    return found
