"""What the site gets beside the pages: decisions and patterns, without a list to be kept."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

_TITLE = re.compile(r"^# +(.+)$", re.MULTILINE)


def on_config(config: Any) -> Any:
    """Add the decisions by number, then the patterns, at the end of the navigation."""
    docs = Path(config.docs_dir)
    for folder in ("decisions", "patterns"):
        files = sorted((docs / folder).glob("*.md"))
        if files:
            pages = [{_title(file): _path(file, docs)} for file in files]
            config.nav.append({folder.capitalize(): pages})
    return config


def _title(file: Path) -> str:
    found = _TITLE.search(file.read_text(encoding="utf-8"))
    return found[1].strip() if found else file.stem


def _path(file: Path, docs: Path) -> str:
    return file.relative_to(docs).as_posix()
