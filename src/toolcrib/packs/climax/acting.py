"""The acting files of this pack: own configs, the policy, and scripts that have a grant."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toolcrib.core.errors import ConfigError, ToolcribError
from toolcrib.core.support.digests import sha256
from toolcrib.core.support.redact import looks_secret
from toolcrib.files.content_cache import ContentCache, user_cache
from toolcrib.files.root import Root
from toolcrib.files.yaml_document import document_of, folder_of, read_bytes
from toolcrib.packs.climax.config.sources import find_configs, is_bundled, own_configs, shown_path
from toolcrib.packs.climax.settings import ClimaxSettings
from toolcrib.policy.trust.acting import (
    CONFIG,
    POLICY,
    SCRIPT,
    ActingFile,
    file_digest,
    yaml_and_meaning,
)
from toolcrib.policy.trust.project import Known, Trust

if TYPE_CHECKING:
    from toolcrib.policy.person import PersonalFiles

Meaning = tuple[str, Sequence[str]]
"""The digest of what a file says, and the names of its tools."""

_SECRET = "secret:"  # noqa: S105 - how a config names one


def acting_files(project: Path, settings: ClimaxSettings, known: Known) -> list[ActingFile]:
    """Own configs and policies as they are now; a file that cannot be read is left out."""
    own, policies = own_configs(project, settings), settings.policy_source.paths(project)
    found = [*_files(own, CONFIG, project, known), *_files(policies, POLICY, project, known)]
    return found + _scripts(project, settings, [file for file in found if file.kind == CONFIG])


def name_files(trust: Trust, settings: ClimaxSettings) -> None:
    """Trust the configs and the policy that a command line names, as they are now."""
    project = trust.project
    trust.named_configs = bool(settings.configs)
    try:
        configs = find_configs(settings.configs, project)
    except ConfigError:  # told when the configs are loaded
        configs = []
    for path in configs:
        if not is_bundled(str(path)):
            _name(trust, path, CONFIG)
    trust.named_policy = bool(settings.policy)
    if settings.policy:
        _name(trust, project / os.path.expanduser(settings.policy), POLICY)  # noqa: PTH111


def _name(trust: Trust, path: Path, kind: str) -> None:
    try:
        trust.name(shown_path(path, trust.project), read_bytes(path), kind)
    except ToolcribError:
        return  # told when it is loaded


def _files(paths: Sequence[Path], kind: str, project: Path, known: Known) -> list[ActingFile]:
    found = [(shown_path(path, project), data) for path, data in _contents(paths)]
    named = [(shown, data, sha256(data)) for shown, data in found]
    files: dict[int, ActingFile] = {}
    for at, (shown, data, raw) in enumerate(named):
        entry = known.get((shown, raw))
        if entry is not None and entry.kind == kind:
            files[at] = ActingFile(shown, kind, data, entry.digest, raw, entry.tools)
    unknown = [at for at in range(len(named)) if at not in files]
    told = _understood(kind, [named[at][1] for at in unknown], [named[at][2] for at in unknown])
    for at, (digest, tools) in zip(unknown, told, strict=True):
        shown, data, raw = named[at]
        files[at] = ActingFile(shown, kind, data, digest, raw, tuple(tools))
    return [files[at] for at in range(len(named))]


def _contents(paths: Sequence[Path]) -> Iterator[tuple[Path, bytes]]:
    """The files that can be read."""
    folders: dict[Path, Root] = {}
    try:
        for path in paths:
            root = folders.get(path.parent)
            if root is None:
                root = folders[path.parent] = folder_of(path)
            with contextlib.suppress(ToolcribError):
                yield path, read_bytes(path, root)
    finally:
        for root in folders.values():
            root.close()


def _understood(kind: str, files: Sequence[bytes], raw: Sequence[str]) -> Sequence[Meaning]:
    """What files say. Where all of them were understood together before, one look tells it."""
    cache = user_cache() if files else None
    if cache is None:
        return [_meaning(kind, data) for data in files]
    known = cache.get_all(f"acting-{kind}", raw)
    if known is None:
        known = [_kept_meaning(kind, data, cache) for data in files]
        cache.put_all(f"acting-{kind}", raw, known)
    return [json.loads(texts[0]) for texts in known]


def _kept_meaning(kind: str, data: bytes, cache: ContentCache) -> list[bytes]:
    known = cache.get(f"acting-{kind}", data)
    if known is not None:
        return known
    made = _meaning(kind, data)
    cache.put(f"acting-{kind}", data, [made])
    return [json.dumps(made).encode()]


def _meaning(kind: str, data: bytes) -> Meaning:
    value, meaning = yaml_and_meaning(data)
    return file_digest(kind, meaning), _tool_names(value) if kind == CONFIG else ()


def _tool_names(document: Any) -> tuple[str, ...]:
    tools = document.get("tools") if isinstance(document, dict) else None
    entries = tools if isinstance(tools, list) else []
    names = (entry.get("name") for entry in entries if isinstance(entry, dict))
    return tuple(name for name in names if isinstance(name, str))


def _scripts(
    project: Path, settings: ClimaxSettings, configs: list[ActingFile]
) -> list[ActingFile]:
    """The files of the project in command lines of tools that have a grant."""
    granted = [file for file in configs if has_grant(file, settings)]
    if not granted:
        return []
    from toolcrib.policy.trust.scripts import script_files

    taken = {file.path for file in configs}
    paths = dict.fromkeys(path for f in granted for path in script_paths(f.data, project))
    return script_files([path for path in paths if path not in taken], project)


def granted_scripts(file: ActingFile, settings: ClimaxSettings, trust: Trust) -> Sequence[str]:
    """The paths in the command lines of a config that are compared; none where it has no grant.

    A sandbox that only an option of this process switches off is the doing of whoever typed it.
    """
    said = trust.verdict.present.tables.get("climax", {}).get("sandbox", "auto")
    whole = with_person(replace(settings, sandbox=said), trust.person)
    return script_paths(file.data, trust.project) if has_grant(file, whole) else ()


def with_person(settings: ClimaxSettings, person: PersonalFiles) -> ClimaxSettings:
    """The settings with what the person's and the organisation's own files grant beside them."""
    access: dict[str, Any] = {}
    for own in person.files:
        table = own.value("climax", "access")
        access.update(table if isinstance(table, Mapping) else {})
        if own.value("climax", "sandbox") == "off":
            settings = replace(settings, sandbox="off")
    access.update(getattr(settings, "access", None) or {})
    writable = (*settings.writable, *person.strings("climax", "writable"))
    return replace(settings, access=access, writable=writable)


def has_grant(file: ActingFile, settings: ClimaxSettings) -> bool:
    """Whether a config, or one of its tools, may do more than a sandboxed command may."""
    if settings.sandbox == "off" or settings.writable:
        return True
    access: Mapping[str, Any] = settings.access or {}
    if not access and _SECRET.encode() not in file.data and b"$" not in file.data:
        return False
    document = document_of(file.data)
    if document.get("name", "climax") in access:
        return True
    env = document.get("env")
    return any(_is_secret(*each) for each in (env.items() if isinstance(env, dict) else ()))


def _is_secret(name: object, value: object) -> bool:
    """Whether a variable of a config is a secret, or a variable of the server that looks so."""
    if not isinstance(value, str):
        return False
    return value.startswith(_SECRET) or ("$" in value and looks_secret(f"{name} {value}"))


def script_paths(data: bytes, project: Path) -> list[str]:
    """The paths below the project in the command lines of a config, with their defaults."""
    import shlex  # where there is a grant

    from toolcrib.policy.trust.scripts import named_paths

    document = document_of(data)
    tools = document.get("tools")
    every = [tool for tool in tools if isinstance(tool, dict)] if isinstance(tools, list) else []
    words = [*_defaults(document.get("global_args"))]
    for table in (document, *every):
        words += _defaults(table.get("args"))
        line = table.get("command")
        try:
            words += shlex.split(line) if isinstance(line, str) else []
        except ValueError:
            words.append(str(line))
    folder = document.get("working_dir")
    return named_paths(words, project, folder if isinstance(folder, str) else None)


def _defaults(args: object) -> Iterator[str]:
    """The words that a command line has where a caller gives none."""
    for arg in args if isinstance(args, list) else ():
        value = arg.get("default") if isinstance(arg, dict) else None
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, str):
                yield each


def describe(file: ActingFile, settings: ClimaxSettings) -> list[str]:
    """What a config is able to do, in words."""
    if file.kind == SCRIPT:
        return [f"runs {file.path}, which has a grant"]
    if file.kind != CONFIG:
        return []
    document = document_of(file.data)
    name = document.get("name", "climax")
    command = document.get("command")
    tools = document.get("tools")
    entries = [tool for tool in tools or () if isinstance(tool, dict)]
    network = _network(settings, str(name))
    lines = [
        f"{tool.get('name')}: starts {_line(command, tool.get('command'))}{network}"
        for tool in entries
    ]
    env = document.get("env")
    for variable, value in env.items() if isinstance(env, dict) else ():
        if isinstance(value, str) and value.startswith(_SECRET):
            lines.append(f"wants ${variable}")
        else:
            lines.append(f"sets {variable}={value} for {command}")
    if document.get("working_dir"):
        lines.append(f"runs {command} in {document['working_dir']}")
    if has_grant(file, settings):
        unbound = settings.sandbox == "off"
        gets = "everything" if unbound else network.removeprefix(" with ") or "its grants"
        lines.append(f"code of this repo that is not compared gets: {gets}")
    return lines


def _line(*words: object) -> str:
    return " ".join(str(word) for word in words if word)


def _network(settings: ClimaxSettings, config: str) -> str:
    """What a config may reach, as the end of a sentence."""
    if settings.sandbox == "off":
        return " without a sandbox"
    access: Mapping[str, Any] = getattr(settings, "access", None) or {}
    table = access.get(config)
    hosts = table.get("network") if isinstance(table, Mapping) else None
    if hosts in (None, "none"):
        return ""
    return f" with network to {', '.join(hosts) if isinstance(hosts, list) else hosts}"
