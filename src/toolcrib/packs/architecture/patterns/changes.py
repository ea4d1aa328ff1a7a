"""Which lines of which files a change touches.

Git is asked for names and stored objects only (`ls-tree`, `ls-files`, `cat-file`): that starts no
program, whatever the repository's settings say. The files themselves are compared here, because
`git diff` runs the content filters that a `.git/config` names.
"""

from __future__ import annotations

import difflib
import hashlib
import os
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

from toolcrib.core.errors import FileRefused, FileUnreadable, UsageError
from toolcrib.files.decoding import decode
from toolcrib.files.root import Root
from toolcrib.packs.architecture.patterns.languages import language_of_path
from toolcrib.running.sandbox.places import outside_program

_PATIENCE = 60
_OPTIONS = ("--no-pager", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null")
# A partial clone would fetch what it lacks, with programs that its settings name.
_OFFLINE = {"GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none", "GIT_OPTIONAL_LOCKS": "0"}
_REGULAR = (b"100644", b"100755")

Lines = dict[str, list[range] | None]
"""Ranges of new lines by file, relative to the project; None for a file that is new as a whole.

An empty range is where lines were taken away: before the line that it begins with.
"""


def changed_lines(project: Path, ref: str, cap: int) -> Lines:
    """What was changed since `ref` in the code files as they are now, untracked ones included.

    What others changed in `ref` meanwhile is not meant: it counts from where the two parted.
    Files of more than `cap` bytes are left out.
    """
    if ref.startswith("-"):
        raise UsageError(f"{ref!r} is no revision", next="toolcrib architecture check --diff=HEAD")
    git = _Git(project)
    before = git.tree(ref)
    found: Lines = {name: None for name in git.known_files() if name not in before}
    root = Root(project, cap=cap)
    try:
        now = dict(_changed(root, before))
    finally:
        root.close()
    old = git.contents([before[name] for name in now])
    for name, data in now.items():
        if before[name] not in old:
            found[name] = None  # its old content is not here, so that all of it counts
        elif (ranges := _ranges(old[before[name]], data)) is not None:
            found[name] = ranges
    return {name: lines for name, lines in found.items() if language_of_path(name)}


def touches(lines: Lines, file: str, first: int | None, last: int | None = None) -> bool:
    """Whether a finding in those lines belongs to the change; one without a place always does."""
    if file not in lines:
        return False
    ranges = lines[file]
    if ranges is None or first is None:
        return True
    end = max(first, last or first)
    # Of an empty range the lines on both sides have to be in the finding.
    return any(first < each.stop and each.start <= end for each in ranges)


def _changed(root: Root, before: Mapping[str, str]) -> Iterator[tuple[str, bytes]]:
    """The code files whose bytes are not those that git has."""
    for name, digest in before.items():
        if language_of_path(name) is None:
            continue
        try:
            data = root.read(name).data
        except (FileRefused, FileUnreadable):
            continue
        hashed = hashlib.new("sha1" if len(digest) == 40 else "sha256", usedforsecurity=False)
        hashed.update(b"blob %d\0" % len(data) + data)
        if hashed.hexdigest() != digest:
            yield name, data


def _ranges(before: bytes, now: bytes) -> list[range] | None:
    """The lines of `now` that are new, from 1; None if only line endings differ."""
    old, new = (
        [line.removesuffix("\r") for line in decode(data).text.split("\n")]
        for data in (before, now)
    )
    if old == new:
        return None
    same = difflib.SequenceMatcher(None, old, new).get_opcodes()
    return [range(first + 1, last + 1) for kind, _, _, first, last in same if kind != "equal"]


class _Git:
    """The git of this machine, asked about one project."""

    def __init__(self, project: Path) -> None:
        self._project = project
        program = outside_program("git", project)
        if program is None:
            raise UsageError("git is not installed outside of this repository")
        self._program = program

    def tree(self, ref: str) -> dict[str, str]:
        """The ordinary files where HEAD left a revision, by their path, with their digests.

        Before the first commit there is none, and every file is new.
        """
        found: dict[str, str] = {}
        if ref == "HEAD" and self._is_unborn():
            return found
        # A shallow clone does not reach back so far, and a tag of a tree was never left.
        parted = self._run("merge-base", ref, "HEAD").stdout.decode().strip() or ref
        for line in self._ask("ls-tree", "-r", "-z", parted).split(b"\0"):
            facts, _, name = line.partition(b"\t")
            if facts[:6] in _REGULAR:
                found[os.fsdecode(name)] = facts.split()[2].decode()
        return found

    def _is_unborn(self) -> bool:
        """Whether nothing was committed yet: HEAD names a branch that is not there."""
        branch = self._run("symbolic-ref", "--quiet", "HEAD")
        name = branch.stdout.decode(errors="replace").strip()
        return bool(name) and self._run("show-ref", "--verify", "--quiet", name).returncode != 0

    def known_files(self) -> list[str]:
        """The files that git tracks or would add: none that is ignored."""
        words = ("ls-files", "-z", "--cached", "--others", "--exclude-standard")
        return [os.fsdecode(name) for name in self._ask(*words).split(b"\0") if name]

    def contents(self, digests: list[str]) -> dict[str, bytes]:
        """What is stored under these digests; what is missing is left out."""
        if not digests:
            return {}
        printed = self._ask("cat-file", "--batch", given="\n".join(digests).encode())
        found: dict[str, bytes] = {}
        at = 0
        for digest in digests:
            end = printed.index(b"\n", at)
            facts, at = printed[at:end].split(), end + 1
            if len(facts) == 3:
                size = int(facts[2])
                found[digest] = printed[at : at + size]
                at += size + 1
        return found

    def _run(self, *words: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        try:
            return subprocess.run(
                (self._program, *_OPTIONS, *words), cwd=self._project, capture_output=True,
                input=given, timeout=_PATIENCE, env={**os.environ, **_OFFLINE},
            )  # fmt: skip
        except (OSError, subprocess.TimeoutExpired) as error:
            raise UsageError("git cannot be asked what has changed", why=str(error)) from error

    def _ask(self, *words: str, given: bytes = b"") -> bytes:
        done = self._run(*words, given=given)
        if done.returncode:
            reason = done.stderr.decode(errors="replace").strip().split("\n")[0]
            raise UsageError(
                "git cannot tell what has changed", why=reason, next=_way_out(words[-1])
            )
        return done.stdout


def _way_out(word: str) -> str:
    """What to call instead; who writes `--diff src` means the folder, not a revision."""
    if os.path.lexists(word):
        return f"Files stand before the option: toolcrib architecture check {word} --diff"
    return "Name a revision: toolcrib architecture check --diff=HEAD"
