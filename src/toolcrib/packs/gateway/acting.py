"""The acting files of this pack: each server that the repository names, entry by entry."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from toolcrib.packs.gateway.entries import Entry, read_servers
from toolcrib.packs.gateway.settings import REPO_FILE, GatewaySettings
from toolcrib.policy.trust.acting import SERVER, ActingFile, code_file
from toolcrib.policy.trust.project import Known
from toolcrib.policy.trust.scripts import named_paths, script_files

_HERE = "${workspaceFolder}"


def acting_files(project: Path, settings: GatewaySettings, known: Known) -> list[ActingFile]:
    """The repository's entries as they are now; a file that cannot be read has none."""
    found: list[ActingFile] = []
    for name in settings.configs or (REPO_FILE,):
        path = project / name
        if path.is_file():
            read = read_servers(path, name, "repo", project)
            found += [entry_file(entry) for entry in read.entries]
            paths = [path for entry in read.entries for path in script_paths(entry, project)]
            found += script_files(dict.fromkeys(paths), project)
    return found


def script_paths(entry: Entry, project: Path) -> list[str]:
    """The paths below the project in the command line of an entry."""
    words = [entry.command, *entry.args] if entry.kind == "stdio" else []
    here = [word.replace(_HERE, str(project)) for word in words]
    folder = entry.cwd.replace(_HERE, str(project)) if entry.cwd else None
    return named_paths(here, project, folder)


def entry_file(entry: Entry) -> ActingFile:
    """One entry as a file of its own: comments, order and other entries do not count."""
    return code_file(entry_path(entry), SERVER, entry_data(entry))


def entry_path(entry: Entry) -> str:
    """What a record calls an entry."""
    return f"{entry.file}/{entry.name}"


def entry_data(entry: Entry) -> bytes:
    """What counts of an entry."""
    return json.dumps(entry.written, indent=2, sort_keys=True, ensure_ascii=False).encode()


def describe(file: ActingFile) -> list[str]:
    """What a server of this pack is able to do, in words."""
    if file.kind != SERVER:
        return []
    written = json.loads(file.data)
    if "url" in written:
        return [f"connects to {written['url']}"]
    words = " ".join([str(written.get("command")), *map(str, written.get("args", ()))])
    lines = [f"starts {words} with {_network(written.get('network', 'none'))}"]
    lines += [f"reads {each}" for each in written.get("reads", ())]
    lines += [f"writes {each}" for each in written.get("writes", ())]
    lines += [f"connects to the socket {each}" for each in written.get("sockets", ())]
    if written.get("sandbox") == "off":
        lines.append("runs it without a sandbox")
    gets = _network(written.get("network", "none"))
    lines.append(f"code of this repo that is not compared gets: {gets}")
    names = _variables(written.get("env", {}))
    return lines + [f"wants ${name}" for name in names]


def _network(word: Any) -> str:
    if isinstance(word, list):
        return f"network to {', '.join(map(str, word))}"
    return {"none": "no network", "public": "network to any public host"}.get(word, "full network")


def _variables(env: Any) -> list[str]:
    import re

    texts = [str(value) for value in env.values()] if isinstance(env, dict) else []
    found = [re.findall(r"\$\{(?:env:)?([A-Za-z_]\w*)", text) for text in texts]
    secrets = [text.removeprefix("secret:") for text in texts if text.startswith("secret:")]
    return sorted({name for names in found for name in names} | set(secrets))
