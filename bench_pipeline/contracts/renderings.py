"""The renderings of items in other languages, beside the items that they render.

A suite that is translated has `translated_items` and `translated_gold` beside `items` and `gold`:
whoever asks or grades reads both, and scores keep them apart.
"""

from collections.abc import Mapping

import polars as pl

from bench_pipeline.contracts.suite import SuiteSpec
from bench_pipeline.contracts.tables import GOLD, ITEMS, TRANSLATED_GOLD, TRANSLATED_ITEMS

_RENDERED = {ITEMS.name: TRANSLATED_ITEMS.name, GOLD.name: TRANSLATED_GOLD.name}


def with_renderings(suite: SuiteSpec, *tables: str) -> list[str]:
    """Those of `tables` and, where the suite is translated, their renderings' tables."""
    rendered = [_RENDERED[table] for table in tables if table in _RENDERED]
    return [*tables, *rendered] if suite.translation else list(tables)


def rendered_too(
    items: pl.DataFrame, gold: pl.DataFrame, rendered: Mapping[str, pl.DataFrame]
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """`items` and `gold` with the renderings in `rendered`, which maps table names to tables."""
    return (
        pl.concat([items, rendered.get(TRANSLATED_ITEMS.name, ITEMS.empty())]),
        pl.concat([gold, rendered.get(TRANSLATED_GOLD.name, GOLD.empty())]),
    )
