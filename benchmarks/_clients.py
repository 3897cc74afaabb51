"""Running the measured clients, each as a process of its own on one core, and what came of it."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from _server import Server

_HERE = Path(__file__).resolve().parent
_SECONDS_AT_MOST = 900


@dataclass(frozen=True)
class Client:
    """A client that can be measured. `packages` go into an environment of its own."""

    name: str
    script: str
    packages: tuple[str, ...] = ()

    def python(self, cache: Path) -> str:
        """The interpreter to run it with; a peer's environment is made the first time."""
        if not self.packages:
            return sys.executable
        folder = cache / self.name
        python = folder / "bin" / "python"
        stamp = folder / "installed"
        wanted = "\n".join(self.packages)
        if not stamp.is_file() or stamp.read_text() != wanted:
            print(f"installing {' '.join(self.packages)} …", flush=True)
            venv.create(folder, clear=True, with_pip=True)
            install = [str(python), "-m", "pip", "install", "--quiet", *self.packages]
            subprocess.run(install, check=True, timeout=_SECONDS_AT_MOST)
            stamp.write_text(wanted)
        return str(python)


OURS = Client("bench-pipeline", "ours.py")
BARE = Client("bare httpx+aiohttp", "bare.py")
LM_EVAL = Client("lm-eval", "peer_lm_eval.py", ("lm-eval[api]==0.4.13",))
INSPECT = Client("inspect-ai", "peer_inspect.py", ("inspect-ai==0.3.285", "openai"))


@dataclass(frozen=True)
class Result:
    """One run of one client. `requests` and both rates are what the server saw."""

    requests: int
    steady: float
    #: requests a second from the first request to the last reply
    overall: float
    #: from the start of the process to its end, imports and all
    seconds: float
    #: CPU seconds of the process, and of the asking alone where the client tells it
    cpu: float
    asking_cpu: float | None
    peak_mb: float


def two_cores() -> tuple[int | None, int | None]:
    """A core for the server and another for the client; None where they cannot be had."""
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    return (cores[0], cores[-1]) if len(cores) > 1 else (None, None)


def cache_folder() -> Path:
    """Outside the project: peers' environments, and what the clients write while they run."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "bench-pipeline-benchmarks"


def measure(
    client: Client,
    server: Server,
    *,
    cache: Path,
    core: int | None,
    count: int,
    in_flight: int,
    delay: float,
) -> Result:
    """Run `client` once against `server`.

    Raises:
        RuntimeError: it failed, or did not get every answer.
    """
    python = client.python(cache)
    cache.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="run-", dir=cache))
    command = [python, str(_HERE / "clients" / client.script)]
    command += ["--url", server.url, "--folder", str(folder)]
    command += ["--count", str(count), "--in-flight", str(in_flight)]
    server.begin(delay)
    started = time.monotonic()
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=_SECONDS_AT_MOST,
            preexec_fn=_on_core(core),
            check=False,
        )
        seconds = time.monotonic() - started
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    counted = server.counted()
    if done.returncode:
        raise RuntimeError(f"{client.name} failed:\n{done.stderr[-3000:]}")
    line = json.loads(done.stdout.strip().splitlines()[-1])
    if line["answered"] != count or counted.requests != count:
        raise RuntimeError(
            f"{client.name}: {line['answered']} answers and {counted.requests} requests of {count}"
        )
    return Result(
        requests=counted.requests,
        steady=counted.steady,
        overall=counted.requests / counted.seconds,
        seconds=seconds,
        cpu=line["cpu"],
        asking_cpu=line["asking_cpu"],
        peak_mb=line["peak_mb"],
    )


def _on_core(core: int | None) -> Callable[[], None] | None:
    if core is None:
        return None

    def pin() -> None:
        os.sched_setaffinity(0, {core})

    return pin
