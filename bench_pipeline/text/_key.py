"""The text key that strings are compared by, and the tokens that lexical matching reads.

A key is never stored: a better folding changes verdicts, never data.
"""

from functools import lru_cache

import regex

from bench_pipeline.text._fold import fold_characters

_LINE_MARK = regex.compile(r"(?m)^[ \t]*(?:#{1,6}[ \t]+|>[ \t]*|[-*+\u2022][ \t]+)+")
_EMPHASIS = regex.compile(r"(?<![\p{L}\p{M}\p{N}])\*+|\*+(?![\p{L}\p{M}\p{N}])|\*{2,}")
_UNDERSCORE = regex.compile(r"(?<![\p{L}\p{M}\p{N}])_+|_+(?![\p{L}\p{M}\p{N}])")
_SPACE = regex.compile(r"\s+")
_OUTER = " \t\n.,;:!?\"'|"
_PAIRS = {"(": ")", "[": "]", "{": "}", '"': '"', "'": "'"}
_HAS_MARKUP = regex.compile(r"[*_`~#>\"'()\[\]{}|\u2022]|^[-+]|[.,;:!?\s](?:$)|\s\s|[\t\n]|^\s")

# A minus that is a sign, not a hyphen, becomes a letter of its number's token; a point between two
# digits stays in it under another name while everything else but letters and digits goes.
SIGN = "\u207b"
SIGN_PATTERN = r"(^|[\s(:=*_|\"'`])-([0-9])"
POINT = "\u2396"
COMMA_PATTERN = r"([0-9]),([0-9])"
POINT_PATTERN = r"([0-9])\.([0-9])"
OTHER_PATTERN = rf"[^\p{{L}}\p{{M}}\p{{N}} {SIGN}{POINT}]+"
_SIGNED = regex.compile(SIGN_PATTERN)
_COMMA = regex.compile(r"(?<=[0-9]),(?=[0-9])")
_POINT = regex.compile(r"(?<=[0-9])\.(?=[0-9])")
_OTHER = regex.compile(OTHER_PATTERN)


def _strip_markup(text: str) -> str:
    text = text.replace("`", "").replace("~~", "")
    text = _LINE_MARK.sub("", text)
    text = _EMPHASIS.sub("", text)
    stripped: str = _UNDERSCORE.sub("", text)
    return stripped


def _strip_outer(text: str) -> str:
    """Without outer spaces, closing punctuation and one-sided or wrapping quotes and brackets."""
    while True:
        stripped = text.strip(" \t\n").rstrip(_OUTER).lstrip(" \t\n\"'|")
        closer = _PAIRS.get(stripped[:1])
        if closer and len(stripped) > 1 and stripped.endswith(closer):
            inner = stripped[1:-1]
            if stripped[0] not in inner and closer not in inner:
                stripped = inner
        if stripped == text:
            return text
        text = stripped


def _key_once(folded: str) -> str:
    key: str = _SPACE.sub(" ", _strip_outer(_strip_markup(folded)))
    return key


def text_key(text: str) -> str:
    """The key by which two strings are the same text.

    Folds digits, dashes, quotes, letter variants, case, joiners and nasals (see `fold_characters`);
    drops markdown marks, outer punctuation and repeated spaces. Idempotent, the same for NFC and
    NFD input, and empty for the empty string only: text that is all marks keeps its folded form.
    """
    folded = fold_characters(text)
    if _HAS_MARKUP.search(folded) is None and folded:
        return folded
    key = _key_once(folded)
    while key and (again := _key_once(key)) != key:
        key = again
    return key or folded or text


def tokens(text: str) -> list[str]:
    """Words and whole numbers of a text, folded: `12,34,567` is one token, written `1234567`.

    Letters keep their combining marks, so a token never ends inside a grapheme cluster. A sign
    stays with its number; a number keeps the letters glued to it (`15th`, `80c`).
    """
    folded = fold_characters(text)
    if "-" in folded:
        folded = _SIGNED.sub(rf"\1{SIGN}\2", folded)
    if "," in folded:
        folded = _COMMA.sub("", folded)
    if "." in folded:
        folded = _POINT.sub(POINT, folded)
    separated: str = _OTHER.sub(" ", folded)
    return separated.replace(POINT, ".").split()


def token_line(text: str) -> str:
    """The tokens as one string, a space before and after each: whole tokens are found by `in`."""
    found = tokens(text)
    return f" {' '.join(found)} " if found else " "


@lru_cache(maxsize=4096)
def cached_token_line(text: str) -> str:
    """`token_line` for golds and aliases, which repeat for every model and sample."""
    return token_line(text)
