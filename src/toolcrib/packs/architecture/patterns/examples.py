"""Which of a document's code blocks show code as it should be, and which are warnings."""

from __future__ import annotations

import re

from toolcrib.files.markdown.fences import Block

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


def is_bad_example(block: Block) -> bool:
    """Whether the document holds a block up as a warning: it says so before it or in it."""
    first = next((line for line in block.text.splitlines() if line.strip()), "")
    if first.lstrip().startswith(("#", "//", "/*", "--", ";", "<!--")) and _BAD.search(first):
        return True
    label = block.lead if _is_label(block.lead) else ""
    if _BAD.search(label):
        return True
    if _GOOD.search(label) or not _BAD.search(block.heading):
        return False
    return not _GOOD.search(block.heading)


def _is_label(line: str) -> bool:
    """Whether a line of text announces what follows it, and is not a statement of its own."""
    bare = line.rstrip("*_ ")
    return bare.endswith(":") or (len(bare) <= 40 and not bare.endswith((".", "!", "?")))
