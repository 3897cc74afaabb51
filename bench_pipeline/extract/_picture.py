"""The process that draws a page and becomes the program that reads the picture.

Arguments: path, page number, picture, then the program and its arguments. The password comes on
standard input, where no list of processes shows it. The limits hold for both.
"""

import math
import os
import resource
import sys
from pathlib import Path

_MEMORY = 4 * 1024**3
#: 300 dots an inch, of 72 points
POINTS_A_DOT = 72 / 300
#: a sheet of 23 by 23 inches at 300 dots: what is larger is drawn more coarsely
_MOST_PIXELS = 50_000_000


def main() -> None:
    """Write the page as a grey picture, and run the program on it."""
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    import pypdfium2

    source, number, target, program, *arguments = sys.argv[1:]
    password = sys.stdin.read() or None
    page = pypdfium2.PdfDocument(source, password=password)[int(number) - 1]
    width, height = page.get_size()
    coarsest = math.sqrt(_MOST_PIXELS / (width * height))
    bitmap = page.render(scale=min(1 / POINTS_A_DOT, coarsest), grayscale=True)
    columns, rows, stride = bitmap.width, bitmap.height, bitmap.stride
    grey = bytes(bitmap.buffer)
    with Path(target).open("wb") as file:
        file.write(f"P5 {columns} {rows} 255\n".encode())
        for row in range(rows):
            file.write(grey[row * stride : row * stride + columns])
    os.execv(program, [program, *arguments])


if __name__ == "__main__":
    main()
