"""Prints sentences in the scripts of India, as Chromium and LibreOffice print them.

Run from the project's root: `python -m bench_pipeline_tests.extract.indic.make_indic`. It needs
both programs and the Noto fonts, under the SIL Open Font License (Debian: `apt-get install chromium
libreoffice-writer fonts-noto-core`). Another version of any gives other bytes of the same text,
which stands in `sentences.csv`.

Each sentence is set four times: plain, bold, justified in a narrow column, and with its letters
spaced. What is awkward is all in how a syllable is drawn: vowel signs with a glyph of their own,
signs before and on both sides of their letter, conjuncts, and signs that hang below the next one.
"""

import csv
import html
import shutil
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
STYLES = ("", "font-weight: bold", "text-align: justify; width: 70mm", "letter-spacing: 0.5pt")
#: LibreOffice draws most scripts plainly; these it does not
BY_LIBREOFFICE = ("hi", "bn", "ta")


def sentences() -> dict[str, list[tuple[str, str]]]:
    """Pairs of font and text, a language."""
    found: dict[str, list[tuple[str, str]]] = {}
    with (HERE / "sentences.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            found.setdefault(row["language"], []).append((row["font"], row["text"]))
    return found


def page(language: str) -> str:
    """The sentences of a language as HTML."""
    paragraphs = "\n".join(
        f"<p style=\"font-family: '{font}'; {style}\">{html.escape(text)}</p>"
        for font, text in sentences()[language]
        for style in STYLES
    )
    head = '<meta charset="utf-8"><style>body { font-size: 11pt; width: 120mm }</style>'
    return f'<!doctype html><html lang="{language}"><head>{head}</head>\n{paragraphs}\n</html>\n'


def _run(*command: str) -> None:
    if shutil.which(command[0]) is None:
        raise SystemExit(f"needs {command[0]}")
    subprocess.run(command, check=True, capture_output=True, timeout=120)


def main() -> None:
    """Write `LANGUAGE_chromium.pdf` and `LANGUAGE_libreoffice.pdf` beside this file."""
    with tempfile.TemporaryDirectory() as folder:
        for language in sentences():
            source = Path(folder) / f"{language}.html"
            source.write_text(page(language), encoding="utf-8")
            _run(
                *("chromium", "--headless", "--no-sandbox", "--disable-gpu"),
                *("--no-pdf-header-footer", f"--user-data-dir={folder}/chromium"),
                f"--print-to-pdf={HERE / f'{language}_chromium.pdf'}",
                source.as_uri(),
            )
        for language in BY_LIBREOFFICE:
            _run(
                *("soffice", "--headless", f"-env:UserInstallation=file://{folder}/office"),
                *("--infilter=HTML (StarWriter)", "--convert-to", "pdf:writer_pdf_Export"),
                *("--outdir", folder, f"{folder}/{language}.html"),
            )
            made = Path(folder) / f"{language}.pdf"
            shutil.move(made, HERE / f"{language}_libreoffice.pdf")


if __name__ == "__main__":
    main()
