"""What a person has trusted: one file per content of a project, kept outside of the project.

    trust/<digest of the project's identity>/<digest of the content>

The first line is JSON: the acting files with their digests. The rest is a copy of each, for the
diff and for what stays as it was trusted. A record that is damaged, foreign, open to others or of
another format counts as absent.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from toolcrib.core.errors import ConfigError
from toolcrib.core.support.digests import sha256
from toolcrib.core.support.folders import state_folder
from toolcrib.core.support.records import record
from toolcrib.files.private import private_folder, read_private, write_private
from toolcrib.policy.trust.acting import ActingFile, Content, content_digest

FORMAT = 1
_NAME_LENGTH = 64


@record
class TrustedFile:
    """One acting file as it was trusted."""

    kind: str
    digest: str
    raw: str
    tools: tuple[str, ...] = ()
    imports: tuple[str, ...] = ()


class TrustRecord:
    """One content that a person has trusted, or that holds for this process alone."""

    def __init__(
        self,
        digest: str,
        time: float,
        files: Mapping[str, TrustedFile],
        copies: bytes | Mapping[str, bytes],
        root: str = "",
    ) -> None:
        self.digest = digest
        self.time = time
        self.files = files
        self.root = root
        self._copies = copies

    @classmethod
    def of(cls, content: Content, root: str = "") -> TrustRecord:
        """The record of what is there now."""
        return cls(
            content.digest,
            time.time(),
            {file.path: entry_of(file) for file in content.files},
            {file.path: file.data for file in content.files},
            root,
        )

    @property
    def day(self) -> str:
        """The day on which it was trusted, as messages say it."""
        return time.strftime("%Y-%m-%d", time.localtime(self.time))

    def copy(self, path: str) -> bytes | None:
        """The file as it was trusted; None if it is not part of the content."""
        if isinstance(self._copies, bytes):
            self._copies = {
                path: text.encode("utf-8", "surrogateescape")
                for path, text in json.loads(self._copies).items()
            }
        return self._copies.get(path)

    def to_bytes(self) -> bytes:
        """The record as its file holds it."""
        copies = {path: self.copy(path) or b"" for path in self.files}
        body = json.dumps(
            {path: data.decode("utf-8", "surrogateescape") for path, data in copies.items()}
        ).encode("ascii")
        files = {
            path: [entry.kind, entry.digest, entry.raw, entry.tools, entry.imports]
            for path, entry in self.files.items()
        }
        head = {
            "toolcrib": FORMAT,
            "time": self.time,
            "root": self.root.encode("utf-8", "backslashreplace").decode(),
            "body": len(body),
            "files": files,
        }
        return json.dumps(head).encode("ascii") + b"\n" + body


def entry_of(file: ActingFile) -> TrustedFile:
    """What a record keeps of an acting file, beside its copy."""
    return TrustedFile(file.kind, file.digest, file.raw, file.tools, file.imports)


class Records:
    """The records of one project."""

    def __init__(self, identity: str, folder: Path | None = None) -> None:
        self.folder = folder or state_folder() / "trust" / sha256(os.fsencode(identity))

    def names(self) -> list[str]:
        """The digests that are recorded, the newest first."""
        try:
            with os.scandir(self.folder) as entries:
                found = [
                    (entry.stat(follow_symlinks=False).st_mtime_ns, entry.name)
                    for entry in entries
                    if len(entry.name) == _NAME_LENGTH
                ]
        except OSError:
            return []
        return [name for _, name in sorted(found, reverse=True)]

    def get(self, digest: str) -> TrustRecord | None:
        """The record of a content; None where there is none to rely on."""
        try:
            return _parsed(digest, read_private(self.folder / digest))
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            return None

    def all(self) -> list[TrustRecord]:
        """Every record that can be relied on, the newest first."""
        return [found for name in self.names() if (found := self.get(name)) is not None]

    def add(self, record: TrustRecord) -> None:
        """Keep a record; raises `ConfigError` where that is not possible."""
        try:
            private_folder(self.folder.parent)
            private_folder(self.folder)
            write_private(self.folder / record.digest, record.to_bytes())
        except OSError as error:
            raise ConfigError(
                f"The trust record cannot be written: {self.folder}",
                why=(error.strerror or str(error)).lower(),
                next="Make room there, or set TOOLCRIB_STATE to another folder.",
            ) from error

    def forget(self, digests: Iterable[str]) -> int:
        """Remove records; return how many there were."""
        gone = 0
        for digest in digests:
            with contextlib.suppress(FileNotFoundError):
                (self.folder / digest).unlink()
                gone += 1
        return gone


def _parsed(digest: str, data: bytes) -> TrustRecord:
    """A record that is whole and is what its name says; raises `ValueError` and its like."""
    first, _, body = data.partition(b"\n")
    head: Any = json.loads(first)
    if head["toolcrib"] != FORMAT or head["body"] != len(body):
        raise ValueError(digest)
    files = {
        str(path): TrustedFile(str(kind), str(own), str(raw), tuple(tools), tuple(imports))
        for path, (kind, own, raw, tools, imports) in head["files"].items()
    }
    if content_digest((path, entry.digest) for path, entry in files.items()) != digest:
        raise ValueError(digest)
    return TrustRecord(digest, float(head["time"]), files, body, str(head["root"]))


def forget_absent() -> int:
    """Remove the records of projects that are no longer there; return how many projects."""
    gone = 0
    try:
        folders = list((state_folder() / "trust").iterdir())
    except OSError:
        return 0
    for folder in folders:
        records = Records("", folder)
        kept = records.all()
        if kept and not os.path.lexists(kept[0].root):
            records.forget(records.names())
            with contextlib.suppress(OSError):
                folder.rmdir()
            gone += 1
    return gone
