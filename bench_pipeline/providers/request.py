"""What is sent, and the identity that follows from it."""

import hashlib
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import orjson

from bench_pipeline.contracts.roster import ModelSpec, Prices
from bench_pipeline.providers.adapters import adapter_for

KEY_VERSION = 1
# a chat template adds a few tokens to every message; an upper bound must count them
_TEMPLATE_TOKENS_PER_MESSAGE = 32


@dataclass(frozen=True, slots=True)
class Prompt:
    """One thing to put to a model, before the model's own settings are applied."""

    prompt_id: str
    messages: list[dict[str, str]]
    temperature: float
    max_tokens: int
    sample: int = 0
    wave: int = 0
    turn: int = 0
    suite_version: str = "0.0.0"
    response_schema: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Request:
    """A prompt as it is sent to one model.

    `request_id` is the sha256 of a key version and everything that is sent, with the roster
    entry, sample and wave: a field more or less is another request. The address and the key are
    no part of it, so that moving a server or renewing a key pays for nothing twice.
    """

    request_id: str
    prompt: Prompt
    body: dict[str, Any]
    dropped: tuple[str, ...]
    prompt_token_bound: int
    max_tokens: int

    def cost_bound(self, prices: Prices) -> Decimal:
        """US dollars that this request cannot exceed: prompt bytes as tokens, plus max_tokens."""
        tokens = self.prompt_token_bound * prices.input + self.max_tokens * prices.output
        return tokens / 1_000_000


def prepare(spec: ModelSpec, prompt: Prompt) -> Request:
    """The request that puts `prompt` to `spec`, with the model's prompt, overrides and quirks."""
    overrides = spec.overrides
    max_tokens = overrides.max_tokens or prompt.max_tokens
    temperature = overrides.temperature if overrides.temperature is not None else prompt.temperature
    messages = prompt.messages
    if spec.system_prompt is not None:
        messages = [{"role": "system", "content": spec.system_prompt}, *messages]
    body, dropped = adapter_for(spec).body(
        spec, messages, temperature, max_tokens, prompt.response_schema
    )
    identity = {
        "key_version": KEY_VERSION,
        "entry": spec.id,
        "provider": spec.provider,
        "body": body,
        "sample": prompt.sample,
        "wave": prompt.wave,
    }
    canonical = orjson.dumps(identity, option=orjson.OPT_SORT_KEYS)
    size = sum(
        len(message["content"].encode()) + _TEMPLATE_TOKENS_PER_MESSAGE for message in messages
    )
    return Request(
        request_id=hashlib.sha256(canonical).hexdigest(),
        prompt=prompt,
        body=body,
        dropped=dropped,
        prompt_token_bound=size + _TEMPLATE_TOKENS_PER_MESSAGE,
        max_tokens=max_tokens,
    )
