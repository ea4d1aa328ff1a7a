"""References in an entry: `${VAR}`, `${VAR:-default}`, `${workspaceFolder}`, `~`, `secret:NAME`.

They are resolved when a server is started, in one pass, and kept nowhere.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from toolcrib.core.errors import ToolcribError
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

    def masked(self, text: str) -> str:
        """`text` without any of the values that came from elsewhere."""
        for value in sorted(self.hidden, key=len, reverse=True):
            text = text.replace(value, MASK)
        return text


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

    def resolved(self) -> Resolved:
        entry = self._entry
        headers = {name: self._value(value) for name, value in entry.headers.items()}
        self._hidden.update(value for value in headers.values() if len(value) >= _SHORTEST_SECRET)
        return Resolved(
            self._path(entry.command),
            [self._path(word) for word in entry.args],
            {name: self._home(self._value(value)) for name, value in entry.env.items()},
            self._path(entry.cwd) if entry.cwd is not None else None,
            self._text(entry.url),
            headers,
            self._hidden,
        )

    def _value(self, text: str) -> str:
        """A value of `env` or `headers`, which may be a secret as a whole."""
        if text.startswith(SECRET):
            try:
                found = self._secret(text.removeprefix(SECRET))
            except ToolcribError as error:
                raise Unresolved(f"Server {self._entry.name!r}: {error}") from error
            self._hide(found, _SHORTEST_SECRET)
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
        if name not in _PLAIN:
            self._hide(value, _SHORTEST_SECRET if names_secret(name) else _SHORTEST_OTHER)
        return value

    def _hide(self, value: str, shortest: int) -> None:
        if len(value) >= shortest:
            self._hidden.add(value)
