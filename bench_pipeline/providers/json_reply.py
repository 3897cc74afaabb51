"""JSON out of a model's reply: strict first, then without its fence, then a recorded repair.

A reply that was cut by length is rejected, never repaired: what it would have said is not known.
"""

import json
import re
from dataclasses import dataclass
from typing import Any

_FENCE = re.compile(r"^\s*```[a-zA-Z]*\s*\n(.*?)\n?\s*```\s*$", re.DOTALL)
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")
_LONGEST = 200_000


@dataclass(frozen=True, slots=True)
class JsonReply:
    """What a reply says, and how it was read; a `problem` stands without a value."""

    value: Any
    how: str | None
    problem: str | None = None


def read_json_reply(text: str | None, finish_reason: str | None = "stop") -> JsonReply:
    """The JSON value of a reply, or the problem with it."""
    if not text or not text.strip():
        return JsonReply(None, None, "empty_reply")
    if finish_reason == "length":
        return JsonReply(None, None, "cut_by_length")
    if len(text) > _LONGEST:
        return JsonReply(None, None, "reply_too_long")
    fenced = _FENCE.match(text)
    attempts = (
        ("strict", text),
        ("fenced", fenced[1] if fenced else None),
        ("repaired", _repaired(text)),
    )
    for how, candidate in attempts:
        if candidate is None:
            continue
        try:
            return JsonReply(json.loads(candidate, object_pairs_hook=_once), how)
        except (ValueError, RecursionError):
            continue
    return JsonReply(None, None, "not_json")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys stand once; what a reply says twice is not known."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return found


def _repaired(text: str) -> str | None:
    """The one object or list in prose, without trailing commas; None where it is not whole."""
    starts = [position for mark in "{[" if (position := text.find(mark)) >= 0]
    if not starts:
        return None
    start = min(starts)
    end = _closing(text, start)
    if end is None or _closes_again(text[end:]):
        return None
    return _TRAILING_COMMA.sub(r"\1", text[start:end])


def _closing(text: str, start: int) -> int | None:
    """One past the mark that closes the one at `start`, outside of strings."""
    depth, in_string, escaped = 0, False, False
    for position in range(start, len(text)):
        character = text[position]
        if in_string:
            in_string = escaped or character != '"'
            escaped = character == "\\" and not escaped
        elif character == '"':
            in_string = True
        elif character in "{[":
            depth += 1
        elif character in "}]":
            depth -= 1
            if depth == 0:
                return position + 1
    return None


def _closes_again(rest: str) -> bool:
    """Whether a second object follows: then it is not known which was meant."""
    return bool(re.search(r"[{\[]", rest))
