"""What a query names: files, folders and addresses, each by its kind.

Who asks for a table in `~/school/towers.xlsx` is after a spreadsheet. What the file and its folders
are called says nothing about the tool, and would find tools for schools.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from toolcrib.search.tokens import plain_words

_MARKS: Final = "./\\@"
_AROUND: Final = "\"'`()[]{}<>,;:!?…“”‘’«»"
_BEGIN: Final = ("/", "~", "./", "../", "\\")
_LONGEST_ENDING: Final = 8

_KINDS: Final = {
    "excel spreadsheet": "xlsx xls xlsm ods",
    "word document": "docx doc odt rtf",
    "powerpoint presentation": "pptx ppt odp",
    "pdf": "pdf",
    "csv": "csv tsv",
    "image": "png jpg jpeg gif svg webp bmp tiff heic",
    "video": "mp4 mov mkv avi webm",
    "audio": "mp3 wav flac ogg m4a",
    "markdown file": "md",
    "text file": "txt",
    "log file": "log",
    "database": "db",
    "sqlite database": "sqlite sqlite3",
    "json file": "json jsonl",
    "yaml file": "yaml yml",
    "html": "html htm",
    "python file": "py",
    "zip archive": "zip",
    "tar archive": "tar gz tgz bz2 xz",
    "archive": "7z rar",
}
"""What a file holds, by how its name ends."""
_BY_ENDING: Final = {ending: kind for kind, endings in _KINDS.items() for ending in endings.split()}


class KnownNames(NamedTuple):
    """What an index knows of names: whether a summary has a text, and which words are programs."""

    told: Callable[[str], bool]
    program: Callable[[str], bool]


UNKNOWN: Final = KnownNames(lambda _: False, lambda _: False)
"""Of an index that knows no names."""


def by_kind(query: str, known: KnownNames) -> str:
    """Return a query with its files, folders and addresses replaced by what they are.

    What a summary tells of (`package.json`) stays as it is, and so does the name of a program
    (`firebase` in an address).
    """
    if not any(mark in query for mark in _MARKS):
        return query
    words = query.split()
    kinds = [kind_of(word) for word in words]
    if not any(kinds):
        return query
    pairs = zip(words, kinds, strict=True)
    return " ".join(_replaced(word, kind, known) if kind else word for word, kind in pairs)


def _replaced(word: str, kind: str, known: KnownNames) -> str:
    """The kind of a thing, and the programs in its name; the thing itself where it is known."""
    bare = _bare(word)
    if known.told(bare.partition("://")[2].strip("/") or bare):
        return word
    programs = [part for part in plain_words(bare).split() if known.program(part)]
    return " ".join([kind, *dict.fromkeys(programs)])


def kind_of(word: str) -> str:
    """Return what a word names if it is a file, a folder or an address, else nothing."""
    bare = _bare(word)
    if len(bare) < 2 or not bare.isascii():
        return ""
    if "://" in bare or bare.startswith("www."):
        return "url"
    user, _, host = bare.partition("@")
    if user and "." in host and "/" not in host:
        return "email"
    name, _, ending = bare.rpartition(".")
    if name and (kind := _BY_ENDING.get(ending.lower())):
        return kind
    if bare.startswith(_BEGIN) or bare[1:3] in (":/", ":\\"):
        return "file" if name.strip("./~") and _is_ending(ending) else "folder"
    return ""


def _bare(word: str) -> str:
    """A word without what stands around it."""
    return word.lstrip(_AROUND).rstrip(_AROUND + ".")


def _is_ending(text: str) -> bool:
    """Whether a text may be how the name of a file ends."""
    return len(text) <= _LONGEST_ENDING and text.isalnum()
