"""Numbers, dates and article numbers of a source, and whether a rendering has the same ones.

A difference counts where it is sure. A number may turn into a word that is known for it, and back;
"1 million" may be 10 lakh; a word that is not known here is not held against a rendering.
"""

import unicodedata
from collections import Counter
from collections.abc import Iterator

import regex

from bench_pipeline.text import fold_characters, parse_numbers
from bench_pipeline.translate._words import month_names, scale_words

_FRACTION = regex.compile("[\u00bc-\u00be\u2150-\u215e]")
_GROUPED = regex.compile(
    r"(?<![\d,.])(?:\d{1,3}(?:,\d{3})+|\d{1,2}(?:,\d{2})+,\d{3})(?![\d])(?!,\d)"
)
_NUMBER = regex.compile(r"(?:(?<=^|[\s(])-)?(?:(?<![\d.])\d+\.\d+(?!\d|\.\d)|\d+)")
_WORD_AFTER = regex.compile(r"[ -]?([\p{L}\p{M}]+)")
_ORDINAL = regex.compile(r"(?<![\d.,])(\d{1,2})(?:st|nd|rd|th)\b")
_ORDINAL_WORDS = (
    *("first", "second", "third", "fourth", "fifth", "sixth"),
    *("seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth"),
)
_ROMAN = regex.compile(r"(?<![\p{L}\p{M}\d])[IVX]{2,6}(?![\p{L}\p{M}\d])")
_ROMAN_VALUES = {"I": 1, "V": 5, "X": 10}
_LAW = regex.compile(r"\b(?:article|section|rule|clause|schedule|part|entry|form|list)s?\b")
_LETTERED = regex.compile(r"(?<![\p{L}\d.,])(\d{1,4})-?\(?([A-Z]{1,2})(?![\p{L}\d])")
_LETTER_NAMES = "اے|الف|بی|سی|ڈی|ए|बी|सी|डी|பி|బి|ಬಿ|ബി|বি|બી|ਬੀ|ବି"
# The letter of another script stands glued, after a hyphen or in brackets; after a space it stands
# alone or is the name of a Latin letter, since in "21 में" it is another word.
_LETTER_AFTER = (
    r"(?!\d)(?:(?:-|\s?\()?[\p{L}\p{M}]{1,3}(?![\p{L}\p{M}])"
    rf"|\s(?:\p{{L}}|{_LETTER_NAMES})(?![\p{{L}}\p{{M}}]))"
)


def numbers_of(text: str) -> Counter[str]:
    """The numbers of `text`, digits of any script, grouping and leading zeros aside.

    A date or a range counts as its parts, so that `1950-52` is `1950–52` and `1950 to 52`.
    """
    return Counter(number for number, _ in _scaled(text))


def numbers_differ(source: str, found: str) -> bool:
    """Whether a rendering surely has other numbers than its source."""
    asked, said = list(_scaled(source)), list(_scaled(found))
    if Counter(map(_value, asked)) == Counter(map(_value, said)):
        return _romans_differ(source, found)
    plain_asked, plain_said = (Counter(number for number, _ in pairs) for pairs in (asked, said))
    missing, extra = plain_asked - plain_said, plain_said - plain_asked
    if not missing and not extra:
        return _scales_differ(asked, said) or _romans_differ(source, found)
    return not (
        all(number in _may_be_digits(source) for number in extra)
        and all(number in _may_be_words(source, found) for number in missing)
    )


def date_changed(source: str, found: str) -> bool:
    """Whether a month that stands by a number has become another month."""
    asked, said = fold_characters(source), fold_characters(found)
    missing = _months(asked, by_number=True) - _months(said)
    return bool(missing and _months(said) - _months(asked))


def article_letter_changed(source: str, found: str) -> bool:
    """Whether "Article 21A" has lost its letter, or "Article 21" has got a Latin one."""
    if not _LAW.search(source.lower()):
        return False
    said = _without_grouping(found)
    lettered = {(number, letter) for number, letter in _LETTERED.findall(source)}
    for number, _ in lettered:
        if not regex.search(rf"(?<![\d.,]){number}{_LETTER_AFTER}", said):
            return True
    return any(pair not in lettered for pair in _LETTERED.findall(found))


def _without_grouping(text: str) -> str:
    folded = _FRACTION.sub(lambda match: f" {_spelled(match[0])} ", text)
    folded = fold_characters(folded).replace("+", " ")
    ungrouped: str = _GROUPED.sub(lambda match: match[0].replace(",", ""), folded)
    return ungrouped


def _spelled(fraction: str) -> str:
    return unicodedata.normalize("NFKC", fraction).replace("\u2044", "/")


def _scaled(text: str) -> Iterator[tuple[str, int]]:
    """Each number with the power of ten of the word after it, 0 where there is none."""
    plain = _without_grouping(text)
    for match in _NUMBER.finditer(plain):
        after = _WORD_AFTER.match(plain, match.end())
        word = after[1] if after else ""
        power = next((p for p, start in scale_words() if word.startswith(start)), 0)
        yield _canonical(match[0]), power


def _canonical(number: str) -> str:
    sign = "-" if number.startswith("-") else ""
    whole, _, part = number.lstrip("-").partition(".")
    part = part.rstrip("0")
    return sign + (whole.lstrip("0") or "0") + (f".{part}" if part else "")


def _value(scaled: tuple[str, int]) -> str:
    """The number times its scale, exact however long it is."""
    number, power = scaled
    whole, _, part = number.partition(".")
    if len(part) > power:
        return _canonical(f"{whole}{part[:power]}.{part[power:]}")
    return _canonical(whole + part.ljust(power, "0"))


def _scales_differ(asked: list[tuple[str, int]], said: list[tuple[str, int]]) -> bool:
    for number in {number for number, power in asked if power}:
        one, two = (
            sorted(power for other, power in pairs if other == number and power)
            for pairs in (asked, said)
        )
        if two and one != two:
            return True
    return False


def _romans_differ(source: str, found: str) -> bool:
    asked, said = set(_ROMAN.findall(source)), set(_ROMAN.findall(found))
    return bool(asked and said and asked != said)


def _may_be_digits(source: str) -> set[str]:
    """The numbers that a source writes as words or Roman numerals."""
    spelled = {
        _canonical(str(mention.value))
        for mention in parse_numbers(source)
        if mention.words and mention.value is not None
    }
    lowered = source.lower().split()
    ordinals = {str(n) for n, word in enumerate(_ORDINAL_WORDS, start=1) if word in lowered}
    romans = {str(_roman(word)) for word in _ROMAN.findall(source)}
    return spelled | ordinals | romans | _month_numbers(source)


def _may_be_words(source: str, found: str) -> set[str]:
    """The numbers that a rendering writes as words, and the small ordinals of its source."""
    spelled = {
        _canonical(str(mention.value))
        for mention in parse_numbers(found)
        if mention.words and mention.value is not None
    }
    small = {number for number in _ORDINAL.findall(source.lower()) if int(number) <= 10}
    return spelled | small | _month_numbers(found)


def _month_numbers(text: str) -> set[str]:
    """The months that a text names, as a date in digits has them."""
    return {str(month) for month in _months(fold_characters(text), by_number=True)}


def _roman(numeral: str) -> int:
    values = [_ROMAN_VALUES[letter] for letter in numeral]
    following = [*values[1:], 0]
    return sum(
        -value if value < after else value for value, after in zip(values, following, strict=True)
    )


def _months(folded: str, *, by_number: bool = False) -> set[int]:
    """The months that a folded text names."""
    found = set()
    for match in regex.finditer(r"[\p{L}\p{M}]+", folded):
        month = next((m for m, start in month_names() if match[0].startswith(start)), None)
        if month is None:
            continue
        near = folded[max(0, match.start() - 5) : match.start()] + folded[match.end() :][:6]
        if not by_number or any(character.isdigit() for character in near):
            found.add(month)
    return found
