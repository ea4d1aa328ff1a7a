"""Where a repository keeps its architecture documents, and whether it has any."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from toolcrib.core.options import option
from toolcrib.core.support.records import record

if TYPE_CHECKING:
    from toolcrib.packs.architecture.library.finds import Finder

HOMES = ("mcp/resources",)
PROMPTS = "mcp/prompts"

# Where people keep such documents without being told to.
USUAL: dict[str, tuple[str, ...]] = {
    "adr": (
        "docs/adr",
        "docs/adrs",
        "docs/decisions",
        "docs/architecture/adr",
        "docs/architecture/adrs",
        "docs/architecture/decisions",
        "doc/adr",
        "doc/decisions",
        "doc/architecture/decisions",
        "adr",
    ),
    "guidelines": ("docs/architecture/guidelines", "docs/guidelines"),
    "patterns": ("docs/architecture/patterns", "docs/patterns"),
}


@record
class ArchitectureSettings:
    """The `[architecture]` table of `toolcrib.toml`."""

    resources: tuple[str, ...] = option(HOMES, "Folders that hold guidelines/, patterns/ and adr/")
    guidelines: tuple[str, ...] = option((), "Further folders of guidelines")
    patterns: tuple[str, ...] = option((), "Further folders of patterns")
    adr: tuple[str, ...] = option((), "Further folders of decisions")
    detect: bool = option(
        True, "Also look in the usual places, and for decision records anywhere in the repository"
    )
    prompts: tuple[str, ...] = option((PROMPTS,), "Folders of prompt files; a later one wins")


def detect(project: Path) -> bool:
    """Whether the repository has documents, decisions or prompts for this pack."""
    return next(signs(project), None) is not None


def signs(project: Path) -> Iterator[str]:
    """The folders by which a person recognises what the pack serves."""
    for place in (*HOMES, PROMPTS):
        if (project / place).is_dir():
            yield place
    for place in (*USUAL["adr"], *USUAL["guidelines"], *USUAL["patterns"]):
        # `docs/patterns` may hold anything, `docs/decisions` records in another format: only
        # documents that can be served make it ours.
        if (project / place).is_dir() and _has_document(project / place):
            yield place
    for find in _finder(project).known():
        if find.folder not in USUAL["adr"]:
            yield find.folder or "."


def _has_document(folder: Path) -> bool:
    from toolcrib.core.errors import FileUnreadable
    from toolcrib.files.root import Root

    root = Root(folder)
    try:
        return bool(root.walk(suffixes=(".md",), limit=1))
    except FileUnreadable:
        return False
    finally:
        root.close()


def search(project: Path) -> bool:
    """Whether its folders hold decision records anywhere; looked for every few seconds at most."""
    return bool(_finder(project).look())


def _finder(project: Path) -> Finder:
    from toolcrib.packs.architecture.library.finds import finder_of  # only where no home is there

    return finder_of(project)
