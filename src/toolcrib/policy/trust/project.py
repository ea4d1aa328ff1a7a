"""Trust: nothing of a repository acts before a person has looked at it.

`Trust` is the one place that is asked. It compares what lies in the project now with what a person
has trusted (`records`), by content, and answers for each file whether its very bytes may act. The
state of a project is

    trusted      everything that acts is as a person trusted it
    changed      something is not; what is still as it was goes on, the rest waits
    untrusted    nobody has trusted anything here: documents and search, and little more
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Literal

from toolcrib.core.errors import ConfigError, UsageError
from toolcrib.core.support.digests import sha256
from toolcrib.core.support.records import record
from toolcrib.files.identity import project_identity
from toolcrib.policy.person import PersonalFiles
from toolcrib.policy.trust.acting import (
    CONFIG,
    KINDS,
    POLICY,
    SERVER,
    ActingFile,
    Content,
    Tables,
    file_digest,
    yaml_meaning,
)
from toolcrib.policy.trust.owners import Foreign
from toolcrib.policy.trust.records import Records, TrustedFile, TrustRecord

VARIABLE = "TOOLCRIB_TRUST"
EVERYTHING = "all"
COMMAND = "toolcrib trust"

State = Literal["trusted", "changed", "untrusted"]
Known = Mapping[tuple[str, str], TrustedFile]
"""Entries of records by path and by the digest of the bytes that they were made from."""
_DIGEST = r"[0-9a-f]{64}"


@record
class Present:
    """What lies in a project now: its settings as parsed, and everything that acts."""

    tables: Tables
    content: Content
    settings_file: str | None = None
    text: str = ""
    """The text of the settings file, for messages that show a place in it."""


Collect = Callable[[Known], Present]


@record
class TrustVerdict:
    """How what lies there now compares with what was trusted."""

    state: State
    present: Present
    reference: TrustRecord | None = None
    """What is compared with: the record of this very content, else the last one."""
    foreign: Foreign | None = None
    by: str = "record"
    """What the trust rests on: record, all, digest, paths, or nothing (nothing here acts)."""


class Trust:
    """What of one project may act, in this process."""

    def __init__(
        self, project: Path, collect: Collect, person: PersonalFiles, said: str | None = None
    ) -> None:
        self.project = project
        self.identity = project_identity(project)
        self.person = person
        self._collect = collect
        self._said = _checked(said)
        self._records: Records | None = None
        self._session: TrustRecord | None = None
        self._named: dict[str, TrustRecord] = {}
        self.told: set[str] = set()
        """What was said about it in this process: never twice for one change."""
        self.held_policies: dict[str, bytes] = {}
        """Policies of the repository that have held in this process."""
        self.named_policy = False
        """Whether the command line names the policy, in the place of the repository's."""
        self.named_configs = False
        """Whether the command line says which configs are served, not the repository."""
        self._verdict: TrustVerdict | None = None

    @property
    def everything(self) -> bool:
        """Whether TOOLCRIB_TRUST=all switches all questions off."""
        return EVERYTHING in self._said

    @property
    def records(self) -> Records | None:
        """Where the records are; None where this user has no folder for them."""
        if self._records is None:
            try:
                self._records = Records(self.identity)
            except ConfigError as error:
                if os.environ.get("TOOLCRIB_STATE"):
                    raise
                self.problem = str(error)
                return None
        return self._records

    problem = ""
    """Why there are no records to be had; empty where there are."""

    @property
    def verdict(self) -> TrustVerdict:
        """The last verdict; the first one is made when it is asked for."""
        found = self._verdict
        if found is None:
            found = self._verdict = self._judged()
        return found

    @property
    def state(self) -> State:
        """Whether everything, something or nothing is as it was trusted."""
        return self.verdict.state

    def refresh(self) -> bool:
        """Look again at files and records; return whether the verdict is another one."""
        before, now = self._verdict, self._judged()
        self._verdict = now
        return before is None or _shape(before) != _shape(now)

    def name(self, path: str, data: bytes, kind: str) -> None:
        """Trust a file that a command line names, as it is now, for this process."""
        if path not in self._named:
            file = ActingFile(path, kind, data, _digest(kind, data), sha256(data))
            self._named[path] = TrustRecord.of(Content([file]))

    def admits(self, path: str, kind: str, data: bytes) -> bool:
        """Whether these very bytes of a file may act."""
        if self.everything:
            return True
        entry = self.entry(path)
        if entry is None or (entry.kind != kind and {entry.kind, kind} & {CONFIG, POLICY}):
            return False
        if sha256(data) == entry.raw:
            return True
        return kind in (CONFIG, POLICY) and _digest(kind, data) == entry.digest

    def entry(self, path: str) -> TrustedFile | None:
        """How a file was trusted; None if it was not."""
        holder = self._holder(path)
        return holder.files[path] if holder is not None else None

    def imports_of(self, path: str) -> tuple[str, ...]:
        """The files of the project that a module imports, now and when it was trusted."""
        entry, now = self.entry(path), self.verdict.present.content.get(path)
        known = (entry.imports if entry is not None else ()) + (now.imports if now else ())
        return tuple(dict.fromkeys(known))

    def trusted_copy(self, path: str) -> bytes | None:
        """The file as it was trusted; None if it was not."""
        holder = self._holder(path)
        return holder.copy(path) if holder is not None else None

    def remembers(self, path: str, raw: str) -> bool:
        """Whether these bytes of a file are part of any content that is still trusted."""
        if self.everything:
            return True
        entry = self.entry(path)
        if entry is not None and entry.raw == raw:
            return True
        kept = self.records.all() if self.records is not None else []
        if self.verdict.foreign is not None:
            kept = []
        found = (record.files.get(path) for record in kept)
        return any(entry is not None and entry.raw == raw for entry in found)

    def policies(
        self, present: Collection[str], admitted: Callable[[str, str], bool]
    ) -> list[tuple[str, bytes]]:
        """Policies that hold although they are not there as they were: trusted ones, and those
        that have held in this process and that nobody has agreed to lose."""
        found: list[tuple[str, bytes]] = []
        reference = self.verdict.reference
        trusted = [] if self.everything or self.named_policy or reference is None else [reference]
        for kept in [*trusted, *self._named.values()]:
            for path, entry in kept.files.items():
                if entry.kind == POLICY and not (path in present and admitted(path, POLICY)):
                    found.append((path, kept.copy(path) or b""))
        if self.verdict.state == "trusted" and self.verdict.by in ("record", "digest"):
            self.held_policies = {p: d for p, d in self.held_policies.items() if p in present}
        held = [each for each in self.held_policies.items() if each[0] not in present]
        return list(dict.fromkeys([*found, *held]))

    def withheld(self) -> list[ActingFile]:
        """The acting files that are not as they were trusted."""
        verdict = self.verdict
        if verdict.state == "trusted":
            return []
        reference = verdict.reference.files if verdict.reference is not None else {}
        found = [
            file
            for file in verdict.present.content.files
            if (entry := reference.get(file.path)) is None or entry.digest != file.digest
        ]
        return sorted(found, key=lambda file: KINDS.index(file.kind))

    def acting_paths(self) -> list[str]:
        """The files of the project that act, as paths: those that no command may write."""
        names = {"toolcrib.toml": None}
        for file in self.verdict.present.content.files:
            # An entry of a file of servers is written as one below that file.
            names[file.path.rpartition("/")[0] if file.kind == SERVER else file.path] = None
        return [str(self.project / name) for name in names]

    def gone(self) -> list[str]:
        """Files that were trusted and are no longer there, or no longer act."""
        reference = self.verdict.reference
        if reference is None:
            return []
        present = {file.path for file in self.verdict.present.content.files}
        return sorted(set(reference.files) - present)

    def why(self, path: str) -> str:
        """Why a file is withheld, with the command that a person can run."""
        foreign = self.verdict.foreign
        if foreign is not None:
            return f"{foreign}. A person can look at it: {COMMAND}"
        holder = self._holder(path)
        if holder is not None:
            changed = f"{path} changed since it was trusted on {holder.day}"
            return f"{changed}. A person can look at the change: {COMMAND}"
        return f"{path} has not been trusted yet. A person can look at it: {COMMAND}"

    @property
    def stamp(self) -> object:
        """Something that compares unequal once another verdict holds."""
        return _shape(self.verdict)

    def _holder(self, path: str) -> TrustRecord | None:
        named = self._named.get(path)
        if named is not None:
            return named
        reference = self.verdict.reference
        return reference if reference is not None and path in reference.files else None

    def _judged(self) -> TrustVerdict:
        records = self.records
        newest = _newest(records)
        known = {
            (path, entry.raw): entry
            for kept in (newest, self._session)
            if kept is not None
            for path, entry in kept.files.items()
        }
        present = self._collect(known)
        content = present.content
        if self.everything:
            return TrustVerdict("trusted", present, TrustRecord.of(content), by=EVERYTHING)
        if not content:
            return TrustVerdict("trusted", present, newest, by="nothing")
        if content.digest in self._said:
            return TrustVerdict("trusted", present, TrustRecord.of(content), by="digest")
        foreign = self.person.owners.foreign(self.project, [file.path for file in content.files])
        if foreign is not None:
            return TrustVerdict("untrusted", present, None, foreign)
        return self._compared(present, records, newest)

    def _compared(
        self, present: Present, records: Records | None, newest: TrustRecord | None
    ) -> TrustVerdict:
        digest = present.content.digest
        exact = newest if newest is not None and newest.digest == digest else None
        if exact is None and records is not None:
            exact = records.get(digest)
        if exact is not None:
            return TrustVerdict("trusted", present, exact)
        if self._session is None and self.person.trusts(os.path.realpath(self.project)):
            self._session = TrustRecord.of(present.content)
        session = self._session
        if session is not None and session.digest == digest:
            return TrustVerdict("trusted", present, session, by="paths")
        last = max(
            (kept for kept in (newest, session) if kept is not None),
            key=lambda kept: kept.time,
            default=None,
        )
        return TrustVerdict("changed" if last is not None else "untrusted", present, last)


def said_by(option: str | None, environment: Mapping[str, str]) -> str | None:
    """What the command line, else the environment says of trust."""
    return option or environment.get(VARIABLE) or None


def _checked(said: str | None) -> frozenset[str]:
    words = frozenset((said or "").replace(",", " ").split())
    for word in words:
        if word != EVERYTHING and not re.fullmatch(_DIGEST, word):
            raise UsageError(
                f"{VARIABLE}: {word!r} is neither a digest nor {EVERYTHING!r}",
                next="toolcrib trust --digest prints the digest of what is here.",
            )
    return words


def _newest(records: Records | None) -> TrustRecord | None:
    for name in records.names() if records is not None else ():
        found = records.get(name) if records is not None else None
        if found is not None:
            return found
    return None


def _digest(kind: str, data: bytes) -> str:
    if kind in (CONFIG, POLICY):
        return file_digest(kind, yaml_meaning(data))
    return file_digest(kind, sha256(data))


def _shape(verdict: TrustVerdict) -> object:
    reference = verdict.reference.digest if verdict.reference is not None else None
    return (verdict.state, reference, verdict.present.content.digest, str(verdict.foreign))
