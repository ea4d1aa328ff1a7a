"""The files below `directive/` as resources, and for the common search."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from urllib.parse import quote, unquote

from toolcrib.core.errors import FileRefused, FileUnreadable, ResourceNotFound
from toolcrib.core.pack import Contents, Resource, ResourceTemplate, Searchable
from toolcrib.core.support.workers import in_thread
from toolcrib.core.tool import JSON
from toolcrib.files.root import FileEntry, Root, RootUnavailable
from toolcrib.packs.directive.bundles import list_directive_files, read_directive_file
from toolcrib.packs.directive.settings import FOLDER

SCHEME = f"{FOLDER}://"
_TEXTS = (".md", ".mdx", ".markdown", ".txt", ".rst")
_TEMPLATE = ResourceTemplate(
    SCHEME + "{path}",
    name=FOLDER,
    title="File of the specification-first workflow",
    description=f"A file below {FOLDER}/, by its path there",
)


class DirectiveDocuments:
    """Reads the files by uri; none is listed, for the tools list them."""

    def __init__(self, root: Root, largest: int) -> None:
        self._root = root
        self._largest = largest
        self._seen: dict[str, FileEntry] | None = None
        """The files at the last look; None before the first."""

    def resources(self) -> Sequence[Resource]:
        """None."""
        return ()

    def templates(self) -> Sequence[ResourceTemplate]:
        """The one template."""
        return (_TEMPLATE,)

    async def read(self, uri: str) -> Sequence[Contents]:
        """The file's text as it is now."""
        return [Contents(uri, await in_thread(self._read, uri))]

    def complete(self, uri_template: str, argument: str, value: str, given: JSON) -> list[str]:
        """Paths that begin like `value`."""
        return [path for path in self._paths() if path.startswith(value)]

    def searchable(self) -> Iterator[Searchable]:
        """Every file that is text."""
        try:
            entries = self._root.walk(suffixes=_TEXTS)
        except RootUnavailable:
            return
        for entry in entries:
            stamp = f"{entry.size} {entry.mtime_ns} {entry.inode}"
            read = partial(self._told, entry)
            uri = SCHEME + quote(entry.path)
            yield Searchable("document", uri, f"{FOLDER}/{entry.path}", stamp, read)

    def updated(self, changed: Sequence[Path]) -> list[str]:
        """The uris of files that are new, other or gone since the last look, or named as changed.

        A uri may be written with or without escapes: a path that has two spellings is told by both.
        """
        named = {self._path(each) for each in changed} - {""}
        if changed and not named:
            return []
        before, now = self._seen, self._entries()
        self._seen = now
        known = now if before is None else {**before, **now}
        paths = {path for path in known if path in named}
        if before is not None:
            paths |= {path for path in known if before.get(path) != now.get(path)}
        return sorted({SCHEME + each for path in paths for each in (path, quote(path))})

    def _path(self, file: Path) -> str:
        """A file's path below the folder; empty for any other."""
        folder = self._root.path
        return file.relative_to(folder).as_posix() if file.is_relative_to(folder) else ""

    def _entries(self) -> dict[str, FileEntry]:
        """Every file that can be read by uri, by its path."""
        try:
            return {entry.path: entry for entry in self._root.walk(hidden=True)}
        except RootUnavailable:
            return {}

    def _told(self, entry: FileEntry) -> tuple[str, str]:
        from toolcrib.files.markdown.document import parse  # only a search needs it

        document = parse(entry.path, self._root.read(entry.path).data)
        return document.title, document.body

    def _paths(self) -> list[str]:
        try:
            return [path.removeprefix(f"{FOLDER}/") for path in list_directive_files(self._root)]
        except FileUnreadable:
            return []

    def _read(self, uri: str) -> str:
        path = unquote(uri.removeprefix(SCHEME))
        try:
            return read_directive_file(self._root, f"{FOLDER}/{path}", self._largest)["content"]
        except FileRefused as error:
            nearest = [SCHEME + quote(each.removeprefix(f"{FOLDER}/")) for each in error.nearest]
            raise ResourceNotFound(uri, nearest) from None
