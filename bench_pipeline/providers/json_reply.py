"""JSON out of a model's reply: strict first, then without its fence, then a recorded repair.

A reply that was cut by length or withheld by a filter is rejected, never repaired: what it would
have said is not known. Everything here takes time in proportion to the reply, whatever it holds.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from bench_pipeline.text import visible_span

_FENCE = "```"
_FENCED_LANGUAGE = re.compile(r"[a-zA-Z]*")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_LONGEST = 200_000
#: finish reason → why such a reply is none, however whole it looks
_UNFINISHED = {
    "length": "cut_by_length",
    "content_filter": "filtered",
    "refusal": "filtered",
}


@dataclass(frozen=True, slots=True)
class JsonReply:
    """What a reply says, and how it was read; a `problem` stands without a value."""

    value: Any
    how: str | None
    problem: str | None = None


def read_json_reply(text: str | None, finish_reason: str | None = "stop") -> JsonReply:
    """The JSON value of a reply, or the problem with it.

    No string of a value, and no key, holds a lone surrogate, which no table can be written with.
    """
    problem = _unreadable(text, finish_reason)
    if text is None or problem is not None:
        return JsonReply(None, None, problem)
    for how, candidate in _attempts(text):
        try:
            value = json.loads(candidate, object_pairs_hook=_once)
        except (ValueError, RecursionError):
            continue
        if _has_lone_surrogate(value):
            return JsonReply(None, None, "lone_surrogate")
        return JsonReply(value, how)
    start, end = visible_span(text)
    return JsonReply(None, None, "not_json" if text[start:end].strip() else "only_thinking")


def _unreadable(text: str | None, finish_reason: str | None) -> str | None:
    """The problem with a reply that is known before it is read."""
    if finish_reason in _UNFINISHED and (text or _UNFINISHED[finish_reason] == "filtered"):
        return _UNFINISHED[finish_reason]
    if not text or not text.strip():
        return "empty_reply"
    return "reply_too_long" if len(text) > _LONGEST else None


def _attempts(text: str) -> Iterator[tuple[str, str]]:
    """Where JSON may stand in a reply, and how it is read there.

    A tag of thinking inside of a string is no thinking, so the whole text comes first; what the
    thinking itself holds is never read.
    """
    start, end = visible_span(text)
    said = text[start:end]
    for whole in dict.fromkeys((text, said)):
        yield "strict", whole
        fenced = _fenced(whole.strip())
        if fenced is not None:
            yield "fenced", fenced
    repaired = _repaired(said)
    if repaired is not None:
        yield "repaired", repaired


def _fenced(text: str) -> str | None:
    """What stands in the fence that opens and closes `text`, which is stripped."""
    if len(text) < 2 * len(_FENCE) or not (text.startswith(_FENCE) and text.endswith(_FENCE)):
        return None
    language, _, inside = text[len(_FENCE) : -len(_FENCE)].partition("\n")
    return inside if _FENCED_LANGUAGE.fullmatch(language.strip()) else None


def _has_lone_surrogate(value: Any) -> bool:
    left = [value]
    while left:
        one = left.pop()
        if isinstance(one, str):
            if _SURROGATE.search(one):
                return True
        elif isinstance(one, dict):
            left.extend(one)
            left.extend(one.values())
        elif isinstance(one, list):
            left.extend(one)
    return False


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
    kept: list[str] = []
    depth, before, comma = 0, "", None
    for position, character in _outside_strings(text, start, kept):
        if character in "{[":
            depth += 1
        elif character in "}]":
            depth -= 1
            if comma is not None:
                kept[comma] = ""
            if depth == 0:
                # of two objects it is not known which was meant
                another = any(mark in text[position + 1 :] for mark in "{[")
                return None if another else "".join(kept)
        if not character.isspace():
            # a comma right after an opening mark follows nothing
            comma = len(kept) - 1 if character == "," and before not in "[{" else None
            before = character
    return None


def _outside_strings(text: str, start: int, kept: list[str]) -> Iterator[tuple[int, str]]:
    """The characters from `start` on that no string holds, its quotes included.

    Every character, also those of strings, is put into `kept` when it is passed.
    """
    in_string, escaped = False, False
    for position in range(start, len(text)):
        character = text[position]
        kept.append(character)
        if not in_string:
            in_string = character == '"'
            yield position, character
        else:
            in_string = escaped or character != '"'
            escaped = character == "\\" and not escaped
