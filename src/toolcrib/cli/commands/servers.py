"""Other MCP servers behind this one: list, add, remove, look at what changed.

examples:
  toolcrib servers list                              what there is, and how it is
  toolcrib servers add time -- uvx mcp-server-time   in your own file; --project: in the repo's
  toolcrib servers refresh                           ask each of them what it has
  toolcrib servers approve github                    look at what has changed, and take it
  toolcrib servers logs github                       what it wrote to its standard error
  toolcrib servers lock                              write mcp/servers.lock for review
  toolcrib servers login linear                      log in at a remote server
"""

from __future__ import annotations

import argparse
import asyncio
import difflib
import json
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toolcrib.cli.terminal import console
from toolcrib.cli.terminal.parser import Parser
from toolcrib.core.errors import ConfigError, Place, ToolcribError, UsageError
from toolcrib.core.support.suggest import did_you_mean
from toolcrib.core.support.wording import counted

if TYPE_CHECKING:
    from toolcrib.packs.gateway.pack import GatewayPack, ServersFile
    from toolcrib.packs.gateway.servers import Servers, State

LOCK = "mcp/servers.lock"
_PERSONAL = ("add", "remove", "lock", "login")


def add(parser: argparse.ArgumentParser) -> None:
    """The actions."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    actions.add_parser("list", help="list the servers, and how each is")
    adding = actions.add_parser("add", help="add a server")
    adding.add_argument("name", nargs="?", metavar="NAME")
    adding.add_argument("-e", "--env", action="append", default=[], metavar="K=V", help="variable")
    adding.add_argument("--url", metavar="U", help="a remote server instead of a command")
    adding.add_argument(
        "--from", dest="source", metavar="FILE", help="a registry's server.json, or an .mcpb bundle"
    )
    adding.add_argument(
        "--input", action="append", default=[], metavar="ID=VALUE", help="what --from asks for"
    )
    adding.add_argument(
        "--project", action="store_true", dest="shared", help="into the repo's file"
    )
    adding.add_argument("words", nargs="*", metavar="COMMAND", help="the command, after --")
    if isinstance(adding, Parser):
        adding.rest = "words"
    removing = actions.add_parser("remove", help="remove a server")
    removing.add_argument("name", metavar="NAME")
    approving = actions.add_parser("approve", help="look at what changed, and take it")
    approving.add_argument("name", metavar="NAME")
    approving.add_argument("--tool", metavar="T", help="only this tool")
    approving.add_argument("--yes", action="store_true", help="do not ask")
    refreshing = actions.add_parser("refresh", help="ask servers what they have")
    refreshing.add_argument("names", nargs="*", metavar="NAME")
    logging = actions.add_parser("logs", help="the end of what a server wrote to standard error")
    logging.add_argument("name", metavar="NAME")
    locking = actions.add_parser("lock", help="write mcp/servers.lock")
    logging_in = actions.add_parser("login", help="log in at a remote server")
    logging_in.add_argument("name", metavar="NAME")
    logging_in.add_argument("--no-browser", action="store_true", help="print the address alone")
    for personal in (adding, removing, locking, logging_in):
        personal.add_argument("--yes", action="store_true", help="without a terminal")
    logging_out = actions.add_parser("logout", help="forget the login at a remote server")
    logging_out.add_argument("name", metavar="NAME")


def run(args: argparse.Namespace) -> int:
    """Run one action; what changes which servers there are is for a person."""
    if args.action in _PERSONAL:
        from toolcrib.cli.terminal.person import require_person

        alone = args.yes or getattr(args, "no_browser", False)
        require_person(f"toolcrib servers {args.action}", yes=alone)
    if args.action in ("add", "remove"):
        from toolcrib.cli.terminal.trusting import trusting_what_is_written

        files = _repo_files(args) if args.action == "remove" or args.shared else []
        with trusting_what_is_written(
            args.project, *(f"{each.shown}/{args.name}" for each in files)
        ):
            return _ACTIONS[args.action](args)
    return _ACTIONS[args.action](args)


def _pack(args: argparse.Namespace) -> GatewayPack:
    from toolcrib.packs.gateway.pack import GatewayPack
    from toolcrib.server.assembly import make_pack
    from toolcrib.settings import load

    pack = make_pack("gateway", load(args.project))
    assert isinstance(pack, GatewayPack)  # noqa: S101 - that is what was asked for
    return pack


def _repo_files(args: argparse.Namespace) -> list[ServersFile]:
    """The files of the repository that name servers; the last one counts most."""
    return [file for file in _pack(args).files if file.source == "repo"]


def _known(pack: GatewayPack, name: str) -> None:
    if name in pack.servers.entries:
        return
    if name in pack.withheld:
        raise UsageError(
            f"Server {name!r} is withheld: {pack.withheld[name]}", next="toolcrib trust"
        )
    if name in pack.disabled:
        raise UsageError(f"Server {name!r} is disabled in its entry")
    hint = did_you_mean(name, pack.servers.entries)
    raise UsageError(f"There is no server {name!r}{hint}", next="See: toolcrib servers list")


def _list(args: argparse.Namespace) -> int:
    pack = _pack(args)
    rows = [_row(pack.servers, name) for name in pack.servers.entries]
    rows += [_unused(pack, name, "untrusted") for name in pack.withheld]
    rows += [_unused(pack, name, "unavailable: disabled in its entry") for name in pack.disabled]
    rows.sort(key=lambda row: str(row["name"]))

    def text() -> str:
        none = "No servers. Add one: toolcrib servers add NAME -- COMMAND"
        return "\n".join(map(_line, rows)) or none

    console.emit({"servers": rows}, text, args)
    return 0


def _line(row: Mapping[str, Any]) -> str:
    """A row for a terminal; era and age are of what is known of the server."""
    number, _, noun = counted(row["tools"], "tool").partition(" ")
    about = f"{row['name']:<20} {row['kind']:<6} {row['source']:<5} {number:>5} {noun:<5}"
    known = f"  ({row['era']}, seen {_age(row['catalogue_age_s'])} ago)" if row["era"] else ""
    return f"{about}  {row['state']}{known}"


def _age(seconds: int) -> str:
    """A time in its largest unit: `3 h`."""
    for unit, size in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds // size} {unit}"
    return f"{max(0, seconds)} s"


def _row(servers: Servers, name: str) -> dict[str, Any]:
    state = servers.state(name)
    catalogue = state.catalogue
    return {
        "name": name,
        "kind": state.entry.kind,
        "source": state.entry.source,
        "tools": len(catalogue.tools) if catalogue is not None else 0,
        "state": _state_word(servers, state),
        "era": catalogue.era if catalogue is not None else None,
        "catalogue_age_s": round(time.time() - catalogue.time) if catalogue is not None else None,
    }


def _state_word(servers: Servers, state: State) -> str:
    """How a server is, in a word or two; nothing is started to find out."""
    noted = servers.catalogues.noted(state.entry)
    if noted.fault is not None:
        return f"unavailable: {noted.fault}"
    if state.catalogue is None:
        return "not seen yet: toolcrib servers refresh"
    if state.held.unreadable:
        return "held: its pins or the lock cannot be read"
    if len(state.held):
        return f"held {len(state.held)}"
    return "ready" if noted.up else "asleep"


def _unused(pack: GatewayPack, name: str, state: str) -> dict[str, Any]:
    """The row of a server that may not be used: nothing is known of it."""
    entry = next(entry for entry in pack.read.entries if entry.name == name)
    row: dict[str, Any] = {"name": name, "kind": entry.kind, "source": entry.source, "tools": 0}
    return {**row, "state": state, "era": None, "catalogue_age_s": None}


def _refresh(args: argparse.Namespace) -> int:
    pack = _pack(args)
    for name in args.names:
        _known(pack, name)
    failed = asyncio.run(_refreshed(pack, args.names or sorted(pack.servers.entries)))
    rows = [_row(pack.servers, name) for name in args.names or sorted(pack.servers.entries)]

    def text() -> str:
        lines = [f"{row['name']}: {failed.get(row['name']) or counted(row['tools'], 'tool')}"
                 for row in rows]  # fmt: skip
        lines += [f"{row['name']}: {row['state']}: toolcrib servers approve {row['name']}"
                  for row in rows if row["state"].startswith("held")]  # fmt: skip
        if not args.names:
            lines += [f"{name}: not trusted yet: toolcrib trust" for name in pack.withheld]
        return "\n".join(lines) or "No servers."

    console.emit({"servers": rows, "failed": failed}, text, args)
    return 1 if failed else 0


async def _refreshed(pack: GatewayPack, names: list[str]) -> dict[str, str]:
    failed: dict[str, str] = {}
    gate = asyncio.Semaphore(4)

    async def one(name: str) -> None:
        async with gate:
            try:
                await pack.servers.refresh(name)
            except ToolcribError as error:
                failed[name] = str(error)

    try:
        await asyncio.gather(*map(one, names))
    finally:
        await pack.close()
    return failed


def _approve(args: argparse.Namespace) -> int:
    pack = _pack(args)
    servers = pack.servers
    _known(pack, args.name)
    state = servers.state(args.name)
    if state.catalogue is None:
        raise UsageError(f"Server {args.name!r} was not seen yet",
                         next=f"toolcrib servers refresh {args.name}")  # fmt: skip
    from toolcrib.packs.gateway.pins import definitions

    now = definitions(state.catalogue)
    wanted = sorted(now) if state.held.unreadable else sorted(state.held.names)
    if args.tool is not None:
        if args.tool not in state.catalogue.names:
            hint = did_you_mean(args.tool, sorted(state.catalogue.names))
            raise UsageError(f"Server {args.name!r} has no tool {args.tool!r}{hint}")
        wanted = [name for name in wanted if name == f"tool {args.tool}"]
    if not wanted:
        console.emit({"approved": []}, "Nothing is held.", args)
        return 0
    key = servers.catalogues.key(state.entry)
    others = [tool for other in servers.entries if other != args.name
              for tool in _tool_names(servers, other)]  # fmt: skip
    if not args.json:
        console.say(_difference(servers, key, now, wanted, others))
    locked = servers.against_lock(state.entry, state.catalogue)
    if locked is None or not locked.isdisjoint(wanted):
        raise ConfigError(
            "The lock of the repository says otherwise",
            where=Place(LOCK),
            why="what does not match it is held even if approved",
            next="Review it and write it anew: toolcrib servers lock",
        )
    if not _ask_person(args):
        return 1
    servers.pins.put(key, state.catalogue, wanted)
    console.emit({"approved": wanted}, f"Taken: {', '.join(wanted)}", args)
    return 0


def _tool_names(servers: Servers, name: str) -> list[str]:
    catalogue = servers.state(name).catalogue
    return sorted(catalogue.names) if catalogue is not None else []


def _ask_person(args: argparse.Namespace) -> bool:
    from toolcrib.cli.terminal.person import require_person

    require_person("Approving a server's changes", yes=args.yes)
    return console.confirm("Take these changes?", assume_yes=args.yes)


def _difference(
    servers: Servers, key: str, now: Mapping[str, Any], wanted: list[str], others: list[str]
) -> str:
    from toolcrib.packs.gateway.texts import suspicions, visible

    try:
        pins = servers.pins.get(key)
    except (OSError, ValueError):
        pins = None
    lines: list[str] = []
    for name in wanted:
        before = pins.copies.get(name) if pins is not None else None
        old, new = ([] if value is None else _lines(value) for value in (before, now.get(name)))
        diff = difflib.unified_diff(old, new, f"{name}, as taken", f"{name}, now", lineterm="")
        lines += [visible(line) for line in diff]
        words = json.dumps(now.get(name), ensure_ascii=False)
        foreign = [other for other in others if name != f"tool {other}"]
        lines += [f"warning: {name} {why}" for why in suspicions(words, foreign)]
    return "\n".join(lines)


def _lines(value: Any) -> list[str]:
    if isinstance(value, str):
        return value.splitlines()
    return json.dumps(value, indent=2, ensure_ascii=False, sort_keys=True).splitlines()


def _logs(args: argparse.Namespace) -> int:
    pack = _pack(args)
    _known(pack, args.name)
    text = pack.servers.catalogues.log(pack.servers.entries[args.name])
    shown = (text or "").rstrip() or "(it has written nothing yet)"
    console.emit({"log": text or ""}, shown, args)
    return 0


def _lock(args: argparse.Namespace) -> int:
    from toolcrib.files.root import Root
    from toolcrib.files.writing import write_file
    from toolcrib.packs.gateway.pins import written_lock

    pack = _pack(args)
    servers = pack.servers
    if pack.withheld:  # a lock without them would hold all that they have, for everybody
        raise UsageError(f"Not trusted yet: {', '.join(pack.withheld)}", next="toolcrib trust")
    own = [name for name, entry in servers.entries.items() if entry.source == "repo"]
    if not own:  # a lock of nothing would hold whatever is added later
        raise UsageError("The repository has no servers to lock",
                         next="toolcrib servers add NAME --project -- COMMAND…")  # fmt: skip
    states = {name: servers.state(name) for name in own}
    missing = [name for name, state in states.items() if state.catalogue is None]
    if missing:
        raise UsageError(f"Not seen yet: {', '.join(missing)}", next="toolcrib servers refresh")
    found = {name: state.catalogue for name, state in states.items() if state.catalogue is not None}
    write_file(Root(args.project), LOCK, written_lock(found))
    held = [name for name in sorted(own) if len(servers.held(servers.entries[name], found[name]))]

    def text() -> str:
        unseen = [f"{name}: not looked at yet: toolcrib servers approve {name}" for name in held]
        return "\n".join([f"Wrote {LOCK} for {', '.join(own)}", *unseen])

    console.emit({"lock": LOCK, "servers": own, "held": held}, text, args)
    return 0


def _add(args: argparse.Namespace) -> int:
    from toolcrib.packs.gateway.entries import check_name

    if args.source is not None:
        return _add_described(args)
    problem = check_name(args.name or "")
    if problem is not None:
        raise UsageError(problem)
    if bool(args.url) == bool(args.words):
        raise UsageError("Name either a command after -- or --url",
                         next="toolcrib servers add NAME -- COMMAND…")  # fmt: skip
    entry: dict[str, Any] = {"url": args.url} if args.url else {"command": args.words[0]}
    if args.words[1:]:
        entry["args"] = args.words[1:]
    if args.env:
        entry["env"] = dict(_pair(word) for word in args.env)
    file = _target(args)
    _edit(file, lambda text, name: _with(text, args.name, entry, name))
    console.emit({"added": args.name, "file": str(file)}, f"Added {args.name} to {file}", args)
    return 0


def _add_described(args: argparse.Namespace) -> int:
    """Add a server that a file describes; what it asks for comes from --input or a person."""
    from toolcrib.cli.adoption.adding import add_described

    if args.url or args.words or args.env:
        raise UsageError("--from says how the server is started: no command, --url or -e besides")
    file = _target(args)
    name = add_described(args, file, lambda text, name, entry: _with(text, name, entry, str(file)))
    console.emit({"added": name, "file": str(file)}, f"Added {name} to {file}", args)
    return 0


def _remove(args: argparse.Namespace) -> int:
    from toolcrib.files import jsonc

    pack = _pack(args)
    for file in reversed([each.path for each in pack.files]):  # the one that counts comes first
        if not file.exists():
            continue
        text = _text_of(file)
        path = [_top(text), args.name]
        if args.name in _listed(text, str(file)):
            _edit(file, lambda text, name, path=path: jsonc.remove_member(text, path, name))
            console.emit({"removed": args.name}, f"Removed {args.name} from {file}", args)
            return 0
    raise UsageError(f"There is no server {args.name!r}", next="See: toolcrib servers list")


def _listed(text: str, file: str) -> Mapping[str, Any]:
    """The entries of a file, whether they can be used or not."""
    from toolcrib.files import jsonc

    found = jsonc.load(text, file) if text.strip() else {}
    servers = found.get(_top(text), {}) if isinstance(found, dict) else None
    if not isinstance(servers, dict):
        raise ConfigError(
            "This is no file of servers", where=Place(file),
            next='It looks like {"mcpServers": {"name": {"command": "program"}}}.',
        )  # fmt: skip
    return servers


def _top(text: str) -> str:
    """The key that a file has its servers under."""
    from toolcrib.files import jsonc

    found = jsonc.load(text) if text.strip() else {}
    known = found if isinstance(found, dict) else {}
    return "servers" if "servers" in known and "mcpServers" not in known else "mcpServers"


def _text_of(file: Path) -> str:
    """What is in a file of servers; nothing for one that is not there."""
    try:
        return file.read_text(encoding="utf-8") if file.exists() else ""
    except UnicodeDecodeError as error:
        what = f"This is not UTF-8 text: {error.reason}"
        raise ConfigError(what, where=Place(str(file))) from error


def _with(text: str, name: str, entry: Mapping[str, Any], file: str) -> str:
    from toolcrib.files import jsonc

    top = _top(text)
    if name in _listed(text, file):
        raise UsageError(f"There is a server {name!r} already in {file}",
                         next=f"toolcrib servers remove {name}")  # fmt: skip
    return jsonc.set_member(text, [top, name], dict(entry), file)


def _target(args: argparse.Namespace) -> Path:
    from toolcrib.packs.gateway.settings import user_file

    if args.shared:
        return _repo_files(args)[-1].path
    file = user_file()
    if file is None:
        raise UsageError("There is no home folder to keep the file in")
    return file


def _edit(file: Path, change: Callable[..., str]) -> None:
    """Change a file of servers: whole or not at all, with the mode that it had."""
    from toolcrib.files.private import private_folder, write_private
    from toolcrib.packs.gateway.settings import user_file

    own, shown = file == user_file(), str(file)
    if own:
        file = file.resolve()  # a link to where a person keeps such files stays one
    text = _text_of(file)
    mode = file.stat().st_mode & 0o777 if file.exists() else (0o600 if own else 0o644)
    changed = change(text, shown)
    if own:
        private_folder(file.parent)
    else:
        file.parent.mkdir(parents=True, exist_ok=True)
    write_private(file, changed.encode())
    file.chmod(mode)


def _pair(word: str) -> tuple[str, str]:
    name, equals, value = word.partition("=")
    if not (name and equals):
        raise UsageError(f"-e {word}: must be NAME=VALUE")
    return name, value


def _login(args: argparse.Namespace) -> int:
    from toolcrib.cli.terminal.logins import log_in

    pack = _pack(args)
    _known(pack, args.name)
    return log_in(pack, args)


def _logout(args: argparse.Namespace) -> int:
    from toolcrib.cli.terminal.logins import log_out

    pack = _pack(args)
    _known(pack, args.name)
    return log_out(pack, args)


_ACTIONS: Mapping[str, Callable[[argparse.Namespace], int]] = {
    "list": _list,
    "add": _add,
    "remove": _remove,
    "approve": _approve,
    "refresh": _refresh,
    "logs": _logs,
    "lock": _lock,
    "login": _login,
    "logout": _logout,
}
