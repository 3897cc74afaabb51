"""Makes the tiny PDFs beside it, in PDF's own syntax, so that each holds one awkward thing.

Run from the project's root: `python -m bench_pipeline_tests.extract.documents.make_documents`.
Expected pages stand in NAME.json: what was read, checked by eye.
"""

import hashlib
import unicodedata
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

_HERE = Path(__file__).parent
_A4 = (595, 842)
_PADDING = bytes.fromhex("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a")
_FILE_ID = bytes(range(16))

Made = Callable[[], bytes]
_MAKERS: dict[str, Made] = {}


def document(maker: Made) -> Made:
    """Register a function that makes the document of its own name."""
    _MAKERS[maker.__name__] = maker
    return maker


class Pdf:
    """Objects by number; 1 is the catalogue and 2 the page tree."""

    def __init__(self) -> None:
        self.objects: dict[int, bytes] = {}
        self.pages: list[int] = []
        self.next = 3

    def add(self, body: bytes) -> int:
        number, self.next = self.next, self.next + 1
        self.objects[number] = body
        return number

    def stream(self, content: bytes, entries: str = "") -> int:
        head = f"<< /Length {len(content)} {entries} >>\nstream\n".encode()
        return self.add(head + content + b"\nendstream")

    def page(
        self,
        content: bytes | int,
        fonts: dict[str, int],
        *,
        objects: dict[str, int] | None = None,
        size: tuple[float, float] = _A4,
        entries: str = "",
    ) -> None:
        number = content if isinstance(content, int) else self.stream(content)
        named = " ".join(f"/{name} {ref} 0 R" for name, ref in fonts.items())
        drawn = " ".join(f"/{name} {ref} 0 R" for name, ref in (objects or {}).items())
        self.pages.append(
            self.add(
                f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {size[0]} {size[1]}] {entries} "
                f"/Resources << /Font << {named} >> /XObject << {drawn} >> >> "
                f"/Contents {number} 0 R >>".encode()
            )
        )

    def font(self, name: str = "Helvetica", entries: str = "/Encoding /WinAnsiEncoding") -> int:
        return self.add(f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} {entries} >>".encode())

    def written(self, trailer: str = "") -> bytes:
        kids = " ".join(f"{page} 0 R" for page in self.pages)
        self.objects[1] = b"<< /Type /Catalog /Pages 2 0 R >>"
        tree = f"<< /Type /Pages /Kids [{kids}] /Count {len(self.pages)} >>"
        self.objects[2] = tree.encode()
        out, offsets = bytearray(b"%PDF-1.5\n"), {}
        for number in sorted(self.objects):
            offsets[number] = len(out)
            out += f"{number} 0 obj\n".encode() + self.objects[number] + b"\nendobj\n"
        start, size = len(out), max(self.objects) + 1
        out += f"xref\n0 {size}\n0000000000 65535 f \n".encode()
        for number in range(1, size):
            out += f"{offsets[number]:010d} 00000 n \n".encode()
        out += f"trailer\n<< /Size {size} /Root 1 0 R {trailer} >>\n".encode()
        out += f"startxref\n{start}\n%%EOF\n".encode()
        return bytes(out)


def shown(text: bytes) -> bytes:
    """A string operand."""
    for char in (b"\\", b"(", b")"):
        text = text.replace(char, b"\\" + char)
    return b"(" + text + b")"


def at(x: float, y: float, text: str | bytes, size: float = 11, font: str = "F") -> bytes:
    """One piece of text, drawn on its own."""
    raw = text.encode("cp1252") if isinstance(text, str) else text
    return f"BT /{font} {size} Tf {x} {y} Td ".encode() + shown(raw) + b" Tj ET\n"


def lines(x: float, y: float, texts: list[str], size: float = 11, step: float = 14) -> bytes:
    """A column of lines from `y` down."""
    return b"".join(at(x, y - step * index, text, size) for index, text in enumerate(texts))


def one_page(content: bytes, **options: Any) -> bytes:
    pdf = Pdf()
    pdf.page(content, {"F": pdf.font()}, **options)
    return pdf.written()


_LEFT = [
    "The monsoon reaches the coast of",
    "Kerala in the first week of June and",
    "covers the whole country by the",
    "middle of July. Most of the rain of",
    "the year falls in these four months.",
    "Farmers sow rice when it begins.",
]
_RIGHT = [
    "The retreat of the monsoon begins",
    "in the north-west in September. In",
    "October the winds turn, and bring",
    "rain to the coast of Tamil Nadu and",
    "to the south of Andhra Pradesh until",
    "the middle of December each year.",
]


@document
def two_columns() -> bytes:
    return one_page(
        at(180, 780, "The monsoon and its retreat", 15)
        + lines(70, 740, _LEFT)
        + lines(315, 740, _RIGHT)
    )


@document
def two_columns_by_rows() -> bytes:
    rows = b"".join(
        at(70, 740 - 14 * row, left) + at(315, 740 - 14 * row, right)
        for row, (left, right) in enumerate(zip(_LEFT, _RIGHT, strict=True))
    )
    return one_page(at(180, 780, "The monsoon and its retreat", 15) + rows)


@document
def half_columns() -> bytes:
    """Two short columns, a folio in line with their gutter, and below them a table and its text."""
    left = [*_LEFT[:5], "Farmers sow rice when the Indian"]
    right = ["Ocean brings its rain, and reap it", *_RIGHT[1:4], "to the south of Andhra Pradesh."]
    below = at(70, 630, "Rain by months", 15) + lines(
        70,
        608,
        [
            "The table gives the rain of three towns in millimetres, for the month it begins in",
            "and the month after it.",
        ],
    )
    rows = [("Town", "June", "July"), ("Kochi", "706", "572"), ("Panaji", "868", "994")]
    rows += [("Thiruvananthapuram of Kerala", "331", "215")]
    cells = b"".join(
        at(x, 566 - 18 * row, text)
        for row, texts in enumerate(rows)
        for x, text in zip((150, 335, 440), texts, strict=True)
    )
    return one_page(
        lines(70, 740, left) + lines(254, 740, right) + below + cells + at(241, 40, "12", 9)
    )


@document
def broken_fractions() -> bytes:
    return one_page(
        lines(
            70,
            740,
            [
                "The Bill is passed by a majority of not less than two-",
                "thirds of the members present, and by one hundred and twenty-",
                "five of them at the least; there were seven-",
                "teen who did not vote, and some-",
                "one who was not there at all.",
            ],
        )
    )


@document
def table() -> bytes:
    rows = [
        ("State", "Area", "Districts"),
        ("Kerala", "38,863", "14"),
        ("Goa", "3,702", "2"),
        ("Sikkim", "7,096", "6"),
        ("Tripura", "10,486", "8"),
    ]
    # drawn column by column, which is not how it is read
    cells = b"".join(
        at(80 + 150 * column, 700 - 16 * row, rows[row][column])
        for column in range(3)
        for row in range(len(rows))
    )
    return one_page(at(80, 740, "The area is in square kilometres, the count is of 2011.") + cells)


@document
def line_end_hyphens() -> bytes:
    return one_page(
        lines(
            70,
            740,
            [
                "The members of both Houses of Parlia-",
                "ment meet in joint sitting. The north-",
                "eastern region has eight States, and the",
                "north-eastern council sits at Shillong. The",
                "number 01-",
                "2301 is that of a train. Indo-",
                "Pakistan relations were discussed, as were mother-",
                "tongue schools, for a mother-tongue is a right.",
            ],
        )
    )


@document
def page_end_hyphen() -> bytes:
    pdf = Pdf()
    font = {"F": pdf.font()}
    pdf.page(lines(70, 740, ["The President summons each House of Parlia-"]), font)
    pdf.page(lines(70, 740, ["ment to meet at such time and place as he thinks fit."]), font)
    return pdf.written()


@document
def fake_bold() -> bytes:
    whole = at(70, 740, "Chief Justice of India") + at(70.3, 740, "Chief Justice of India")
    x, each = 70.0, b""
    for char in "Supreme Court":
        width = {" ": 3.06, "S": 7.34, "C": 7.94, "m": 9.16, "r": 3.66, "t": 3.06}.get(char, 6.12)
        each += at(x, 710, char) + at(x + 0.3, 710, char)
        x += width
    doubled = b"BT /F 11 Tf 70 680 Td (Attorney-General) Tj 0.4 0 Td (Attorney-General) Tj ET\n"
    plain = at(70, 650, "The committee will see the bookkeeper; add all the bees too.")
    return one_page(whole + each + doubled + plain)


@document
def ligatures() -> bytes:
    pdf = Pdf()
    names = "/Differences [1 /fi /fl /ff /ffi /ffl]"
    encoding = f"/Encoding << /Type /Encoding /BaseEncoding /WinAnsiEncoding {names} >>"
    cmap = pdf.stream(
        _cmap({1: "\ufb01", 2: "\ufb02", 3: "\ufb00", 4: "\ufb03", 5: "\ufb04"}, wide=False)
    )
    font = pdf.font("Helvetica", f"{encoding} /ToUnicode {cmap} 0 R")
    text = b"The \x01rst o\x04ce holds the \x02ag; e\x03ort and wa\x05e stay."
    pdf.page(at(70, 740, text), {"F": font})
    return pdf.written()


@document
def rotated() -> bytes:
    pdf = Pdf()
    font = {"F": pdf.font()}
    texts = ["The page is turned by a quarter,", "and its text is read as it stands."]
    upright = b"".join(
        b"BT /F 11 Tf 0 1 -1 0 %d 100 Tm " % (200 + 14 * index) + shown(text.encode()) + b" Tj ET\n"
        for index, text in enumerate(texts)
    )
    pdf.page(upright, font, entries="/Rotate 90")
    upside_down = b"".join(
        b"BT /F 11 Tf -1 0 0 -1 500 %d Tm " % (100 + 14 * index)
        + shown(text.encode())
        + b" Tj ET\n"
        for index, text in enumerate(texts)
    )
    pdf.page(upside_down, font, entries="/Rotate 180")
    # the page is upright, its writing is not: a wide table set on its side
    sideways = b"".join(
        b"BT /F 11 Tf 0 -1 1 0 %d 700 Tm " % (300 - 14 * index) + shown(text.encode()) + b" Tj ET\n"
        for index, text in enumerate(texts)
    )
    pdf.page(sideways, font)
    return pdf.written()


@document
def margin_notes() -> bytes:
    body = [
        ("   14. The State shall not deny to any person equality", 0),
        ("before the law or the equal protection of the laws within", 0),
        ("the territory of India, as the Constitution has it.", 0),
        ("   15. The State shall not discriminate against any", 1),
        ("citizen on grounds only of religion, race, caste, sex,", 1),
        ("place of birth or any of them, as the next article has.", 1),
    ]
    text = b"".join(
        at(200 + (14 if line.startswith(" ") else 0), 740 - 14 * row - 8 * gap, line.strip())
        for row, (line, gap) in enumerate(body)
    )
    # drawn after the text, as typesetters do
    notes = lines(70, 740, ["Equality before", "law."], 8, 9)
    notes += lines(70, 690, ["Prohibition of", "discrimination on", "grounds of religion."], 8, 9)
    return one_page(text + notes)


@document
def running_heads() -> bytes:
    pdf = Pdf()
    font = {"F": pdf.font()}
    subjects = ["rivers", "hills", "forests", "coasts", "islands"]
    for index, subject in enumerate(subjects):
        number = at(70 if index % 2 else 500, 800, str(11 + index))
        head = at(240, 800, "GEOGRAPHY OF INDIA") + number
        top = at(220, 760, f"The {subject} of India", 15)
        body = [
            f"The {subject} of the country are many, and {index + 3} of them are large.",
            "Each is described on this page, with its name and its place.",
        ]
        foot = at(230, 40, "Published for schools")
        pdf.page(head + top + lines(70, 720, body) + foot, font)
    return pdf.written()


@document
def folios_at_the_foot() -> bytes:
    """Short pages with a number below; the last has a number of its own, which counts nothing."""
    pdf = Pdf()
    font = {"F": pdf.font()}
    for index, name in enumerate(["Ganga", "Yamuna", "Godavari", "Krishna"]):
        body = lines(70, 720, [f"The {name} is a river of India,", "and flows for many days."])
        pdf.page(body + at(290, 40, f"- {index + 7} -"), font)
    pdf.page(lines(70, 720, ["The rivers that were named are", "4"]), font)
    return pdf.written()


_HINDI = [
    "भारत का संविधान २६ नवम्बर १९४९ को बना।",
    "यह २६ जनवरी १९५० को लागू हुआ। डॉ. अम्बेडकर",
    "इसकी प्रारूप समिति के अध्यक्ष थे। श्री. नेहरू प्रधानमंत्री थे।",
]


def _cmap(codes: dict[int, str], *, wide: bool) -> bytes:
    digits = 4 if wide else 2
    pairs = [
        f"<{code:0{digits}x}> <{text.encode('utf-16-be').hex()}>" for code, text in codes.items()
    ]
    parts = [pairs[start : start + 100] for start in range(0, len(pairs), 100)]
    maps = "\n".join(
        f"{len(part)} beginbfchar\n" + "\n".join(part) + "\nendbfchar" for part in parts
    )
    return (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /C def\n"
        f"1 begincodespacerange <{'0' * digits}> <{'f' * digits}> endcodespacerange\n"
        f"{maps}\nendcmap CMapName currentdict /CMap defineresource pop end end"
    ).encode()


def _composite(pdf: Pdf, name: str, codes: dict[int, str] | None) -> int:
    """A font with codes of two bytes; `codes` are its map to Unicode, None for none."""
    # signs above and below a letter have no width of their own
    widths = " ".join(
        f"{code} [{0 if unicodedata.category(text) == 'Mn' else 500}]"
        for code, text in (codes or {}).items()
    )
    below = pdf.add(
        f"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /{name} /DW 500 /W [{widths}] "
        "/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>".encode()
    )
    to_unicode = f"/ToUnicode {pdf.stream(_cmap(codes, wide=True))} 0 R" if codes else ""
    return pdf.add(
        f"<< /Type /Font /Subtype /Type0 /BaseFont /{name} /Encoding /Identity-H "
        f"/DescendantFonts [{below} 0 R] {to_unicode} >>".encode()
    )


def _coded(texts: list[str]) -> tuple[dict[int, str], list[bytes]]:
    """A code for each character, from 0x100 up, and the texts in these codes."""
    order = {char: 0x100 + place for place, char in enumerate(dict.fromkeys("".join(texts)))}
    written = [b"".join(order[char].to_bytes(2, "big") for char in text) for text in texts]
    return {code: char for char, code in order.items()}, written


@document
def hindi() -> bytes:
    pdf = Pdf()
    codes, written = _coded(_HINDI)
    font = _composite(pdf, "ABCDEF+NotoSansDevanagari", codes)
    content = b"".join(at(70, 740 - 16 * row, text) for row, text in enumerate(written))
    pdf.page(content, {"F": font})
    return pdf.written()


@document
def bad_unicode_map() -> bytes:
    pdf = Pdf()
    codes, written = _coded(_HINDI)
    content = b"".join(at(70, 740 - 16 * row, text) for row, text in enumerate(written))
    private = {code: chr(0xE000 + code) if char != " " else " " for code, char in codes.items()}
    pdf.page(content, {"F": _composite(pdf, "ABCDEF+Private", private)})
    pdf.page(content, {"F": _composite(pdf, "ABCDEF+Mapless", None)})
    # every letter is lost, the vowel signs are not
    signs = {c: " " if char.isalpha() else char for c, char in codes.items()}
    pdf.page(content, {"F": _composite(pdf, "ABCDEF+Halved", signs)})
    cid = at(70, 740, "(cid:12)(cid:7)(cid:33)(cid:2) of (cid:9)(cid:41)(cid:3)")
    pdf.page(cid, {"F": pdf.font()})
    return pdf.written()


_KRUTI = [
    "Hkkjr dk lafo/kku 26 uoEcj 1949 dks cuk vkSj 26 tuojh 1950 dks",
    "ykxw gqvkA MkW0 Hkhejko vEcsMdj bldh izk:i lfefr ds v/;{k FksA",
    "Hkkjr ,d yksdrkaf=d x.kjkT; gS] ftlesa jkT;ksa dk la?k gSA",
]


@document
def legacy_font() -> bytes:
    pdf = Pdf()
    pdf.page(lines(70, 740, _KRUTI), {"F": pdf.font("ABCDEF+KrutiDev010")})
    pdf.page(lines(70, 740, _KRUTI), {"F": pdf.font("ABCDEF+Untitled")})
    english = ["The Constitution of India came into force in 1950.", "It has twelve Schedules."]
    pdf.page(lines(70, 740, english), {"F": pdf.font("Helvetica")})
    return pdf.written()


def _image(pdf: Pdf) -> int:
    pixels = bytes(range(0, 256, 4))
    entries = "/Type /XObject /Subtype /Image /Width 8 /Height 8 /BitsPerComponent 8"
    return pdf.stream(pixels, f"{entries} /ColorSpace /DeviceGray")


@document
def scan() -> bytes:
    pdf = Pdf()
    picture = {"I": _image(pdf)}
    whole = b"q 595 0 0 842 0 0 cm /I Do Q\n"
    font = {"F": pdf.font()}
    pdf.page(whole, font, objects=picture)
    header = at(150, 815, "Digitised by the State Library, copy 12 of 40") + at(290, 20, "7")
    pdf.page(whole + header, font, objects=picture)
    strips = b"".join(b"q 595 0 0 43 0 %d cm /I Do Q\n" % (42 * row) for row in range(20))
    form = pdf.stream(
        strips,
        "/Type /XObject /Subtype /Form /BBox [0 0 595 842] "
        f"/Resources << /XObject << /I {picture['I']} 0 R >> >>",
    )
    pdf.page(b"/S Do\n" + header, font, objects={"S": form})
    pdf.page(b"", font)
    small = b"q 200 0 0 100 70 500 cm /I Do Q\n"
    pdf.page(small + lines(70, 740, _LEFT), font, objects=picture)
    return pdf.written()


@document
def control_characters() -> bytes:
    pdf = Pdf()
    text = b"The Union has\x00 three\x01 organs, and the Constitution sets out their\x0c powers."
    pdf.page(at(70, 740, text) + lines(70, 726, _LEFT), {"F": pdf.font()})
    pdf.page(at(70, 740, bytes(range(1, 32)) * 3 + b"and"), {"F": pdf.font()})
    return pdf.written()


def _rc4(key: bytes, data: bytes) -> bytes:
    state, j = list(range(256)), 0
    for i in range(256):
        j = (j + state[i] + key[i % len(key)]) % 256
        state[i], state[j] = state[j], state[i]
    out, i, j = bytearray(), 0, 0
    for byte in data:
        i = (i + 1) % 256
        j = (j + state[i]) % 256
        state[i], state[j] = state[j], state[i]
        out.append(byte ^ state[(state[i] + state[j]) % 256])
    return bytes(out)


def _encrypted(user: bytes, owner: bytes) -> bytes:
    """One page under PDF 1.4's 40-bit encryption: standard security handler, revision 2."""
    owner_key = hashlib.md5((owner + _PADDING)[:32]).digest()[:5]
    owner_entry = _rc4(owner_key, (user + _PADDING)[:32])
    permissions = (-4).to_bytes(4, "little", signed=True)
    seed = (user + _PADDING)[:32] + owner_entry + permissions + _FILE_ID
    key = hashlib.md5(seed).digest()[:5]
    user_entry = _rc4(key, _PADDING)
    pdf = Pdf()
    content = at(70, 740, "This page is under lock and key.")
    number = pdf.next
    salted = hashlib.md5(key + number.to_bytes(3, "little") + bytes(2)).digest()[:10]
    pdf.stream(_rc4(salted, content))
    pdf.page(number, {"F": pdf.font()})
    entries = f"/O <{owner_entry.hex()}> /U <{user_entry.hex()}> /P -4"
    lock = pdf.add(f"<< /Filter /Standard /V 1 /R 2 {entries} >>".encode())
    return pdf.written(f"/Encrypt {lock} 0 R /ID [<{_FILE_ID.hex()}> <{_FILE_ID.hex()}>]")


@document
def user_password() -> bytes:
    return _encrypted(b"sesame", b"owner")


@document
def user_password_given() -> bytes:
    return _encrypted(b"sesame", b"owner")


@document
def empty_user_password() -> bytes:
    return _encrypted(b"", b"owner")


@document
def corrupt() -> bytes:
    return b"%PDF-1.5\n" + bytes((index * 167 + 13) % 256 for index in range(600))


@document
def empty_file() -> bytes:
    return b""


@document
def truncated() -> bytes:
    whole = running_heads()
    return whole[: len(whole) * 2 // 5]


@document
def zero_pages() -> bytes:
    return Pdf().written()


@document
def bomb_page() -> bytes:
    pdf = Pdf()
    font = {"F": pdf.font()}
    pdf.page(lines(70, 740, _LEFT[:2]), font)
    pdf.page(at(70, 740, "Too far"), font, size=(2_000_000, 2_000_000))
    return pdf.written()


@document
def bomb_stream() -> bytes:
    """A kilobyte or two that unfolds to two gigabytes, between two good pages."""
    pdf = Pdf()
    font = {"F": pdf.font()}
    pdf.page(lines(70, 740, _LEFT[:2]), font)
    packer = zlib.compressobj(9)
    inner = b"".join(packer.compress(b" " * (1 << 20)) for _ in range(2048)) + packer.flush()
    folded = zlib.compress(inner, 9)
    bomb = pdf.stream(folded, "/Filter [/FlateDecode /FlateDecode]")
    pdf.page(bomb, font)
    pdf.page(lines(70, 740, _RIGHT[:2]), font)
    return pdf.written()


@document
def bomb_glyphs() -> bytes:
    """A form that shows itself eight times over, eight levels deep: millions of letters."""
    pdf = Pdf()
    font = pdf.font()
    below = pdf.stream(
        at(70, 700, "a" * 64),
        "/Type /XObject /Subtype /Form /BBox [0 0 595 842] "
        f"/Resources << /Font << /F {font} 0 R >> >>",
    )
    for _ in range(8):
        below = pdf.stream(
            b"/X Do\n" * 10,
            "/Type /XObject /Subtype /Form /BBox [0 0 595 842] "
            f"/Resources << /XObject << /X {below} 0 R >> >>",
        )
    pdf.page(lines(70, 740, _LEFT[:2]), {"F": font})
    pdf.page(b"/X Do\n", {"F": font}, objects={"X": below})
    return pdf.written()


@document
def hang() -> bytes:
    """A few kilobytes that are 400 MB of commands which draw nothing: no memory, much time."""
    pdf = Pdf()
    font = {"F": pdf.font()}
    pdf.page(lines(70, 740, _LEFT[:2]), font)
    packer = zlib.compressobj(9)
    inner = b"".join(packer.compress(b"q Q\n" * (1 << 18)) for _ in range(400)) + packer.flush()
    pdf.page(pdf.stream(zlib.compress(inner, 9), "/Filter [/FlateDecode /FlateDecode]"), font)
    pdf.page(lines(70, 740, _RIGHT[:2]), font)
    return pdf.written()


def makers() -> dict[str, Made]:
    """What makes each document, by its name."""
    return dict(_MAKERS)


def main() -> None:
    """Write every document beside this file."""
    for name, maker in _MAKERS.items():
        (_HERE / f"{name}.pdf").write_bytes(maker())


if __name__ == "__main__":
    main()
