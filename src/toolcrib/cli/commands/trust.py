"""Look at what this repository would do, and trust it: then, and not before, it acts.

What was shown is what is trusted, by its content; a later change waits until somebody has looked
again. Documents, prompts and search need nobody's trust.

examples:
  toolcrib trust                  what is new, what it could do, and a question
  toolcrib trust --diff           every line of it
  toolcrib trust --list           the files that act, with their digests
  toolcrib trust --check          exit code 0 if all is trusted, 1 if not
  toolcrib trust --digest         for TOOLCRIB_TRUST=<digest>, where nobody can be asked
  toolcrib trust --follow         trust each change as it is made, while you write your own tools
  toolcrib trust --revoke         forget everything that was trusted here
"""

from __future__ import annotations

import argparse
from pathlib import Path

from toolcrib.cli.terminal import console, trusting
from toolcrib.cli.terminal.person import require_person
from toolcrib.cli.terminal.recording import note, recording, user
from toolcrib.core.errors import ToolcribError, UsageError
from toolcrib.policy.trust.project import Trust
from toolcrib.policy.trust.records import Records, forget_absent
from toolcrib.settings import find_project, open_trust

_ACTIONS = {
    "list": "list the files that act, with their digests",
    "diff": "show every line that is not as it was trusted",
    "check": "exit code 0 if everything is trusted, 1 if not",
    "digest": "print the digest of what is here, for TOOLCRIB_TRUST",
    "revoke": "forget everything that was trusted here",
    "prune": "forget older versions, and repositories that are gone",
    "follow": "trust each change as it is made, shown, until Ctrl-C",
}


def add(parser: argparse.ArgumentParser) -> None:
    """The options of `trust`."""
    parser.add_argument("path", nargs="?", type=Path, metavar="PATH", help="the repo")
    chosen = parser.add_mutually_exclusive_group()
    for name, summary in _ACTIONS.items():
        chosen.add_argument(
            f"--{name}", dest="action", action="store_const", const=name, help=summary
        )
    parser.add_argument("--yes", "-y", action="store_true", help="do not ask")


def run(args: argparse.Namespace) -> int:
    """Do what was asked for."""
    if args.path is not None:
        if not args.path.is_dir():
            raise UsageError(f"{args.path}: no such folder")
        args.project = find_project(args.path)
    trust = open_trust(args.project)
    actions = {
        None: _trust,
        "list": _list,
        "diff": _diff,
        "check": _check,
        "digest": _digest,
        "revoke": _revoke,
        "prune": _prune,
        "follow": _follow,
    }
    return actions[args.action](trust, args)


def _trust(trust: Trust, args: argparse.Namespace) -> int:
    require_person("toolcrib trust", yes=args.yes)
    outcome = trusting.ask(trust, yes=args.yes, quiet=args.json)
    value = {"state": trust.state, "digest": trust.verdict.present.content.digest}
    if args.json:
        console.emit({**value, "trusted": outcome}, "", args)
    return 0 if outcome else 1


def _list(trust: Trust, args: argparse.Namespace) -> int:
    files = trust.verdict.present.content.files
    value = [{"path": each.path, "kind": each.kind, "digest": each.digest} for each in files]
    text = "\n".join(f"{each.path}  {each.digest}" for each in files)
    console.emit(value, text or "Nothing here acts.", args)
    return 0


def _diff(trust: Trust, args: argparse.Namespace) -> int:
    from toolcrib.policy.trust.changes import changes_of

    found = changes_of(trust)
    value = [{"path": each.path, "diff": each.diff} for each in found]
    text = "\n".join(trusting.coloured(each.diff) for each in found)
    console.emit(value, text or "Everything is as it was trusted.", args)
    return 0


def _check(trust: Trust, args: argparse.Namespace) -> int:
    verdict = trust.verdict
    waiting = [file.path for file in trust.withheld()]
    value = {
        "state": verdict.state,
        "by": verdict.by,
        "digest": verdict.present.content.digest,
        "withheld": waiting,
    }
    shown = f"{verdict.state}: {', '.join(waiting)}" if waiting else verdict.state
    if verdict.foreign is not None:
        shown = f"{verdict.state}: {verdict.foreign}"
    console.emit(value, shown, args)
    return 0 if verdict.state == "trusted" else 1


def _digest(trust: Trust, args: argparse.Namespace) -> int:
    digest = trust.verdict.present.content.digest
    console.emit({"digest": digest}, digest, args)
    return 0


def _revoke(trust: Trust, args: argparse.Namespace) -> int:
    records = _records(trust)
    names = records.names()
    # Opened before: a place to write that only the record allowed is gone with it.
    with recording(args.project) as record:
        count = records.forget(names)
        if record is not None and count:
            record.event("revoke", by=user(), trust=names)
    text = f"Forgotten: {count} trusted version{'s' * (count != 1)} of {args.project}"
    console.emit({"forgotten": count}, text, args)
    return 0


def _prune(trust: Trust, args: argparse.Namespace) -> int:
    records = _records(trust)
    present = trust.verdict.present.content.digest
    kept = present if present in records.names() else next(iter(records.names()), None)
    older = [name for name in records.names() if name != kept]
    count = records.forget(older)
    if count:
        note(args.project, "revoke", trust=older)
    gone = forget_absent()
    text = f"Forgotten: {count} older versions here, and {gone} repositories that are gone"
    console.emit({"versions": count, "repositories": gone}, text, args)
    return 0


def _follow(trust: Trust, args: argparse.Namespace) -> int:
    from toolcrib.cli.terminal.following import follow

    require_person("toolcrib trust --follow", yes=args.yes)
    return follow(trust, yes=args.yes)


def _records(trust: Trust) -> Records:
    if trust.records is None:
        raise ToolcribError("There is no folder for trust records", why=trust.problem)
    return trust.records
