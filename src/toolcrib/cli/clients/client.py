"""A client: where its configuration is, and the form of an entry for a server."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from toolcrib.cli.clients.asking import ClientAnswer, ListQuestion, ask
from toolcrib.cli.clients.entry import ServerEntry
from toolcrib.cli.clients.machine import Machine

Scope = Literal["project", "user", "local"]
Form = Literal["json", "toml"]


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a client keeps its servers: a file, and the keys that lead to them in it."""

    file: Path
    keys: tuple[str, ...]
    form: Form = "json"


@dataclass(frozen=True, slots=True)
class OwnCommand:
    """A client's own way to add and to remove a server; None where it has none for a scope."""

    program: str
    add: Callable[[ServerEntry, Scope], list[str] | None]
    remove: Callable[[str, Scope], list[str] | None]


@dataclass(frozen=True, slots=True)
class ClientProgram:
    """A client.

    `scopes` are those that it knows, the one that suits a repository first. `folder` says how
    the server learns which project to serve: by the folder that the client starts it in (None),
    by a variable that the client fills in, or by the full path ("pinned").
    """

    name: str
    title: str
    scopes: tuple[Scope, ...]
    spot: Callable[[Machine, Path, Scope], Spot]
    traces: Callable[[Machine], list[Path]]
    folder: Callable[[Scope], str | None] = lambda scope: None
    shape: Callable[[ServerEntry], dict[str, Any]] = ServerEntry.as_dict
    own: OwnCommand | None = None
    question: ListQuestion | None = None
    step: Callable[[Scope], str | None] = lambda scope: None
    """What a person still has to do before the client uses the server."""
    acting: tuple[str, ...] = ()
    """Further files of a repository that may have the client start something."""
    harmless: frozenset[str] = frozenset()
    """Keys of such a JSON file that start nothing by themselves."""
    safe_names: bool = False
    """Whether it passes tool names to the model unchanged, so that they must be plain."""

    def asked(self, machine: Machine, project: Path, name: str) -> ClientAnswer | None:
        """What the client itself says of a server; None where it cannot be asked."""
        if self.question is None or self.own is None:
            return None
        return ask(self.own.program, self.question, name, project, machine)

    def found(self, machine: Machine) -> bool:
        """Whether the client seems to be on this machine."""
        if self.own and machine.program(self.own.program):
            return True
        return any(trace.exists() for trace in self.traces(machine))


PINNED = "pinned"
