"""Draw the picture of the README: docs/assets/toolcrib.svg.

python scripts/picture.py [FILE]
"""

from __future__ import annotations

import sys
from html import escape
from pathlib import Path

TARGET = Path(__file__).parents[1] / "docs" / "assets" / "toolcrib.svg"

LEFT = [
    ("directive/", "specs and templates"),
    ("docs/adr, mcp/resources/", "decisions, patterns, guidelines"),
    ("guide/, AGENTS.md, skills", "knowledge and rules"),
    ("tools/*.yaml + policy", "command-line programs"),
    ("tools/*.py", "your own tools"),
]
PACKS = ["directive", "architecture", "guide", "climax", "custom"]
RIGHT = [
    "Claude Code, Claude Desktop",
    "Cursor, VS Code, Windsurf, Zed",
    "Codex, Gemini CLI",
    "any MCP client",
]
STYLE = """
text { font: 15px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1f2328; }
.small { font-size: 12.5px; fill: #59636e; }
.head { font-weight: 600; font-size: 16px; }
.mono { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 13.5px; }
.box { fill: #ffffff; stroke: #d1d9e0; }
.crib { fill: #fff8f0; stroke: #d4824a; stroke-width: 1.5; }
.pack { fill: #ffffff; stroke: #e3b48f; }
.line { stroke: #afb8c1; stroke-width: 1.5; fill: none; }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc; } .small { fill: #9198a1; }
  .box, .pack { fill: #161b22; stroke: #3d444d; } .crib { fill: #1f1a15; stroke: #b26a38; }
  .line { stroke: #656c76; }
}
"""


def main() -> int:
    """Write the picture."""
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(draw(), encoding="utf-8")
    print(f"wrote {target}")
    return 0


def draw() -> str:
    """Repository on the left, the counter in the middle, agents on the right."""
    parts = [_text(20, 30, "your repository", "head"), _text(760, 30, "your agents", "head")]
    for row, (name, what) in enumerate(LEFT):
        y = 48 + row * 62
        parts += [_box(20, y, 250, 50, "box"), _text(34, y + 21, name, "mono")]
        parts.append(_text(34, y + 39, what, "small"))
        parts.append(_line(270, y + 25, 350, y + 25))
        parts += [_box(350, y + 6, 124, 38, "pack"), _text(364, y + 30, PACKS[row])]
        parts.append(_line(474, y + 25, 500, y + 25))
    parts.insert(0, _box(330, 10, 330, 360, "crib"))
    parts += [_text(350, 34, "toolcrib serve", "head"), *_steps()]
    for row, name in enumerate(RIGHT):
        y = 64 + row * 76
        parts += [_line(660, y + 22, 760, y + 22), _box(760, y, 240, 44, "box")]
        parts.append(_text(776, y + 27, name))
    parts.append(_text(672, 360, "stdio or HTTP", "small"))
    body = "\n".join(parts)
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1020 386" role="img">\n'
        "<title>A repository's files, toolcrib, and the agents that use them</title>\n"
        f"<style>{STYLE}</style>\n{body}\n</svg>\n"
    )


def _steps() -> list[str]:
    words = ["find", "validate", "confine", "run", "log"]
    parts = []
    for row, word in enumerate(words):
        parts.append(_text(520, 90 + row * 62 - 12, word, "small"))
    return [_box(500, 52, 140, 300, "pack"), *parts]


def _box(x: int, y: int, width: int, height: int, kind: str) -> str:
    return f'<rect class="{kind}" x="{x}" y="{y}" width="{width}" height="{height}" rx="8"/>'


def _text(x: int, y: int, text: str, kind: str = "") -> str:
    return f'<text class="{kind}" x="{x}" y="{y}">{escape(text, quote=False)}</text>'


def _line(x1: int, y1: int, x2: int, y2: int) -> str:
    return f'<path class="line" d="M{x1} {y1} H{x2}"/>' if y1 == y2 else ""


if __name__ == "__main__":
    sys.exit(main())
