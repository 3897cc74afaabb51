"""The process that draws a page for OCR: path, picture, page number, dots an inch.

The password comes on standard input, where no list of processes shows it.
"""

import resource
import sys
from pathlib import Path

_MEMORY = 4 * 1024**3
_POINTS_PER_INCH = 72


def main() -> None:
    """Write the page as a grey picture."""
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    import pypdfium2

    source, target, number, dots = sys.argv[1:]
    password = sys.stdin.read() or None
    page = pypdfium2.PdfDocument(source, password=password)[int(number) - 1]
    bitmap = page.render(scale=int(dots) / _POINTS_PER_INCH, grayscale=True)
    width, height, stride = bitmap.width, bitmap.height, bitmap.stride
    rows = bytes(bitmap.buffer)
    with Path(target).open("wb") as file:
        file.write(f"P5 {width} {height} 255\n".encode())
        for row in range(height):
            file.write(rows[row * stride : row * stride + width])


if __name__ == "__main__":
    main()
