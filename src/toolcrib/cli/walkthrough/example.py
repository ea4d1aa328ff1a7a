"""Where the example shop is: in the package after an install, in `examples/` in a checkout."""

from __future__ import annotations

import shutil
from pathlib import Path

from toolcrib.core.errors import ToolcribError

_HERE = Path(__file__).resolve()
_HOMES = (_HERE.parents[2] / "examples" / "shop", _HERE.parents[4] / "examples" / "shop")


def copy_shop(target: Path) -> Path:
    """Put a fresh copy of the shop into a folder, so that nothing done there can do harm."""
    for home in _HOMES:
        if (home / "toolcrib.toml").is_file():
            ignored = shutil.ignore_patterns("__pycache__", "var", ".git")
            return Path(shutil.copytree(home, target, ignore=ignored, dirs_exist_ok=True))
    raise ToolcribError(
        "The example shop is not part of this installation",
        next="Install it again from its wheel, or in a checkout: pip install --force-reinstall .",
    )
