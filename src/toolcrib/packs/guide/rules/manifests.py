"""Skills as the protocol's extension for skills has them: front matter and a digest of each file.

What the extension would not let a client load (no name or description, a name that is not its
folder's, more files or bytes than every client has to take) has no entry; its files can be read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Final

from toolcrib.core.errors import FileRefused, FileUnreadable
from toolcrib.core.support.digests import sha256
from toolcrib.core.support.jsonable import plain
from toolcrib.core.support.logs import get_logger
from toolcrib.core.support.workers import in_thread
from toolcrib.core.tool import JSON
from toolcrib.files.root import FileEntry, Root
from toolcrib.packs.guide.rules.skills import MANUAL, Skill, Skills

MOST_FILES: Final = 512
MOST_BYTES: Final = 16 * 1024 * 1024
_NAME = r"(?!-)(?!.*--)[a-z0-9-]{1,64}(?<!-)"
_LONGEST_DESCRIPTION = 1024
_log = get_logger("guide.skills")


class SkillManifests:
    """Entries of the repository's skills; a file is read again only where it has changed."""

    def __init__(self, root: Root, skills: Callable[[], Skills]) -> None:
        self._root = root
        self._skills = skills
        self._digests: dict[str, tuple[FileEntry, str, int]] = {}

    async def skills(self) -> Sequence[JSON]:
        """All that a client can load."""
        return await in_thread(self._entries)

    async def skill(self, uri: str) -> JSON | None:
        """The entry of one."""
        entries: Sequence[JSON] = await in_thread(self._entries)
        return next((entry for entry in entries if entry["uri"] == uri), None)

    def _entries(self) -> list[JSON]:
        found = (self._entry(skill) for skill in self._skills().all())
        return [entry for entry in found if entry is not None]

    def _entry(self, skill: Skill) -> JSON | None:
        try:
            said = self._skills().read(skill.file(MANUAL)).front_matter
            problem = _problem(skill, said)
            files = [] if problem else [self._file(skill, entry) for entry in skill.files]
        except (FileRefused, FileUnreadable) as error:
            problem, files, said = str(error), [], {}
        if not problem and sum(each["size"] for each in files) > MOST_BYTES:
            problem = "its files are larger than 16 MiB"
        if problem:
            _log.warning("Skill %s has no entry for clients: %s", skill.folder, problem)
            return None
        return {"uri": skill.uri(skill.file(MANUAL)), "frontmatter": plain(said),
                "resources": files}  # fmt: skip

    def _file(self, skill: Skill, entry: FileEntry) -> JSON:
        known = self._digests.get(entry.path)
        if known is None or known[0] != entry:
            data = self._root.read(entry.path).data
            known = (entry, sha256(data), len(data))
            self._digests[entry.path] = known
        return {"uri": skill.uri(entry), "digest": f"sha256:{known[1]}", "size": known[2]}


def _problem(skill: Skill, said: Any) -> str | None:
    """Why a skill cannot be loaded by a client that keeps to the format; None where it can."""
    description = said.get("description")
    if said.get("name") != skill.name or not re.fullmatch(_NAME, skill.name):
        return "its name must be written in its front matter, in lower case, digits and hyphens"
    if not isinstance(description, str) or not 0 < len(description.strip()) <= _LONGEST_DESCRIPTION:
        return "its description must have 1 to 1,024 characters"
    if len(skill.files) > MOST_FILES:
        return f"it has more than {MOST_FILES} files"
    return None
