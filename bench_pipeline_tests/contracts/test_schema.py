import polars as pl
import pytest

from bench_pipeline.contracts.schema import Column, SchemaMismatchError, TableSchema

SCHEMA = TableSchema(
    "t", "", (Column("a", pl.String, ""), Column("b", pl.Int64, "", nullable=True)), key=("a",)
)


def test_columns_come_in_the_contracts_order() -> None:
    frame = SCHEMA.conform(pl.DataFrame({"b": [1], "a": ["x"]}))
    assert frame.columns == ["a", "b"]


def test_an_all_null_column_takes_its_type() -> None:
    frame = SCHEMA.conform(pl.DataFrame({"a": ["x"], "b": [None]}))
    assert frame.schema == SCHEMA.polars


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (pl.DataFrame({"a": ["x"]}), "missing columns"),
        (pl.DataFrame({"a": ["x"], "b": [1], "c": [1]}), "unknown columns"),
        (pl.DataFrame({"a": [1], "b": [1]}), "found Int64, accepted String"),
    ],
)
def test_another_shape_is_refused(frame: pl.DataFrame, message: str) -> None:
    with pytest.raises(SchemaMismatchError, match=message):
        SCHEMA.conform(frame)


def test_a_column_that_must_be_filled() -> None:
    with pytest.raises(SchemaMismatchError, match="column 'a': 1 nulls"):
        SCHEMA.require_filled(pl.DataFrame({"a": [None, "x"], "b": [1, None]}))
