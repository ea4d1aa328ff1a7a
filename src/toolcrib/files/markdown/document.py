"""Documents: bytes of any origin as text, with front matter, a title, and notes on what was odd."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any

from toolcrib.core.errors import ConfigError, FileUnreadable
from toolcrib.core.support.records import record

_BOMS = (
    # UTF-32 first: its little-endian mark begins like that of UTF-16.
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_FRONT_MATTER = re.compile(
    r"---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE
)
_LONGEST_FRONT_MATTER = 64 * 1024
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_ATX = re.compile(r" {0,3}#{1,6}[ \t]+(.*)")
_SETEXT = re.compile(r" {0,3}(?:=+|-{2,})[ \t]*$")
_PLAIN_LINE = re.compile(r"([A-Za-z_][\w .-]{0,63}?)[ \t]*:(?:[ \t]+(.*))?$")
_LIST_ITEM = re.compile(r"[ \t]*-[ \t]+(.*)$")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")


@record
class Decoded:
    """Text, and how it was found in the bytes; `note` says when that was a guess."""

    text: str
    encoding: str
    bom: bool = False
    note: str | None = None


@record
class Document:
    """One text file of the repo.

    `text` is the whole of it without a byte order mark and with `\\n` at the end of each line;
    `body` is what follows the front matter, and begins in line `body_line`.
    """

    path: str
    text: str
    body: str
    body_line: int
    front_matter: Mapping[str, Any]
    title: str
    encoding: str
    size: int
    notes: tuple[str, ...] = ()


def decode(data: bytes) -> Decoded:
    """Return bytes as text: by their byte order mark, else UTF-8, else Windows' Western European.

    Raises `FileUnreadable` for what is no text at all.
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


def parse(path: str, data: bytes) -> Document:
    """Return the document that `data` is; what is odd about it becomes a note, not an error."""
    try:
        decoded = decode(data)
    except FileUnreadable as error:
        raise FileUnreadable(f"{path} is not text", why=error.why) from None
    text = _unix_lines(decoded.text)
    notes = [decoded.note] if decoded.note else []
    front_matter, start = _front_matter(text, path, notes)
    body = text[start:]
    return Document(
        path=path,
        text=text,
        body=body,
        body_line=text.count("\n", 0, start) + 1 if start else 1,
        front_matter=front_matter,
        title=_title(front_matter, body, path),
        encoding=decoded.encoding,
        size=len(data),
        notes=tuple(notes),
    )


def first_heading(body: str) -> str | None:
    """Return the text of the first Markdown heading that stands outside of code."""
    fence = ""
    before = ""
    for line in _lines(body):
        mark = _FENCE.match(line)
        if fence:
            closes = mark is not None and mark[1][0] == fence[0] and len(mark[1]) >= len(fence)
            if closes and not line.strip().strip(fence[0]):
                fence = ""
            continue
        if mark:
            fence = mark[1]
            before = ""
            continue
        atx = _ATX.match(line)
        if atx and atx[1].strip("# \t"):
            return _plain_words(_unclosed(atx[1]))
        if before and _SETEXT.match(line):
            return _plain_words(before)
        before = line.strip() if _may_be_heading(line) else ""
    return None


def _lines(text: str) -> Iterator[str]:
    """One line at a time: the heading that is looked for stands in the first, as a rule."""
    start = 0
    while (end := text.find("\n", start)) >= 0:
        yield text[start:end]
        start = end + 1
    yield text[start:]


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


def _unix_lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _front_matter(text: str, path: str, notes: list[str]) -> tuple[dict[str, Any], int]:
    """The values between two lines of `---` at the top, and where the body begins."""
    if not text.startswith("---"):
        return {}, 0
    match = _FRONT_MATTER.match(text, 0, _LONGEST_FRONT_MATTER)
    if match is None:
        return {}, 0
    from toolcrib.files.markdown.frontmatter import read_plain

    plain = read_plain(match[1])
    if plain is not None:
        return dict(plain), match.end()
    from toolcrib.files.yaml import load  # most documents have no front matter, or a plain one

    try:
        # The line of `---` stays in, so that places count from the top of the file.
        value = load(f"---\n{match[1]}", path).value
    except ConfigError as error:
        notes.append(f"front matter is not valid YAML, read line by line: {error}")
        return _line_by_line(match[1]), match.end()
    if value is None:
        return {}, match.end()
    if not isinstance(value, dict):
        # A rule, some text, and another rule: no front matter after all.
        return {}, 0
    return value, match.end()


def _line_by_line(text: str) -> dict[str, Any]:
    """What can be made of `key: value` lines that are no YAML, such as `globs: **/*.ts`."""
    found: dict[str, Any] = {}
    key = ""
    for line in text.split("\n"):
        pair = _PLAIN_LINE.match(line)
        item = _LIST_ITEM.match(line)
        if pair:
            key = pair[1]
            found[key] = _unquoted(pair[2] or "")
        elif item and (found.get(key) == "" or isinstance(found.get(key), list)):
            found[key] = [*found[key], _unquoted(item[1])]
    return found


def _unquoted(value: str) -> str:
    value = value.strip()
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    return value


def _title(front_matter: Mapping[str, Any], body: str, path: str) -> str:
    given = front_matter.get("title")
    if isinstance(given, (str, int, float)) and not isinstance(given, bool) and str(given).strip():
        return " ".join(str(given).split())
    return first_heading(body) or PurePosixPath(path).stem


def _may_be_heading(line: str) -> bool:
    """Whether `===` below would make it one: lists, quotes, tables and code become no titles."""
    stripped = line.strip()
    return bool(stripped) and not line.startswith(("    ", "\t")) and stripped[0] not in ">|-*+<"


def _unclosed(heading: str) -> str:
    """Without the `##` that may stand behind a heading, apart from it."""
    bare = heading.rstrip(" \t").rstrip("#")
    return bare if bare[-1:] in (" ", "\t") else heading


def _plain_words(text: str) -> str:
    if "](" in text:
        text = _LINK.sub(r"\1", text)
    text = text.replace("**", "").replace("`", "")
    return " ".join(text.split())
