"""Record `toolcrib demo` as an animated SVG: docs/images/demo.svg.

The demo runs on a real pseudo-terminal, so that the colours are those that a person sees.

    python scripts/record.py [FILE]
"""

from __future__ import annotations

import os
import pty
import re
import sys
from html import escape
from pathlib import Path

TARGET = Path(__file__).parents[1] / "docs" / "images" / "demo.svg"
COLUMNS, LINE, CHARACTER, MARGIN, BAR = 94, 19, 8.43, 18, 34
SECONDS = 6.0
COLOURS = {
    "1": "#f0f6fc", "2": "#7d8590", "31": "#ff7b72", "32": "#3fb950", "33": "#d29922",
    "36": "#79c0ff",
}  # fmt: skip
PLAIN = "#c9d1d9"


def main() -> int:
    """Run the demo and write the picture."""
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET
    text = record([sys.executable, "-m", "toolcrib", "demo", "--no-pause"])
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(render(screens(text)), encoding="utf-8")
    print(f"wrote {target}")
    return 0


def record(argv: list[str]) -> str:
    """Run a command on a terminal of its own and return all that it printed."""
    pid, master = pty.fork()
    if pid == 0:
        os.environ.pop("NO_COLOR", None)
        os.environ |= {"TERM": "xterm-256color", "COLUMNS": str(COLUMNS)}
        os.execvp(argv[0], argv)  # noqa: S606 - a shell is the last thing wanted here
    chunks = []
    while True:
        try:
            chunk = os.read(master, 65536)
        except OSError:  # the other end is gone: that is how a terminal says goodbye
            break
        if not chunk:
            break
        chunks.append(chunk)
    _, status = os.waitpid(pid, 0)
    text = b"".join(chunks).decode().replace("\r\n", "\n")
    if os.waitstatus_to_exitcode(status) != 0:
        raise SystemExit(f"the demo failed:\n{text}")
    return text


def screens(text: str) -> list[list[str]]:
    """Split the output where a new step begins."""
    parts = re.split(r"(?m)^(?=(?:\x1b\[1m)?\d+/\d+  )", text)
    return [part.rstrip("\n").split("\n") for part in parts if part.strip()]


def render(frames: list[list[str]]) -> str:
    """All screens in one picture that turns its own pages."""
    rows = max(len(frame) for frame in frames)
    width = round(COLUMNS * CHARACTER + 2 * MARGIN)
    height = BAR + rows * LINE + MARGIN
    total = SECONDS * len(frames)
    share = 100 / len(frames)
    body = "\n".join(_frame(frame, number * SECONDS) for number, frame in enumerate(frames))
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">
<title>toolcrib demo, step by step</title>
<style>
text {{ font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: {PLAIN}; }}
text {{ white-space: pre; }}
.f {{ visibility: hidden; animation: turn {total}s step-end infinite; }}
@keyframes turn {{ 0% {{ visibility: visible; }} {share:.4f}% {{ visibility: hidden; }} }}
</style>
<rect width="{width}" height="{height}" rx="10" fill="#0d1117"/>
<g fill="#30363d">
<circle cx="20" cy="17" r="6"/><circle cx="40" cy="17" r="6"/><circle cx="60" cy="17" r="6"/>
</g>
<text x="{width / 2}" y="22" text-anchor="middle" style="fill:#7d8590">toolcrib demo</text>
{body}
</svg>
"""


def _frame(lines: list[str], delay: float) -> str:
    rows = "\n".join(
        f'<text x="{MARGIN}" y="{BAR + LINE * (n + 1) - 4}">{_line(line)}</text>'
        for n, line in enumerate(lines)
        if line.strip()
    )
    return f'<g class="f" style="animation-delay:{delay}s">\n{rows}\n</g>'


def _line(line: str) -> str:
    parts = []
    colour = None
    for piece in re.split(r"(\x1b\[[0-9;]*[A-Za-z])", line):
        if piece.startswith("\x1b["):
            colour = COLOURS.get(piece[2:-1]) if piece.endswith("m") else colour
        elif piece:
            text = escape(piece, quote=False)
            parts.append(f'<tspan fill="{colour}">{text}</tspan>' if colour else text)
    return "".join(parts)


if __name__ == "__main__":
    sys.exit(main())
