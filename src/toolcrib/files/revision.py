"""Which revision of a git repository is checked out, read without running git."""

from __future__ import annotations

import os
import re
from pathlib import Path

from toolcrib.files.identity import first_line

_HASH = r"[0-9a-f]{40}|[0-9a-f]{64}"
_REF = r"ref: (refs/[^\s\0]+)"
_LARGEST_PACK = 16 * 1024 * 1024


def head_revision(folder: Path) -> str | None:
    """The full hash of HEAD; None outside of a repository, and before the first commit."""
    private = _git_folder(folder)
    if private is None:
        return None
    head = first_line(str(private / "HEAD")) or ""
    if re.fullmatch(_HASH, head):
        return head
    named = re.fullmatch(_REF, head)
    if named is None or ".." in named[1]:
        return None
    # A linked worktree has its own HEAD; branches are in the folder that all worktrees share.
    common = first_line(str(private / "commondir"))
    for place in (private, private / common if common else private):
        found = first_line(str(place / named[1])) or _packed(place / "packed-refs", named[1])
        if found and re.fullmatch(_HASH, found):
            return found
    return None


def _git_folder(folder: Path) -> Path | None:
    """The folder that holds HEAD: `.git`, or where a `.git` file points."""
    git = folder / ".git"
    if git.is_dir():
        return git
    pointer = first_line(str(git)) or ""
    if not pointer.startswith("gitdir:"):
        return None
    return folder / pointer.removeprefix("gitdir:").strip()


def _packed(file: Path, ref: str) -> str | None:
    try:
        with file.open("rb") as opened:
            if os.fstat(opened.fileno()).st_size > _LARGEST_PACK:
                return None
            wanted = b" " + ref.encode() + b"\n"
            for line in opened:
                if line.endswith(wanted):
                    return line[: -len(wanted)].decode("ascii", "replace")
    except OSError:
        pass
    return None
