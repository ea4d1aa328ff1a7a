"""Draw the picture of the README: docs/images/toolcrib.svg.

python scripts/picture.py [FILE]
"""

from __future__ import annotations

import sys
from html import escape
from pathlib import Path

TARGET = Path(__file__).parents[1] / "docs" / "images" / "toolcrib.svg"
WIDTH, HEIGHT, ROW = 1040, 390, 62

REPOSITORY = [
    ("directive/", "how a change begins: specs", "directive"),
    ("docs/adr/, mcp/resources/", "decisions, patterns, guidelines", "architecture"),
    ("guide/, AGENTS.md, skills", "knowledge, rules, flags", "guide"),
    ("tools/*.yaml, a policy", "command-line programs", "climax"),
    ("tools/*.py", "your own Python tools", "custom"),
]
CORE = [
    "found by meaning",
    "arguments checked",
    "sandbox, deadline",
    "reloaded live",
    "logged, counted",
]
AGENTS = [
    "Claude Code and Desktop",
    "Cursor, Windsurf",
    "VS Code, Zed",
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
.core { fill: #fbe9da; stroke: #d4824a; }
.line { stroke: #afb8c1; stroke-width: 1.5; fill: none; }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc; } .small { fill: #9198a1; }
  .box, .pack { fill: #161b22; stroke: #3d444d; }
  .crib { fill: #1f1a15; stroke: #b26a38; } .core { fill: #35261a; stroke: #b26a38; }
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
    body = "\n".join([*_repository(), *_crib(), *_agents()])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">\n'
        "<title>A repository's files, toolcrib, and the agents that use them</title>\n"
        f"<style>{STYLE}</style>\n{body}\n</svg>\n"
    )


def _repository() -> list[str]:
    parts = [_text(20, 34, "your repository", "head")]
    for row, (name, what, _) in enumerate(REPOSITORY):
        y = _row(row)
        parts += [_box(20, y, 262, 50, "box"), _text(34, y + 21, name, "mono")]
        parts += [_text(34, y + 39, what, "small"), _line(282, 356, y + 25)]
    return parts


def _crib() -> list[str]:
    parts = [_box(336, 8, 346, 374, "crib"), _text(356, 34, "toolcrib serve", "head")]
    for row, (_, _, pack) in enumerate(REPOSITORY):
        y = _row(row)
        # The way in is drawn twice: the frame of the crib has covered its end.
        parts += [_line(336, 356, y + 25), _box(356, y + 6, 122, 38, "pack")]
        parts += [_text(370, y + 30, pack), _line(478, 506, y + 25)]
    parts.append(_box(506, _row(0) + 6, 156, 4 * ROW + 38, "core"))
    parts += [_text(522, _row(row) + 30, words, "small") for row, words in enumerate(CORE)]
    return parts


def _agents() -> list[str]:
    parts = [_text(782, 34, "your agents", "head"), _text(692, 71, "stdio, HTTP", "small")]
    for row, name in enumerate(AGENTS):
        y = _row(row) + 4
        parts += [_line(662, 782, y + 21), _box(782, y, 238, 42, "box")]
        parts.append(_text(798, y + 26, name))
    return parts


def _row(number: int) -> int:
    return 52 + number * ROW


def _box(x: int, y: int, width: int, height: int, kind: str) -> str:
    return f'<rect class="{kind}" x="{x}" y="{y}" width="{width}" height="{height}" rx="8"/>'


def _text(x: int, y: int, text: str, kind: str = "") -> str:
    return f'<text class="{kind}" x="{x}" y="{y}">{escape(text, quote=False)}</text>'


def _line(start: int, end: int, y: int) -> str:
    return f'<path class="line" d="M{start} {y} H{end}"/>'


if __name__ == "__main__":
    sys.exit(main())
