"""The acting files of this pack: the modules that the settings name, and what these import."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from toolcrib.core.declare.prefix import prefixed
from toolcrib.core.errors import ToolcribError
from toolcrib.files.root import Root
from toolcrib.packs.custom.modules import find_modules
from toolcrib.packs.custom.settings import CustomSettings
from toolcrib.policy.trust.acting import IMPORT, MODULE, ActingFile, code_file
from toolcrib.policy.trust.project import Known


def acting_files(project: Path, settings: CustomSettings, known: Known) -> list[ActingFile]:
    """Modules and their imports, as they are now; a file that cannot be read is left out."""
    if not settings.modules:
        return []
    root = Root(project)
    try:
        return list(_Collector(root, known, settings.prefix).files(settings.modules))
    finally:
        root.close()


class _Collector:
    """Reads each file once, whoever imports it."""

    def __init__(self, root: Root, known: Known, prefix: str) -> None:
        self._root = root
        self._known = known
        self._prefix = prefix
        self._read: dict[str, ActingFile | None] = {}

    def files(self, patterns: Sequence[str]) -> Iterator[ActingFile]:
        """The modules that the patterns name, then what they import."""
        modules, _ = find_modules(self._root, patterns)
        helpers: set[str] = set()
        for path in modules:
            file = self._file(path)
            if file is not None:
                entry = self._known.get((path, file.raw))
                imports = self._imports(file, entry.imports if entry is not None else None)
                helpers.update(imports)
                tools = entry.tools if entry is not None else self._tools(file)
                yield code_file(path, MODULE, file.data, imports=imports, tools=tools)
        for path in sorted(helpers.difference(modules)):
            file = self._file(path)
            if file is not None:
                yield file

    def _tools(self, file: ActingFile) -> tuple[str, ...]:
        from toolcrib.packs.custom.declared import declared_tools

        names = declared_tools(file.data)
        try:
            return tuple(prefixed(name, self._prefix) for name in names)
        except ToolcribError:  # a prefix that cannot be used is told when the module is loaded
            return tuple(names)

    def _file(self, path: str) -> ActingFile | None:
        if path not in self._read:
            try:
                self._read[path] = code_file(path, IMPORT, self._root.read(path).data)
            except ToolcribError:
                self._read[path] = None
        return self._read[path]

    def _data(self, path: str) -> bytes | None:
        file = self._file(path)
        return file.data if file is not None else None

    def _imports(self, file: ActingFile, before: tuple[str, ...] | None) -> tuple[str, ...]:
        """What it imports; as the record has it where all of these are as they were."""
        if before is not None and all(map(self._as_known, before)):
            return before
        from toolcrib.packs.custom.imports import imported_files

        return tuple(sorted(imported_files(file.path, file.data, self._data)))

    def _as_known(self, path: str) -> bool:
        file = self._file(path)
        return file is not None and (path, file.raw) in self._known


def describe(file: ActingFile) -> list[str]:
    """What a file of this pack is able to do, in words."""
    if file.kind != MODULE:
        return []
    count = len(file.imports)
    more = f" (with {count} file{'s' * (count != 1)} that it imports)" if count else ""
    return [f"runs {file.path} in the server{more}"]
