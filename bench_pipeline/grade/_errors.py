"""The one error of this package: an item that cannot be graded, never an answer."""


class GradeInputError(ValueError):
    """An unknown answer type, a malformed gold or malformed options; says what is accepted."""
