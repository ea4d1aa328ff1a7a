"""Find what this repository has for agents, and write a commented toolcrib.toml.

Nothing in the file is required: it shows every setting with its default, ready to be changed.
The clients found on this machine are offered; at a terminal you are asked for each.

examples:
  toolcrib init
  toolcrib init --dry-run        print the file, write nothing
  toolcrib init --yes            and register with every client found here
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

from toolcrib.cli.clients import change, registry
from toolcrib.cli.clients.client import ClientProgram
from toolcrib.cli.clients.entry import DEFAULT_NAME
from toolcrib.cli.clients.machine import Machine
from toolcrib.cli.commands.install import carry_out
from toolcrib.cli.terminal import console
from toolcrib.cli.terminal.trusting import trusting_what_is_written
from toolcrib.core.errors import ConfigError, ToolcribError
from toolcrib.server.record import AUTO, automatic_file
from toolcrib.settings import FILE, PACKS, HttpSettings, ServerSettings, detect, pack_settings

_HEAD = """\
# toolcrib.toml: what this repository hands to coding agents.
#
# Everything here can be left out. A line that begins with "#" shows a default; take the "#" away
# to change it. `toolcrib validate` checks this file, `toolcrib list` shows what is served.
"""

_LARGEST = 1024 * 1024


@dataclasses.dataclass(frozen=True, slots=True)
class FoundFiles:
    """What is in the repository: the packs with something to serve, and files worth naming."""

    packs: dict[str, list[str]]
    configs: list[str]
    policy: str | None
    modules: list[str]


def add(parser: argparse.ArgumentParser) -> None:
    """The options of `init`."""
    parser.add_argument("--dry-run", action="store_true", help="print the file, write nothing")
    parser.add_argument("--force", action="store_true", help="replace an existing toolcrib.toml")
    parser.add_argument(
        "--yes", "-y", action="store_true", help="register with every client found here"
    )


def run(args: argparse.Namespace) -> int:
    """Look around, write the file, offer the clients."""
    found = look(args.project)
    text = render(found)
    if args.dry_run:
        console.emit(_report(found, [], text), text.rstrip("\n"), args)
        return 0
    with trusting_what_is_written(args.project, FILE):
        _write(args.project / FILE, text, force=args.force)
    machine = Machine.here(args.project)
    clients = registry.found(machine)
    if not args.json:
        console.say(_told(found))
        console.say(f"Calls are recorded in {automatic_file(args.project)}: toolcrib dashboard")
    told = [client.name for client in clients if _offer(client, machine, args)]
    if args.json:
        console.emit(_report(found, told, text), "", args)
    else:
        console.say(_next_steps(found, [c for c in clients if c.name not in told]))
    return 0


def look(project: Path) -> FoundFiles:
    """Find out what the repository has."""
    from toolcrib.packs.climax.config.sources import shown_path, sources
    from toolcrib.packs.climax.settings import ClimaxSettings
    from toolcrib.packs.guide.settings import documentation
    from toolcrib.policy.repository.places import only_policy

    references, policies = sources(project, ClimaxSettings())
    configs, policy = list(references), only_policy(policies, project)
    packs = {name: _signs(name, project) for name in PACKS if detect(name, project, search=True)}
    if "climax" in packs:
        packs["climax"] = configs
    documents = documentation(project)
    if not packs and documents:
        # By themselves they bring nothing into use; who writes a file of settings wants it.
        packs["guide"] = documents
    named = shown_path(policy, project) if policy else None
    return FoundFiles(packs, configs, named, _modules(project))


def _signs(name: str, project: Path) -> list[str]:
    """What of the repository a pack serves, as a person recognises it."""
    telling = getattr(import_module(f"toolcrib.packs.{name}.settings"), "signs", None)
    return list(telling(project)) if telling is not None else []


def _modules(project: Path) -> list[str]:
    """Python files in tools/ that declare tools: only suggested, because naming one runs it."""
    from toolcrib.files.root import Root

    found = []
    root = Root(project)
    for file in root.walk("tools", suffixes=(".py",), limit=100):
        try:
            data = root.read(file.path, cap=_LARGEST).data
        except ToolcribError:
            continue
        if b"from toolcrib import" in data:
            found.append(file.path)
    root.close()
    return found


def render(found: FoundFiles) -> str:
    """The text of a `toolcrib.toml` in which every setting is explained."""
    given: dict[str, dict[str, Any]] = {"server": {"audit": AUTO}}
    suggested = {"custom": {"modules": found.modules}} if found.modules else {}
    if found.configs:
        given["climax"] = {"configs": found.configs}
        if found.policy:
            given["climax"]["policy"] = found.policy
        given["climax"]["approve"] = "destructive"
    parts = [_HEAD]
    for name, kind in _sections():
        used = name in found.packs or name in ("server", "http")
        heading = f"[{name}]" if used else f"# [{name}]"
        lines = _lines(kind, given.get(name, {}), suggested.get(name, {}))
        parts.append("\n".join([heading, *lines]) + "\n")
    return "\n".join(parts)


def _sections() -> Iterable[tuple[str, type[Any]]]:
    yield "server", ServerSettings
    for name in PACKS:
        yield name, pack_settings(name)
    yield "http", HttpSettings


def _lines(kind: type[Any], given: dict[str, Any], suggested: dict[str, Any]) -> Iterable[str]:
    for each in dataclasses.fields(kind):
        yield f"# {each.metadata.get('doc', each.name)}"
        if each.name in given:
            yield f"{each.name} = {_toml(given[each.name])}"
        else:
            yield f"# {each.name} = {_toml(suggested.get(each.name, _default(each)))}"


def _default(each: dataclasses.Field[Any]) -> Any:
    if each.default_factory is not dataclasses.MISSING:
        return each.default_factory()
    return {} if "Mapping" in str(each.type) else each.default


def _toml(value: Any) -> str:
    """A default as TOML writes it; one that is not set at all is shown as an empty string."""
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(_toml(item) for item in value)}]"
    return json.dumps("" if value is None else value, ensure_ascii=False)


def _write(file: Path, text: str, *, force: bool) -> None:
    if file.exists() and not force:
        raise ConfigError(
            f"{file.name} is there already",
            next="Look at it with `toolcrib validate`, or replace it with `toolcrib init --force`.",
        )
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"{file.name} cannot be written", why=error.strerror) from error


def _offer(client: ClientProgram, machine: Machine, args: argparse.Namespace) -> bool:
    """Ask about one client, and tell it if the answer is yes."""
    scope = client.scopes[0]
    asked = not args.json and sys.stdin.isatty()
    if not (args.yes or asked):
        return False
    if not console.confirm(f"Tell {client.title} about this server ({scope})?", args.yes):
        return False
    try:
        entry = change.entry_for(client, scope, args.project, DEFAULT_NAME)
        plan = change.plan_install(client, machine, args.project, scope, entry)
        carry_out(plan, machine, argparse.Namespace(**{**vars(args), "dry_run": False}))
    except ToolcribError as error:
        console.complain(error, as_json=False)
        return False
    return True


def _report(found: FoundFiles, told: list[str], text: str) -> dict[str, Any]:
    return {"file": FILE, "packs": found.packs, "clients": told, "text": text}


def _told(found: FoundFiles) -> str:
    lines = [f"{console.style('✓', 'green')} wrote {FILE}"]
    for name, signs in found.packs.items():
        lines.append(f"  {name}: {', '.join(signs) or 'found'}")
    if not found.packs:
        lines.append("  nothing to serve yet; `toolcrib directive init` is a good beginning")
    return "\n".join(lines)


def _next_steps(found: FoundFiles, clients: list[ClientProgram]) -> str:
    lines = ["", "Next:"]
    if "directive" not in found.packs:
        lines.append("  toolcrib directive init      templates for working spec-first")
    lines.append("  toolcrib list                see what is served")
    names = [client.name for client in clients] or ["claude-code"]
    lines += [f"  toolcrib install {name}" for name in names]
    return "\n".join(lines)
