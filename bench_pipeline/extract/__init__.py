"""Documents to text: pages with their statuses, and chunks that lead back to them.

Here belongs what reads a PDF within limits, judges whether its text can be used, and cuts it into
chunks. Here does not belong what asks about a chunk (`generate`), nor comparison keys (`text`):
the text given here is as people read it.

Public: `read_document`, `Page`, `STATUSES`, `Limits`, `chunk_pages`, `Chunk`, `Span`.
"""

from bench_pipeline.extract._chunks import Chunk, Span, chunk_pages
from bench_pipeline.extract._model import STATUSES, Limits, Page
from bench_pipeline.extract._reading import read_document

__all__ = ["STATUSES", "Chunk", "Limits", "Page", "Span", "chunk_pages", "read_document"]
