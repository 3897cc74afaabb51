"""The model in the box: SmolLM2-135M in this process, asked over HTTP like any other."""

from bench_pipeline.contracts.errors import InputError
from bench_pipeline.contracts.roster import ModelSpec
from bench_pipeline.providers.adapters.openai import OpenAIAdapter
from bench_pipeline.providers.local_server import LOCAL_MODELS, local_base_url


class LocalAdapter(OpenAIAdapter):
    """Starts the packaged model's server at the first request of the process."""

    def endpoint(self, spec: ModelSpec) -> str:
        """The address of the running server."""
        if spec.model not in LOCAL_MODELS:
            raise InputError(
                "models.yaml",
                f"there is no packaged model '{spec.model}'",
                entry=spec.id,
                field="model",
                accepted=", ".join(LOCAL_MODELS),
            )
        return local_base_url(spec.model) + "/v1/chat/completions"
