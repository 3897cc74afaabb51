"""Matrices of PDF: six numbers that move, turn and scale what a form draws."""

Matrix = tuple[float, float, float, float, float, float]
UNIT: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


def times(one: Matrix, other: Matrix) -> Matrix:
    """What first `one` and then `other` does."""
    if other is UNIT:
        return one
    a, b, c, d, e, f = one
    g, h, i, j, k, m = other
    return (
        a * g + b * i,
        a * h + b * j,
        c * g + d * i,
        c * h + d * j,
        e * g + f * i + k,
        e * h + f * j + m,
    )
