"""The JSON path: an object with one of the agreed shapes, wherever in the answer it stands.

Trailing commas and comments are read past. A cut-off object, a repeated key and two objects that
differ are not repaired: they are `broken`, and no other path may read a value out of them.
"""

import json
import re
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

SHAPE_KEYS = ("value", "unit", "start", "end", "months", "clarification_required", "reason")
MAX_OBJECTS = 8
MAX_OBJECT_LENGTH = 8_000
MAX_EXPONENT = 60

_KEYS = "|".join(SHAPE_KEYS)
_LEAD = r"(?:\s|//[^\n]{0,200}\n|/\*[^*]{0,200}\*/){0,20}"
_OPENING = re.compile(r"\{" + _LEAD + r"[\"'“”‘’]?(?:" + _KEYS + r")[\"'“”‘’]?\s{0,9}:")
_PIECE = re.compile(r'"(?:[^"\\]|\\.)*"|[{}]')
_COMMENT = re.compile(r'("(?:[^"\\]|\\.)*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
_TRAILING_COMMA = re.compile(r'("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])', re.DOTALL)


class _Unreadable(Exception):
    """The text is not one of the shapes."""


@dataclass(frozen=True, slots=True)
class JsonAnswer:
    """What the JSON path found in a text: `fields` of the one object, or `broken` with why."""

    fields: dict[str, Any] = field(default_factory=dict)
    span: tuple[int, int] = (0, 0)
    broken: str = ""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({key for key, _ in pairs}) != len(pairs):
        raise _Unreadable("a key is repeated")
    return dict(pairs)


def _no_constant(name: str) -> Any:
    raise _Unreadable(f"{name} is not a value")


_DECODER = json.JSONDecoder(
    parse_float=Decimal,
    parse_int=Decimal,
    parse_constant=_no_constant,
    object_pairs_hook=_unique,
    strict=False,
)


def _load(text: str) -> dict[str, Any]:
    relaxed = _COMMENT.sub(lambda match: match[1] or " ", text)
    relaxed = _TRAILING_COMMA.sub(lambda match: match[1] or "", relaxed)
    for attempt in (text, relaxed):
        try:
            loaded = _DECODER.decode(attempt)
        except (json.JSONDecodeError, RecursionError):
            continue
        except ArithmeticError as error:
            raise _Unreadable("a number is out of range") from error
        if isinstance(loaded, dict):
            return loaded
    raise _Unreadable("the object cannot be read")


def _closing(text: str, start: int) -> int | None:
    """Index after the brace that closes the one at `start`; None where the object is cut off."""
    depth = 0
    for match in _PIECE.finditer(text, start, start + MAX_OBJECT_LENGTH):
        if match[0] == "{":
            depth += 1
        elif match[0] == "}":
            depth -= 1
            if depth == 0:
                return match.end()
    return None


def find_json(text: str) -> JsonAnswer | None:
    """The JSON answer in a raw text; None where the text holds no object of an agreed shape."""
    if "{" not in text:
        return None
    found: list[JsonAnswer] = []
    position = 0
    while (opening := _OPENING.search(text, position)) is not None:
        if len(found) == MAX_OBJECTS:
            return JsonAnswer(broken="there are too many objects")
        start = opening.start()
        end = _closing(text, start)
        if end is None:
            return JsonAnswer(span=(start, len(text)), broken="the object is cut off")
        try:
            found.append(JsonAnswer(_load(text[start:end]), (start, end)))
        except _Unreadable as error:
            return JsonAnswer(span=(start, end), broken=str(error))
        position = end
    if not found:
        return None
    if any(other.fields != found[0].fields for other in found[1:]):
        return JsonAnswer(span=found[0].span, broken="there are two objects and they differ")
    return found[-1]


def scalar_text(value: Any) -> str | None:
    """A JSON scalar as the text an answer would have used; None for null, lists and objects."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Decimal):
        return format(value, "f") if abs(value.adjusted()) <= MAX_EXPONENT else None
    return value if isinstance(value, str) else None
