"""Which script a text is written in: shares of letters, for language and script rules."""

from functools import lru_cache

import regex

# ISO 15924 codes that suites use, and the Unicode script property that each stands for.
SCRIPT_NAMES = {
    "Arab": "Arabic",
    "Beng": "Bengali",
    "Deva": "Devanagari",
    "Gujr": "Gujarati",
    "Guru": "Gurmukhi",
    "Knda": "Kannada",
    "Latn": "Latin",
    "Mlym": "Malayalam",
    "Mtei": "Meetei_Mayek",
    "Olck": "Ol_Chiki",
    "Orya": "Oriya",
    "Taml": "Tamil",
    "Telu": "Telugu",
}
_LETTER = regex.compile(r"\p{L}")


@lru_cache(maxsize=64)
def _letters_of(script: str) -> "regex.Pattern[str]":
    name = SCRIPT_NAMES.get(script, script)
    if name not in SCRIPT_NAMES.values():
        accepted = ", ".join(sorted(SCRIPT_NAMES))
        raise ValueError(
            f"unknown script {script!r}: accepted are {accepted}, or their Unicode names"
        )
    return regex.compile(rf"(?=\p{{L}})\p{{Script={name}}}")


def script_share(text: str, script: str) -> float:
    """Share (0 to 1) of the letters of `text` that belong to `script`; 0.0 when it has no letters.

    `script` is an ISO 15924 code (`Deva`) or a Unicode name (`Devanagari`); ValueError for others.
    Marks, digits and punctuation are shared between scripts and do not count.
    """
    pattern = _letters_of(script)
    letters = len(_LETTER.findall(text))
    return len(pattern.findall(text)) / letters if letters else 0.0


def has_script(text: str, script: str) -> bool:
    """Whether any letter of `text` belongs to `script`."""
    return _letters_of(script).search(text) is not None


def scripts_of(text: str) -> dict[str, float]:
    """Share of the letters of `text` for each known script that occurs in it, largest first."""
    shares = {code: share for code in SCRIPT_NAMES if (share := script_share(text, code)) > 0}
    return dict(sorted(shares.items(), key=lambda pair: -pair[1]))
