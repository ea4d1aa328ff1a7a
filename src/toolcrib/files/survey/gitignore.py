"""What git ignores: the patterns of `.gitignore` files, read without running git."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from toolcrib.core.support.records import record
from toolcrib.files.globs import BadGlob, Glob, compile_glob

_MOST_RULES = 2_000


@record
class IgnoreRule:
    """One line: its pattern, and whether it re-includes what an earlier line ignored."""

    glob: Glob
    anywhere: bool
    """Whether it means that name in any folder, or one path from the file's own folder on."""
    folders_only: bool
    again: bool

    def matches(self, path: str, name: str, *, folder: bool) -> bool:
        """Whether it matches a path relative to the folder of its file."""
        if self.folders_only and not folder:
            return False
        text = name if self.anywhere else path
        if self.glob.literal is not None:
            return text == self.glob.literal
        return self.glob.hint in text and bool(self.glob.matches(text))


@record
class IgnoreFile:
    """The rules of one file; they apply below its folder, `""` for the root."""

    folder: str
    rules: Sequence[IgnoreRule]

    def verdict(self, path: str, *, folder: bool) -> bool | None:
        """Whether a path from the root is ignored; None if no line matches it."""
        inside = path[len(self.folder) + 1 :] if self.folder else path
        name = inside.rpartition("/")[2]
        for rule in reversed(self.rules):
            if rule.matches(inside, name, folder=folder):
                return not rule.again
        return None


def read_ignore_file(folder: str, text: str) -> IgnoreFile:
    """The rules of a folder's `.gitignore`; invalid lines are skipped."""
    return IgnoreFile(folder, tuple(_rules(text.splitlines()[:_MOST_RULES])))


def is_ignored(files: Iterable[IgnoreFile], path: str, *, folder: bool) -> bool:
    """Whether git would ignore a path; `files` are those of the folders above, nearest last."""
    ignored = False
    for each in files:
        said = each.verdict(path, folder=folder)
        ignored = ignored if said is None else said
    return ignored


def _rules(lines: Iterable[str]) -> Iterator[IgnoreRule]:
    for line in lines:
        # A blank at the end counts where a backslash stands before it.
        text = line if line.endswith("\\ ") else line.rstrip()
        if not text or text.startswith("#"):
            continue
        again = text.startswith("!")
        text = text[1:] if again else text
        folders_only = text.endswith("/")
        text = text.rstrip("/")
        anywhere = "/" not in text
        pattern = _pattern(text.lstrip("/"))
        try:
            yield IgnoreRule(compile_glob(pattern), anywhere, folders_only, again)
        except BadGlob:
            continue


def _pattern(text: str) -> str:
    """The pattern with backslash escapes replaced by brackets."""
    found, index = "", 0
    while index < len(text):
        character = text[index]
        if character == "\\" and index + 1 < len(text):
            index += 1
            found += f"[{text[index]}]" if text[index] in "*?[" else text[index]
        else:
            found += character
        index += 1
    return found
