"""One small module a provider: its address, its headers, what it takes and what it answers."""

from bench_pipeline.contracts.roster import ModelSpec
from bench_pipeline.providers.adapters.base import Adapter
from bench_pipeline.providers.adapters.local import LocalAdapter
from bench_pipeline.providers.adapters.openai import OpenAIAdapter
from bench_pipeline.providers.adapters.openrouter import OpenRouterAdapter
from bench_pipeline.providers.adapters.sarvam import SarvamAdapter

_ADAPTERS: dict[str, Adapter] = {
    "openai": OpenAIAdapter(),
    "openrouter": OpenRouterAdapter(),
    "sarvam": SarvamAdapter(),
    "local": LocalAdapter(),
}


def adapter_for(spec: ModelSpec) -> Adapter:
    """The adapter that the roster entry names."""
    return _ADAPTERS[spec.provider]


__all__ = ["Adapter", "adapter_for"]
