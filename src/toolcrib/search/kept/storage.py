"""An index in a file: written when it is built, mapped into memory at the next start.

The file has a header line, sections, a JSON list of their sizes and digests, and a last line with
a seal over that list. The postings, which are most of it, are mapped, and those of a word are read
when a query needs them. A file that is damaged, of another version, or that somebody else could
have written counts as absent.
"""

from __future__ import annotations

import contextlib
import json
import mmap
import os
import sys
from array import array
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final

from toolcrib import __version__
from toolcrib.core.support.digests import hasher, keyed
from toolcrib.core.support.gc_pause import no_collections
from toolcrib.files.private import open_private
from toolcrib.search.index import Index
from toolcrib.search.lines import KeptTexts
from toolcrib.search.table import KeptWords, Parts, Table

SUFFIX: Final = ".index"
_FORMAT: Final = 3
_MOST_FILES: Final = 64
_ALIGNED: Final = 8
_AT_ONCE: Final = 1 << 20
_FIRST: Final = b"toolcrib index\n\n"
_LAST: Final = 128


def save(index: Index, path: Path, key: bytes) -> bool:
    """Atomically write a sealed index file; return whether it was written."""
    parts = index.parts()
    scratch = path.with_suffix(f".{os.getpid()}.new")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(_FIRST)
            listed = json.dumps([_identity(index), list(_write(file, parts))]).encode()
            file.write(listed)
            last = b"%d %s" % (len(listed), keyed(key, listed).encode())
            file.write(last.rjust(_LAST))
        scratch.replace(path)
        _make_room(path.parent)
    except OSError:
        with contextlib.suppress(OSError):
            scratch.unlink()
        return False
    return True


def _write(file: BinaryIO, parts: Parts) -> Iterator[list[Any]]:
    """Write the sections one by one; tell the name, the size and the digest of each."""
    for name, pieces in _sections(parts):
        size, digest = 0, hasher()
        for piece in pieces:
            file.write(piece)
            digest.update(piece)
            size += len(piece)
        file.write(bytes(-size % _ALIGNED))
        yield [name, size, digest.hexdigest()]


def _make_room(folder: Path) -> None:
    """Delete the least recently used indexes if there are many."""
    kept = sorted(folder.glob(f"*{SUFFIX}"), key=lambda each: each.stat().st_mtime_ns)
    for old in kept[:-_MOST_FILES]:
        old.unlink(missing_ok=True)


def load(index: Index, path: Path, key: bytes) -> bool:
    """Fill an empty index from a file; return whether there was a valid one."""
    try:
        with open_private(path) as file:
            os.utime(file.fileno())
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        sections = dict(_read(index, memoryview(mapped), key))
        _forget_pages(mapped)
        with no_collections():
            index.begin(_parts(sections, len(index.fields)))
    except (OSError, ValueError, KeyError, TypeError, IndexError, UnicodeDecodeError):
        return False
    return True


def _identity(index: Index) -> list[Any]:
    """The identity that a file must match to be used."""
    return [_FORMAT, __version__, sys.byteorder, array("I").itemsize, list(index.fields.items())]


def _read(index: Index, data: memoryview, key: bytes) -> Iterator[tuple[str, memoryview]]:
    """The sections of a file, each verified."""
    size, seal = bytes(data[-_LAST:]).split()
    listed = bytes(data[-_LAST - int(size) : -_LAST])
    if bytes(data[: len(_FIRST)]) != _FIRST or keyed(key, listed).encode() != seal:
        raise ValueError("not an index of this user")
    identity, sections = json.loads(listed)
    if identity != json.loads(json.dumps(_identity(index))):
        raise ValueError("another version")
    at = len(_FIRST)
    for name, length, expected in sections:
        section = data[at : at + length]
        if _digest(section) != expected:
            raise ValueError(f"damaged: {name}")
        yield name, section
        at += length + -length % _ALIGNED


def _digest(section: memoryview) -> str:
    making = hasher()
    for at in range(0, len(section), _AT_ONCE):
        making.update(section[at : at + _AT_ONCE])
    found: str = making.hexdigest()
    return found


def _forget_pages(mapped: mmap.mmap) -> None:
    """Release pages that were read only for their digest."""
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
    yield "detail_ends", [parts.details.ends.tobytes()]
    yield "details", [bytes(parts.details.joined)]
    if parts.vectors is not None:
        yield "vectors", [bytes(parts.vectors)]


def _parts(sections: dict[str, memoryview], fields: int) -> Parts:
    tables: list[tuple[Table | KeptWords, array[int]]] = []
    for number in range(fields):
        joined = str(sections[f"words{number}"], "utf-8", "surrogatepass")
        words = joined.split("\n") if joined else []
        ends = sections[f"ends{number}"].cast("Q")
        slots = sections[f"slots{number}"]
        if len(ends) != len(words) or (words and ends[-1] * array("I").itemsize != len(slots)):
            raise ValueError("postings that do not fit their words")
        lengths = array("I", bytes(sections[f"lengths{number}"]))
        tables.append((KeptWords(words, ends, slots), lengths))
    columns = json.loads(bytes(sections["columns"]))
    details = KeptTexts(sections["detail_ends"].cast("Q"), sections["details"])
    return Parts(columns, tables, sections.get("vectors"), details)
