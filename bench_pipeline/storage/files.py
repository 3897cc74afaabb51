"""Atomic replacement of one file, on a disk or an object store."""

import os
from pathlib import Path

from upath import UPath


def replace_file(path: UPath | Path, content: bytes) -> None:
    """Put `content` at `path` in one step: a reader sees the old bytes or the new, never half.

    On a disk: a temporary name beside it, fsync, rename, fsync of the folder. On an object store
    a put is atomic already.
    """
    if not isinstance(path, Path):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with open(temporary, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make a rename in `folder` durable."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
