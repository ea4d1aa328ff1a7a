"""The folders in which a repository keeps its architecture documents."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from toolcrib.files.root import Root
from toolcrib.packs.architecture.library.records import KINDS, Kind
from toolcrib.packs.architecture.settings import USUAL, ArchitectureSettings

SUFFIX = ".md"


@dataclass(frozen=True, slots=True)
class Source:
    """One folder of documents of one kind; `folder` is how a person names it."""

    kind: Kind
    folder: str
    root: Root


def find_sources(project: Path, settings: ArchitectureSettings) -> tuple[Source, ...]:
    """The configured folders, then the usual ones; they need not exist yet.

    A folder found by looking around must lie in the project; a configured one may lie elsewhere.
    """
    project = project.absolute()
    found: dict[Path, Source] = {}
    for kind, folder in _configured(settings):
        root = find_root(project, folder)
        found.setdefault(root.path, Source(kind, folder.rstrip("/"), root))
    if settings.detect:
        for kind in KINDS:
            for folder in USUAL[kind]:
                path = project / folder
                if not any(path.is_relative_to(known) for known in found):
                    found[path] = Source(kind, folder, Root(path, within=project))
    return tuple(found.values())


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
