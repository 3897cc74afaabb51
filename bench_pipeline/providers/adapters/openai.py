"""Any OpenAI-compatible URL: OpenAI, vLLM, llama.cpp, Ollama, Together and the like."""

from typing import Any

from bench_pipeline.contracts.roster import ModelSpec
from bench_pipeline.providers.adapters.base import Messages
from bench_pipeline.providers.reply import Reply, read_reply

_LIMITS = frozenset({"minLength", "maxLength", "minItems", "maxItems", "minimum", "maximum"})


def without_limits(schema: dict[str, Any]) -> dict[str, Any]:
    """A JSON schema without its bounds on lengths, counts and numbers."""
    kept = {name: _unbounded(value) for name, value in schema.items() if name not in _LIMITS}
    if isinstance(properties := schema.get("properties"), dict):
        # the keys there are names, and may be any word
        kept["properties"] = {name: _unbounded(value) for name, value in properties.items()}
    return kept


def _unbounded(value: Any) -> Any:
    if isinstance(value, dict):
        return without_limits(value)
    return [_unbounded(entry) for entry in value] if isinstance(value, list) else value


class OpenAIAdapter:
    """`POST BASE_URL/chat/completions`, key as a bearer token."""

    default_base_url: str | None = None

    def endpoint(self, spec: ModelSpec) -> str:
        """The entry's base URL, or the provider's own."""
        base_url = spec.base_url or self.default_base_url
        if base_url is None:
            raise ValueError(f"model '{spec.id}' has no base_url")
        return base_url.rstrip("/") + "/chat/completions"

    def headers(self, key: str | None) -> dict[str, str]:
        """Bearer authorisation where there is a key."""
        return {"authorization": f"Bearer {key}"} if key else {}

    def body(
        self,
        spec: ModelSpec,
        messages: Messages,
        temperature: float,
        max_tokens: int,
        response_schema: dict[str, Any] | None,
    ) -> tuple[dict[str, Any], tuple[str, ...]]:
        """The body that the entry's capabilities allow."""
        takes = spec.capabilities
        body: dict[str, Any] = {"model": spec.model, "messages": messages}
        dropped: list[str] = []
        body[takes.token_limit] = max_tokens
        if takes.temperature:
            body["temperature"] = temperature
        else:
            dropped.append("temperature")
        if response_schema is not None:
            if takes.json_schema:
                schema = response_schema
                if not takes.schema_limits:
                    schema = without_limits(response_schema)
                body["response_format"] = {
                    "type": "json_schema",
                    "json_schema": {"name": "answer", "strict": True, "schema": schema},
                }
            else:
                dropped.append("response_schema")
        if spec.reasoning.effort is not None:
            body.update(self.reasoning(spec.reasoning.effort))
        body.update(spec.extra_body)
        return body, tuple(dropped)

    def reasoning(self, effort: str) -> dict[str, Any]:
        """The field that caps hidden reasoning."""
        return {"reasoning_effort": effort}

    def read(self, http_status: int, content: bytes) -> Reply:
        """OpenAI's shape."""
        return read_reply(http_status, content)
