"""What is well, what is not, and the command that cures it: for `doctor` and `validate`."""

from __future__ import annotations

import importlib.metadata
import platform
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from toolcrib.cli.clients import change, registry
from toolcrib.cli.clients.client import ClientProgram
from toolcrib.cli.clients.known import KnownEntry, ask_about, known_entries, next_step
from toolcrib.cli.clients.machine import Machine
from toolcrib.core.errors import ToolcribError
from toolcrib.core.pack import Pack
from toolcrib.core.support.logs import collected
from toolcrib.core.support.wording import counted
from toolcrib.packs.guide.settings import documentation
from toolcrib.policy.trust.notices import unquestioned
from toolcrib.policy.trust.project import COMMAND, VARIABLE
from toolcrib.server.assembly import chosen_packs, make_chosen
from toolcrib.server.surface import Surface
from toolcrib.settings import PACKS, Settings, load

Level = Literal["ok", "warning", "error"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a person should know."""

    group: str
    level: Level
    text: str
    cure: str | None = None

    @classmethod
    def of(cls, group: str, error: ToolcribError) -> Finding:
        """A finding from an error: place and reason in one line, the way out as the cure."""
        where = f"{error.where}: " if error.where else ""
        why = f" ({error.why})" if error.why else ""
        return cls(group, "error", f"{where}{error.what}{why}", error.next)

    def as_dict(self) -> dict[str, Any]:
        """The same as plain JSON."""
        return {
            "group": self.group,
            "level": self.level,
            "text": self.text,
            "cure": self.cure,
        }


def repository(project: Path) -> list[Finding]:
    """Everything that people wrote for toolcrib in this repository.

    What would go to the log meanwhile is a finding, unless it is one already.
    """
    with collected() as said:
        findings = _repository(project)
    known = "\n".join(finding.text for finding in findings)
    return findings + [Finding("files", "warning", text) for text in said if text not in known]


def _repository(project: Path) -> list[Finding]:
    try:
        settings = load(project)
    except ToolcribError as error:
        return [Finding.of("settings", error)]
    findings = [_settings_finding(settings), *_trust_findings(settings)]
    packs: list[Pack] = []
    for name in _chosen(settings, findings):
        try:
            pack = make_chosen(name, settings)
            pack.survey()
            pack.contribute()
        except (ToolcribError, OSError) as error:
            findings.append(_broken(name, error))
            continue
        packs.append(pack)
    # Served together first: what a pack says of itself may rest on the tools of the others.
    tools = _tool_findings(packs)
    for pack in packs:
        findings += _pack_findings(pack)
    return findings + tools


def running_findings(project: Path) -> list[Finding]:
    """What servers of this project that run now have to say."""
    from toolcrib.server.losses import losses_of

    return [
        Finding(
            "servers",
            "warning",
            f"Tool {tool} hangs in the server with process id {found.pid}: {count} of its threads "
            "are in calls that were given up and never came back",
            "Find out what it waits for; a restart of that server frees them.",
        )
        for found in losses_of(project)
        for tool, count in sorted(found.tools.items())
    ]


def machine_findings() -> list[Finding]:
    """What this installation is made of."""
    import sqlite3  # only to ask for its version

    from toolcrib import __version__
    from toolcrib.search.embedding.model import available

    versions = f"toolcrib {__version__}, Python {platform.python_version()}"
    versions += f", mcp {_version('mcp')}, SQLite {sqlite3.sqlite_version}"
    findings = [Finding("versions", "ok", versions)]
    if not available():
        findings.append(
            Finding(
                "index",
                "warning",
                "search compares meaning by half of its word vectors, without numpy",
                "install toolcrib with its extra: semantic",
            )
        )
    else:
        findings.append(Finding("index", "ok", "search works by words and by meaning"))
    return findings


def sandbox_finding(project: Path) -> Finding:
    """How well this machine can shut commands in; where climax is served, it says so itself."""
    from toolcrib.running.sandbox.ladder import Sandbox  # starts a child to see whether it works

    sandbox = Sandbox("auto", project)
    level = sandbox.level
    if level == "bubblewrap":
        return Finding("sandbox", "ok", "bubblewrap: commands see and write no more than they need")
    meaning = {
        "landlock": "Landlock: commands write only where they may and have no network but by "
        "grant, but see the names of hidden files and other processes",
        "rlimits": "limits alone: commands may read and write wherever you may",
    }
    why = f" ({sandbox.reason})" if sandbox.reason else ""
    text = f"{meaning.get(level, level)}{why}"
    return Finding("sandbox", "warning", text, "install bubblewrap: apt install bubblewrap")


def client_findings(project: Path, machine: Machine) -> list[Finding]:
    """Which clients are here, and whether they know this server."""
    found = registry.found(machine)
    if not found:
        text = "no client was found on this machine"
        return [Finding("clients", "warning", text, "toolcrib install CLIENT, for any client")]
    try:
        settings = load(project)
    except ToolcribError:
        settings = None
    return [_client_finding(client, project, machine, settings) for client in found]


def _looked_at(settings: Settings | None) -> bool | None:
    """Whether a person has trusted this repository; None where it has nothing to be trusted.

    Before that no client is started here: some start the servers that its own files name.
    """
    if settings is None:
        return False
    trust = settings.trust
    if trust is None or trust.everything:
        return True
    if trust.verdict.by == "nothing":
        return None
    return trust.verdict.state == "trusted"


def _client_finding(
    client: ClientProgram, project: Path, machine: Machine, settings: Settings | None
) -> Finding:
    try:
        known = known_entries(client, machine, project)
    except ToolcribError as error:
        return Finding.of("clients", error)
    cure = f"toolcrib install {client.name}"
    if not known:
        return Finding("clients", "warning", f"{client.title} does not know this server", cure)
    for each in known:
        if shutil.which(each.command) is None:
            text = f"{client.title} ({each.where}) starts {each.command}, which is not there"
            return Finding("clients", "error", text, f"{cure} {each.chosen_by}")
    scopes = "; ".join(each.where for each in known)
    usual = settings.server.names if settings is not None else "exact"
    exact = [each for each in known if (each.option("--names") or usual) != "safe"]
    if client.safe_names and exact:
        text = f"{client.title} ({scopes}) needs plain tool names: serve --names safe"
        return Finding("clients", "warning", text, f"{cure} {exact[0].chosen_by}")
    trusted = _looked_at(settings)
    if not (trusted or client.question is None or change.names_only_us(client, machine, project)):
        return _unasked_finding(client, scopes, trusted=trusted)
    return _answer_finding(client, project, machine, known, scopes)


def _unasked_finding(client: ClientProgram, scopes: str, *, trusted: bool | None) -> Finding:
    """Files of the repository may act in the client: only a person starts it here."""
    text = f"{client.title} is configured for this server ({scopes}); it is not asked about it"
    if trusted is not None or client.own is None or client.question is None:
        return Finding("clients", "warning", f"{text} until this repository is trusted", COMMAND)
    # Those files are the client's own: `toolcrib trust` has nothing to show of them.
    cure = " ".join((client.own.program, *client.question.words))
    return Finding(
        "clients", "warning", f"{text}, as it may start what other files here name", cure
    )


def _answer_finding(
    client: ClientProgram,
    project: Path,
    machine: Machine,
    known: Sequence[KnownEntry],
    scopes: str,
) -> Finding:
    """What the client itself says; a tick only where it has the server, or wants nothing more."""
    answer = ask_about(client, machine, project, known)
    step = next_step(client, answer, known[0].scope, known)
    if answer is None:
        text = f"{client.title} is configured for this server ({scopes})"
        if step is None:
            return Finding("clients", "ok", text)
        return Finding("clients", "warning", f"{text}, and cannot be asked about it", step)
    if answer.state == "has":
        return Finding("clients", "ok", f"{client.title} has this server ({scopes})")
    step = step or f"ask it: {client.name}"
    said = {
        "waits": f"is configured for this server ({scopes}), and waits for you",
        "off": f"is configured for this server ({scopes}), but it is disabled there",
        "lacks": f"is configured for this server ({scopes}), but does not list it",
        "fails": f"cannot start this server ({scopes}): {answer.line}",
        "silent": f"is configured for this server ({scopes}), but could not be asked",
    }
    level: Level = "error" if answer.state == "fails" else "warning"
    return Finding("clients", level, f"{client.title} {said[answer.state]}", step)


def _settings_finding(settings: Settings) -> Finding:
    if settings.file is None:
        text = "no toolcrib.toml: everything is found by itself"
        return Finding("settings", "ok", text, "toolcrib init writes one")
    return Finding("settings", "ok", f"{settings.file.name} is read")


def _trust_findings(settings: Settings) -> list[Finding]:
    """Whether everything that acts here is as a person trusted it."""
    trust = settings.trust
    if trust is None or trust.verdict.by == "nothing":
        return []
    if trust.everything:
        text = unquestioned(trust)
        cure = f"unset {VARIABLE}, then {COMMAND}"
        return [] if text is None else [Finding("trust", "warning", text, cure)]
    verdict = trust.verdict
    if verdict.state == "trusted":
        how = {"digest": f" by {VARIABLE}", "paths": " by [trust] paths of your config.toml"}
        return [Finding("trust", "ok", f"trusted{how.get(verdict.by, '')}")]
    files = ", ".join([*(file.path for file in trust.withheld()), *trust.gone()])
    if verdict.foreign is not None:
        return [
            Finding("trust", "warning", f"never trusted: {verdict.foreign}", verdict.foreign.cure)
        ]
    state = "changed since trusted" if verdict.state == "changed" else "not trusted yet"
    return [Finding("trust", "warning", f"{state}: {files}", COMMAND)]


def _chosen(settings: Settings, findings: list[Finding]) -> list[str]:
    try:
        names = chosen_packs(settings, search=True)
    except ToolcribError as error:
        findings.append(Finding.of("settings", error))
        return []
    if not names:
        documents = documentation(settings.project)
        also = f"; {', '.join(documents)} could be" if documents else ""
        findings.append(
            Finding(
                "settings",
                "warning",
                f"nothing here to serve for any of: {', '.join(PACKS)}{also}",
                "toolcrib init" if documents else "toolcrib directive init",
            )
        )
    return names


def _pack_findings(pack: Pack) -> list[Finding]:
    try:
        said = pack.health()
    except (ToolcribError, OSError) as error:
        return [_broken(pack.name, error)]
    levels: dict[str, Level] = {"ok": "ok", "warning": "warning"}
    group = pack.group or pack.name
    found = [Finding(group, levels.get(h.level, "error"), h.text, h.cure) for h in said]
    return found or [Finding(group, "ok", "is served")]


def _tool_findings(packs: list[Pack]) -> list[Finding]:
    try:
        surface = Surface(packs)
    except (ToolcribError, OSError) as error:
        return [_broken("tools", error)]
    refused = [Finding.of("tools", error) for error in surface.catalog.refused]
    listed = len(surface.catalog.listed())
    return [*refused, Finding("tools", "ok", f"{counted(listed, 'tool')} listed")]


def _broken(group: str, error: ToolcribError | OSError) -> Finding:
    if isinstance(error, ToolcribError):
        return Finding.of(group, error)
    return Finding(group, "error", f"{error.strerror or 'cannot be read'}: {error.filename}")


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "missing"
