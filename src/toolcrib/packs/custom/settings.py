"""What `[custom]` in `toolcrib.toml` may say."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from toolcrib.core.options import option
from toolcrib.core.support.records import record


@record
class CustomSettings:
    """The `[custom]` table of `toolcrib.toml`."""

    modules: tuple[str, ...] = option((), 'Python files that declare tools, such as "tools/*.py"')
    prefix: str = option("", "Put before the name of each of these tools")
    descriptions: Literal["concise", "full"] = option(
        "concise", "How much of a tool's description is listed"
    )


def detect(project: Path) -> bool:
    """Never by itself: serving a module runs it, so somebody has to have named it."""
    return False
