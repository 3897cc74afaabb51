"""What came back: its row status, from the wire alone, and whether asking again may help."""

import re
from dataclasses import dataclass
from enum import Enum
from typing import Any

import orjson

#: a count or a price of one reply above these is no count and no price
_MOST_TOKENS = 10**9
_MOST_USD = 10_000


class Next(Enum):
    """What the asking loop does with a reply."""

    KEEP = "keep"  # an answer: store it
    RETRY = "retry"  # may pass: ask again after a pause
    SLOW_DOWN = "slow_down"  # as RETRY, and fewer in flight
    FAIL = "fail"  # this request is wrong: no second try
    STOP = "stop"  # the model cannot be asked now: key, credit, settings


@dataclass(frozen=True, slots=True)
class Usage:
    """Token counts; None where the provider did not say. Cached are part of prompt, reasoning
    part of completion."""

    prompt: int | None = None
    cached: int | None = None
    completion: int | None = None
    reasoning: int | None = None
    cost_usd: float | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """One try's outcome. `status` is ok, empty, truncated, filtered or infra_error."""

    next: Next
    status: str
    text: str | None = None
    reasoning_text: str | None = None
    finish_reason: str | None = None
    usage: Usage = Usage()
    provider_model: str | None = None
    fingerprint: str | None = None
    error: str | None = None
    may_be_billed: bool = False


def failed(next_step: Next, error: str, *, may_be_billed: bool = False) -> Reply:
    """A try without an answer. `may_be_billed` where the provider may have done the work."""
    return Reply(
        next_step, "infra_error", error=printable(error[:500]), may_be_billed=may_be_billed
    )


@dataclass(frozen=True, slots=True)
class _Marks:
    """How an error is known: by a code that it carries, or by a phrase of its message.

    Messages may echo the prompt, so phrases are whole sentences of providers, never one word.
    """

    codes: frozenset[str]
    phrases: tuple[str, ...]

    def match(self, error: Any) -> bool:
        message = _message(error).lower()
        return bool(self.codes & _codes(error)) or any(p in message for p in self.phrases)


_CONTENT_FILTER = _Marks(
    frozenset(
        {
            "content_filter",
            "content_policy_violation",
            "responsibleaipolicyviolation",
            "moderation_blocked",
            "prompt_blocked",
        }
    ),
    ("content management policy", "your input was flagged"),
)
_NO_CREDIT = _Marks(
    frozenset({"insufficient_quota", "insufficient_credits", "billing_hard_limit_reached"}),
    (),  # per-minute limits are worded alike, so only a code says that the credit is gone
)
_UNSUPPORTED = _Marks(
    frozenset({"unsupported_parameter", "unsupported_value", "unknown_parameter"}),
    ("unsupported parameter", "unrecognized request argument", "is not supported with this model"),
)


def read_reply(http_status: int, content: bytes) -> Reply:
    """Classify an OpenAI-shaped reply; every kind of body gets a stated outcome, none raises."""
    billed = 200 <= http_status < 300
    try:
        return _read(http_status, content)
    except (ValueError, TypeError, ArithmeticError, AttributeError, RecursionError) as error:
        reason = f"HTTP {http_status} with a body that cannot be read ({type(error).__name__})"
        return failed(Next.RETRY if billed else Next.FAIL, reason, may_be_billed=billed)


def _read(http_status: int, content: bytes) -> Reply:
    body = _json(content)
    if 200 <= http_status < 300:
        if not isinstance(body, dict):
            return failed(
                Next.RETRY, f"HTTP {http_status} with a body that is not JSON", may_be_billed=True
            )
        if body.get("error") and not body.get("choices"):
            return _read_error(_code_of(body["error"], 500), body["error"])
        return _read_answer(body)
    error = body.get("error", body) if isinstance(body, dict) else _start(content)
    return _read_error(http_status, error)


def _read_error(status: int, error: Any) -> Reply:
    """An error object, under its HTTP status or under a 200 that carries it."""
    message = f"HTTP {status}: {_message(error)}"
    if status in (400, 403, 422) and _CONTENT_FILTER.match(error):
        return Reply(
            Next.KEEP, "filtered", finish_reason="content_filter", error=printable(message[:500])
        )
    if status in (401, 402, 403):
        return failed(Next.STOP, message)
    if status == 429:
        return failed(Next.STOP if _NO_CREDIT.match(error) else Next.SLOW_DOWN, message)
    if status in (503, 529):
        return failed(Next.SLOW_DOWN, message)
    if status in (400, 422) and _UNSUPPORTED.match(error):
        hint = "; set the model's `capabilities` in models.yaml"
        return failed(Next.STOP, message[:400] + hint)
    if status == 404:
        return failed(Next.STOP, message)
    if status in (408, 409, 425) or status >= 500:
        return failed(Next.RETRY, message)
    return failed(Next.FAIL, message)


def _read_answer(body: dict[str, Any]) -> Reply:
    usage = _usage(body.get("usage"))
    choices = body.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(choice, dict):
        return failed(Next.RETRY, "200 with no choices", may_be_billed=True)
    if choice.get("error"):
        return _read_error(_code_of(choice["error"], 500), choice["error"])
    message = choice.get("message")
    if not isinstance(message, dict):
        return failed(Next.RETRY, "200 with a choice without a message", may_be_billed=True)
    finish = choice.get("finish_reason")
    finish = _string(finish)
    text = _content(message.get("content"))
    refusal = message.get("refusal")
    reasoning = message.get("reasoning_content") or message.get("reasoning")
    if finish in ("content_filter", "refusal") or (refusal and text is None):
        status = "filtered"
        text = text if text is not None else _content(refusal)
    elif text is None or not text.strip():
        status = "empty"
    elif finish == "length":
        status = "truncated"
    else:
        status = "ok"
    return Reply(
        Next.KEEP,
        status,
        text=text,
        reasoning_text=_content(reasoning),
        finish_reason=finish,
        usage=usage,
        provider_model=_string(body.get("model")),
        fingerprint=_string(body.get("system_fingerprint")),
        may_be_billed=True,
    )


def _usage(raw: Any) -> Usage:
    if not isinstance(raw, dict):
        return Usage()
    prompt_details = raw.get("prompt_tokens_details")
    completion_details = raw.get("completion_tokens_details")
    return Usage(
        prompt=_count(raw.get("prompt_tokens")),
        cached=_count(_get(prompt_details, "cached_tokens")),
        completion=_count(raw.get("completion_tokens")),
        reasoning=_count(_get(completion_details, "reasoning_tokens")),
        cost_usd=_cost(raw.get("cost")),
    )


def _content(raw: Any) -> str | None:
    """Text of a content field: a string, or the text parts of a list. None when null."""
    if isinstance(raw, str):
        return _storable(raw)
    if isinstance(raw, list):
        parts = [_get(part, "text") for part in raw]
        texts = [part for part in parts if isinstance(part, str)]
        return _storable("".join(texts)) if texts else None
    return None


def printable(text: str) -> str:
    """`text` as it may stand in a terminal, a log and a table: what is invisible is escaped.

    A provider's message may hold escape sequences that set a terminal's title or colours, and
    marks that reverse the direction of writing.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def _storable(text: str) -> str:
    """Lone surrogates cannot be stored as UTF-8; the raw body keeps their escapes."""
    return text.encode("utf-8", "replace").decode() if not text.isascii() else text


def _json(content: bytes) -> Any:
    try:
        return orjson.loads(content)
    except orjson.JSONDecodeError:
        pass
    import json  # the standard parser takes lone surrogates and NaN, which some servers send

    try:
        return json.loads(content.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None


def _code_of(error: Any, default: int) -> int:
    code = _get(error, "code")
    if isinstance(code, str) and re.fullmatch(r"[45][0-9]{2}", code):
        code = int(code)
    return code if isinstance(code, int) and 400 <= code < 600 else default


def _message(error: Any) -> str:
    message = _get(error, "message")
    return str(message if message is not None else error)[:300]


def _codes(error: Any) -> set[str]:
    """Every code and type that an error carries, its inner error's too, in lower case."""
    inner = _get(error, "innererror") or _get(error, "inner_error")
    found = [_get(holder, name) for holder in (error, inner) for name in ("code", "type")]
    return {value.lower() for value in found if isinstance(value, str)}


def _start(content: bytes) -> str:
    return content[:300].decode("utf-8", "replace")


def _get(mapping: Any, key: str) -> Any:
    return mapping.get(key) if isinstance(mapping, dict) else None


def _count(value: Any) -> int | None:
    valid = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MOST_TOKENS
    return value if valid else None


def _cost(value: Any) -> float | None:
    valid = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if valid and 0 <= value <= _MOST_USD else None


def _string(value: Any) -> str | None:
    return _storable(value) if isinstance(value, str) else None
