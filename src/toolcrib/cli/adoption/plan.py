"""Which servers move, under which names, and what that changes in which file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from toolcrib.cli.adoption.candidates import ServerCandidate
from toolcrib.cli.adoption.edits import FileEdits, ValueEdit, form_of, value_at
from toolcrib.cli.adoption.literals import (
    KeptSecrets,
    in_arguments,
    with_literals,
    without_literals,
)
from toolcrib.cli.adoption.rules import ClientRules, rules_of
from toolcrib.cli.adoption.translation import Inputs, Stays, Translation, translated
from toolcrib.cli.clients.change import entry_for, servers_in
from toolcrib.cli.clients.entry import DEFAULT_NAME
from toolcrib.cli.clients.machine import Machine
from toolcrib.cli.editing.whole import read_text
from toolcrib.packs.gateway.entries import (
    ConfiguredServer,
    check_name,
    parse_servers,
    proposed_name,
)
from toolcrib.packs.gateway.launcher import starts_ourselves
from toolcrib.packs.gateway.references import SECRET

GROUP = "mcpServers"
_MEANING = ("command", "args", "env", "cwd", "type", "url", "headers", "root", "oauth")


@dataclass(slots=True)
class Move:
    """One server that moves: from one client, or from several that have the same."""

    name: str
    file: Path
    entry: dict[str, Any]
    """As it will be written in our file."""
    sources: list[ServerCandidate]
    there: bool = False
    """Whether our file has it already."""

    @property
    def scope(self) -> str:
        """The scope that it comes from."""
        return self.sources[0].scope


@dataclass(slots=True)
class Plan:
    """All that would move, and what is to be said of it."""

    project: Path
    secrets: KeptSecrets
    moves: list[Move] = field(default_factory=list)
    stays: list[tuple[ServerCandidate, str]] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    def fails(self, move: Move, why: str) -> None:
        """Leave a server where it is."""
        self.moves.remove(move)
        self.stays += [(each, why) for each in move.sources]
        used = {name for move in self.moves for name in _secrets(move.entry)}
        for name in set(self.secrets.values) - used:
            del self.secrets.values[name]


@dataclass(frozen=True, slots=True)
class Targets:
    """Our own files: servers of the repository and of the user, and the user's settings."""

    repo: Path
    user: Path
    config: Path

    def of(self, candidate: ServerCandidate) -> Path:
        """The file that a server moves to."""
        return self.repo if candidate.scope == "project" else self.user


class Planner:
    """Makes a plan; see `planned`."""

    def __init__(self, machine: Machine, plan: Plan, targets: Targets, inputs: Inputs) -> None:
        self._machine = machine
        self._plan = plan
        self._targets = targets
        self._inputs = inputs
        self._known = {file: servers_of(file)[1] for file in (targets.repo, targets.user)}

    def planned(self, candidates: Iterable[ServerCandidate]) -> Plan:
        """Decide on each candidate."""
        for candidate in candidates:
            try:
                self._take(candidate)
            except Stays as why:
                self._plan.stays.append((candidate, why.what))
        return self._plan

    def _take(self, candidate: ServerCandidate) -> None:
        plan, project = self._plan, self._plan.project
        translation = translated(candidate, project, self._inputs)
        if starts_ourselves(checked(candidate.name, translation.entry, candidate, project)):
            return
        file = self._targets.of(candidate)
        rules = rules_of(candidate, self._machine, project)
        plan.remarks += [f"{candidate.shown}: not carried over: {each}" for each in rules.lost]
        plan.remarks += [f"{candidate.shown}: {each}" for each in translation.remarks]
        if in_arguments(translation.entry):
            text = "its arguments seem to hold a secret, which stays written there"
            plan.remarks.append(f"{candidate.shown}: {text}")
        same = self._same(file, candidate, translation)
        if same is not None:
            same.sources.append(candidate)
            if not same.there:
                _restrict(same.entry, rules)
            return
        name = self._free(candidate.name)
        if name != candidate.name:
            usable = check_name(candidate.name) is None
            why = "that name is taken" if usable else "its name cannot be used here"
            plan.remarks.append(f"{candidate.shown} becomes {name}: {why}")
        entry = without_literals(name, translation, plan.secrets)
        _restrict(entry, rules)
        plan.moves.append(Move(name, file, entry, [candidate]))

    def _same(
        self, file: Path, candidate: ServerCandidate, translation: Translation
    ) -> Move | None:
        """The move or the entry that means just the same."""
        meaning = _meaning(translation.entry)
        for move in self._plan.moves:
            if move.file == file and self._meant(move.entry) == meaning:
                return move
        for name, entry in self._known[file].items():
            if isinstance(entry, dict) and self._meant(entry) == meaning:
                move = Move(name, file, entry, [], there=True)
                self._plan.moves.append(move)
                return move
        return None

    def _meant(self, entry: Mapping[str, Any]) -> dict[str, Any]:
        return _meaning(with_literals(entry, self._plan.secrets.value))

    def _free(self, wanted: str) -> str:
        plain = wanted if check_name(wanted) is None else proposed_name(wanted)
        taken = {move.name for move in self._plan.moves}
        taken.update(*(known for known in self._known.values()))
        name, number = plain, 1
        while name in taken:
            number += 1
            name = f"{plain[:60]}-{number}"
        return name


def servers_of(file: Path) -> tuple[str, dict[str, Any]]:
    """The servers of one of our own files, and the key that they stand under."""
    text = read_text(file) or ""
    for group in (GROUP, "servers"):
        found = value_at(text, "json", (group,), str(file))
        if isinstance(found, dict):
            return group, found
    return GROUP, {}


def checked(
    name: str, entry: Mapping[str, Any], candidate: ServerCandidate, project: Path
) -> ConfiguredServer:
    """An entry as the gateway reads it; raises `Stays` for one that it could not use."""
    import json

    plain = name if check_name(name) is None else proposed_name(name)
    source = "repo" if candidate.scope == "project" else "user"
    home = project if source == "repo" else Path("~").expanduser()
    text = json.dumps({GROUP: {plain: entry}})
    found = parse_servers(text, "servers.json", "repo" if source == "repo" else "user", home)
    if found.problems:
        raise Stays(found.problems[0].what)
    return found.entries[0]


def file_edits(plan: Plan, targets: Targets, config: Mapping[str, Any]) -> list[FileEdits]:
    """The files to change, in the order in which they must be: ours before those of clients."""
    found: dict[Path, list[ValueEdit]] = {targets.config: _config_edits(plan, config)}
    for file in (targets.repo, targets.user):
        group = servers_of(file)[0]
        new = [move for move in plan.moves if move.file == file and not move.there]
        found[file] = [ValueEdit((group, move.name), None, move.entry) for move in new]
    for candidate in (each for move in plan.moves for each in move.sources):
        edits = found.setdefault(candidate.spot.file, [])
        edits.append(ValueEdit((*candidate.spot.keys, candidate.name), candidate.written, None))
    for candidate in _one_each(plan.moves):
        found[candidate.spot.file] += _toolcrib(candidate, plan)
    return [FileEdits(file, form_of(file), tuple(edits)) for file, edits in found.items() if edits]


def _config_edits(plan: Plan, config: Mapping[str, Any]) -> list[ValueEdit]:
    if not plan.moves:
        return []
    edits = [
        ValueEdit(("secrets", name), None, {"file": str(plan.secrets.file(name))})
        for name in plan.secrets.values
    ]
    if "approve" not in config.get("climax", {}):
        edits.append(ValueEdit(("climax", "approve"), None, "destructive"))
    return edits


def _one_each(moves: Iterable[Move]) -> list[ServerCandidate]:
    """One candidate for each place in a client's file that something moves out of."""
    every = (each for move in moves for each in move.sources)
    return list({(each.spot.file, each.spot.keys): each for each in every}.values())


def _toolcrib(candidate: ServerCandidate, plan: Plan) -> list[ValueEdit]:
    """Put toolcrib in the place of what moved, or have the one that is there serve it."""
    client, scope, spot = candidate.client, candidate.scope, candidate.spot
    moved = {each.name for move in plan.moves for each in move.sources if each.spot == spot}
    for name, written in servers_in(spot, read_text(spot.file)).items():
        if name not in moved and isinstance(written, dict) and _ours(name, written, candidate):
            args = written.get("args")
            more = _with_gateway(args) if isinstance(args, list) else args
            return [] if more == args else [ValueEdit((*spot.keys, name, "args"), args, more)]
    shape = client.shape(entry_for(client, scope, plan.project, DEFAULT_NAME))
    return [ValueEdit((*spot.keys, DEFAULT_NAME), None, shape)]


def _ours(name: str, written: dict[str, Any], beside: ServerCandidate) -> bool:
    given = ServerCandidate(beside.client, beside.scope, beside.spot, name, written)
    try:
        entry = translated(given, Path("/"), lambda id: None).entry
        return starts_ourselves(checked(name, entry, given, Path("/")))
    except Stays:
        return False


def _with_gateway(args: Sequence[Any]) -> list[Any]:
    """The words of `serve` with the gateway among the packs, where packs are named."""
    from toolcrib.settings import PACKS

    words = list(args)
    at = words.index("serve") + 1 if "serve" in words else len(words)
    named = [word for word in words[at:] if word in PACKS]
    return words if not named or "gateway" in named else [*words[:at], "gateway", *words[at:]]


def _restrict(entry: dict[str, Any], rules: ClientRules) -> None:
    for key, names in (("deny", rules.deny), ("approve", rules.approve)):
        if names:
            entry[key] = list(dict.fromkeys([*entry.get(key, ()), *names]))
    if rules.disabled:
        entry["disabled"] = True


def _secrets(entry: Mapping[str, Any]) -> set[str]:
    """The names of the secrets that an entry asks for."""
    groups = (entry.get(key) for key in ("env", "headers", "oauth"))
    texts = [text for group in groups if isinstance(group, dict) for text in group.values()]
    return {
        text.removeprefix(SECRET)
        for text in texts
        if isinstance(text, str) and text.startswith(SECRET)
    }


def _meaning(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {key: entry[key] for key in _MEANING if entry.get(key) not in (None, {}, [])}
