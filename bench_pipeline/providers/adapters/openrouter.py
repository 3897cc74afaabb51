"""OpenRouter: OpenAI's shape, with the price of every reply in its usage."""

from typing import Any

from bench_pipeline.contracts.roster import ModelSpec
from bench_pipeline.providers.adapters.base import Messages
from bench_pipeline.providers.adapters.openai import OpenAIAdapter


class OpenRouterAdapter(OpenAIAdapter):
    """Asks for usage accounting and for no silent change of provider parameters."""

    default_base_url = "https://openrouter.ai/api/v1"

    def body(
        self,
        spec: ModelSpec,
        messages: Messages,
        temperature: float,
        max_tokens: int,
        response_schema: dict[str, Any] | None,
    ) -> tuple[dict[str, Any], tuple[str, ...]]:
        """As OpenAI's, with `usage.include` so that the cost comes back."""
        body, dropped = super().body(spec, messages, temperature, max_tokens, response_schema)
        return {"usage": {"include": True}, **body}, dropped

    def reasoning(self, effort: str) -> dict[str, Any]:
        """OpenRouter's own field, which it maps to each provider's."""
        return {"reasoning": {"effort": effort}}
