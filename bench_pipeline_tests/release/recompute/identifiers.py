"""Identifiers: lengths and places of codes, and check digits worked out from their rules."""

from datetime import date

from bench_pipeline_tests.release.recompute.tools import (
    Value,
    answer,
    ean13,
    gstin_check,
    isbn10,
    luhn,
    mod97,
    places,
    text,
    verhoeff,
    whole,
)

#: items that ask for a fact's number itself, the Indian one and its twin
PLAIN = {
    "001": ("pan_length", "isin_length"),
    "002": ("pan_digits", "nino_digits"),
    "006": ("gstin_length", "vin_length"),
    "011": ("ifsc_branch", "bic_branch"),
    "012": ("pin_tn_kerala", "zip_california"),
    "014": ("aadhaar_length", "ssn_length"),
    "017": ("tan_letters", "nino_first_letters"),
    "018": ("cin_length", "lei_length"),
    "021": ("uan_length", "imei_length"),
    "022": ("din_length", "orcid_length"),
    "043": ("ifsc_length", "iban_no_length"),
    "045": ("micr_length", "ca_transit_length"),
    "048": ("pin_length", "zip4_length"),
    "049": ("pin_army", "zip_new_york"),
    "050": ("pin_up", "zip_texas"),
    "052": ("pin_sorting", "zip_region"),
    "054": ("vid_length", "amex_length"),
    "057": ("abha_length", "nhs_length"),
    "058": ("fssai_length", "duns_length"),
    "060": ("epic_letters", "plate_fr_letters"),
    "061": ("epic_length", "nino_length"),
    "067": ("bh_length", "plate_uk_length"),
    "068": ("hsn_export", "hts_length"),
    "070": ("hsn_small", "hs_common"),
    "071": ("mmid_length", "sort_code_length"),
    "072": ("pran_length", "sin_length"),
    "075": ("llpin_length", "cusip_length"),
}


def started(prefix: str) -> date:
    return date(*(whole(f"{prefix}_start_{part}") for part in ("year", "month", "day")))


def largest(numerals: int) -> int:
    return int("9" * numerals)


def last_place(first: int, length: int) -> int:
    return range(first, first + length)[-1]


def _plain() -> dict[str, Value]:
    values: dict[str, Value] = {}
    for key, (fact, twin) in PLAIN.items():
        values |= {f"idn-{key}-in": whole(fact), f"idn-{key}-ctl": whole(twin)}
    return values


def _checks() -> dict[str, Value]:
    return {
        "idn-023-in": verhoeff("10293847561"),
        "idn-023-ctl": luhn("48300275196"),
        "idn-024-in": verhoeff("03814729560"),
        "idn-024-ctl": ean13("290123000468"),
        "idn-025-in": verhoeff("14725836907"),
        "idn-025-ctl": mod97("QZ407158"),
        "idn-026-in": gstin_check("29AABCD0000E1Z"),
        "idn-026-ctl": isbn10("681050374"),
        "idn-027-in": gstin_check("07ZZZCZ0000Z1Z"),
        "idn-027-ctl": isbn10("692731854"),
        "idn-028-in": luhn("204519"),
        "idn-028-ctl": luhn("731046"),
        "idn-030-in": ean13(text("gs1_india") + "000123456"),
        "idn-030-ctl": ean13(text("gs1_uk_first") + "000654321"),
        "idn-031-in": ean13("978" + text("isbn_india") + "0004617"),
        "idn-031-ctl": ean13(text("isbn_old_prefix") + "000425916"),
    }


def _places() -> dict[str, Value]:
    return {
        "idn-020-in": str(int("L99999MH1999PLC000000"[places("cin_year")]) + 25),
        "idn-020-ctl": str(int("QRS1987KX"[3:7]) + 20),
        "idn-035-in": whole("pan_length") - whole("pan_digits"),
        "idn-035-ctl": whole("nino_length") - whole("nino_digits"),
        "idn-036-in": largest(whole("pan_digits")),
        "idn-036-ctl": largest(3),
        "idn-037-in": last_place(whole("gstin_pan_start"), whole("pan_length")),
        "idn-037-ctl": last_place(6, 9),
        "idn-038-in": whole("gstin_length") - whole("pan_length"),
        "idn-038-ctl": whole("iban_de_length") - whole("bban_de_length"),
        "idn-039-in": whole("gstin_entity_digits") + whole("gstin_entity_letters"),
        "idn-039-ctl": len("12345678") + len("ABCDE"),
        "idn-053-in": started("pin"),
        "idn-053-ctl": started("zip"),
        "idn-055-in": whole("vid_length") - whole("aadhaar_length"),
        "idn-055-ctl": whole("imei_length") - whole("ssn_length"),
        "idn-056-in": whole("aadhaar_length") - whole("aadhaar_mask_visible"),
        "idn-056-ctl": whole("amex_length") - 4,
        "idn-065-in": "20" + "23 BH 0000 OI"[:2],
        "idn-065-ctl": "20" + "QX-19-777"[3:5],
    }


def golds() -> dict[str, str]:
    return {item: answer(value) for item, value in (_plain() | _checks() | _places()).items()}
