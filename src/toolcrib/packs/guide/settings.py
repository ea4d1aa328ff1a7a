"""What `[guide]` in `toolcrib.toml` may say, and whether a repository has anything for it."""

from __future__ import annotations

from dataclasses import field
from pathlib import Path
from typing import Literal

from toolcrib.core.support.records import record

CONTENT = "guide"

# One stat each; any of them is enough for the guide to be of use.
HINTS = (
    "AGENTS.md",
    "CLAUDE.md",
    ".claude/CLAUDE.md",
    ".claude/rules",
    ".claude/skills",
    ".agents/skills",
    ".cursor/rules",
    ".github/instructions",
    ".github/copilot-instructions.md",
)


@record
class GuideSettings:
    """The `[guide]` table of `toolcrib.toml`."""

    content: str = field(
        default=CONTENT,
        metadata={"doc": "folder whose sub-folders are categories, with an optional guide.toml"},
    )
    rules: bool = field(
        default=True,
        metadata={"doc": "also serve AGENTS.md, CLAUDE.md, Cursor, Copilot and Claude rules"},
    )
    max_tokens: int = field(
        default=10_000, metadata={"doc": "how much get_content answers at once unless told"}
    )
    descriptions: Literal["concise", "full"] = field(
        default="concise", metadata={"doc": "how much tools/list says about each tool"}
    )
    store: str = field(
        default="",
        metadata={
            "doc": "where flags are kept: nothing for the user's state folder, a file, "
            "or postgresql://…"
        },
    )
    project: str = field(
        default="",
        metadata={
            "doc": "name of this project in a shared store; without one, its real path "
            "on this machine"
        },
    )
    pool: int = field(
        default=4, metadata={"doc": "connections of one process to a postgresql:// store, at most"}
    )
    listen_store: str = field(
        default="",
        metadata={
            "doc": "address for news where a pooler stands before the store; without one, the "
            "store's own"
        },
    )


def detect(project: Path) -> bool:
    """Whether the repository has guide content, rules or skills."""
    return (project / CONTENT).is_dir() or any((project / each).exists() for each in HINTS)
