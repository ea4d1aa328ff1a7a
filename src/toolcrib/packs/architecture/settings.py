"""Where a repository keeps its architecture documents, and whether it has any."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

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


@dataclass(frozen=True, slots=True)
class ArchitectureSettings:
    """The `[architecture]` table of `toolcrib.toml`."""

    resources: tuple[str, ...] = field(
        default=HOMES,
        metadata={"doc": "folders that hold guidelines/, patterns/ and adr/"},
    )
    guidelines: tuple[str, ...] = field(
        default=(), metadata={"doc": "further folders of guidelines"}
    )
    patterns: tuple[str, ...] = field(default=(), metadata={"doc": "further folders of patterns"})
    adr: tuple[str, ...] = field(default=(), metadata={"doc": "further folders of decisions"})
    detect: bool = field(
        default=True,
        metadata={"doc": "also look in the usual places, such as docs/adr and docs/decisions"},
    )
    prompts: tuple[str, ...] = field(
        default=(PROMPTS,), metadata={"doc": "folders of prompt files; a later one wins"}
    )


def detect(project: Path) -> bool:
    """Whether the repository has documents, decisions or prompts for this pack."""
    places = [*HOMES, PROMPTS]
    for usual in USUAL.values():
        places.extend(usual)
    return any((project / place).is_dir() for place in places)
