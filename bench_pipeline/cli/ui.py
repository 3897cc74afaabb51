"""Starts Dagster's web server and daemon on loopback."""

import os
import socket
import sys

import click

from bench_pipeline.contracts.paths import PROJECT_ROOT

_PORTS_TRIED = 50


def serve(port: int) -> None:
    """Replace this process by `dagster dev` on the first free port from `port` on."""
    import dagster as dg

    from bench_pipeline.partitions import add_missing_models

    with dg.DagsterInstance.get() as instance:
        add_missing_models(instance)
    free = free_port(port)
    click.echo(f"Dagster UI: http://127.0.0.1:{free}   (Ctrl-C stops it)")
    sys.stdout.flush()
    os.chdir(PROJECT_ROOT)
    command = [sys.executable, "-m", "dagster", "dev", "-w", str(PROJECT_ROOT / "workspace.yaml")]
    command += ["-h", "127.0.0.1", "-p", str(free), "--log-level", "warning"]
    os.execv(sys.executable, command)


def free_port(start: int) -> int:
    """`start`, or the next port on loopback that nothing listens on; 0 lets the system choose."""
    for candidate in range(start, start + _PORTS_TRIED if start else 1):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", candidate))
            except OSError:
                continue
            return int(probe.getsockname()[1])
    raise click.ClickException(f"no free port between {start} and {start + _PORTS_TRIED - 1}")
