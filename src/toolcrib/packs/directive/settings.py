"""What `[directive]` in `toolcrib.toml` may say, and whether a repository has the folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from toolcrib.core.options import option
from toolcrib.core.support.records import record

FOLDER = "directive"


@record
class DirectiveSettings:
    """The `[directive]` table of `toolcrib.toml`."""

    largest_file: int = option(1_000_000, "Largest file that is delivered, in characters", least=1)
    log: bool = option(False, "Log each call to standard error; DIRECTIVE_LOG=1 does the same")


def detect(project: Path) -> bool:
    """Whether the repository has a `directive/` folder."""
    return next(signs(project), None) is not None


def signs(project: Path) -> Iterator[str]:
    """The folder by which a person recognises what the pack serves."""
    if (project / FOLDER).is_dir():
        yield FOLDER
