"""What every provider module offers."""

from typing import Any, Protocol

from bench_pipeline.contracts.roster import ModelSpec
from bench_pipeline.providers.reply import Reply

Messages = list[dict[str, str]]


class Adapter(Protocol):
    """How one provider is asked."""

    def endpoint(self, spec: ModelSpec) -> str:
        """The URL that requests are posted to. May start a server; called once a run."""

    def headers(self, key: str | None) -> dict[str, str]:
        """Request headers, the key's among them."""

    def body(
        self,
        spec: ModelSpec,
        messages: Messages,
        temperature: float,
        max_tokens: int,
        response_schema: dict[str, Any] | None,
    ) -> tuple[dict[str, Any], tuple[str, ...]]:
        """The JSON body, and the parameters that were wanted but are not taken."""

    def read(self, http_status: int, content: bytes) -> Reply:
        """Classify a reply."""
