"""What a client's files say of this project's server: under which names, and how it is started."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

from toolcrib.cli.clients.asking import ClientAnswer
from toolcrib.cli.clients.change import servers_in
from toolcrib.cli.clients.client import ClientProgram, Scope
from toolcrib.cli.clients.entry import DEFAULT_NAME
from toolcrib.cli.clients.machine import Machine
from toolcrib.cli.editing.whole import read_text


@dataclass(frozen=True, slots=True)
class KnownEntry:
    """An entry of this project's server in one file of a client."""

    scope: Scope
    name: str
    file: Path
    given: Mapping[str, Any]

    @property
    def command(self) -> str:
        """The program that it starts."""
        return str(self.given.get("command", ""))

    @property
    def words(self) -> list[str]:
        """The words that the program is given."""
        given = self.given.get("args")
        return [word for word in given if isinstance(word, str)] if isinstance(given, list) else []

    @property
    def where(self) -> str:
        """The scope, with the name unless it is the usual one."""
        return self.scope if self.name == DEFAULT_NAME else f"{self.scope}, as {self.name}"

    @property
    def chosen_by(self) -> str:
        """The options of `toolcrib install` that mean this entry."""
        named = "" if self.name == DEFAULT_NAME else f" --name {self.name}"
        return f"--scope {self.scope}{named}"

    @property
    def is_off(self) -> bool:
        """Whether a person has disabled it in the file."""
        return self.given.get("enabled") is False or self.given.get("disabled") is True

    def option(self, name: str) -> str | None:
        """The value that the server is given for an option such as `--names`."""
        words = self.words
        for at, word in enumerate(words):
            if word == name and at + 1 < len(words):
                return words[at + 1]
            if word.startswith(f"{name}="):
                return word.partition("=")[2]
        return None


def known_entries(
    client: ClientProgram, machine: Machine, project: Path, *scopes: Scope
) -> list[KnownEntry]:
    """The entries of this project's server in these scopes or in all, the usual name first."""
    return [
        each
        for scope in scopes or client.scopes
        for each in _in_scope(client, machine, project, scope)
    ]


def _in_scope(
    client: ClientProgram, machine: Machine, project: Path, scope: Scope
) -> Iterator[KnownEntry]:
    spot = client.spot(machine, project, scope)
    servers = servers_in(spot, read_text(spot.file))
    for name in sorted(servers, key=lambda each: each != DEFAULT_NAME):
        given = servers[name]
        if isinstance(given, dict):
            entry = KnownEntry(scope, name, spot.file, given)
            if (name == DEFAULT_NAME or _serves(entry)) and _is_of(entry, project):
                yield entry


def _serves(entry: KnownEntry) -> bool:
    """Whether it starts `toolcrib serve`."""
    started = [PurePath(word).stem for word in (entry.command, *entry.words)]
    return "toolcrib" in started and "serve" in started[started.index("toolcrib") + 1 :]


def _is_of(entry: KnownEntry, project: Path) -> bool:
    """Whether it serves this project, or the one that the client is started in."""
    named = entry.option("--project")
    if named is None or not Path(named).is_absolute():
        return True
    return Path(named).resolve() == project.resolve()


def ask_about(
    client: ClientProgram, machine: Machine, project: Path, known: Sequence[KnownEntry]
) -> ClientAnswer | None:
    """What the client says of the server, the best of what it says of its names.

    Where it cannot be asked its file can still tell that the server is disabled; else None.
    """
    said: list[ClientAnswer] = []
    for name in dict.fromkeys(each.name for each in known):
        answer = client.asked(machine, project, name)
        if answer is None or answer.state in ("has", "silent"):
            said = [] if answer is None else [answer]
            break
        said.append(answer)
    best = next((each for each in said if each.state != "lacks"), said[0] if said else None)
    if (best is None or best.state == "silent") and known and all(each.is_off for each in known):
        return ClientAnswer("off")
    return best


def next_step(
    client: ClientProgram, answer: ClientAnswer | None, scope: Scope, known: Sequence[KnownEntry]
) -> str | None:
    """What a person still has to do before the client uses the server; None for nothing."""
    if answer is not None and answer.state == "has":
        return None
    if answer is None or answer.state != "off":
        return client.step(scope)
    off = next((each for each in known if each.is_off), None)
    if off is None:
        return f"enable the server in {client.title}"
    word = "enabled to true" if off.given.get("enabled") is False else "disabled to false"
    return f"set {word} for the server {off.name} in {off.file}"
