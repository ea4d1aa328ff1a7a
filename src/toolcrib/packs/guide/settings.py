"""What `[guide]` in `toolcrib.toml` may say, and whether a repository has anything for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from toolcrib.core.options import option
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
    ".codex/skills",
    ".github/skills",
    ".gemini/skills",
    ".cursor/rules",
    ".github/instructions",
    ".github/copilot-instructions.md",
)


TEXTS = (".md", ".mdx", ".markdown", ".rst", ".adoc", ".org", ".txt")
FOLDERS = ("docs", "doc")
_WELCOMES = ("readme", "contributing")


def is_welcome(name: str) -> bool:
    """Whether a file in the root is a README or a CONTRIBUTING, in whatever language."""
    lower = name.lower()
    rest = next((lower.removeprefix(each) for each in _WELCOMES if lower.startswith(each)), "?")
    return rest[:1] in ("", ".", "_", "-") and ("." not in rest or rest.endswith(TEXTS))


@record
class GuideSettings:
    """The `[guide]` table of `toolcrib.toml`."""

    content: str = option(
        CONTENT, "Folder whose sub-folders are categories, with an optional guide.toml"
    )
    rules: bool = option(True, "Also serve AGENTS.md, CLAUDE.md, Cursor, Copilot and Claude rules")
    max_tokens: int = option(
        10_000, "How many tokens get_content returns at once by default", least=1
    )
    descriptions: Literal["concise", "full"] = option(
        "concise", "How much tools/list says about each tool"
    )
    store: str = option(
        "", "Where flags are kept: nothing for the user's state folder, a file, or postgresql://…"
    )
    project: str = option(
        "", "Name of this project in a shared store; without one, its real path on this machine"
    )
    pool: int = option(4, "Connections of one process to a postgresql:// store, at most", least=1)
    listen_store: str = option(
        "",
        "Address for change notifications where the store is behind a pooler; default: store",
    )


def detect(project: Path) -> bool:
    """Whether the repository has guide content, rules or skills."""
    return next(signs(project), None) is not None


def signs(project: Path) -> Iterator[str]:
    """The files and folders by which a person recognises what the pack serves."""
    if (project / CONTENT).is_dir():
        yield CONTENT
    for hint in HINTS:
        if (project / hint).exists():
            yield hint
    # A folder of that name may hold anything; one with a SKILL.md in it holds skills, each for
    # itself or in groups.
    if any(any((project / "skills").glob(f"{depth}/SKILL.md")) for depth in ("*", "*/*")):
        yield "skills"


def documentation(project: Path) -> list[str]:
    """What a project has for people; alone, that does not bring the guide into use."""
    folders = [folder for folder in FOLDERS if (project / folder).is_dir()]
    return folders + welcomes(project)


def welcomes(project: Path) -> list[str]:
    """Every README and CONTRIBUTING in the root."""
    try:
        found = [each for each in project.iterdir() if is_welcome(each.name)]
    except OSError:
        return []
    return sorted(each.name for each in found if each.is_file())


def joins(project: Path, chosen: Sequence[str]) -> bool:
    """Whether it stands beside tools or decisions, so that documentation can be searched."""
    beside = "climax" in chosen or "architecture" in chosen
    return beside and bool(documentation(project))
