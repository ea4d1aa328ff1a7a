"""Entries of servers as each client writes them, in the way that toolcrib writes them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from toolcrib.cli.adoption.candidates import ServerCandidate
from toolcrib.core.errors import ToolcribError

Inputs = Callable[[str], str | None]
"""Asks for the value of an `${input:ID}`; None where nobody says it."""

KEPT: Final = (
    "command", "args", "env", "cwd", "type", "url", "headers", "description", "disabled", "tools",
    "deny", "timeout", "startup_timeout", "root", "oauth",
)  # fmt: skip
_LIMITS = {"timeout": (1, 3600), "startup_timeout": (1, 300)}
_INPUT = re.compile(r"\$\{input:([^}]+)\}")
_REFERENCE = re.compile(r"\$\{([^}]*)\}")
_OURS = re.compile(r"(?:env:)?[A-Za-z_]\w*(?::-[^}]*)?")
_BARE = re.compile(r"\$([A-Za-z_]\w*)")
_LINE = re.compile(r"\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*?)\s*")
_LARGEST = 1024 * 1024


class Stays(ToolcribError):
    """A server that cannot be moved, and why."""

    code = "not_adopted"


@dataclass(slots=True)
class Translation:
    """An entry in our own words."""

    entry: dict[str, Any]
    private: set[tuple[str, str]] = field(default_factory=set)
    """Values that are secrets whatever their names say: `("env", "NAME")`."""
    remarks: list[str] = field(default_factory=list)


def translated(candidate: ServerCandidate, project: Path, inputs: Inputs) -> Translation:
    """One entry as our files have it; raises `Stays` for one that only its client can use."""
    given = dict(candidate.written)
    change = _CLIENTS.get(candidate.client.name)
    if change is not None:
        change(given)
    if given.pop("enabled", True) is False:
        given["disabled"] = True
    _rename(given, {"serverUrl": "url", "disabledTools": "deny", "http_headers": "headers"})
    found = Translation({})
    if given.get("autoApprove") or given.get("alwaysAllow"):
        found.remarks.append("what it may do without a question is asked for again")
    _environment_file(given, candidate, project, found)
    found.entry = {key: given[key] for key in KEPT if given.get(key) not in (None, {}, [])}
    _kind(found.entry)
    _limit(found.entry)
    _at_home(found.entry, candidate, project)
    _references(found, candidate, project, inputs)
    return found


def _rename(given: dict[str, Any], names: Mapping[str, str]) -> None:
    for theirs, ours in names.items():
        if theirs in given:
            given.setdefault(ours, given.pop(theirs))


def _claude(given: dict[str, Any]) -> None:
    if "headersHelper" in given:
        raise Stays("a program of Claude Code makes its headers (headersHelper)")
    _seconds(given, "timeout", 1000)
    _own_oauth(given, {"clientId": "client_id"})


def _cursor(given: dict[str, Any]) -> None:
    _rename(given, {"auth": "oauth"})
    _own_oauth(given, {"CLIENT_ID": "client_id", "CLIENT_SECRET": "client_secret"})


def _code(given: dict[str, Any]) -> None:
    _own_oauth(given, {"clientId": "client_id"})
    for key in ("sandbox", "sandboxEnabled", "dev"):
        given.pop(key, None)


def _own_oauth(given: dict[str, Any], names: Mapping[str, str]) -> None:
    oauth = given.pop("oauth", None)
    if isinstance(oauth, dict):
        oauth = dict(oauth)
        _rename(oauth, names)
        known = ("client_id", "client_secret", "scopes")
        given["oauth"] = {key: oauth[key] for key in known if key in oauth}


def _codex(given: dict[str, Any]) -> None:
    given.pop("tools", None)  # how each tool is approved: see rules
    _seconds(given, "startup_timeout_ms", 1000)
    _rename(
        given,
        {
            "startup_timeout_sec": "startup_timeout",
            "startup_timeout_ms": "startup_timeout",
            "tool_timeout_sec": "timeout",
            "enabled_tools": "tools",
            "disabled_tools": "deny",
            "http_headers": "headers",
        },
    )
    headers = dict(given.get("headers") or {})
    if isinstance(given.get("bearer_token_env_var"), str):
        headers["Authorization"] = f"Bearer ${{{given['bearer_token_env_var']}}}"
    for header, variable in (given.get("env_http_headers") or {}).items():
        headers[header] = f"${{{variable}}}"
    given["headers"] = headers
    env = dict(given.get("env") or {})
    for each in given.get("env_vars") or ():
        name = each.get("name") if isinstance(each, dict) else each
        if isinstance(name, str):
            env.setdefault(name, f"${{{name}:-}}")
    given["env"] = env
    if isinstance(given.get("scopes"), list):
        given["oauth"] = {"scopes": given["scopes"]}


def _gemini(given: dict[str, Any]) -> None:
    if given.get("authProviderType") not in (None, "dynamic_discovery"):
        raise Stays("it signs in by Google's own way (authProviderType)")
    if "httpUrl" in given:
        given.pop("url", None)
        given["url"] = given.pop("httpUrl")
        given["type"] = "http"
    elif "url" in given:
        given.setdefault("type", "sse")
    _seconds(given, "timeout", 1000)
    _rename(given, {"includeTools": "tools", "excludeTools": "deny"})
    _own_oauth(given, {"clientId": "client_id", "clientSecret": "client_secret"})
    # It fills in `$VAR` in every text of its settings.
    for key in ("command", "args", "cwd", "url", "env", "headers"):
        if key in given:
            given[key] = _braced(given[key])


def _braced(value: Any) -> Any:
    """A value with `${VAR}` for each `$VAR` in its texts."""
    if isinstance(value, dict):
        return {name: _braced(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_braced(each) for each in value]
    return _BARE.sub(r"${\1}", value) if isinstance(value, str) else value


def _zed(given: dict[str, Any]) -> None:
    if given.get("source") == "extension" or not {"command", "url"} & set(given):
        raise Stays("it comes with an extension of Zed")
    command = given.get("command")
    if isinstance(command, dict):
        given["command"] = command.get("path")
        given["args"] = command.get("args") or []
        given["env"] = command.get("env") or {}


def _seconds(given: dict[str, Any], key: str, scale: int) -> None:
    value = given.get(key)
    if isinstance(value, int | float) and not isinstance(value, bool):
        seconds = value / scale
        given[key] = int(seconds) if seconds == int(seconds) else seconds


_CLIENTS: Mapping[str, Callable[[dict[str, Any]], None]] = {
    "claude-code": _claude, "cursor": _cursor, "vscode": _code, "codex": _codex,
    "gemini": _gemini, "zed": _zed,
}  # fmt: skip


def _kind(entry: dict[str, Any]) -> None:
    """Leave out what is said by `command` or `url`, and one of them where both are there."""
    kind = entry.get("type")
    if kind in ("stdio", "local"):
        entry.pop("url", None)
    if "command" in entry and "url" not in entry:
        entry.pop("type", None)
    elif kind in ("http", "streamable-http", "streamableHttp"):
        entry.pop("type")
        entry.pop("command", None)


def _limit(entry: dict[str, Any]) -> None:
    for key, (least, most) in _LIMITS.items():
        value = entry.get(key)
        if isinstance(value, int | float) and not isinstance(value, bool):
            entry[key] = min(max(value, least), most)


def _at_home(entry: dict[str, Any], candidate: ServerCandidate, project: Path) -> None:
    """Keep the folder that an entry for one project alone is meant from."""
    if candidate.scope != "local":
        return
    entry["root"] = str(project)
    if "command" in entry:
        entry.setdefault("cwd", str(project))
        command = entry["command"]
        if isinstance(command, str) and "/" in command and (project / command).exists():
            entry["command"] = str(project / command)


def _environment_file(
    given: dict[str, Any], candidate: ServerCandidate, project: Path, found: Translation
) -> None:
    """Read `envFile`; what the entry itself says wins."""
    written = given.pop("envFile", None)
    if not isinstance(written, str):
        return
    home = Path("~").expanduser()
    for name, value in (("${workspaceFolder}", project), ("${userHome}", home), ("~", home)):
        if written.startswith(name):
            written = written.replace(name, str(value), 1)
    try:
        data = (project / written).read_bytes()[:_LARGEST]
        lines = data.decode("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise Stays(f"its envFile cannot be read: {error}") from error
    env: dict[str, Any] = {}
    for line in lines:
        match = _LINE.fullmatch(line)
        if match is not None:
            env[match[1]] = _unquoted(match[2])
            if candidate.scope == "project":  # a file that is ignored by git must stay out of it
                found.private.add(("env", match[1]))
    own = given.get("env") or {}
    found.private -= {("env", name) for name in own}
    given["env"] = {**env, **own}


def _unquoted(value: str) -> str:
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    return re.sub(r"\s+#.*", "", value)


def _references(
    found: Translation, candidate: ServerCandidate, project: Path, inputs: Inputs
) -> None:
    entry = found.entry
    for group in ("env", "headers"):
        if isinstance(entry.get(group), dict):
            values = {name: str(value) for name, value in entry[group].items()}
            for name, value in values.items():
                if _INPUT.search(value):
                    values[name] = _filled(value, inputs)
                    found.private.add((group, name))
            entry[group] = {name: _plain(value, project) for name, value in values.items()}
    for key in ("command", "cwd", "url"):
        if isinstance(entry.get(key), str):
            entry[key] = _plain(_open(entry[key], candidate, inputs), project)
    if isinstance(entry.get("args"), list):
        words = [_open(str(word), candidate, inputs) for word in entry["args"]]
        entry["args"] = [_plain(word, project) for word in words]


def _open(text: str, candidate: ServerCandidate, inputs: Inputs) -> str:
    """An argument, which cannot be a secret: a file that others read must not have the value."""
    if not _INPUT.search(text):
        return text
    if candidate.scope == "project":
        raise Stays("an ${input:…} stands in its arguments, where no secret can be kept")
    return _filled(text, inputs)


def _filled(text: str, inputs: Inputs) -> str:
    def value(match: re.Match[str]) -> str:
        given = inputs(match[1])
        if given is None:
            raise Stays(f"nobody said what ${{input:{match[1]}}} is: --input {match[1]}=VALUE")
        return given

    return _INPUT.sub(value, text)


def _plain(text: str, project: Path) -> str:
    """References of editors as ours; what only an editor knows cannot be moved."""

    def changed(match: re.Match[str]) -> str:
        name = match[1]
        if name == "userHome":
            return "${HOME}"
        if name in ("pathSeparator", "/"):
            return "/"
        if name == "workspaceFolderBasename":
            return project.name
        if not _OURS.fullmatch(name):
            raise Stays(f"only its client knows what ${{{name}}} is")
        return match[0]

    return _REFERENCE.sub(changed, text)
