"""Add a server that a file describes, with its secrets in files of the user."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from toolcrib.cli.adoption.described import Want, described
from toolcrib.cli.adoption.edits import ValueEdit, applied
from toolcrib.cli.adoption.literals import KeptSecrets, without_literals
from toolcrib.cli.adoption.translation import Translation
from toolcrib.cli.editing.whole import read_text, real_path, write_text
from toolcrib.cli.terminal.person import at_terminal
from toolcrib.core.errors import UsageError
from toolcrib.core.support.folders import config_folder, state_folder
from toolcrib.files.private import private_folder, write_private
from toolcrib.packs.gateway.entries import check_name

Write = Callable[[str, str, Mapping[str, Any]], str]
"""From the text of a file of servers, a name and an entry to the text with that entry."""


def add_described(args: argparse.Namespace, file: Path, write: Write) -> str:
    """Write the entry of a described server into a file of servers; returns its name."""
    given = dict(_pair(word) for word in args.input)
    state = state_folder()
    found = described(Path(args.source), state / "bundles", lambda want: _asked(want, given))
    name = args.name or found.name
    problem = check_name(name)
    if problem is not None:
        raise UsageError(problem)
    kept = KeptSecrets(state / "secrets", _mapped())
    entry = without_literals(name, Translation(found.entry, found.private), kept)
    text = write(read_text(file) or "", name, entry)
    _keep(kept)
    fresh = not file.exists()
    write_text(real_path(file), text, 0o600 if fresh and not args.shared else None)
    return str(name)


def _keep(kept: KeptSecrets) -> None:
    """Write new secrets, and where they are, into files of the user."""
    if not kept.values:
        return
    private_folder(kept.folder)
    for name, value in kept.values.items():
        write_private(kept.file(name), value.encode())
    config = config_folder() / "config.toml"
    old = read_text(config)
    edits = [
        ValueEdit(("secrets", name), None, {"file": str(kept.file(name))}) for name in kept.values
    ]
    new = applied(old or "", "toml", edits, str(config))
    write_text(real_path(config), new, 0o600 if old is None else None)


def _mapped() -> Mapping[str, Any]:
    from toolcrib.policy.person import load_person

    return load_person().user.tables.get("secrets", {})


def _asked(want: Want, given: Mapping[str, str]) -> str | None:
    if want.id in given:
        return given[want.id]
    if not want.required or not at_terminal():
        return None
    import getpass

    question = f"{want.about} ({want.id}): "
    return (getpass.getpass(question) if want.secret else input(question)) or None


def _pair(word: str) -> tuple[str, str]:
    name, equals, value = word.partition("=")
    if not (name and equals):
        raise UsageError(f"--input {word}: must be ID=VALUE")
    return name, value
