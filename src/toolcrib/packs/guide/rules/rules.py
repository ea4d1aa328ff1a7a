"""Existing rule files of a repository, for any agent.

AGENTS.md            in any folder; holds for what lies below, the nearest wins
CLAUDE.md            the same; also .claude/CLAUDE.md
.cursor/rules/*.mdc  in any folder; `alwaysApply`, or `globs`
.github/copilot-instructions.md, and .github/instructions/**/*.instructions.md with `applyTo`
.claude/rules/**/*.md with `paths`, or always
"""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterator, Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Literal

from toolcrib.core.errors import FileRefused, FileUnreadable
from toolcrib.core.support.logs import get_logger
from toolcrib.core.support.records import record
from toolcrib.files.globs import BadGlob, compile_all
from toolcrib.files.root import FileEntry, Root
from toolcrib.files.survey.folders import MADE
from toolcrib.packs.guide.errors import InvalidValue
from toolcrib.packs.guide.rules.skills import (
    HOMES,
    MANUAL,
    folder_around,
    homes_of_parts,
    skill_folders,
)
from toolcrib.packs.guide.settings import FOLDERS, TEXTS, is_welcome

if TYPE_CHECKING:
    from toolcrib.files.markdown.document import Document

Source = Literal["agents", "claude", "cursor", "copilot", "claude-rules"]

DESCRIPTIONS: dict[str, str] = {
    "agents": "AGENTS.md files; the one nearest to a file wins",
    "claude": "CLAUDE.md files",
    "claude-rules": "Rules in .claude/rules",
    "copilot": "Copilot instructions in .github",
    "cursor": "Cursor rules in .cursor/rules",
    "docs": "Documentation of the project: docs/, doc/, README and CONTRIBUTING",
    "skills": "Agent skills in .agents/skills, .claude/skills, skills and other agents' folders",
}
_MOST_DOCS = 50_000
_LONGEST_POINTER = 256
"""Bytes of a file that only names another one."""
# The name of a file that no pattern means, unless it means all of them.
_WHATEVER = "\0"
_log = get_logger("guide.rules")


@record
class RuleFile:
    """One rule file as it concerns one path."""

    source: Source
    name: str
    path: str
    folder: str
    document: Document
    applies: str
    """Why: `nearest`, `above`, `always`, `matches GLOB` or, where it does not, `on request`."""

    @property
    def expression(self) -> str:
        """How `get_content` addresses it."""
        return f"{self.source}/{self.name}"

    @property
    def description(self) -> str | None:
        """What its front matter says about it."""
        found = self.document.front_matter.get("description")
        return found if isinstance(found, str) and found.strip() else None


def scan(root: Root) -> dict[str, list[tuple[str, FileEntry]]]:
    """All rule files of a repository by category, each with its name there.

    Of the skills, those of its parts: whoever asks looks into the few homes of the root himself.
    """
    found: dict[str, list[tuple[str, FileEntry]]] = {name: [] for name in DESCRIPTIONS}
    suffixes = ("AGENTS.md", "CLAUDE.md", ".mdc", MANUAL)
    entries = root.walk("", suffixes=suffixes, hidden=True, skip=MADE)
    parts = homes_of_parts(each.path for each in entries if each.path.endswith(f"/{MANUAL}"))
    skills = _skill_folders(root, [*HOMES, *parts])
    for entry in entries:
        path = PurePosixPath(entry.path)
        if path.name == MANUAL:
            if str(path.parent) in skills and entry.path.startswith(tuple(parts)):
                found["skills"].append((entry.path, entry))
            continue
        if folder_around(entry.path, skills) is not None:
            continue  # served with the skill
        if path.name == "AGENTS.md":
            found["agents"].append((entry.path, entry))
        elif path.name == "CLAUDE.md":
            found["claude"].append((entry.path, entry))
        elif path.suffix == ".mdc" and ".cursor/rules/" in f"{path.parent}/":
            found["cursor"].append((_short(entry.path, ".cursor/rules/"), entry))
    for name, folder, suffix in _FOLDERS:
        for entry in root.walk(folder, suffixes=(suffix,), hidden=True):
            found[name].append((entry.path[len(folder) + 1 :], entry))
    general = root.stat(".github/copilot-instructions.md")
    if general is not None:
        found["copilot"].append(("copilot-instructions.md", general))
    found["docs"] = list(documentation(root))
    found = _once(found)
    agents = {entry.path for _, entry in found["agents"]}
    found["claude"] = [pair for pair in found["claude"] if not _only_points(root, pair[1], agents)]
    return found


def _skill_folders(root: Root, homes: Sequence[str]) -> set[str]:
    """Every skill's own folder."""
    found: set[str] = set()
    for home in homes:
        manuals = root.walk(home, suffixes=(MANUAL,), hidden=True)
        found |= skill_folders(home, (entry.path for entry in manuals))
    return found


def _only_points(root: Root, entry: FileEntry, agents: Collection[str]) -> bool:
    """Whether a file says nothing but `@AGENTS.md`: another name of what is served already."""
    if not 0 < entry.size <= _LONGEST_POINTER:
        return False
    try:
        words = root.read(entry.path).data.decode(errors="replace").split()
    except (FileRefused, FileUnreadable):
        return False
    folder = posixpath.dirname(entry.path)
    return bool(words) and all(
        word[0] == "@" and posixpath.normpath(posixpath.join(folder, word[1:])) in agents
        for word in words
    )


def documentation(root: Root) -> Iterator[tuple[str, FileEntry]]:
    """The documents that a project has for people: text files of docs/, README, CONTRIBUTING."""
    for folder in FOLDERS:
        for entry in root.walk(folder, suffixes=TEXTS, skip=MADE, limit=_MOST_DOCS):
            yield entry.path, entry
    for entry in root.walk(deep=False):
        if is_welcome(entry.path):
            yield entry.path, entry


def _once(
    found: dict[str, list[tuple[str, FileEntry]]],
) -> dict[str, list[tuple[str, FileEntry]]]:
    """The same without further names of a file that is there already, the shortest one kept."""
    every = sorted(
        (len(entry.path), entry.path, entry) for named in found.values() for _, entry in named
    )
    kept: dict[tuple[int, int], str] = {}
    for _, path, entry in every:
        kept.setdefault((entry.device, entry.inode), path)
    return {
        name: [pair for pair in named if kept[pair[1].device, pair[1].inode] == pair[1].path]
        for name, named in found.items()
    }


_FOLDERS: tuple[tuple[Source, str, str], ...] = (
    ("copilot", ".github/instructions", ".instructions.md"),
    ("claude-rules", ".claude/rules", ".md"),
)


def rules_for(root: Root, path: str) -> tuple[list[RuleFile], list[RuleFile]]:
    """What applies to a path, nearest first, and what could be asked for.

    The path need not exist. It is read afresh each time: there are a few files to look at only.
    To a folder applies what applies to whatever is in it.
    """
    wanted = clean_path(path)
    if path.endswith("/") or root.has_folder(wanted):
        wanted = f"{wanted}/{_WHATEVER}".lstrip("/")
    found = [*_nested(root, wanted), *_cursor(root, wanted), *_copilot(root, wanted)]
    found += _claude_rules(root, wanted)
    applying = [rule for rule in found if rule.applies != "on request"]
    asked = [rule for rule in found if rule.applies == "on request" and rule.description]
    applying.sort(key=_nearness)
    return applying, sorted(asked, key=lambda rule: rule.expression)


def clean_path(path: str) -> str:
    """A path relative to the root, `/` between; `InvalidValue` where it leads out."""
    parts = [part for part in path.replace("\\", "/").split("/") if part not in ("", ".")]
    if path.startswith(("/", "~")) or ".." in parts or "\0" in path:
        raise InvalidValue(f"path {path[:80]!r} must be relative to the root of the project")
    return "/".join(parts)


def _nearness(rule: RuleFile) -> tuple[int, int, str]:
    depth = len(PurePosixPath(rule.folder).parts)
    general = rule.applies in ("always", "nearest", "above")
    return (-depth, int(general), rule.expression)


def _folders(path: str) -> list[str]:
    """The folders around a path, the nearest first, the root last as nothing."""
    parents = [str(each) for each in PurePosixPath(path).parents if str(each) != "."]
    return [*parents, ""]


def _nested(root: Root, path: str) -> Iterator[RuleFile]:
    files: tuple[tuple[Source, str], ...] = (
        ("agents", "AGENTS.md"),
        ("claude", "CLAUDE.md"),
        ("claude", ".claude/CLAUDE.md"),
    )
    seen: set[Source] = set()
    read: set[tuple[int, int]] = set()
    around = (posixpath.join(folder, "AGENTS.md") for folder in _folders(path))
    agents = {place for place in around if root.stat(place) is not None}
    for folder in _folders(path):
        for source, file in files:
            place = f"{folder}/{file}" if folder else file
            entry = root.stat(place)
            if entry is None or (entry.device, entry.inode) in read:
                continue  # CLAUDE.md is often a link to AGENTS.md: one rule, told once
            read.add((entry.device, entry.inode))
            if source == "claude" and _only_points(root, entry, agents):
                continue
            document = _read(root, place)
            if document is not None:
                applies = "above" if source in seen else "nearest"
                seen.add(source)
                yield RuleFile(source, place, place, folder, document, applies)


def _cursor(root: Root, path: str) -> Iterator[RuleFile]:
    for folder in _folders(path):
        home = f"{folder}/.cursor/rules" if folder else ".cursor/rules"
        inside = path[len(folder) + 1 :] if folder else path
        for entry in root.walk(home, suffixes=(".mdc",), hidden=True):
            document = _read(root, entry.path)
            if document is None:
                continue
            matter = document.front_matter
            if _is_true(matter.get("alwaysApply")):
                applies = "always"
            else:
                # A pattern without a slash means that name in any folder, as in .gitignore.
                globs = [each if "/" in each else f"**/{each}" for each in _globs(matter, "globs")]
                # A nested rule's patterns are meant from where it lies, or from the root.
                applies = _matched(globs, inside) or _matched(globs, path) or "on request"
            name = _short(entry.path, ".cursor/rules/")
            yield RuleFile("cursor", name, entry.path, folder, document, applies)


def _copilot(root: Root, path: str) -> Iterator[RuleFile]:
    general = ".github/copilot-instructions.md"
    document = _read(root, general)
    if document is not None:
        yield RuleFile("copilot", PurePosixPath(general).name, general, "", document, "always")
    yield from _scoped(root, "copilot", path, ("applyTo",), "on request")


def _claude_rules(root: Root, path: str) -> Iterator[RuleFile]:
    return _scoped(root, "claude-rules", path, ("paths", "globs"), "always")


def _scoped(
    root: Root, source: Source, path: str, keys: tuple[str, ...], unscoped: str
) -> Iterator[RuleFile]:
    """Rules of one folder by the patterns in their front matter; `unscoped` is what none means."""
    _, home, suffix = next(each for each in _FOLDERS if each[0] == source)
    for entry in root.walk(home, suffixes=(suffix,), hidden=True):
        document = _read(root, entry.path)
        if document is None:
            continue
        globs = [each for key in keys for each in _globs(document.front_matter, key)]
        applies = _matched(globs, path) if globs else unscoped
        if applies:
            name = entry.path[len(home) + 1 :]
            yield RuleFile(source, name, entry.path, "", document, applies)


def _matched(globs: list[str], path: str) -> str | None:
    for pattern in globs:
        try:
            if any(glob.matches(path) for glob in compile_all(pattern)):
                return f"matches {pattern}"
        except BadGlob as error:
            _log.warning("Rule pattern %r is left out: %s", pattern, error.reason)
    return None


def _globs(matter: Any, key: str) -> list[str]:
    """Patterns as a list, or as one text with commas; commas in braces separate nothing."""
    value = matter.get(key)
    texts = value if isinstance(value, list) else [value]
    found: list[str] = []
    for text in texts:
        if not isinstance(text, str):
            continue
        depth, current = 0, ""
        for character in text:
            depth += (character == "{") - (character == "}")
            if character == "," and depth <= 0:
                found.append(current)
                current = ""
            else:
                current += character
        found.append(current)
    return [each for part in found if (each := part.strip().strip("\"'"))]


def _is_true(value: Any) -> bool:
    return value is True or (isinstance(value, str) and value.strip().lower() == "true")


def _short(path: str, home: str) -> str:
    """`backend/.cursor/rules/x.mdc` as `backend/x.mdc`."""
    before, _, after = path.partition(home)
    return before + after


def _read(root: Root, path: str) -> Document | None:
    from toolcrib.files.markdown.document import parse  # a start needs none of it

    try:
        blob = root.read(path)
        return parse(path, blob.data)
    except FileRefused:
        return None
    except FileUnreadable as error:
        _log.warning("Rule left out: %s", error)
        return None
