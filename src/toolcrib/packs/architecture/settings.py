"""Where a repository keeps its architecture documents, and whether it has any."""

from __future__ import annotations

from pathlib import Path

from toolcrib.core.options import option
from toolcrib.core.support.records import record

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
        True, "Also look in the usual places, such as docs/adr and docs/decisions"
    )
    prompts: tuple[str, ...] = option((PROMPTS,), "Folders of prompt files; a later one wins")


def detect(project: Path) -> bool:
    """Whether the repository has documents, decisions or prompts for this pack."""
    places = [*HOMES, PROMPTS]
    for usual in USUAL.values():
        places.extend(usual)
    return any((project / place).is_dir() for place in places)
