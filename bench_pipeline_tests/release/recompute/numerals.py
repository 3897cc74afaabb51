"""Numerals: lakh and crore, short-scale names, Hindi fractions, groupings and their twins."""

from fractions import Fraction as F

from bench_pipeline_tests.release.recompute.tools import (
    Value,
    answer,
    half_up,
    indian,
    number,
    place_digit,
    western,
    whole,
)

HUNDRED, THOUSAND = number("hundred"), number("thousand")
LAKH, CRORE, LAKH_CRORE = number("lakh"), number("crore"), number("lakh_crore")
ARAB, KHARAB, NEEL = number("arab"), number("kharab"), number("neel")
PADMA, SHANKH = number("padma"), number("shankh")
MILLION, BILLION, TRILLION = number("million"), number("billion"), number("trillion")
QUADRILLION, QUINTILLION = number("quadrillion"), number("quintillion")
DEDH, DHAI = number("dedh"), number("dhai")
QUARTER = F(1, 4)
MONTHS = 12
DAY_SECONDS = 86_400


def sawa(count: int) -> F:
    return count + number("sawa_more")


def paune(count: int) -> F:
    return count - number("paune_less")


def saadhe(count: int) -> F:
    return count + number("saadhe_more")


def share(part: F, of: F) -> F:
    return 100 * part / of


def growth(old: F, new: F) -> F:
    return 100 * (new - old) / old


def digits_of(value: F) -> int:
    return len(str(int(value)))


def zeros_of(value: F) -> int:
    return len(str(int(value))) - len(str(int(value)).rstrip("0"))


def zeros_named(fact_id: str, times: int = 1) -> int:
    """Zeros after the 1 in so many of a unit, `times` itself a power of ten."""
    return zeros_of(F(times * 10 ** whole(fact_id)))


def commas(written: str) -> int:
    return written.count(",")


def _conversions() -> dict[str, Value]:
    return {
        "num-001-in": F("3.75") * CRORE / LAKH,
        "num-001-ctl": F("3.75") * MILLION / THOUSAND,
        "num-002-in": 45 * LAKH / MILLION,
        "num-002-ctl": 7200 * THOUSAND / MILLION,
        "num-003-in": 68 * CRORE / MILLION,
        "num-003-ctl": F("0.47") * BILLION / MILLION,
        "num-006-in": ARAB / CRORE,
        "num-006-ctl": BILLION / MILLION,
        "num-007-in": zeros_named("kharab_zeros"),
        "num-007-ctl": zeros_named("trillion_zeros"),
        "num-010-in": F("3.7") * LAKH_CRORE / BILLION,
        "num-010-ctl": F("5.2") * TRILLION / BILLION,
        "num-017-in": 4186 * CRORE / LAKH,
        "num-017-ctl": 7352 * MILLION / THOUSAND,
        "num-018-in": zeros_named("crore_zeros", 10),
        "num-018-ctl": zeros_named("million_zeros", 10),
        "num-024-in": 12_500 * CRORE / BILLION,
        "num-024-ctl": 87_400 * MILLION / BILLION,
        "num-025-in": F("6.4") * BILLION / CRORE,
        "num-025-ctl": F("0.072") * TRILLION / BILLION,
        "num-026-in": F("3.4") * MILLION / LAKH,
        "num-026-ctl": F("0.86") * MILLION / THOUSAND,
        "num-029-in": QUARTER * KHARAB / ARAB,
        "num-029-ctl": F(1, 5) * TRILLION / BILLION,
        "num-030-in": NEEL / LAKH_CRORE,
        "num-030-ctl": QUADRILLION / TRILLION,
        "num-031-in": zeros_named("padma_zeros"),
        "num-031-ctl": zeros_named("quintillion_zeros"),
        "num-032-in": SHANKH / PADMA,
        "num-032-ctl": QUINTILLION / QUADRILLION,
        "num-059-in": 10 * LAKH / THOUSAND,
        "num-059-ctl": 10 * THOUSAND / HUNDRED,
        "num-060-in": F("2.35") * LAKH_CRORE / CRORE,
        "num-060-ctl": F("3.18") * TRILLION / MILLION,
        "num-081-in": LAKH / HUNDRED,
        "num-081-ctl": MILLION / HUNDRED,
        "num-082-in": F("4362.50") * LAKH,
        "num-082-ctl": F("28417.50") * THOUSAND,
        "num-083-in": 672_500 / LAKH,
        "num-083-ctl": 84_250 / THOUSAND,
        "num-089-in": zeros_named("crore_zeros"),
        "num-089-ctl": zeros_named("billion_zeros"),
        "num-090-in": F("7.3e8") / CRORE,
        "num-090-ctl": F("2.9e7") / MILLION,
    }


def _written() -> dict[str, Value]:
    return {
        "num-004-in": indian(45678912),
        "num-004-ctl": western(83127465),
        "num-005-in": indian(1204500),
        "num-005-ctl": western(3106200),
        "num-035-in": indian(709150032),
        "num-035-ctl": western(318006475),
        "num-036-in": indian(81_902_355),
        "num-036-ctl": western(64_170_238),
        "num-037-in": indian(9_340_516),
        "num-037-ctl": western(2_785_940),
        "num-038-in": commas(indian(10 ** whole("arab_zeros"))),
        "num-038-ctl": sum(
            commas(western(10 ** whole(unit))) for unit in ("million_zeros", "billion_zeros")
        ),
        "num-039-in": indian(3 * CRORE + 4 * LAKH + 50 * THOUSAND + 12),
        "num-039-ctl": western(BILLION + 41 * MILLION + 6 * THOUSAND + 9),
        "num-040-in": place_digit(527391648, LAKH),
        "num-040-ctl": place_digit(418265307, MILLION),
        "num-041-in": CRORE / (10 * THOUSAND),
        "num-041-ctl": BILLION / (100 * THOUSAND),
        "num-042-in": half_up(7_48_56_320 / LAKH),
        "num-042-ctl": half_up(63_472_910 / MILLION),
        "num-063-in": indian(9_85_400 + 27_640),
        "num-063-ctl": western(986_300 + 41_275),
        "num-064-in": indian(3_05_000 - 1_18_750),
        "num-064-ctl": western(1_204_500 - 318_250),
        "num-073-in": digits_of(F(25 * 10 ** whole("arab_zeros"))),
        "num-073-ctl": digits_of(F(470 * 10 ** whole("billion_zeros"))),
        "num-079-in": indian(CRORE - 1),
        "num-079-ctl": western(MILLION - 1),
    }


def _sums() -> dict[str, Value]:
    return {
        "num-008-in": (18 + 7) * LAKH + (40 + 85) * THOUSAND,
        "num-008-ctl": (2 + 1) * MILLION + (310 + 945) * THOUSAND,
        "num-009-in": 2 * CRORE + (15 + 38) * LAKH,
        "num-009-ctl": 3 * MILLION + (460 + 280) * THOUSAND,
        "num-011-in": 2 * CRORE + 5 * LAKH + 600 + THOUSAND,
        "num-011-ctl": 30 * MILLION + 40 * THOUSAND + 7 * HUNDRED + HUNDRED,
        "num-016-in": share(50 * LAKH, 2 * CRORE),
        "num-016-ctl": share(600 * THOUSAND, 4 * MILLION),
        "num-019-in": 9 * LAKH + 7 * THOUSAND + 40 - 90,
        "num-019-ctl": 6 * MILLION + 11 * THOUSAND + 20 - 80,
        "num-020-in": (F("1.2") * CRORE - 47 * LAKH) / LAKH,
        "num-020-ctl": (F("2.6") * MILLION - 850 * THOUSAND) / THOUSAND,
        "num-021-in": F("3.6") * CRORE / 8 / LAKH,
        "num-021-ctl": F("4.5") * MILLION / 6 / THOUSAND,
        "num-022-in": 180 * CRORE / (24 * LAKH),
        "num-022-ctl": F("1.6") * BILLION / (F("3.2") * MILLION),
        "num-023-in": growth(64 * LAKH, CRORE + 12 * LAKH),
        "num-023-ctl": growth(480 * THOUSAND, MILLION + 80 * THOUSAND),
        "num-043-in": 38 * LAKH * 27 / CRORE,
        "num-043-ctl": 640 * THOUSAND * 35 / MILLION,
        "num-044-in": 18 * LAKH / MONTHS,
        "num-044-ctl": 96 * THOUSAND / MONTHS,
        "num-045-in": 85_000 * MONTHS / LAKH,
        "num-045-ctl": 7_250 * MONTHS / THOUSAND,
        "num-061-in": 49 * LAKH_CRORE / (140 * CRORE),
        "num-061-ctl": F("6.6") * TRILLION / (330 * MILLION),
        "num-062-in": 4 * 750 * CRORE / ARAB,
        "num-062-ctl": 4 * 450 * MILLION / BILLION,
        "num-065-in": 5 * CRORE * 240 / CRORE,
        "num-065-ctl": 60 * MILLION * 35 / MILLION,
        "num-066-in": F("4.5") * CRORE / number("paise_per_rupee") / THOUSAND,
        "num-066-ctl": 50 * MILLION / number("cents_per_dollar") / THOUSAND,
        "num-067-in": CRORE // DAY_SECONDS,
        "num-067-ctl": BILLION // DAY_SECONDS,
        "num-068-in": 5 * F("3.2") * CRORE,
        "num-068-ctl": 4 * F("4.7") * MILLION,
        "num-069-in": 15 * CRORE / 2,
        "num-069-ctl": QUARTER * 34 * MILLION,
        "num-070-in": F("5.8") * LAKH * number("kg_per_tonne"),
        "num-070-ctl": F("0.9") * MILLION * number("kg_per_tonne"),
        "num-074-in": 2_500 * 1_600 / LAKH,
        "num-074-ctl": 3_200 * 1_500 / MILLION,
        "num-075-in": 2 * CRORE / 500,
        "num-075-ctl": 3 * MILLION / 20,
        "num-076-in": F("1.5") * CRORE / (200 * 100),
        "num-076-ctl": F("2.5") * MILLION / (50 * 100),
        "num-077-in": 3 * LAKH / F(15, 100) / LAKH,
        "num-077-ctl": 9 * THOUSAND / F(12, 100) / THOUSAND,
        "num-078-in": 97 * LAKH + 50 * THOUSAND + 4 * LAKH,
        "num-078-ctl": 98 * MILLION + 40 * THOUSAND + 4 * MILLION,
        "num-084-in": 5 * MILLION * 80 / CRORE,
        "num-084-ctl": 40 * MILLION * 150 / BILLION,
        "num-085-in": 340 * CRORE / 85 / MILLION,
        "num-085-ctl": F("0.4") * BILLION / F("0.80") / MILLION,
        "num-086-in": (8 * CRORE + 40 * LAKH) / (2 * LAKH),
        "num-086-ctl": (61 * MILLION + 500 * THOUSAND) / (250 * THOUSAND),
        "num-087-in": (6 * LAKH + 12 * THOUSAND) - (5 * LAKH + 87 * THOUSAND + 500),
        "num-087-ctl": (3 * MILLION + 40 * THOUSAND) - (2 * MILLION + 965 * THOUSAND + 200),
        "num-088-in": (45 * LAKH + 62 * LAKH + F("1.03") * CRORE) / 3 / LAKH,
        "num-088-ctl": (340 * THOUSAND + 410 * THOUSAND + F("1.2") * MILLION) / 3 / THOUSAND,
    }


def _words() -> dict[str, Value]:
    return {
        "num-013-in": DHAI * LAKH / THOUSAND,
        "num-013-ctl": F(1, 5) * BILLION / MILLION,
        "num-014-in": paune(2) * CRORE / LAKH,
        "num-014-ctl": (2 + QUARTER) * MILLION / THOUSAND,
        "num-046-in": sawa(1) * CRORE / LAKH,
        "num-046-ctl": F("1.5") * MILLION / THOUSAND,
        "num-047-in": saadhe(7) * LAKH / THOUSAND,
        "num-047-ctl": (3 + QUARTER) * MILLION / THOUSAND,
        "num-048-in": DEDH * CRORE / LAKH,
        "num-048-ctl": MILLION / 2 / THOUSAND,
        "num-049-in": 500 - paune(3) * HUNDRED,
        "num-049-ctl": 500 - F(5, 2) * number("gross"),
        "num-050-in": 3 * sawa(1) * HUNDRED,
        "num-050-ctl": 3 * (1 + QUARTER) * number("gross"),
        "num-051-in": DHAI * THOUSAND * MONTHS,
        "num-051-ctl": (2 + QUARTER) * THOUSAND * 9,
        "num-054-in": number("hindi_79"),
        "num-054-ctl": number("french_91"),
        "num-055-in": number("hindi_54"),
        "num-055-ctl": number("german_57"),
        "num-056-in": number("hindi_25") + number("hindi_55"),
        "num-056-ctl": number("spanish_25") + number("spanish_40"),
        "num-058-in": number("hindi_39") * LAKH,
        "num-058-ctl": number("french_42") * THOUSAND,
    }


def golds() -> dict[str, str]:
    values = _conversions() | _written() | _sums() | _words()
    return {item: answer(value) for item, value in values.items()}
