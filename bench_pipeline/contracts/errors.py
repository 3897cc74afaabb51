"""The one way to say that an input is bad: where it stands, what was found, what is accepted."""

from pathlib import Path


class InputError(ValueError):
    """An input that people can mend: a file, its entry or row, the field, and what would do.

    Raised before anything is asked or written. The message is one sentence for the person who
    edits the file; it never carries a secret, since only the *names* of key variables are known.
    """

    def __init__(
        self,
        file: str | Path,
        problem: str,
        *,
        entry: str | int | None = None,
        field: str | None = None,
        accepted: str | None = None,
    ) -> None:
        self.file, self.entry, self.field = str(file), entry, field
        where = [str(file)]
        if entry is not None:
            where.append(f"row {entry}" if isinstance(entry, int) else f"entry '{entry}'")
        if field is not None:
            where.append(f"field '{field}'")
        message = f"{', '.join(where)}: {problem}"
        if accepted is not None:
            message += f"; accepted: {accepted}"
        super().__init__(message)


def shown(value: object, limit: int = 80) -> str:
    """`value` as it may stand in a message: quoted, on one line, cut when long."""
    text = repr(value)
    return text if len(text) <= limit else text[: limit - 1] + "…"
