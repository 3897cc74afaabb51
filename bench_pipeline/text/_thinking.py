"""Where a model's answer ends its thinking aloud."""

import re

_TAGS = r"(?:think|thinking|thought|reasoning)"
_CLOSING = re.compile(rf"</\s?{_TAGS}\s?>|\[/THINK\]", re.IGNORECASE)
_OPENING = re.compile(rf"<\s?{_TAGS}\s?>|\[THINK\]", re.IGNORECASE)


def visible_span(raw: str) -> tuple[int, int]:
    """The half-open span of `raw` that is the answer: after the last closed thinking block, and
    before a block that never closes.
    """
    start, end = 0, len(raw)
    if "<" in raw or "[" in raw:
        for match in _CLOSING.finditer(raw):
            start = match.end()
        opening = _OPENING.search(raw, start)
        if opening is not None:
            end = opening.start()
    return start, end
