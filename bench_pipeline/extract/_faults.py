"""Why the text of a page cannot be used: a legacy font, a broken map, a scan.

Every rule is on figures of one page, so that a verdict does not depend on its neighbours.
"""

import re
from collections.abc import Sequence
from string import ascii_lowercase
from typing import Any

import regex

from bench_pipeline.extract._glyphs import Glyphs
from bench_pipeline.extract._lines import Segment

#: families of fonts that draw Indian letters at Latin code points
_LEGACY_FONT = regex.compile(
    r"kruti|dev\s?lys|chanakya|nudi|baraha|brh|ism[-_ ]|shree[-_ ]?(?:dev|lipi|kan|tam|tel|guj)"
    r"|(?:dv|bw|ml|tm|ka|gj|pn|bn|or|as)[bwe]{0,2}-?tt(?!f)|aps-?|bamini|vanavil|senthamil|tscu"
    r"|tamtab|asees|anmollipi|gurmukhilys|joy\b|akruti|susha|shusha|shivaji|walkman[-_ ]?chanakya"
    r"|bijoy|sutonny|hemalatha|eenadu|tikkana|sulekha|lipika|arjun(?![a-z])|richa\b|agra\b"
)
_UNICODE_NAME = regex.compile(r"unicode|uni\b|mangal|nirmala|noto|lohit|kokila|otf\b")
_LEGACY_SHARE, _BAD_SHARE, _ISOLATED_SHARE = 0.1, 0.02, 0.1
_SCAN_COVER, _SCAN_WRITING, _LONE_IMAGE = 0.5, 0.1, 0.1
_MANY_SHAPES = 200

_BAD = regex.compile(
    r"\(cid:\d+\)|[\ufffd\p{Co}]|[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f]|\ufffe(?!\s*\p{L}|\s*\p{N}|\s*$)"
)
_INDIC = re.compile("[\u0900-\u0dff]")
_MARK = regex.compile(r"(?=[\u0900-\u0dff])\p{M}")
_ISOLATED = regex.compile(r"(?<![\p{L}\p{M}\u200c\u200d\u25cc])(?=[\u0900-\u0dff])\p{M}")
_LOWER, _VOWELS = ascii_lowercase.encode(), b"aeiouy"
_LATIN_ONE = regex.compile(
    r"[\u00a1-\u00ff\u0152-\u0192\u02c6-\u02dc\u2020-\u2022\u2030\u2039\u203a]"
)
_LEAST_LOWER = 60


def _script_share(text: str, script: str) -> float:
    """`text.script_share`, loaded when first asked: most pages are judged without it."""
    from bench_pipeline.text import script_share

    return script_share(text, script)


def text_fault(glyphs: Glyphs, script: str) -> tuple[str, str] | None:
    """The status and the reason when a page's text is not what a person sees; None when it is.

    `script` is the ISO 15924 code that the document's language is written in.
    """
    named = sum(n for font, n in glyphs.fonts.items() if is_legacy_font(font))
    total = sum(glyphs.fonts.values())
    text = glyphs.text
    if total and named >= _LEGACY_SHARE * total and _script_share(text, "Latn") > 0.2:
        fonts = ", ".join(sorted(filter(is_legacy_font, glyphs.fonts)))
        return "legacy_font", (
            f"{named / total:.0%} of the page is set in {fonts}, which draws Indian letters at "
            "Latin code points; convert the document to Unicode"
        )
    if bad := _bad_map(glyphs):
        return "bad_unicode_map", bad
    if looks_like_legacy(text, script):
        return "legacy_font", (
            "the letters do not fall as in any language written so: probably Indian letters at "
            "Latin code points; convert the document to Unicode"
        )
    return None


def is_legacy_font(name: str) -> bool:
    """Whether a font of this name draws Indian letters at Latin code points."""
    folded = name.rpartition("+")[2].casefold()
    return _LEGACY_FONT.match(folded) is not None and _UNICODE_NAME.search(folded) is None


def looks_like_legacy(text: str, script: str) -> bool:
    """Whether text in Latin code points can be no language: too few vowels, or mostly accents.

    Languages written in Latin letters have 33 to 50 vowels in a hundred lower-case letters; text
    typed for a legacy font has half as many, or sits among the accented letters and signs.
    """
    if script != "Latn" and _script_share(text, script) > 0.3:
        return False
    plain = text.encode("ascii", "ignore")
    lower = len(plain) - len(plain.translate(None, _LOWER))
    # no more letters can be accented than stand outside ASCII, which is quicker to know
    outside = len(text) - len(plain)
    if _are_many(outside, lower) and _are_many(len(_LATIN_ONE.findall(text)), lower):
        return True
    vowels = len(plain) - len(plain.translate(None, _VOWELS))
    return lower >= _LEAST_LOWER and vowels < 0.25 * lower


def _are_many(accented: int, lower: int) -> bool:
    return accented > 0.3 * (accented + lower) and accented >= _LEAST_LOWER // 2


def _bad_map(glyphs: Glyphs) -> str | None:
    text = glyphs.text
    visible = len(text) - text.count(" ") - text.count("\r") - text.count("\n")
    wrong = 0 if _is_clean(text) else sum(map(len, _BAD.findall(text)))
    if wrong and wrong >= _BAD_SHARE * visible:
        return (
            f"{wrong} of {visible} characters are private, control or replacement "
            "characters: the font's map to Unicode is missing or wrong"
        )
    # one flagged glyph in a sample is a bullet or a logo
    if glyphs.map_errors > 1 and glyphs.map_errors >= 0.1 * glyphs.sampled:
        return f"{glyphs.map_errors} of {glyphs.sampled} sampled characters have no Unicode value"
    marks = len(_MARK.findall(text)) if _INDIC.search(text) else 0
    isolated = len(_ISOLATED.findall(text)) if marks else 0
    if isolated >= 5 and isolated >= _ISOLATED_SHARE * marks:
        return (
            f"{isolated} of {marks} vowel signs and viramas stand without a letter: the font's "
            "map to Unicode is wrong"
        )
    return None


def _is_clean(text: str) -> bool:
    """Whether nothing in `text` can be of a bad map, told in a hundredth of the time of `_BAD`."""
    printable = text.replace("\r\n", " ").isprintable()
    return printable and "\ufffd" not in text and "(cid:" not in text


def scan_fault(page: Any, segments: Sequence[Segment]) -> str | None:
    """Why a page is a picture of its text; None when its writing is text, or it is blank.

    Images decide, not the absence of text: a scan with a digital header is still a scan. `page` is
    PDFium's. A page whose writing covers a tenth of it is text, whatever lies below.
    """
    from bench_pipeline.extract._images import cover_of

    left, bottom, right, top = page.get_bbox()
    area = max(1.0, (right - left) * (top - bottom))
    writing = sum(max(0.0, (s.right - s.left) * (s.top - s.bottom)) for s in segments) / area
    if writing >= _SCAN_WRITING:
        return None
    cover, shapes = cover_of(page)
    if cover >= _SCAN_COVER or (not segments and cover >= _LONE_IMAGE):
        return (
            f"an image covers {cover:.0%} of the page and digital text {writing:.0%}: it is a scan"
        )
    if not segments and shapes >= _MANY_SHAPES:
        return f"no text, but {shapes} drawn shapes: the letters were turned into outlines"
    return None
