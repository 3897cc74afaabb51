"""Reading pages as pictures, with Tesseract where it is installed and asked for."""

import shutil
import subprocess
import sys
import tempfile
import time
import unicodedata
from dataclasses import replace
from pathlib import Path

from bench_pipeline.extract._model import Page

_READABLE = ("no_text_layer", "legacy_font", "bad_unicode_map")
_LANGUAGES = {
    "as": "asm", "bn": "ben", "en": "eng", "gu": "guj", "hi": "hin", "kn": "kan", "kok": "hin",
    "mai": "hin", "doi": "hin", "ml": "mal", "mni": "ben", "mr": "mar", "ne": "nep", "or": "ori",
    "pa": "pan", "sa": "san", "sd": "snd", "ta": "tam", "te": "tel", "ur": "urd",
}  # fmt: skip
_DOTS_PER_INCH = 300


def read_by_ocr(
    path: Path,
    pages: list[Page],
    language: str,
    password: str | None,
    deadline: float,
    *,
    wanted: bool,
) -> list[Page]:
    """The pages, those without usable text read as pictures when `wanted`.

    Without Tesseract, its data for the language, or time, a page keeps its status and its reason
    says what is missing.
    """
    data = _LANGUAGES.get(language.partition("-")[0], "eng")
    program = shutil.which("tesseract")
    read = []
    for page in pages:
        if page.status not in _READABLE:
            read.append(page)
        elif not wanted or program is None:
            how = f"install Debian's tesseract-ocr and tesseract-ocr-{data}, and ask for `ocr`"
            read.append(_with_hint(page, f"OCR may read it: {how}"))
        else:
            read.append(_by_picture(program, path, page, data, password, deadline))
    return read


def _with_hint(page: Page, hint: str) -> Page:
    return replace(page, reason=f"{page.reason}; {hint}")


def _by_picture(
    program: str, path: Path, page: Page, data: str, password: str | None, deadline: float
) -> Page:
    left = deadline - time.monotonic()
    if left <= 0:
        return _with_hint(page, "no time was left for OCR")
    with tempfile.TemporaryDirectory(prefix="bench-ocr-") as folder:
        picture = Path(folder) / "page.pgm"
        draw = [sys.executable, "-m", "bench_pipeline.extract._picture", str(path), str(picture)]
        draw += [str(page.number), str(_DOTS_PER_INCH)]
        try:
            subprocess.run(
                draw, input=(password or "").encode(), capture_output=True, check=True, timeout=left
            )
            left = max(1.0, deadline - time.monotonic())
            done = subprocess.run(
                [program, str(picture), "-", "-l", data],
                capture_output=True,
                check=True,
                timeout=left,
            )
        except subprocess.TimeoutExpired:
            return _with_hint(page, "OCR took longer than the time left")
        except subprocess.CalledProcessError as error:
            said = error.stderr.decode("utf-8", "replace").strip().splitlines()
            return _with_hint(page, f"OCR failed ({said[-1][:120] if said else 'no message'})")
    text = unicodedata.normalize("NFC", done.stdout.decode("utf-8", "replace"))
    paragraphs = (" ".join(part.split()) for part in text.replace("\f", "\n\n").split("\n\n"))
    return replace(page, status="ocr", text="\n\n".join(filter(None, paragraphs)))
