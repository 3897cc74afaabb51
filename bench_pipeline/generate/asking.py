"""What the agents are asked: the suite's prompt file over one chunk or one candidate."""

from collections.abc import Mapping, Sequence
from typing import Any

from bench_pipeline.contracts.roster import ModelSpec
from bench_pipeline.contracts.suite import SuiteSpec
from bench_pipeline.providers import Prompt, Request, prepare
from bench_pipeline.providers.prompt_file import PromptFile

AGENT_ONE, AGENT_TWO = "agent_one", "agent_two"
#: what a prompt file may use: Agent 2 sees the candidate, nothing of what Agent 1 thought
FIELDS = {
    AGENT_ONE: ("title", "heading", "domain", "language", "text"),
    AGENT_TWO: ("title", "domain", "language", "text", "question", "answer"),
}


def agent_requests(
    suite: SuiteSpec,
    spec: ModelSpec,
    role: str,
    schema: Mapping[str, Any],
    rows: Sequence[Mapping[str, Any]],
    *,
    key: str,
    sample: int = 0,
) -> dict[str, Request]:
    """A request a row, by the row's `key`: the prompt file of `role` over the row's fields.

    Raises:
        InputError: the prompt file is missing, or asks for something that a row does not have.
    """
    settings = suite.generation
    file = settings.agent_one_prompt if role == AGENT_ONE else settings.agent_two_prompt
    template = PromptFile(suite.path(file), FIELDS[role])
    return {
        str(row[key]): prepare(
            spec,
            Prompt(
                prompt_id=str(row[key]),
                messages=[{"role": "user", "content": template.render(**row)}],
                temperature=suite.sampling.temperature,
                max_tokens=settings.max_tokens,
                sample=sample,
                suite_version=suite.version,
                response_schema=dict(schema),
            ),
        )
        for row in rows
    }
