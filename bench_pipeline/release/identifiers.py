"""Numbers that belong to people and firms: none that may be real stands in an item.

An identifier in a question or gold is either a specimen that its authority publishes, listed in
the suite's specimens file, or cannot have been issued, by a rule that is checked here.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bench_pipeline.contracts.csv_files import (
    Place,
    filled,
    name_in,
    one_of,
    read_rows,
    refuse_duplicate,
    suite_files,
)
from bench_pipeline.contracts.suite import SuiteSpec
from bench_pipeline.release.check_digits import (
    gstin_check,
    luhn_check,
    mod97_remainder,
    verhoeff_check,
)

_SPECIMEN_COLUMNS = ("identifier", "kind", "authority", "source_id", "locator")
_SEPARATOR = re.compile(r"[ ()-]")


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of identifier: how it looks, and when it cannot be issued."""

    name: str
    pattern: re.Pattern[str]
    never_issued: Callable[[str], bool]
    rule: str


def _aadhaar_never(digits: str) -> bool:
    return digits[0] in "01" or verhoeff_check(digits[:-1]) != digits[-1]


def _gstin_never(text: str) -> bool:
    return text[7:11] == "0000" or gstin_check(text[:14]) != text[14] or text[:2] == "00"


def _card_never(digits: str) -> bool:
    return luhn_check(digits[:-1]) != digits[-1]


def _nino_never(text: str) -> bool:
    unused = {"BG", "GB", "NK", "KN", "TN", "NT", "ZZ"}
    return text[0] in "DFIQUV" or text[1] in "DFIQUVO" or text[:2] in unused


def _ssn_never(digits: str) -> bool:
    area, group, serial = digits[:3], digits[3:5], digits[5:]
    return area in ("000", "666") or area[0] == "9" or group == "00" or serial == "0000"


def _iban_never(text: str) -> bool:
    return mod97_remainder(text[4:] + text[:4]) != 1


#: longest first: a GSTIN holds a PAN, and is checked as what it is
_KINDS = (
    _Kind(
        "GSTIN",
        re.compile(r"\b\d{2}[A-Z]{5}\d{4}[A-Z][0-9A-Z]{3}\b", re.IGNORECASE),
        _gstin_never,
        "a GSTIN whose PAN has the digits 0000, state 00, or a wrong check character",
    ),
    _Kind(
        "IBAN",
        re.compile(r"\b[A-Z]{2}\d{2}(?: ?[0-9A-Z]{4}){2,7}(?: ?[0-9A-Z]{1,3})?\b", re.IGNORECASE),
        _iban_never,
        "an IBAN whose remainder is not 1",
    ),
    _Kind(
        "PAN",
        re.compile(r"\b[A-Z]{5}\d{4}[A-Z]\b", re.IGNORECASE),
        lambda text: text[5:9] == "0000" or text[3] not in "ABCEFGHJLPTK",
        "a PAN with the digits 0000, or a fourth letter that no holder has",
    ),
    _Kind(
        "TAN",
        re.compile(r"\b[A-Z]{4}\d{5}[A-Z]\b", re.IGNORECASE),
        lambda text: text[4:9] == "00000",
        "a TAN with the digits 00000",
    ),
    _Kind(
        "National Insurance number",
        re.compile(r"\b[A-Z]{2}(?: ?\d{2}){3} ?[A-D]\b", re.IGNORECASE),
        _nino_never,
        "a National Insurance number with a prefix that is not used, such as QQ",
    ),
    _Kind(
        "social security number",
        re.compile(r"\b\d{3}-\d{2}-\d{4}\b"),
        _ssn_never,
        "a social security number that begins with 000, 666 or 9, or has 00 or 0000 in it",
    ),
    _Kind(
        "Indian passport number",
        re.compile(r"\b[A-Z]\d{7}\b", re.IGNORECASE),
        lambda text: text[1:] == "0000000",
        "a passport number with the digits 0000000",
    ),
    _Kind(
        "EPIC",
        re.compile(r"\b[A-Z]{3}\d{7}\b", re.IGNORECASE),
        lambda text: text[3:] == "0000000",
        "an EPIC number with the digits 0000000",
    ),
    _Kind(
        "card number",
        re.compile(r"\b\d{4}(?:[ -]?\d{4}){3}\b"),
        _card_never,
        "a 16-digit number whose Luhn digit is wrong",
    ),
    _Kind(
        "Indian mobile number",
        re.compile(r"(?:\+91[ -]?|\b91|\b0?)\(?[6-9](?:[ -]?\d){4}\)?(?:[ -]?\d){5}\b"),
        lambda _: False,
        "none",
    ),
    _Kind(
        "Aadhaar number",
        re.compile(r"\b\d{4}(?:[ -]?\d{4}){2}\b"),
        _aadhaar_never,
        "an Aadhaar that starts with 0 or 1, or whose check digit is wrong",
    ),
)


@dataclass(frozen=True, slots=True)
class Identifier:
    """An identifier in a text that may be somebody's."""

    text: str
    kind: str
    accepted: str


def possibly_real(text: str, specimens: frozenset[str]) -> Iterator[Identifier]:
    """Identifiers in `text` that are no specimen and may have been issued.

    Numbers that are said to be amounts look like identifiers too: digits with thousands commas
    are never read as one.
    """
    rest = text
    for kind in _KINDS:
        for match in kind.pattern.finditer(rest):
            found = _SEPARATOR.sub("", match.group()).upper().removeprefix("+91")
            if found not in specimens and not kind.never_issued(found):
                yield Identifier(match.group(), kind.name, f"a listed specimen, or {kind.rule}")
        rest = kind.pattern.sub(" ", rest)


def load_specimens(suite: SuiteSpec, sources: dict[str, dict[str, str]]) -> frozenset[str]:
    """The specimens that authorities publish, without separators.

    Raises:
        InputError: at the first row that is wrong.
    """
    found: set[str] = set()
    places: dict[str, Place] = {}
    for file in suite_files(suite, suite.specimens, "specimens") if suite.specimens else ():
        for place, raw in read_rows(file, name_in(suite, file), _SPECIMEN_COLUMNS):
            text = filled(place, "identifier", raw["identifier"], "the specimen")
            refuse_duplicate(places, text, place, "identifier")
            filled(place, "authority", raw["authority"], "who publishes it")
            one_of(place, "source_id", raw["source_id"], tuple(sources))
            found.add(_SEPARATOR.sub("", text))
    return frozenset(found)
