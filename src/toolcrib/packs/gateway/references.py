"""References in an entry: `${VAR}`, `${VAR:-default}`, `${workspaceFolder}`, `~`, `secret:NAME`.

They are resolved when a server is started, in one pass, and kept nowhere.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from toolcrib.core.errors import ToolcribError
from toolcrib.core.support.known_secrets import KNOWN, SHORTEST, Redactor
from toolcrib.core.support.redact import looks_secret
from toolcrib.core.tool import JSON
from toolcrib.packs.gateway.entries import ConfiguredServer

SECRET = "secret:"  # noqa: S105 - how a secret is named, not one
MASK = "***"
_REFERENCE = re.compile(r"\$\{(?:(env):)?([A-Za-z_]\w*)(?::-([^}]*))?\}|\$\{(workspaceFolder)\}")
_LOOKS_SECRET = re.compile(r"(?i)key|token|secret|passw|credential|auth|pat$")
_PLAIN = frozenset(("HOME", "PATH", "USER", "workspaceFolder"))
_SHORTEST_SECRET, _SHORTEST_OTHER = 4, 8

Secret = Callable[[str], str]
"""Looks a secret up by its name, or raises `ToolcribError`."""


class Unresolved(ToolcribError):
    """A reference of a server that cannot be resolved."""

    code = "unset_reference"


@dataclass(slots=True)
class Resolved:
    """An entry with every reference replaced, and the values that must not be shown."""

    command: str
    args: list[str]
    env: dict[str, str]
    cwd: str | None
    url: str
    headers: dict[str, str]
    hidden: set[str] = field(default_factory=set)
    secrets: Redactor = field(default_factory=lambda: Redactor({}))
    """Removes those values that are secrets from what the server answers."""

    def redacted(self, answer: JSON) -> JSON:
        """What the server said, without the values of secrets, wherever in it they are."""
        for redactor in (self.secrets, KNOWN.redactor()):
            if redactor:
                _redact(answer, redactor)
        return answer

    def redacting(self, told: Callable[[str, JSON], None]) -> Callable[[str, JSON], None]:
        """The same for what it says by itself."""
        return lambda method, params: told(method, self.redacted(params))

    def masked(self, text: str) -> str:
        """`text` without any of the values that came from elsewhere."""
        for value in sorted(self.hidden, key=len, reverse=True):
            text = text.replace(value, MASK)
        return text


def _redact(answer: JSON, redactor: Redactor) -> None:
    """Remove values from every text in an answer; without recursion, however deep it is."""
    todo: list[Any] = [answer]
    while todo:
        within = todo.pop()
        places = list(within.items() if isinstance(within, dict) else enumerate(within))
        for place, value in places:
            if isinstance(value, dict | list):
                todo.append(value)
            elif isinstance(value, str) and len(value) >= SHORTEST:
                within[place] = redactor.text(value)
            if isinstance(place, str) and len(place) >= SHORTEST:
                name = redactor.text(place)
                if name != place:
                    within[name] = within.pop(place)


def names_secret(name: str) -> bool:
    """Whether a variable or header of that name is likely to hold a secret."""
    return _LOOKS_SECRET.search(name) is not None


def needs_workspace(entry: ConfiguredServer) -> bool:
    """Whether an entry names the repository's folder."""
    texts = [entry.command, *entry.args, *entry.env.values(), entry.cwd or "", entry.url]
    return any("${workspaceFolder}" in text for text in [*texts, *entry.headers.values()])


def secret_names(entry: ConfiguredServer) -> list[str]:
    """The names of the secrets that an entry needs."""
    values = [*entry.env.values(), *entry.headers.values()]
    return [each.removeprefix(SECRET) for each in values if each.startswith(SECRET)]


def resolve(
    entry: ConfiguredServer,
    workspace: Path,
    secret: Secret,
    environment: Mapping[str, str] | None = None,
) -> Resolved:
    """Replace every reference of an entry; raises `Unresolved` that names what is missing."""
    return _Resolver(entry, workspace, secret, environment).resolved()


class _Resolver:
    def __init__(
        self,
        entry: ConfiguredServer,
        workspace: Path,
        secret: Secret,
        environment: Mapping[str, str] | None,
    ) -> None:
        self._entry = entry
        self._workspace = workspace
        self._secret = secret
        self._environment = os.environ if environment is None else environment
        self._hidden: set[str] = set()
        self._secrets: dict[str, str] = {}

    def resolved(self) -> Resolved:
        entry = self._entry
        headers = {name: self._value(name, value) for name, value in entry.headers.items()}
        self._hidden.update(value for value in headers.values() if len(value) >= _SHORTEST_SECRET)
        return Resolved(
            self._path(entry.command),
            [self._path(word) for word in entry.args],
            {name: self._home(self._value(name, value)) for name, value in entry.env.items()},
            self._path(entry.cwd) if entry.cwd is not None else None,
            self._text(entry.url),
            headers,
            self._hidden,
            Redactor(self._secrets),
        )

    def _value(self, name: str, text: str) -> str:
        """The value of `name` in `env` or `headers`, which may be a secret as a whole."""
        if text.startswith(SECRET):
            try:
                found = self._secret(text.removeprefix(SECRET))
            except ToolcribError as error:
                raise Unresolved(f"Server {self._entry.name!r}: {error}") from error
            self._hide(found, _SHORTEST_SECRET)
            self._secrets[name] = found
            return found
        return self._text(text)

    def _path(self, text: str) -> str:
        return self._home(self._text(text))

    @staticmethod
    def _home(text: str) -> str:
        if text == "~" or text.startswith("~/"):
            return os.path.expanduser(text)  # noqa: PTH111 - Path.expanduser() raises without HOME
        return text

    def _text(self, text: str) -> str:
        return _REFERENCE.sub(self._found, text) if "${" in text else text

    def _found(self, match: re.Match[str]) -> str:
        name = match[2] or match[4]
        if name == "workspaceFolder" and match[1] is None:
            return str(self._workspace)
        value = self._environment.get(name)
        if value is None:
            if match[3] is None:
                raise Unresolved(
                    f"Server {self._entry.name!r} needs the variable {name}, which is not set"
                )
            return match[3]
        if looks_secret(name):
            self._secrets.setdefault(name, value)
        if name not in _PLAIN:
            self._hide(value, _SHORTEST_SECRET if names_secret(name) else _SHORTEST_OTHER)
        return value

    def _hide(self, value: str, shortest: int) -> None:
        if len(value) >= shortest:
            self._hidden.add(value)
