"""`DocumentRecord`: what is known about one document without opening it again."""

from __future__ import annotations

from typing import Literal
from urllib.parse import unquote

from toolcrib.core.support.records import record

Kind = Literal["guidelines", "patterns", "adr"]
KINDS: tuple[Kind, ...] = ("adr", "guidelines", "patterns")
SCHEME = "architecture://"

LinkKind = Literal[
    "supersedes",
    "superseded_by",
    "amends",
    "amended_by",
    "deprecates",
    "deprecated_by",
    "relates_to",
]


def name_in(uri: str) -> str:
    """The last part of a uri, its escapes resolved."""
    name = uri.split("/", 3)[3]
    return unquote(name) if "%" in name else name


@record
class DecisionLink:
    """A link from one decision to another: `target` as it is written, `uri` when it is known."""

    kind: LinkKind
    target: str
    uri: str | None = None
    line: int | None = None


@record
class DocumentRecord:
    """One document of the library.

    `path` is posix and relative to the root with the number `root`; `file` is the same file as a
    person would name it, relative to the project. `status` is one of proposed, accepted,
    rejected, deprecated and superseded where the document's word means one of them, else that
    word in small letters, and None where the document states none; `status_text` is the word as
    it is written. `adr_id` is the last part of the uri of a decision, `number` its number.
    `scope` is the folder whose files it is about, for a decision that is not the project's own.
    """

    uri: str
    kind: Kind
    path: str
    root: int
    file: str
    title: str
    size: int
    description: str = ""
    status: str | None = None
    status_text: str | None = None
    date: str | None = None
    tags: tuple[str, ...] = ()
    adr_id: str | None = None
    number: int | None = None
    links: tuple[DecisionLink, ...] = ()
    is_decision: bool = False
    scope: str = ""

    @property
    def name(self) -> str:
        """The last part of the uri, as people write it: a pattern's name, a decision's id."""
        return name_in(self.uri)

    @property
    def stem(self) -> str:
        """The file's name without folder and ending."""
        return self.path.rsplit("/", 1)[-1].rsplit(".", 1)[0]
