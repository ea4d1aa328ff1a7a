"""The fenced blocks of a document, and which of them show code as it should be."""

from __future__ import annotations

import re
from dataclasses import dataclass

_FENCE = re.compile(r"( {0,3})(`{3,}|~{3,})[ \t]*([^`\n]*)$")
_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+(.*)$")
_BAD = re.compile(
    r"\b(?:bad|wrong|don'?ts?|do not|not like this|avoid|anti-?patterns?|incorrect|violat\w+|"
    r"non-?compliant|not compliant|invalid|not ok|not okay|never|before|smells?|instead of)\b"
    r"|❌|✗|✘|🚫|⛔",
    re.I,
)
_GOOD = re.compile(
    r"\b(?:good|right|do|correct|preferred|prefer|compliant|valid|after|better|recommended)\b|✅|✓",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: `info` follows the fence, `line` is where its text begins.

    `heading` is the nearest heading above it, `lead` the last line of text before it.
    """

    info: str
    text: str
    line: int
    heading: str = ""
    lead: str = ""

    @property
    def language(self) -> str:
        """The first word of the info string, as it is written."""
        return self.info.split()[0] if self.info.split() else ""

    @property
    def is_bad_example(self) -> bool:
        """Whether the document holds it up as a warning: it says so before it or in it."""
        first = next((line for line in self.text.splitlines() if line.strip()), "")
        if first.lstrip().startswith(("#", "//", "/*", "--", ";", "<!--")) and _BAD.search(first):
            return True
        label = self.lead if _is_label(self.lead) else ""
        if _BAD.search(label):
            return True
        if _GOOD.search(label) or not _BAD.search(self.heading):
            return False
        return not _GOOD.search(self.heading)


def _is_label(line: str) -> bool:
    """Whether a line of text announces what follows it, and is not a statement of its own."""
    bare = line.rstrip("*_ ")
    return bare.endswith(":") or (len(bare) <= 40 and not bare.endswith((".", "!", "?")))


def fenced_blocks(body: str, first_line: int = 1) -> list[Block]:
    """All fenced blocks of a Markdown text whose first line has the number `first_line`.

    A fence that is never closed reaches to the end, as it does when it is shown.
    """
    found: list[Block] = []
    heading = lead = ""
    opened: tuple[str, str, int, str] | None = None
    taken: list[str] = []
    lines = body.split("\n")
    for number, line in enumerate(lines, first_line):
        mark = _FENCE.match(line)
        if opened is None:
            title = _HEADING.match(line)
            if mark:
                opened = (mark[2], mark[3].strip(), number + 1, mark[1])
                taken = []
            elif title:
                heading, lead = title[1].strip(), ""
            elif line.strip():
                lead = line.strip()
        elif mark and not mark[3] and mark[2].startswith(opened[0]):
            found.append(_block(opened, taken, heading, lead))
            opened, lead = None, ""
        else:
            taken.append(line.removeprefix(opened[3]))
    if opened is not None:
        found.append(_block(opened, taken, heading, lead))
    return found


def _block(opened: tuple[str, str, int, str], lines: list[str], heading: str, lead: str) -> Block:
    _, info, line, _ = opened
    return Block(info, "\n".join(lines) + "\n" if lines else "", line, heading, lead)
