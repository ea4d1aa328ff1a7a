"""The folders in which a repository keeps its architecture documents."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from toolcrib.core.support.records import record
from toolcrib.files.root import FileEntry, Root
from toolcrib.files.survey.folders import MADE
from toolcrib.packs.architecture.library.finds import Find
from toolcrib.packs.architecture.library.records import KINDS, Kind
from toolcrib.packs.architecture.settings import USUAL, ArchitectureSettings

SUFFIX = ".md"


@record
class Source:
    """One folder of documents of one kind; `folder` is how a person names it."""

    kind: Kind
    folder: str
    root: Root
    find: Find | None = None
    """Set where nobody named the folder, and it was found by what is in it."""

    @property
    def flat(self) -> bool:
        """Whether only what lies directly in the folder belongs to it."""
        return self.find is not None and not self.find.deep

    def file(self, path: str) -> str:
        """A file of the folder as a person names it, from the project's root."""
        return f"{self.folder}/{path}" if self.folder != "." else path

    def entries(self) -> list[FileEntry]:
        """The documents of the folder; where it was found by its records, those alone."""
        if self.find is None:
            return self.root.walk(suffixes=(SUFFIX,))
        found = self.root.walk(suffixes=(SUFFIX,), skip=MADE, deep=self.find.deep)
        return [entry for entry in found if self.takes(entry.path)]

    def takes(self, path: str) -> bool:
        """Whether a document of the folder is served."""
        if not self.flat:
            return True
        from toolcrib.packs.architecture.reading.recognition import may_be_record

        return "/" not in path and may_be_record(path)


def find_sources(project: Path, settings: ArchitectureSettings) -> tuple[Source, ...]:
    """The configured folders, then the usual ones; they need not exist yet.

    A folder found by looking around must lie in the project; a configured one may lie elsewhere.
    """
    project = project.absolute()
    found: dict[Path, Source] = {}
    for kind, folder in _configured(settings):
        root = find_root(project, folder)
        found.setdefault(root.path, Source(kind, folder.rstrip("/") or folder, root))
    if settings.detect:
        known = {path.parts for path in found}
        for kind in KINDS:
            for folder in USUAL[kind]:
                path = project / folder
                if not _is_within(path, known):
                    known.add(path.parts)
                    found[path] = Source(kind, folder, Root(path, within=project))
    return tuple(found.values())


def _is_within(path: Path, folders: Collection[tuple[str, ...]]) -> bool:
    """Whether a path is one of the folders, told by their parts, or lies below one."""
    parts = path.parts
    return any(parts[:length] in folders for length in range(1, len(parts) + 1))


def found_sources(
    project: Path, known: Sequence[Source], finds: Sequence[Find]
) -> tuple[Source, ...]:
    """The folders that were found by what is in them and that no other one contains."""
    project = project.absolute()
    deep = [each.root.path for each in known if each.find is None or each.find.deep]
    flat = {each.root.path for each in known}
    sources: list[Source] = []
    for find in finds:
        path = project / find.folder
        if path in flat or any(path.is_relative_to(above) for above in deep):
            continue
        if ".." in path.parts or not path.is_relative_to(project):
            continue  # what was kept is read from a file: nothing in it leads out
        root = Root(path, within=project if find.folder else None)
        sources.append(Source("adr", find.folder or ".", root, find=find))
    return tuple(sources)


def find_root(project: Path, folder: str) -> Root:
    """A configured folder: one in the project is reached without leaving it, by no link either."""
    path = _absolute(project.absolute(), folder)
    return Root(path, within=project if path.is_relative_to(project.absolute()) else None)


def _configured(settings: ArchitectureSettings) -> Iterator[tuple[Kind, str]]:
    for home in settings.resources:
        for kind in KINDS:
            yield kind, f"{home.rstrip('/')}/{kind}"
    for folder in settings.adr:
        yield "adr", folder
    for folder in settings.guidelines:
        yield "guidelines", folder
    for folder in settings.patterns:
        yield "patterns", folder


def _absolute(project: Path, folder: str) -> Path:
    """Without `..`, and without following links: `Root` decides about those."""
    parts: list[str] = []
    for part in (project / folder).parts:
        if part == "..":
            parts.pop()
        else:
            parts.append(part)
    return Path(*parts)
