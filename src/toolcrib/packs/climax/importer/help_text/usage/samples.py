"""Ways to call that are examples: typed behind the prompt of a shell, with words of their own.

Usage of kiln:
    $ kiln -dry
    Dries whatever is in it.

    $ kiln cup.clay plate.clay
    Fires both.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from toolcrib.packs.climax.importer.help_text.text import indent_of

_PROMPT = re.compile(r"\s*[$%] +(?=\S)")
# `cup.clay`, `10.0.0.1`, `"*.clay"`, `./cup`: what is typed so is the caller's own.
_SAMPLE = re.compile(r"[\"']?[\w*~./-]*\w\.[\w.-]*\w[\"']?|\.{0,2}/[\w./-]+|[0-9:]*::[0-9a-f:]*")
_FILE = re.compile(r"(?![-@])[\w./-]*[a-z0-9_]\.[a-z][a-z0-9]{0,4}")
_MARKS = frozenset("[]<>{}|")
_FEWEST_WORDS = 3


def prompted(lines: Sequence[str], program: str) -> list[str]:
    """The lines below a usage; where the first has a prompt before it, only those that have one."""
    first = next((line for line in lines if line), "")
    way = re.compile(rf"\s*[$%] +(?:.* \| )?{re.escape(program)}(?: .*)?")
    if not program or not way.fullmatch(first):
        return list(lines)
    indent = indent_of(first)
    ends = (at for at, line in enumerate(lines) if line and indent_of(line) < indent)
    own = lines[: next(ends, len(lines))]
    return [_PROMPT.sub(" " * indent, line) for line in own if way.fullmatch(line)] + [""]


def as_notation(text: str) -> str:
    """`cup.clay plate.clay lid 10.0.0.1` as `[<cup.clay>...]`, where most of it are samples."""
    words = text.split()
    if len(words) < _FEWEST_WORDS or not _MARKS.isdisjoint(text) or "-" in {w[0] for w in words}:
        return text
    samples = [word for word in words if _SAMPLE.fullmatch(word)]
    return f"[<{samples[0]}>...]" if 2 * len(samples) > len(words) else text


def shown_usages(lines: Sequence[str], program: str) -> list[str]:
    """A usage for a text that has none but shows how a file is given: `$ kiln -dry cup.clay`."""
    call = re.compile(rf"\s*(?:[$%>] *)?{re.escape(program)} ((?:-\S+ )*)(\S+)\s*")
    for line in lines:
        match = call.fullmatch(line)
        if match is not None and _FILE.fullmatch(match[2]):
            return [f"{program} [options] [<file>]"]
    return []
