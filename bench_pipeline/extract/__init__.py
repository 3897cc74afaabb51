"""Documents to text: pages with their statuses, and chunks that lead back to them.

Here belongs what reads a PDF within limits, judges whether its text can be used, and cuts it into
chunks. Here does not belong what asks about a chunk (`generate`), nor comparison keys (`text`):
the text given here is as people read it.

Public: `read_document`, `Page`, `STATUSES`, `Limits`, `chunk_pages`, `Chunk`, `Span`.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bench_pipeline.extract._chunks import Chunk, Span, chunk_pages
    from bench_pipeline.extract._model import STATUSES, Limits, Page
    from bench_pipeline.extract._reading import read_document

__all__ = ["STATUSES", "Chunk", "Limits", "Page", "Span", "chunk_pages", "read_document"]

_HOMES = {
    "_chunks": ("Chunk", "Span", "chunk_pages"),
    "_model": ("STATUSES", "Limits", "Page"),
    "_reading": ("read_document",),
}


def __getattr__(name: str) -> Any:
    """A public name, its module loaded at first use: the process that reads a PDF needs none."""
    for module, names in _HOMES.items():
        if name in names:
            return getattr(importlib.import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
