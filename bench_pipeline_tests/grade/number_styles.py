"""Numbers written in the styles that the parser supports; every renderer is exact."""

from decimal import Decimal

from bench_pipeline.text._number_words import read_reference

_DEVANAGARI = str.maketrans("0123456789", "०१२३४५६७८९")
_SCALES = ((10**7, "crore", "करोड़"), (10**5, "lakh", "लाख"), (10**3, "thousand", "हज़ार"))
_WORDS = read_reference("number_words.yaml")


def indian_grouping(value: Decimal) -> str:
    """12,34,567.5: the last three digits, then twos."""
    sign, whole, rest = _parts(value)
    if len(whole) > 3:
        head, tail = whole[:-3], whole[-3:]
        groups = []
        while len(head) > 2:
            groups.insert(0, head[-2:])
            head = head[:-2]
        whole = ",".join([head, *groups, tail]) if head else ",".join([*groups, tail])
    return sign + whole + rest


def international_grouping(value: Decimal) -> str:
    """1,234,567.5: threes."""
    sign, whole, rest = _parts(value)
    return sign + format(int(whole), ",") + rest


def devanagari(text: str) -> str:
    """The text with Devanagari digits."""
    return text.translate(_DEVANAGARI)


def scaled(value: Decimal) -> list[str]:
    """The value with one scale word, English and Hindi, for each scale that leaves few digits."""
    found = []
    for scale, english, hindi in _SCALES:
        share = value / scale
        if abs(value) >= scale and len(format(share.normalize(), "f")) <= 9:
            text = format(share.normalize(), "f")
            found += [f"{text} {english}", f"{devanagari(text)} {hindi}", f"{text} {hindi}"]
    return found


def english_words(number: int) -> str:
    """A whole number below a hundred crore in English words, by Indian scales."""
    if number < 0:
        return f"minus {english_words(-number)}"
    parts = []
    for scale, english, _ in _SCALES:
        if number >= scale:
            parts.append(f"{_below_thousand(number // scale)} {english}")
            number %= scale
    if number or not parts:
        parts.append(_below_thousand(number))
    return " ".join(parts)


def hindi_words(number: int) -> str:
    """A whole number below a hundred crore in Hindi words."""
    parts = []
    for scale, _, hindi in _SCALES:
        if number >= scale:
            parts.append(f"{_hindi_below_thousand(number // scale)} {hindi}")
            number %= scale
    if number or not parts:
        parts.append(_hindi_below_thousand(number))
    return " ".join(parts)


def number_styles(value: Decimal) -> list[str]:
    """The value in every style, bare."""
    plain = format(value, "f")
    styles = [
        plain,
        indian_grouping(value),
        international_grouping(value),
        devanagari(indian_grouping(value)),
        f"₹{indian_grouping(value)}/-" if value >= 0 else f"-₹{indian_grouping(-value)}",
        plain.replace("-", "−"),
        *scaled(value),
    ]
    if value == value.to_integral_value() and 0 <= value < 10**9:
        styles += [english_words(int(value)), hindi_words(int(value))]
        digits = str(int(value))
        styles.append(f"{digits[0]}.{digits[1:] or '0'}e{len(digits) - 1}")
    return list(dict.fromkeys(styles))


def _parts(value: Decimal) -> tuple[str, str, str]:
    text = format(value, "f")
    sign, text = ("-", text[1:]) if text.startswith("-") else ("", text)
    whole, point, fraction = text.partition(".")
    return sign, whole, point + fraction


def _below_hundred(number: int) -> str:
    words = _WORDS["english"]
    if number in words:
        return str(words[number][0])
    return f"{words[number - number % 10][0]}-{words[number % 10][0]}"


def _below_thousand(number: int) -> str:
    if number < 100:
        return _below_hundred(number)
    rest = f" {_below_hundred(number % 100)}" if number % 100 else ""
    return f"{_below_hundred(number // 100)} hundred{rest}"


def _hindi_below_thousand(number: int) -> str:
    words = _WORDS["hindi"]
    if number < 100:
        return str(words[number][0])
    rest = f" {words[number % 100][0]}" if number % 100 else ""
    return f"{words[number // 100][0]} सौ{rest}"
