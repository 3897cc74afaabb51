"""What a judge is asked: the suite's prompt file over one question, its gold and one answer."""

from collections.abc import Mapping, Sequence
from typing import Any

from bench_pipeline.contracts.errors import InputError
from bench_pipeline.contracts.roster import ModelSpec
from bench_pipeline.contracts.suite import Judge, SuiteSpec
from bench_pipeline.judge.fence import fenced
from bench_pipeline.judge.verdicts import JUDGE_SCHEMA, read_verdict
from bench_pipeline.providers import Prompt, Request, prepare
from bench_pipeline.providers.prompt_file import PromptFile
from bench_pipeline.providers.stored import StoredReply

JUDGE_ROLE = "judge"
#: what the prompt file may use; `answer` comes fenced
FIELDS = ("question", "gold", "language", "answer")
#: of the judge's unreadable reply, so much is shown back to it
_ECHO = 2_000
_AGAIN = (
    "That reply could not be read ({problem}). Reply with the JSON object alone: "
    '"justification" first, then "verdict", one of correct, incorrect, not_attempted.'
)


def judge_requests(
    suite: SuiteSpec, settings: Judge, spec: ModelSpec, rows: Sequence[Mapping[str, Any]]
) -> dict[str, Request]:
    """Completion → request. `rows` hold request_id, question, gold, language and answer.

    Raises:
        InputError: the prompt file is missing, or does not show the answer within its fence.
    """
    template = PromptFile(suite.path(settings.prompt), FIELDS)
    found = {}
    for row in rows:
        answer = fenced(row["answer"])
        content = template.render(
            question=row["question"], gold=row["gold"], language=row["language"], answer=answer
        )
        if content.count(answer) != 1:
            raise InputError(
                template.path, "the answer does not stand in it once", accepted="{{ answer }}"
            )
        found[row["request_id"]] = _request(
            suite, settings, spec, row["request_id"], [{"role": "user", "content": content}]
        )
    return found


def second_requests(
    suite: SuiteSpec,
    settings: Judge,
    spec: ModelSpec,
    first: Mapping[str, Request],
    replies: Mapping[str, StoredReply],
) -> dict[str, Request]:
    """The one more try of every reply without a verdict, with the error shown."""
    found = {}
    for key, reply in replies.items():
        problem = read_verdict(reply.text, reply.finish_reason).problem
        if problem is None:
            continue
        said = [
            {"role": "assistant", "content": (reply.text or "")[:_ECHO]},
            {"role": "user", "content": _AGAIN.format(problem=problem)},
        ]
        messages = [*first[key].prompt.messages, *said]
        found[key] = _request(suite, settings, spec, key, messages)
    return found


def _request(
    suite: SuiteSpec,
    settings: Judge,
    spec: ModelSpec,
    key: str,
    messages: list[dict[str, str]],
) -> Request:
    return prepare(
        spec,
        Prompt(
            prompt_id=key,
            messages=messages,
            temperature=0.0,
            max_tokens=settings.max_tokens,
            suite_version=suite.version,
            response_schema=dict(JUDGE_SCHEMA),
        ),
    )
