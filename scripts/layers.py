"""Draw the layers for contributors: docs/images/layers.svg, from the packages and their docstrings.

python scripts/layers.py            draw the picture
python scripts/layers.py --check    exit code 1 if it is out of date
"""

from __future__ import annotations

import ast
import sys
from html import escape
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "toolcrib"
TARGET = ROOT / "docs" / "images" / "layers.svg"
ORDER = [
    "core", "files", "search", "wire", "running", "policy", "discovery", "client", "packs",
    "settings", "server", "web", "cli",
]  # fmt: skip
"""From the bottom up: a layer imports only what stands below it (`tests/test_layers.py`)."""

_WIDTH, _ROW, _TOP = 900, 42, 16
_STYLE = """
text { font: 14px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1f2328; }
.name { font: 600 14px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.what { fill: #59636e; font-size: 12.5px; }
rect { fill: #f6f8fa; stroke: #d0d7de; }
path { stroke: #bc4c00; fill: none; stroke-width: 2; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3; } .what { fill: #9198a1; } rect { fill: #161b22; stroke: #3d444d; }
}
"""


def main() -> int:
    """Draw it, or say that it is out of date."""
    text = picture()
    current = TARGET.is_file() and TARGET.read_text(encoding="utf-8") == text
    if sys.argv[1:] == ["--check"]:
        return 0 if current else 1
    if not current:
        TARGET.write_text(text, encoding="utf-8")
        print("docs/images/layers.svg is drawn")
    return 0


def picture() -> str:
    """The picture: the topmost layer first, an arrow for the direction of imports."""
    rows = []
    for number, layer in enumerate(reversed(ORDER)):
        top = _TOP + number * _ROW
        rows.append(
            f'<rect x="60" y="{top}" width="{_WIDTH - 76}" height="{_ROW - 8}" rx="5"/>'
            f'<text class="name" x="76" y="{top + 22}">{layer}</text>'
            f'<text class="what" x="190" y="{top + 22}">{escape(summary(layer))}</text>'
        )
    height = _TOP * 2 + len(ORDER) * _ROW - 8
    bottom = height - _TOP
    arrow = f'<path d="M34 {_TOP}V{bottom}M26 {bottom - 12}L34 {bottom}L42 {bottom - 12}"/>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img" '
        f'aria-label="The layers, each importing only those below it">\n<style>{_STYLE}</style>\n'
        + "\n".join([*rows, arrow])
        + "\n</svg>\n"
    )


def summary(layer: str) -> str:
    """The first line of a layer's docstring."""
    package = SOURCE / layer / "__init__.py"
    file = package if package.is_file() else SOURCE / f"{layer}.py"
    text = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    return text.split("\n", 1)[0].rstrip(".")


if __name__ == "__main__":
    sys.exit(main())
