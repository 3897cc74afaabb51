"""Check digits of identifiers, each computed from the characters before it."""

import string

# Verhoeff's scheme over the dihedral group D5, as his dissertation (Mathematisch Centrum,
# Amsterdam, 1969) tabulates it: multiplication, and powers of the permutation
_D5 = (
    (0, 1, 2, 3, 4, 5, 6, 7, 8, 9),
    (1, 2, 3, 4, 0, 6, 7, 8, 9, 5),
    (2, 3, 4, 0, 1, 7, 8, 9, 5, 6),
    (3, 4, 0, 1, 2, 8, 9, 5, 6, 7),
    (4, 0, 1, 2, 3, 9, 5, 6, 7, 8),
    (5, 9, 8, 7, 6, 0, 4, 3, 2, 1),
    (6, 5, 9, 8, 7, 1, 0, 4, 3, 2),
    (7, 6, 5, 9, 8, 2, 1, 0, 4, 3),
    (8, 7, 6, 5, 9, 3, 2, 1, 0, 4),
    (9, 8, 7, 6, 5, 4, 3, 2, 1, 0),
)
_D5_INVERSE = (0, 4, 3, 2, 1, 5, 6, 7, 8, 9)
_PERMUTATION = (1, 5, 7, 6, 2, 8, 3, 0, 9, 4)
_BASE36 = string.digits + string.ascii_uppercase


def verhoeff_check(digits: str) -> str:
    """The check digit that Aadhaar numbers end in.

    Raises:
        ValueError: `digits` holds something else.
    """
    check = 0
    for position, digit in enumerate(reversed(_digits(digits)), start=1):
        permuted = digit
        for _ in range(position % 8):
            permuted = _PERMUTATION[permuted]
        check = _D5[check][permuted]
    return str(_D5_INVERSE[check])


def luhn_check(digits: str) -> str:
    """The check digit of ISO/IEC 7812 (payment cards)."""
    total = 0
    for position, digit in enumerate(reversed(_digits(digits))):
        doubled = digit * 2 if position % 2 == 0 else digit
        total += doubled - 9 if doubled > 9 else doubled
    return str(-total % 10)


def gstin_check(characters: str) -> str:
    """The fifteenth character of a GSTIN: Luhn's scheme in base 36, from the left.

    Raises:
        ValueError: not fourteen digits and capital letters.
    """
    if len(characters) != 14 or any(c not in _BASE36 for c in characters):
        raise ValueError(f"{characters!r} is not 14 digits and capital letters")
    total = 0
    for position, character in enumerate(characters):
        product = _BASE36.index(character) * (1 + position % 2)
        total += product // 36 + product % 36
    return _BASE36[-total % 36]


def isbn10_check(digits: str) -> str:
    """The tenth character of an ISBN-10; `X` is ten.

    Raises:
        ValueError: not nine digits.
    """
    if len(_digits(digits)) != 9:
        raise ValueError(f"{digits!r} is not 9 digits")
    rest = sum((position + 1) * digit for position, digit in enumerate(_digits(digits))) % 11
    return "X" if rest == 10 else str(rest)


def ean13_check(digits: str) -> str:
    """The thirteenth digit of an EAN-13 or ISBN-13.

    Raises:
        ValueError: not twelve digits.
    """
    if len(_digits(digits)) != 12:
        raise ValueError(f"{digits!r} is not 12 digits")
    total = sum(digit * (3 if k % 2 else 1) for k, digit in enumerate(_digits(digits)))
    return str(-total % 10)


def mod97_remainder(characters: str) -> int:
    """The remainder of ISO/IEC 7064 MOD 97-10; letters count from A = 10.

    Raises:
        ValueError: something else than digits and capital letters.
    """
    if not characters or any(c not in _BASE36 for c in characters):
        raise ValueError(f"{characters!r} is not digits and capital letters")
    return int("".join(str(_BASE36.index(c)) for c in characters)) % 97


def _digits(text: str) -> list[int]:
    if not text or not (text.isascii() and text.isdigit()):
        raise ValueError(f"{text!r} is not digits")
    return [int(character) for character in text]
