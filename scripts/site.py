"""What the site gets beside the pages: every decision record, without a list to be kept."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

_TITLE = re.compile(r"^# +(.+)$", re.MULTILINE)


def on_config(config: Any) -> Any:
    """Add the decisions at the end of the navigation, by number."""
    docs = Path(config.docs_dir)
    records = sorted((docs / "decisions").glob("*.md"))
    if records:
        config.nav.append({"Decisions": [{_title(file): _path(file, docs)} for file in records]})
    return config


def _title(file: Path) -> str:
    found = _TITLE.search(file.read_text(encoding="utf-8"))
    return found[1].strip() if found else file.stem


def _path(file: Path, docs: Path) -> str:
    return file.relative_to(docs).as_posix()
