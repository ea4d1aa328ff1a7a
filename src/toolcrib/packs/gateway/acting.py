"""The acting files of this pack: each server that the repository names, entry by entry."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from toolcrib.packs.gateway.entries import ConfiguredServer, read_servers, translated
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


def script_paths(entry: ConfiguredServer, project: Path) -> list[str]:
    """The paths below the project in the command line of an entry."""
    words = [entry.command, *entry.args] if entry.kind == "stdio" else []
    here = [word.replace(_HERE, str(project)) for word in words]
    folder = entry.cwd.replace(_HERE, str(project)) if entry.cwd else None
    return named_paths(here, project, folder)


def entry_file(entry: ConfiguredServer) -> ActingFile:
    """One entry as a file of its own: comments, order and other entries do not count."""
    return code_file(entry_path(entry), SERVER, entry_data(entry))


def entry_path(entry: ConfiguredServer) -> str:
    """What a record calls an entry."""
    return f"{entry.file}/{entry.name}"


def entry_data(entry: ConfiguredServer) -> bytes:
    """What counts of an entry."""
    return json.dumps(entry.written, indent=2, sort_keys=True, ensure_ascii=False).encode()


def describe(file: ActingFile) -> list[str]:
    """What a server of this pack is able to do, in words; each line says where it is written."""
    if file.kind != SERVER:
        return []
    written = translated(json.loads(file.data))
    name = file.path.rpartition("/")[2]
    wants = [f"wants ${each}" for each in _variables(written)]
    if "command" not in written:
        return [f"{name}: {each}" for each in (_connects(written), *wants)]
    words = shlex.join([str(written["command"]), *map(str, _listed(written, "args"))])
    # Without a sandbox nothing keeps it from the network, whatever its entry says.
    open_to_all = written.get("sandbox") == "off"
    gets = _network("full" if open_to_all else written.get("network", "none"))
    lines = [f"starts {words} with {gets}"]
    if written.get("cwd") is not None:
        lines.append(f"works in {written['cwd']}")
    lines += [f"reads {each}" for each in _listed(written, "reads")]
    lines += [f"writes {each}" for each in _listed(written, "writes")]
    lines += [f"connects to the socket {each}" for each in _listed(written, "sockets")]
    if open_to_all:
        lines.append("runs it without a sandbox")
    lines.append(f"code of this repo that is not compared gets: {gets}")
    env = written.get("env")
    lines += [f"sets ${each}" for each in (sorted(env) if isinstance(env, dict) else ())]
    return [f"{name}: {each}" for each in lines + wants]


def _connects(written: Mapping[str, Any]) -> str:
    """Where a remote server is, and the names of what is sent with each request."""
    url = written.get("url", "nowhere")
    headers = written.get("headers")
    sent = f", and sends {', '.join(sorted(headers))}" if isinstance(headers, dict) else ""
    return f"connects to {url}{sent}"


def _listed(written: Mapping[str, Any], key: str) -> list[Any]:
    found = written.get(key)
    return found if isinstance(found, list) else []


def _network(word: Any) -> str:
    if isinstance(word, list):
        return f"network to {', '.join(map(str, word))}"
    return {"none": "no network", "public": "network to any public host"}.get(word, "full network")


def _variables(written: Any) -> list[str]:
    """The variables and secrets that an entry refers to, wherever it does."""
    texts = list(_texts(written))
    found = [re.findall(r"\$\{(?:env:)?([A-Za-z_]\w*)", text) for text in texts]
    secrets = [text.removeprefix("secret:") for text in texts if text.startswith("secret:")]
    named = {name for names in found for name in names} - {"workspaceFolder"}
    return sorted(named | set(secrets))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _texts(each)
