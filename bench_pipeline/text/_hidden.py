"""Characters that no reader sees: they break lines, turn text around, or are drawn as nothing."""

import regex

#: Controls, separators of lines, lone surrogates, and all that Unicode 15 draws as nothing
#: (Default_Ignorable_Code_Point); the anchors of annotations are drawn as nothing too.
_HIDDEN = regex.compile(r"[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]")
#: Indic spelling needs the joiners, and the last two choose between the forms of one sign.
_WRITTEN = frozenset("\u200c\u200d\ufe0e\ufe0f")
#: text that runs from right to left needs these beside digits and Latin words
_DIRECTION_MARKS = frozenset("\u061c\u200e\u200f")


def hidden_characters(text: str, script: str | None = None) -> frozenset[str]:
    """The characters of `text` that a reader cannot see and its writing does not need.

    `script` is the ISO 15924 code of the language: marks of direction are part of Arabic script
    (`Arab`) and hidden in every other. Joiners are allowed everywhere. Total on any string.
    """
    allowed = _WRITTEN | _DIRECTION_MARKS if script == "Arab" else _WRITTEN
    return frozenset(_HIDDEN.findall(text)) - allowed
