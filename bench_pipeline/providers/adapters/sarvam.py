"""Sarvam's own API: OpenAI's shape under its own address, with its own key header."""

from bench_pipeline.providers.adapters.openai import OpenAIAdapter


class SarvamAdapter(OpenAIAdapter):
    """`POST https://api.sarvam.ai/v1/chat/completions`, header `api-subscription-key`."""

    default_base_url = "https://api.sarvam.ai/v1"

    def headers(self, key: str | None) -> dict[str, str]:
        """The key in Sarvam's header."""
        return {"api-subscription-key": key} if key else {}
