"""Agent skills: folders with a `SKILL.md`, in the folders where agents look for them.

Those are in the root of a repository, and all but `skills` in any of its parts as well.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import quote

from toolcrib.core.errors import FileRefused, FileUnreadable
from toolcrib.core.support.logs import get_logger
from toolcrib.core.support.records import record
from toolcrib.core.support.suggest import did_you_mean, nearest
from toolcrib.files.root import FileEntry, Root
from toolcrib.files.survey.folders import is_not_own
from toolcrib.packs.guide.errors import NotFound

if TYPE_CHECKING:
    from toolcrib.files.markdown.document import Document

HOMES = (
    ".agents/skills",
    ".claude/skills",
    "skills",
    ".codex/skills",
    ".github/skills",
    ".gemini/skills",
)
MANUAL = "SKILL.md"
# A part of a repository may have one, too; `skills` may be anything there.
_OF_PARTS = tuple(home for home in HOMES if home.startswith("."))
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", re.ASCII)
_log = get_logger("guide.skills")


def homes_of_parts(manuals: Iterable[str]) -> list[str]:
    """The homes that parts of a repository have: `packages/app/.claude/skills`."""
    found: set[str] = set()
    for path in manuals:
        if path.startswith(tuple(f"{home}/" for home in HOMES)):
            continue
        for home in _OF_PARTS:
            part, between, _ = path.partition(f"/{home}/")
            names = part.split("/")
            if between and not any(name.startswith(".") or is_not_own(name) for name in names):
                found.add(f"{part}/{home}")
    return sorted(found)


def skill_folders(home: str, paths: Iterable[str]) -> set[str]:
    """The folders below a home that have a manual: in it, or in folders that group them.

    What lies in a skill belongs to it, another manual as well.
    """
    found: set[str] = set()
    manuals = (path for path in paths if path.endswith(f"/{MANUAL}"))
    for manual in sorted(manuals, key=lambda path: path.count("/")):
        folder = manual[: -len(MANUAL) - 1]
        if folder != home and folder_around(manual, found) is None:
            found.add(folder)
    return found


def folder_around(path: str, folders: Collection[str]) -> str | None:
    """Which of the folders a file lies in, at any depth."""
    above = (str(each) for each in PurePosixPath(path).parents)
    return next((each for each in above if each in folders), None)


@record
class Skill:
    """A skill: what its front matter says, and the files in its folder."""

    name: str
    description: str
    folder: str
    files: tuple[FileEntry, ...]

    def uri(self, entry: FileEntry) -> str:
        """How a client addresses one of its files."""
        return f"skill://{self.name}/{quote(self.inside(entry))}"

    def inside(self, entry: FileEntry) -> str:
        """The path of one of its files below its folder."""
        return entry.path[len(self.folder) + 1 :]

    def file(self, name: str) -> FileEntry:
        """One of its files by name, or `NotFound` with the nearest."""
        known = {self.inside(entry): entry for entry in self.files}
        if name not in known:
            raise NotFound(
                f"Skill {self.name!r} has no file {name!r}{did_you_mean(name, known)}",
                data={"nearest": nearest(name, known), "files": sorted(known)},
            )
        return known[name]


class Skills:
    """All skills of a repository by name; of two with one name, the first home's counts.

    That of a part of the repository then has the part before its name: `python-release`.
    """

    def __init__(self, root: Root, homes: Iterable[str] = HOMES) -> None:
        self._root = root
        self.shadowed: list[str] = []
        self._skills: dict[str, Skill] = {}
        for home in homes:
            for skill in self._in(home):
                self._add(skill, home)

    def all(self) -> list[Skill]:
        """Sorted by name."""
        return [self._skills[name] for name in sorted(self._skills)]

    def get(self, name: str) -> Skill:
        """The skill of that name, or `NotFound` with the nearest."""
        if name not in self._skills:
            raise NotFound(
                f"No skill is named {name!r}{did_you_mean(name, self._skills)}",
                data={"nearest": nearest(name, self._skills), "skills": sorted(self._skills)},
                next="Call get_skill without a name for the list.",
            )
        return self._skills[name]

    def read(self, entry: FileEntry) -> Document:
        """One file of a skill as text; raises `FileUnreadable` for what is none."""
        from toolcrib.files.markdown.document import parse  # a start needs none of it

        blob = self._root.read(entry.path)
        return parse(entry.path, blob.data)

    def _in(self, home: str) -> list[Skill]:
        entries = self._root.walk(home, hidden=True)
        folders = skill_folders(home, (entry.path for entry in entries))
        by_folder: dict[str, list[FileEntry]] = {folder: [] for folder in folders}
        for entry in entries:
            folder = folder_around(entry.path, by_folder)
            if folder is not None:
                by_folder[folder].append(entry)
        found = [self._skill(folder, files) for folder, files in sorted(by_folder.items())]
        return [skill for skill in found if skill is not None]

    def _add(self, skill: Skill, home: str) -> None:
        known = self._skills.setdefault(skill.name, skill)
        if known is skill or self._same(known, skill):
            return
        part = next((home[: -len(each) - 1] for each in _OF_PARTS if home.endswith(f"/{each}")), "")
        name = f"{part.replace('/', '-')}-{skill.name}"
        if part and _NAME.fullmatch(name) and name not in self._skills:
            self._skills[name] = replace(skill, name=name)
        else:
            self.shadowed.append(skill.folder)

    def _skill(self, folder: str, files: list[FileEntry]) -> Skill | None:
        manual = next(each for each in files if each.path == f"{folder}/{MANUAL}")
        try:
            document = self.read(manual)
        except (FileRefused, FileUnreadable) as error:
            _log.warning("Skill left out: %s", error)
            return None
        said = document.front_matter
        named = str(said.get("name") or "")
        name = named if _NAME.fullmatch(named) else PurePosixPath(folder).name
        if not _NAME.fullmatch(name):
            _log.warning("Skill left out, its name is not usable: %r", folder)
            return None
        description = " ".join(str(said.get("description") or document.title).split())
        return Skill(name, description, folder, tuple(files))

    def _same(self, one: Skill, other: Skill) -> bool:
        """Whether two skills are one: reached by a link, or copied for another agent."""
        pairs = list(zip(one.files, other.files, strict=False))
        return len(one.files) == len(other.files) and all(
            (left.device, left.inode) == (right.device, right.inode)
            or (one.inside(left) == other.inside(right) and self._same_text(left, right))
            for left, right in pairs
        )

    def _same_text(self, one: FileEntry, other: FileEntry) -> bool:
        if one.size != other.size:
            return False
        try:
            return self._root.read(one.path).data == self._root.read(other.path).data
        except (FileRefused, FileUnreadable):
            return False
