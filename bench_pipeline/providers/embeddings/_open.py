"""From the name of an embedding in a suite or on the command line to the embedding itself."""

import os
from pathlib import Path

from bench_pipeline.contracts.errors import InputError, shown
from bench_pipeline.providers.embeddings._base import MINILM, Embedder
from bench_pipeline.providers.embeddings._cache import CachedEmbedder

_OPENAI = "openai:"
_ACCEPTED = "minilm, a folder, a hub id such as owner/model, or openai:MODEL@https://…"


def embedder(spec: str, *, cache: Path | None, api_key_env: str | None = None) -> Embedder:
    """The embedding that `spec` names.

    `spec` is `minilm` (English, packaged, no network), a local folder in sentence-transformers'
    layout, a hub id, or `openai:MODEL@BASE_URL`, whose key is the value of the environment
    variable `api_key_env`. Vectors are kept under `cache`, by the model's weights (its name where
    it is remote) and the text's hash; None keeps none. Models are loaded when they first encode.

    Raises:
        InputError: the spec names nothing, or the variable of the key is not set.
    """
    inner, identity = _inner(spec.strip(), api_key_env)
    return inner if cache is None else CachedEmbedder(inner, cache, identity)


def _inner(spec: str, api_key_env: str | None) -> tuple[Embedder, str]:
    from bench_pipeline.providers.embeddings import _sentences

    if spec == MINILM:
        return _sentences.packaged()
    if spec.startswith(_OPENAI):
        return _openai(spec, api_key_env)
    folder = Path(spec).expanduser()
    if spec and folder.is_dir():
        if not any((folder / name).is_file() for name in ("modules.json", "config.json")):
            raise InputError(
                "dedup",
                f"the folder {shown(spec)} holds no model",
                field="model",
                accepted="a folder in the layout of sentence-transformers",
            )
        return _sentences.in_folder(folder.resolve())
    owner, slash, name = spec.partition("/")
    if not (owner and slash and name) or "/" in name or spec.startswith((".", "~")):
        raise InputError("dedup", f"found {shown(spec)}", field="model", accepted=_ACCEPTED)
    return _sentences.on_hub(spec)


def _openai(spec: str, api_key_env: str | None) -> tuple[Embedder, str]:
    from bench_pipeline.providers.embeddings._openai import OpenAIEmbedder

    model, _, base_url = spec.removeprefix(_OPENAI).partition("@http")
    if not model or not base_url.startswith(("://", "s://")):
        raise InputError("dedup", f"found {shown(spec)}", field="model", accepted=_ACCEPTED)
    key = None
    if api_key_env is not None:
        key = os.environ.get(api_key_env, "").strip()
        if not key:
            raise InputError(
                "dedup",
                f"the environment variable {api_key_env} is not set",
                field="model",
                accepted=f"export {api_key_env}=… before the run",
            )
        if not all("!" <= character <= "~" for character in key):
            raise InputError(
                "dedup",
                f"the value of {api_key_env} holds a blank or a character outside ASCII",
                field="model",
                accepted="a key as its provider gives it",
            )
    return OpenAIEmbedder(model, f"http{base_url}", key), spec
