"""An index in a file: written when it is built, mapped into memory at the next start.

The file is a line that says what it is, a JSON head with the sizes and checksums of its sections,
and the sections. The postings, which are most of it, are not read but mapped: a word's are looked
at when somebody asks for that word. A file that is damaged, of another version, or that somebody
else could have written counts as absent.
"""

from __future__ import annotations

import contextlib
import json
import mmap
import os
import sys
import zlib
from array import array
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from toolcrib import __version__
from toolcrib.core.support.gc_pause import no_collections
from toolcrib.files.content_cache import open_trusted
from toolcrib.search.index import Index, Parts
from toolcrib.search.table import KeptWords, Table

SUFFIX: Final = ".index"
_FORMAT: Final = 1
_MOST_FILES: Final = 64
_ALIGNED: Final = 8
_AT_ONCE: Final = 1 << 20
_LONGEST_HEAD: Final = 1 << 20


def save(index: Index, path: Path) -> bool:
    """Write an index to a file, whole or not at all; return whether it was written."""
    parts = index.parts()
    scratch = path.with_suffix(f".{os.getpid()}.new")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            sections: list[list[Any]] = []
            body = scratch.with_suffix(".body")
            with body.open("w+b") as rest:
                body.unlink()
                for name, pieces in _sections(parts):
                    size, check = 0, 0
                    for piece in pieces:
                        rest.write(piece)
                        size, check = size + len(piece), zlib.crc32(piece, check)
                    rest.write(bytes(-size % _ALIGNED))
                    sections.append([name, size, check])
                file.write(_head(index, sections))
                rest.seek(0)
                while piece := rest.read(_AT_ONCE):
                    file.write(piece)
        scratch.replace(path)
        _make_room(path.parent)
    except OSError:
        with contextlib.suppress(OSError):
            scratch.unlink()
        return False
    return True


def _make_room(folder: Path) -> None:
    """Let the indexes go that were not used for longest, where there are many."""
    kept = sorted(folder.glob(f"*{SUFFIX}"), key=lambda each: each.stat().st_mtime_ns)
    for old in kept[:-_MOST_FILES]:
        old.unlink(missing_ok=True)


def load(index: Index, path: Path) -> bool:
    """Fill an empty index from a file; return whether there was one to rely on."""
    try:
        with open_trusted(path) as file:
            os.utime(file.fileno())
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        sections = dict(_read(index, memoryview(mapped)))
        _forget_pages(mapped)
        with no_collections():
            index.begin(_parts(sections, len(index.fields)))
    except (OSError, ValueError, KeyError, TypeError, IndexError, UnicodeDecodeError):
        return False
    return True


def _identity(index: Index) -> list[Any]:
    """What a file must agree with to be of any use."""
    return [_FORMAT, __version__, sys.byteorder, array("I").itemsize, list(index.fields.items())]


def _head(index: Index, sections: list[list[Any]]) -> bytes:
    head = json.dumps([_identity(index), sections]).encode()
    line = b"toolcrib index %d %08x\n" % (len(head), zlib.crc32(head))
    return line + head + bytes(-len(line + head) % _ALIGNED)


def _read(index: Index, data: memoryview) -> Iterator[tuple[str, memoryview]]:
    """The sections of a file, each found sound."""
    line = bytes(data[:64]).partition(b"\n")[0]
    kind, what, size, check = line.split(b" ")
    if (kind, what) != (b"toolcrib", b"index") or int(size) > _LONGEST_HEAD:
        raise ValueError("no index")
    at = len(line) + 1
    head = bytes(data[at : at + int(size)])
    if zlib.crc32(head) != int(check, 16):
        raise ValueError("a damaged head")
    identity, sections = json.loads(head)
    if identity != json.loads(json.dumps(_identity(index))):
        raise ValueError("another version")
    at += len(head)
    for name, length, expected in sections:
        at += -at % _ALIGNED
        section = data[at : at + length]
        if len(section) != length or _checksum(section) != expected:
            raise ValueError(f"damaged: {name}")
        yield name, section
        at += length


def _checksum(section: memoryview) -> int:
    check = 0
    for at in range(0, len(section), _AT_ONCE):
        check = zlib.crc32(section[at : at + _AT_ONCE], check)
    return check


def _forget_pages(mapped: mmap.mmap) -> None:
    """What was only looked through for its checksum need not stay in memory."""
    if hasattr(mapped, "madvise"):
        mapped.madvise(mmap.MADV_DONTNEED)


def _sections(parts: Parts) -> Iterator[tuple[str, Iterable[bytes]]]:
    yield "columns", [json.dumps(parts.columns, separators=(",", ":")).encode()]
    for number, (table, lengths) in enumerate(parts.tables):
        if not isinstance(table, Table):
            raise TypeError("a kept table is not written again")
        words = sorted(table.words())
        ends = array("Q")
        total = 0
        for word in words:
            total += len(table.get(word))
            ends.append(total)
        yield f"words{number}", ["\n".join(words).encode(errors="surrogatepass")]
        yield f"ends{number}", [ends.tobytes()]
        yield f"slots{number}", (table.get(word).tobytes() for word in words)
        yield f"lengths{number}", [lengths.tobytes()]
    if parts.vectors is not None:
        yield "vectors", [bytes(parts.vectors)]


def _parts(sections: dict[str, memoryview], fields: int) -> Parts:
    tables: list[tuple[Table | KeptWords, array[int]]] = []
    for number in range(fields):
        joined = str(sections[f"words{number}"], "utf-8", "surrogatepass")
        words = joined.split("\n") if joined else []
        ends = sections[f"ends{number}"].cast("Q")
        slots = sections[f"slots{number}"].cast("I")
        if len(ends) != len(words) or (words and ends[-1] != len(slots)):
            raise ValueError("postings that do not fit their words")
        lengths = array("I", bytes(sections[f"lengths{number}"]))
        tables.append((KeptWords(words, ends, slots), lengths))
    columns = json.loads(bytes(sections["columns"]))
    return Parts(columns, tables, sections.get("vectors"))
