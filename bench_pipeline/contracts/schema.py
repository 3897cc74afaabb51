"""What a table's schema is, and how a frame is held to it."""

from dataclasses import dataclass

import polars as pl
from polars.datatypes import DataType, DataTypeClass


class SchemaMismatchError(ValueError):
    """A frame that does not have its table's columns; it is never written."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column. `allowed` is the closed set of values, where there is one."""

    name: str
    dtype: DataType | DataTypeClass
    description: str
    nullable: bool = False
    allowed: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class TableSchema:
    """The contract of one table: its columns in order, its key, and the contract's version.

    `version` goes up with every change that an old file does not satisfy; it is stored in the
    file, so that an old table is refused with the command to run instead of being misread.
    """

    name: str
    description: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    version: int = 1
    may_be_empty: bool = False

    @property
    def polars(self) -> pl.Schema:
        """Column names and types, in order."""
        return pl.Schema({column.name: column.dtype for column in self.columns})

    def empty(self) -> pl.DataFrame:
        """The table without rows."""
        return pl.DataFrame(schema=self.polars)

    def conform(self, frame: pl.DataFrame) -> pl.DataFrame:
        """`frame` with the table's columns in their order.

        Raises:
            SchemaMismatchError: a column is missing, unknown, or of another type.
        """
        expected, found = self.polars, frame.schema
        missing = [name for name in expected if name not in found]
        unknown = [name for name in found if name not in expected]
        if missing or unknown:
            raise SchemaMismatchError(
                f"table '{self.name}': missing columns {missing}, unknown columns {unknown}"
            )
        for column in self.columns:
            dtype = found[column.name]
            if dtype == pl.Null and column.nullable:
                frame = frame.with_columns(pl.col(column.name).cast(column.dtype))
            elif dtype != column.dtype:
                raise SchemaMismatchError(
                    f"table '{self.name}', column '{column.name}': found {dtype}, "
                    f"accepted {column.dtype}"
                )
        return frame.select(list(expected))

    def require_filled(self, frame: pl.DataFrame) -> None:
        """Hold the columns that must be filled to it.

        Raises:
            SchemaMismatchError: one of them holds nulls.
        """
        for column in self.columns:
            nulls = frame[column.name].null_count()
            if nulls and not column.nullable:
                raise SchemaMismatchError(
                    f"table '{self.name}', column '{column.name}': {nulls} nulls, none accepted"
                )
