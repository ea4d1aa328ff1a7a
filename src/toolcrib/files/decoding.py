"""Decode bytes as text: detect the encoding, and note a guess."""

from __future__ import annotations

import codecs
from dataclasses import replace

from toolcrib.core.errors import FileUnreadable
from toolcrib.core.support.records import record

_BOMS = (
    # UTF-32 first: its little-endian mark begins like that of UTF-16.
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


@record
class Decoded:
    """Decoded text and its encoding; `note` is set if that was a guess."""

    text: str
    encoding: str
    bom: bool = False
    note: str | None = None


def decode(data: bytes) -> Decoded:
    """Return bytes as text: by their byte order mark, else UTF-8, else Windows' Western European.

    Raises `FileUnreadable` if it is not text.
    """
    if data[:1].isalnum() or data[:1] in b"#-":
        return _decoded_utf8(data)  # no mark begins like that, and most documents do
    if data.startswith(codecs.BOM_UTF8):
        decoded = _decoded_utf8(data[len(codecs.BOM_UTF8) :])
        return replace(decoded, bom=True)
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return _decoded_wide(data, encoding)
    return _decoded_utf8(data)


def _decoded_utf8(data: bytes) -> Decoded:
    nul = data.find(0)
    if nul >= 0:
        raise FileUnreadable("This is not text", why=f"a NUL byte at offset {nul:,}")
    try:
        return Decoded(data.decode(), "utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        bad = f"byte 0x{data[error.start]:02x} in line {line} is not UTF-8"
    try:
        text, encoding = data.decode("cp1252"), "cp1252"
    except UnicodeDecodeError:
        text, encoding = data.decode("latin-1"), "latin-1"
    return Decoded(text, encoding, note=f"{bad}; read as {encoding}")


def _decoded_wide(data: bytes, encoding: str) -> Decoded:
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise FileUnreadable("This is not text", why=f"broken {encoding}: {error.reason}") from None
    if "\0" in text:
        raise FileUnreadable("This is not text", why="a NUL character")
    return Decoded(text, encoding, bom=True, note=f"read as {encoding}, by its byte order mark")
