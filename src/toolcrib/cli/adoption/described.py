"""Servers that somebody has described: a registry's `server.json`, or an `.mcpb` bundle."""

from __future__ import annotations

import json
import os
import re
import stat
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, Final

from toolcrib.core.errors import ConfigError, Place, UsageError
from toolcrib.packs.gateway.entries import proposed_name

LARGEST: Final = 512 * 1024 * 1024
"""Bytes that a bundle may unpack to."""
_MOST_FILES = 50_000
_LARGEST_TEXT = 1024 * 1024
_RUNNERS = {"npm": ("npx", "-y"), "pypi": ("uvx",), "nuget": ("dnx",),
            "oci": ("docker", "run", "-i", "--rm")}  # fmt: skip
_VARIABLE = re.compile(r"\{([A-Za-z_][\w.-]*)\}")
_CONFIG = re.compile(r"\$\{user_config\.([^}]+)\}")

Ask = Callable[["Want"], str | None]
"""Asks a person for a value; None where there is none."""


@dataclass(frozen=True, slots=True)
class Want:
    """A value that a server needs from whoever adds it."""

    id: str
    about: str
    secret: bool = False
    required: bool = True
    default: str | None = None


@dataclass(slots=True)
class Described:
    """A server as its makers describe it, with what was asked for filled in."""

    name: str
    entry: dict[str, Any] = field(default_factory=dict)
    private: set[tuple[str, str]] = field(default_factory=set)
    """Values that are secrets: `("env", "NAME")`."""


def described(file: Path, bundles: Path, ask: Ask) -> Described:
    """Read a description, and unpack a bundle; raises `ConfigError` and `UsageError`."""
    if zipfile.is_zipfile(file):
        return _bundle(file, bundles, ask)
    try:
        if file.stat().st_size > _LARGEST_TEXT:
            raise ConfigError("It is larger than 1 MiB", where=Place(str(file)))
        value = json.loads(file.read_bytes())
    except OSError as error:
        raise UsageError(f"{file} cannot be read", why=error.strerror) from error
    except ValueError as error:
        raise ConfigError(f"This is no JSON: {error}", where=Place(str(file))) from error
    if not isinstance(value, dict) or not isinstance(value.get("name"), str):
        raise ConfigError("This is no server.json of a registry", where=Place(str(file)))
    return _registered(value, file, ask)


def _registered(value: Mapping[str, Any], file: Path, ask: Ask) -> Described:
    """A server of a registry: its first remote, else its first package over stdio."""
    found = Described(proposed_name(str(value["name"]).rpartition("/")[2]))
    if isinstance(value.get("description"), str):
        found.entry["description"] = value["description"]
    for remote in _objects(value.get("remotes")):
        if remote.get("type") in ("streamable-http", "http", "sse"):
            found.entry["url"] = _filled(str(remote.get("url")), remote, ask)[0]
            if remote["type"] == "sse":
                found.entry["type"] = "sse"
            _variables(found, "headers", _objects(remote.get("headers")), ask)
            return found
    for package in _objects(value.get("packages")):
        transport = package.get("transport")
        kind = transport.get("type") if isinstance(transport, dict) else "stdio"
        if kind == "stdio" and package.get("registryType") in _RUNNERS:
            _package(found, package, ask)
            return found
    raise ConfigError("It names neither a remote nor a package that can be run",
                      where=Place(str(file)))  # fmt: skip


def _package(found: Described, package: Mapping[str, Any], ask: Ask) -> None:
    registry = str(package["registryType"])
    runner = _RUNNERS[registry]
    hint = package.get("runtimeHint")
    words = [hint] if isinstance(hint, str) and hint else [runner[0]]
    given = _words(_objects(package.get("runtimeArguments")), ask)
    _variables(found, "env", _objects(package.get("environmentVariables")), ask)
    identifier, version = str(package.get("identifier")), package.get("version")
    if registry == "oci":
        words += [*([] if "run" in given else runner[1:]), *given]
        for name in found.entry.get("env", ()):
            words += ["-e", name]  # from its own environment into the container
    else:
        words += given or list(runner[1:])
        if isinstance(version, str) and version:
            identifier += f"=={version}" if registry == "pypi" else f"@{version}"
    words += [identifier, *_words(_objects(package.get("packageArguments")), ask)]
    found.entry["command"], found.entry["args"] = words[0], words[1:]


def _words(arguments: Sequence[Mapping[str, Any]], ask: Ask) -> list[str]:
    words: list[str] = []
    for each in arguments:
        name = str(each.get("name") or each.get("valueHint") or "value")
        value, _ = _value(each, name, ask)
        if each.get("type") == "named":
            words += [name, value] if value is not None else []
        elif value is not None:
            words.append(value)
    return words


def _variables(
    found: Described, group: str, variables: Sequence[Mapping[str, Any]], ask: Ask
) -> None:
    values: dict[str, str] = {}
    for each in variables:
        name = str(each.get("name"))
        value, secret = _value(each, name, ask)
        if value is not None:
            values[name] = value
            if secret:
                found.private.add((group, name))
    if values:
        found.entry[group] = values


def _value(each: Mapping[str, Any], name: str, ask: Ask) -> tuple[str | None, bool]:
    """What is fixed, else what a person says, else the default; and whether it is a secret."""
    secret = each.get("isSecret") is True
    fixed = each.get("value")
    if isinstance(fixed, str):
        text, inner = _filled(fixed, each, ask)
        return text, secret or inner
    return _answered(_want(name, each), ask), secret


def _filled(text: str, holder: Mapping[str, Any], ask: Ask) -> tuple[str, bool]:
    """A text with its `{variables}` filled in, and whether one of them is a secret."""
    known = holder.get("variables")
    variables: Mapping[str, Any] = known if isinstance(known, dict) else {}
    secret = False

    def value(match: re.Match[str]) -> str:
        nonlocal secret
        about = variables.get(match[1])
        if not isinstance(about, dict):
            return match[0]
        secret = secret or about.get("isSecret") is True
        given, inner = _value(about, match[1], ask)
        secret = secret or inner
        return given or ""

    return _VARIABLE.sub(value, text), secret


def _want(name: str, each: Mapping[str, Any]) -> Want:
    default = each.get("default")
    return Want(
        name,
        str(each.get("description") or name),
        each.get("isSecret") is True,
        each.get("isRequired") is True,
        str(default) if default is not None else None,
    )


def _objects(value: Any) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _answered(want: Want, ask: Ask) -> str | None:
    given = ask(want)
    value = given if given is not None else want.default
    if value is None and want.required:
        raise UsageError(f"It needs {want.id}: {want.about}", next=f"Say --input {want.id}=VALUE")
    return value


def _bundle(file: Path, bundles: Path, ask: Ask) -> Described:
    """Unpack a bundle into a folder of its own, and read how it is started."""
    with zipfile.ZipFile(file) as archive:
        manifest = _manifest(archive, file)
        name = proposed_name(str(manifest["name"]))
        folder = bundles / f"{name}-{proposed_name(str(manifest.get('version', '0')))}"
        server = manifest.get("server")
        config = server.get("mcp_config") if isinstance(server, dict) else None
        if not isinstance(config, dict) or not isinstance(config.get("command"), str):
            raise ConfigError("Its manifest does not say how it is started", where=Place(str(file)))
        answers, secrets = _user_config(manifest, ask)
        _unpack(archive, folder, file)

    def filled(text: Any) -> str:
        plain = _CONFIG.sub(lambda match: answers.get(match[1], ""), str(text))
        return plain.replace("${__dirname}", str(folder)).replace("${/}", os.sep)

    found = Described(name)
    if isinstance(manifest.get("description"), str):
        found.entry["description"] = manifest["description"]
    found.entry["command"] = filled(config["command"])
    found.entry["args"] = [filled(word) for word in config.get("args") or ()]
    written = config.get("env")
    env: dict[str, Any] = written if isinstance(written, dict) else {}
    if env:
        found.entry["env"] = {key: filled(value) for key, value in env.items()}
    for key, value in env.items():
        if set(_CONFIG.findall(str(value))) & secrets:
            found.private.add(("env", key))
    return found


def _manifest(archive: zipfile.ZipFile, file: Path) -> dict[str, Any]:
    try:
        with archive.open("manifest.json") as stream:
            value = json.loads(stream.read(_LARGEST_TEXT))
    except (KeyError, ValueError) as error:
        raise ConfigError("It has no manifest.json that can be read",
                          where=Place(str(file))) from error  # fmt: skip
    if not isinstance(value, dict) or not isinstance(value.get("name"), str):
        raise ConfigError("Its manifest has no name", where=Place(str(file)))
    return value


def _user_config(manifest: Mapping[str, Any], ask: Ask) -> tuple[dict[str, str], set[str]]:
    answers: dict[str, str] = {}
    secrets: set[str] = set()
    wanted = manifest.get("user_config")
    for key, about in wanted.items() if isinstance(wanted, dict) else ():
        given = about if isinstance(about, dict) else {}
        default = given.get("default")
        want = Want(
            key,
            str(given.get("title") or given.get("description") or key),
            given.get("sensitive") is True,
            given.get("required") is True,
            str(default) if isinstance(default, str | int | float) else None,
        )
        value = _answered(want, ask)
        if value is not None:
            answers[key] = value
        if want.secret:
            secrets.add(key)
    return answers, secrets


def _unpack(archive: zipfile.ZipFile, folder: Path, file: Path) -> None:
    """Unpack plain files and folders below `folder`, and nothing beside it."""
    entries = archive.infolist()
    if len(entries) > _MOST_FILES or sum(each.file_size for each in entries) > LARGEST:
        raise ConfigError("It unpacks to more than 512 MiB", where=Place(str(file)))
    for each in entries:
        path = PurePosixPath(each.filename)
        kind = stat.S_IFMT(each.external_attr >> 16)
        if path.is_absolute() or ".." in path.parts or kind == stat.S_IFLNK:
            raise ConfigError(f"{each.filename} would lead out of it", where=Place(str(file)))
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for each in entries:
        target = folder / each.filename
        if each.is_dir():
            target.mkdir(parents=True, exist_ok=True)
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        target.unlink(missing_ok=True)
        target.write_bytes(archive.read(each))
        target.chmod(0o700 if (each.external_attr >> 16) & 0o111 else 0o600)
