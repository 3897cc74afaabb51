"""Scripted conversations: a fixed user side, asked turn by turn, resumed where it broke off."""

from collections.abc import Mapping
from dataclasses import dataclass

from bench_pipeline.contracts.responses import ResponseRecord
from bench_pipeline.contracts.roster import ModelSpec
from bench_pipeline.providers.asking import Conversation
from bench_pipeline.providers.request import Prompt, prepare


@dataclass(frozen=True, slots=True)
class Script:
    """The user's turns of one conversation, in order, and how they are put."""

    prompt_id: str
    user_turns: tuple[str, ...]
    temperature: float
    max_tokens: int
    sample: int = 0
    wave: int = 0
    suite_version: str = "0.0.0"


def converse(spec: ModelSpec, script: Script, answered: Mapping[str, str | None]) -> Conversation:
    """Ask `script` turn by turn, each with the conversation so far.

    `answered` maps the request ids that have an answer to its text: those turns are not asked
    again. A turn's identity holds all turns before it, so a stored turn belongs to this very
    conversation. It ends early at a turn without text, as nothing can follow on it.
    """
    messages: list[dict[str, str]] = []
    for turn, said in enumerate(script.user_turns):
        messages.append({"role": "user", "content": said})
        prompt = Prompt(
            prompt_id=script.prompt_id,
            messages=list(messages),
            temperature=script.temperature,
            max_tokens=script.max_tokens,
            sample=script.sample,
            wave=script.wave,
            turn=turn,
            suite_version=script.suite_version,
        )
        request = prepare(spec, prompt)
        if request.request_id in answered:
            text = answered[request.request_id]
        else:
            record: ResponseRecord = yield request
            text = record.text
        if not text:
            return
        messages.append({"role": "assistant", "content": text})
