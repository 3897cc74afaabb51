"""Makes the scans beside it from the texts beside it: pages that are nothing but a picture.

Run from the project's root: `python -m bench_pipeline_tests.extract.scans.make_scans`. Chromium
sets the text, since Devanagari needs shaping, in DejaVu Serif and Noto Serif Devanagari (Debian's
fonts-dejavu and fonts-noto-core); PDFium draws it in black and white at 200 dots an inch. Other
fonts make other pictures, so the files are kept, and not compared with what this makes.
"""

import html
import subprocess
import tempfile
import zlib
from pathlib import Path

from bench_pipeline_tests.extract.documents.make_documents import Pdf

_HERE = Path(__file__).parent
_A5 = (420, 595)
_DOTS_PER_INCH = 200
_STYLE = (
    "@page{size:420pt 595pt;margin:40pt} body{margin:0;hyphens:manual;"
    "font:11pt/1.5 'DejaVu Serif','Noto Serif Devanagari'} p{margin:0 0 9pt}"
)
_UPRIGHT = "420 0 0 595 0 0"
_UPSIDE_DOWN = "-420 0 0 -595 420 595"


def picture_of(text: str) -> tuple[int, int, bytes]:
    """Width and height in pixels, and the rows of one bit a pixel, black as 0."""
    import pypdfium2

    paragraphs = "".join(f"<p>{html.escape(part)}</p>" for part in text.strip().split("\n\n"))
    with tempfile.TemporaryDirectory() as folder:
        source, printed = Path(folder) / "page.html", Path(folder) / "page.pdf"
        source.write_text(f"<meta charset=utf-8><style>{_STYLE}</style>{paragraphs}", "utf-8")
        command = ["chromium", "--headless", "--no-sandbox", "--no-pdf-header-footer"]
        subprocess.run([*command, f"--print-to-pdf={printed}", source.as_uri()], check=True)
        bitmap = pypdfium2.PdfDocument(printed)[0].render(scale=_DOTS_PER_INCH / 72, grayscale=True)
        grey, stride = bytes(bitmap.buffer), bitmap.stride
    rows = bytearray()
    for start in range(0, stride * bitmap.height, stride):
        row = grey[start : start + bitmap.width].ljust(-(-bitmap.width // 8) * 8, b"\xff")
        bits = "".join("1" if value > 127 else "0" for value in row)
        rows += int(bits, 2).to_bytes(len(bits) // 8, "big")
    return bitmap.width, bitmap.height, bytes(rows)


def scan_of(text: str, *placed: str) -> bytes:
    """A PDF with a page for each matrix in `placed`, the picture of `text` drawn by it."""
    pdf = Pdf()
    width, height, rows = picture_of(text)
    image = pdf.stream(
        zlib.compress(rows, 9),
        f"/Type /XObject /Subtype /Image /Width {width} /Height {height} "
        "/BitsPerComponent 1 /ColorSpace /DeviceGray /Filter /FlateDecode",
    )
    for matrix in placed:
        pdf.page(f"q {matrix} cm /I Do Q".encode(), {}, objects={"I": image}, size=_A5)
    return pdf.written()


def main() -> None:
    """Write every scan beside this file."""
    for name, placed in {
        "english": (_UPRIGHT, _UPSIDE_DOWN),
        "hindi": (_UPRIGHT,),
        "blank": (_UPRIGHT,),
    }.items():
        source = _HERE / f"{name}.txt"
        text = source.read_text(encoding="utf-8") if source.exists() else ""
        (_HERE / f"{name}.pdf").write_bytes(scan_of(text, *placed))


if __name__ == "__main__":
    main()
