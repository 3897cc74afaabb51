"""Text as Indian languages write it: comparison keys, tokens, scripts, and numbers.

Here belong pure functions on strings. Here does not belong anything that knows an item, an answer
or a verdict: that is `bench_pipeline.grade`.

Public: `text_key`, `tokens`, `token_line`, `fold`, `Folded`, `fold_digits`, `parse_numbers`,
`find_numbers`, `NumberMention`, `script_share`, `scripts_of`, `has_script`, `split_sentences`,
`visible_span`, `hidden_characters`.
"""

from bench_pipeline.text._fold import CHARACTER_FOLDS, Folded, fold, fold_characters
from bench_pipeline.text._hidden import hidden_characters
from bench_pipeline.text._key import text_key, token_line, tokens
from bench_pipeline.text._numbers import NumberMention, find_numbers, parse_numbers
from bench_pipeline.text._scripts import has_script, script_share, scripts_of
from bench_pipeline.text._sentences import split_sentences
from bench_pipeline.text._thinking import visible_span

_DIGITS = str.maketrans({char: to for char, to in CHARACTER_FOLDS.items() if to.isdigit()})


def fold_digits(text: str) -> str:
    """The text with the decimal digits of every script as ASCII digits."""
    return text if text.isascii() else text.translate(_DIGITS)


__all__ = [
    "Folded",
    "NumberMention",
    "find_numbers",
    "fold",
    "fold_characters",
    "fold_digits",
    "has_script",
    "hidden_characters",
    "parse_numbers",
    "script_share",
    "scripts_of",
    "split_sentences",
    "text_key",
    "token_line",
    "tokens",
    "visible_span",
]
