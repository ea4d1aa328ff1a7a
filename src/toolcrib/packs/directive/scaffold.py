"""Make and refresh a repo's `directive/` from the templates that come with the pack."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from toolcrib.core.errors import FileRefused
from toolcrib.files.root import Root, RootUnavailable
from toolcrib.files.writing import check_way, write_file
from toolcrib.packs.directive.bundles import CONTEXT, HOMES, PROCEDURE, TEMPLATES, open_root
from toolcrib.packs.directive.settings import FOLDER
from toolcrib.packs.directive.tools import IMPACT, SPEC, TDR

DATA = Path(__file__).parent / "data"
OURS = (PROCEDURE, *(f"{TEMPLATES}/{name}" for name in (IMPACT, SPEC, TDR)))
"""What `update` may refresh; the agent context and everything else belong to the repo."""


@dataclass(frozen=True, slots=True)
class Planned:
    """One file to be written: its path in the repo, what it holds now (if anything), and will."""

    path: str
    old: str | None
    new: str


def plan_init(project: Path) -> tuple[list[Planned], list[str]]:
    """Return what is missing and would be added, and the paths of what is there and stays."""
    missing: list[Planned] = []
    kept: list[str] = []
    for path, old, new in _parts(project, (CONTEXT, *OURS)):
        if old is None:
            missing.append(Planned(path, None, new))
        else:
            kept.append(path)
    _check(project, missing)
    return missing, kept


def plan_update(project: Path) -> list[Planned]:
    """Return which of our files are missing or differ from the current ones."""
    planned = [Planned(path, old, new) for path, old, new in _parts(project, OURS) if old != new]
    _check(project, planned)
    return planned


def apply(project: Path, planned: Iterable[Planned]) -> None:
    """Write the files."""
    root = Root(project)
    for each in planned:
        write_file(root, each.path, each.new.encode())
    root.close()


def _check(project: Path, planned: Iterable[Planned]) -> None:
    """Raise if one of the files could not be written where it belongs."""
    root = Root(project)
    try:
        for each in planned:
            check_way(root, each.path, new=each.old is None)
    finally:
        root.close()


def _parts(project: Path, names: Iterable[str]) -> Iterable[tuple[str, str | None, str]]:
    """Each file's path in the repo, its text there, and its text here."""
    root = open_root(project)
    home = _home(root)
    for name in names:
        new = (DATA / name).read_text(encoding="utf-8")
        inner, old = _found(root, name)
        yield f"{FOLDER}/{inner or home + name}", old, new
    root.close()


def _found(root: Root, name: str) -> tuple[str | None, str | None]:
    for home in HOMES:
        try:
            data = root.read(home + name).data
        except (FileRefused, RootUnavailable):
            continue
        return home + name, data.decode("utf-8", "replace")
    return None, None


def _home(root: Root) -> str:
    """Where new files go: to `reference/` where the repo has chosen that layout."""
    try:
        return HOMES[0] if root.walk(HOMES[0].rstrip("/"), limit=1) else ""
    except RootUnavailable:
        return ""
