"""Words of usage lines: which of them stand for something, and which are typed as they are."""

from __future__ import annotations

import re
from collections.abc import Sequence

_OPERAND = re.compile(r"[A-Z][A-Z0-9_./:@-]*s?\Z")
_FILE_WORDS = frozenset(
    (
        "file", "files", "filename", "infile", "outfile", "path", "paths", "dir", "directory",
        "url", "src", "dst", "dest", "pattern",
    )
)  # fmt: skip
_FILES = re.compile(
    r"(?:(?:in|out|source|src|input)[-_]?)?(?:files|filenames|paths|dirs|directories|folders)", re.I
)
# Names of operands that stand for themselves: `[host port]` are two words.
_OWN_NAMES = frozenset(
    (
        "host", "user", "name", "key", "id", "source", "from", "input", "start", "first", "min",
        "old", "left", "width", "var", "variable", "command", "cmd", "program",
    )
)  # fmt: skip
# Those of them that nobody would type as they are, and further ones.
_THINGS = frozenset(
    (
        "host", "hostname", "user", "username", "name", "id", "pid", "uid", "gid", "number",
        "address", "addr", "port", "device", "image", "container", "package", "string", "value",
    )
)  # fmt: skip
# `CONFIGURATION FILE`: what kind of file it is, and no operand of its own.
_MODIFIED = re.compile(
    r"(?:config(?:uration)?|input|output|source|target|log|data|project|image) (?:file|path|dir)"
    r"(?:s|name|ectory)?",
    re.I,
)
# `profilename`, `pngfile`: no command is called so, but for some that end so by chance.
# `MAN DATABASE`: what it is one of, in capitals.
_KIND_OF = re.compile(r"FILE|NAME|PATH|DIR|DIRECTORY|DATABASE|DEVICE|NUMBER|ADDRESS|STRING")
_COMPOUND = re.compile(
    r"(?!(?:rename|profile|unfile|compile|refile)s?$)[a-z]{2,}(?:file|name|path|url)s?"
)
# `in_file`, `output-dir`: which of two it is, so it is no command.
_DIRECTED = re.compile(
    r"(?:in|out|input|output|src|source|dst|dest|destination|target|infile|outfile)"
    r"[-_](?:files?|paths?|dir|directory|folder|name|filename|image|url)"
)
# `TestPathPatterns`, `fileName`: nobody calls a command so, either.
_CAMEL = re.compile(r"[A-Za-z][a-z0-9]+(?:[A-Z][a-z0-9]+)+")
# `file.js`, `file/dir/glob`, `source:path`, `/path/to/pot`: nobody calls a command so.
_FILE_NAME = re.compile(
    r"[a-z][a-z0-9_-]*\.(?:[a-z0-9]{1,4}|[a-z]{5})|[a-z]+(?:[/:][a-z]+)+(?:\.[a-z]{1,4})?|[.~]?(?:/[a-z][a-z_-]+)+(?:\.[a-z]{1,4})?"
)
# `INPUT.clay`, `Input_File`: nor so, where each part has its capital.
_CAPITAL_FILE = re.compile(r"[A-Z][A-Z0-9_-]*\.[a-z0-9]{1,5}|[A-Z][a-z0-9]+(?:[_-][A-Z][a-z0-9]+)+")
# `[core-file]`, and `[Makefile]` alone: in brackets or behind an operand, it is no command.
_NAME_IN_BRACKETS = re.compile(r"(?:[a-z]+[-_])+(?:files?|path|dir|directory|name|url|id|list)")
# `[kiln.example/owner/pot]`, `[*rep]`: no command, either.
_SAMPLE_IN_BRACKETS = re.compile(r"[a-z0-9]+(?:[./:@][a-z0-9-]+)+|\*[a-z]+")
# `XMLfiles ...`: what repeats is no command.
_MIXED = re.compile(r"[A-Z][A-Za-z0-9_-]+")
# `PDF-file`, `PPM-file-prefix`: capitals before a dash begin no command.
_CAPITALS_FIRST = re.compile(
    r"[A-Z]{2,}[0-9]*(?:[-_][A-Za-z0-9]+)+|[A-Z]{2,}(?:file|name|path|dir)s?"
)
# `pot-or-URL`, `shelf:POT`: one thing or the other, and a thing behind what it stands in.
_EITHER_OR = re.compile(r"[A-Za-z]+[-_]or[-_][A-Za-z][A-Za-z_-]*|[a-z]+[:/@=][A-Z][A-Z0-9_]*")
_CAPITALISED = re.compile(r"[A-Z][a-z]{2,}")


def names_operand(text: str, *, inside: bool, alone: bool, dots: bool) -> bool:
    """Whether a word names an operand, and no command.

    It may stand `inside` of brackets or behind an operand, be all that is there (`alone`), or have
    `dots` behind it: then less is enough.
    """
    if _OPERAND.match(text) or text in _FILE_WORDS:
        return True
    forms = [_CAMEL, _FILE_NAME, _COMPOUND, _CAPITALS_FIRST, _DIRECTED, _CAPITAL_FILE, _EITHER_OR]
    forms += [_NAME_IN_BRACKETS, _SAMPLE_IN_BRACKETS] if inside else []
    forms += [_CAPITALISED] if alone else []
    forms += [_MIXED] if dots else []
    return any(form.fullmatch(text) for form in forms)


def names_thing(text: str) -> bool:
    """Whether a plain word is the name of something that a caller has: `host`, and not `start`."""
    return text in _FILE_WORDS or text in _THINGS


def names_files(text: str) -> bool:
    """Whether a word is the name of several files: `FILES`, and not `PATTERNS`."""
    return _FILES.fullmatch(text) is not None


def is_phrase(words: Sequence[str], dots: bool) -> bool:
    """Whether words in brackets are one name, `[changelog entry]`, and not one after the other.

    What is a name without a further word, `[zipfile list]`, needs none.
    """
    plain = all(re.fullmatch(r"[a-z]+", word) for word in words)
    own = _COMPOUND.fullmatch(words[0]) or words[0] in _FILE_WORDS or words[0] in _OWN_NAMES
    rest = words[-1] in ("args", "arguments", "arg")
    if _MODIFIED.fullmatch(" ".join(words)):
        return True
    mixed = any(map(str.isupper, words)) and any(map(str.islower, words))
    if mixed and words[-1].lower() in _FILE_WORDS and not dots:
        return not any(word.lower() in _FILE_WORDS | _OWN_NAMES - {"input"} for word in words[:-1])
    first = words[0].lower()
    if _KIND_OF.fullmatch(words[-1]) and first not in _OWN_NAMES | _FILE_WORDS and not dots:
        return True
    return words[-1].endswith("s") or (plain and not (own or rest or dots))
