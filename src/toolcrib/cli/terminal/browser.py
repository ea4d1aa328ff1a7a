"""Opening a page in the person's browser."""

from __future__ import annotations

import os
from pathlib import Path

from toolcrib.running.sandbox.places import outside_path


def open_page(url: str, project: Path) -> None:
    """Open a page; no program of the repository is taken for a browser."""
    import webbrowser  # looks for browsers when it is imported

    kept = os.environ.get("PATH")
    os.environ["PATH"] = outside_path(project)
    try:
        webbrowser.open(url)
    finally:
        if kept is not None:
            os.environ["PATH"] = kept
