"""Secrets: what the person's own `config.toml` says of names that configs ask for.

    [secrets]
    github = {env = "GITHUB_TOKEN"}
    deploy = {file = "~/.deploy-key"}
    npm = {keyring = "npm/me"}
    cloud = {command = ["op", "read", "op://work/cloud/token"]}

A config asks with `NAME: secret:github`. A value is fetched at the call, kept in memory for at most
five minutes, and never written anywhere.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from toolcrib.core.errors import CallError, ConfigError, Place
from toolcrib.core.support.known_secrets import KNOWN
from toolcrib.core.support.records import record
from toolcrib.core.support.redact import masked
from toolcrib.core.support.suggest import did_you_mean

PREFIX = "secret:"
KEPT = 300.0
"""Seconds that a value stays in memory."""
SOURCES = ("env", "file", "keyring", "command")
GH_KEYRING = "gh auth token"
"""A name that no config can write: the token that gh itself keeps in a keyring."""
_TIME = 30.0
_LARGEST = 64 * 1024

Find = Callable[[str], str | None]
"""The path of a program that the server itself may start."""


class SecretMissing(CallError):
    """A tool needs a secret that is not mapped, or that could not be fetched.

    Map it in your own `config.toml`, under `[secrets]`; a repository only names secrets.
    """

    code = "secret"


@record
class _Source:
    kind: str
    value: str | tuple[str, ...]


class Secrets:
    """The secrets of one person, fetched when a call needs them."""

    def __init__(
        self, table: Mapping[str, Any] | None = None, file: str = "", find: Find = lambda name: None
    ) -> None:
        self._file = file or "~/.config/toolcrib/config.toml"
        self._sources = {name: _read(name, entry, file) for name, entry in (table or {}).items()}
        # Found before any command runs: later, one might have put another program in its place.
        programs = {
            source.value[0] for source in self._sources.values() if source.kind == "command"
        }
        self._programs = {name: find(name) for name in (*programs, "gh", *_keyring_programs())}
        self._kept: dict[str, tuple[str, float]] = {}

    def names(self) -> Sequence[str]:
        """The names that are mapped."""
        return tuple(self._sources)

    async def fetch(self, name: str) -> str:
        """The value of a secret; raises `SecretMissing`."""
        kept = self._kept.get(name)
        if kept is not None and kept[1] > time.monotonic():
            return kept[0]
        value = await self._fetched(name)
        self._kept[name] = (value, time.monotonic() + KEPT)
        asyncio.get_running_loop().call_later(KEPT, self._forget, name, value)
        return value

    def _forget(self, name: str, value: str) -> None:
        if self._kept.get(name, ("",))[0] == value:
            del self._kept[name]
        for known in KNOWN.names_of(value):
            KNOWN.forget(known, value)

    async def _fetched(self, name: str) -> str:
        if name == GH_KEYRING:
            return await self._printed(name, ("gh", "auth", "token"))
        source = self._sources.get(name)
        if source is None:
            near = did_you_mean(name, self._sources)
            raise SecretMissing(
                f"The secret {name!r} is not mapped{near}",
                next=f'Write in {self._file}: [secrets] {name} = {{env = "VARIABLE"}} '
                "(or file, keyring, command).",
                data={"reason": "secret", "name": name},
            )
        value = source.value
        if source.kind == "command":
            return await self._printed(name, tuple(value))
        if source.kind == "keyring":
            return await self._printed(name, _keyring_words(str(value)))
        if source.kind == "env":
            return self._from_environment(name, str(value))
        return self._from_file(name, str(value))

    def _from_environment(self, name: str, variable: str) -> str:
        value = os.environ.get(variable)
        if not value:
            raise self._failed(name, f"${variable} is not set")
        return value

    def _from_file(self, name: str, path: str) -> str:
        try:
            with open(os.path.expanduser(path), "rb") as file:  # noqa: PTH111, PTH123
                data = file.read(_LARGEST + 1)
        except OSError as error:
            raise self._failed(name, f"{path}: {error.strerror}") from None
        return self._decoded(name, data)

    async def _printed(self, name: str, words: Sequence[str]) -> str:
        program = self._programs.get(words[0])
        if program is None:
            raise self._failed(name, f"{words[0]} is not installed outside of this repository")
        try:
            process = await asyncio.create_subprocess_exec(
                program,
                *words[1:],
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                cwd="/",
            )
        except OSError as error:
            raise self._failed(name, f"{words[0]}: {error.strerror}") from None
        try:
            async with asyncio.timeout(_TIME):
                printed, said = await process.communicate()
        except TimeoutError:
            raise self._failed(name, f"{words[0]} gave no answer in {_TIME:g} s") from None
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        if process.returncode:
            lines = said.decode(errors="replace").strip().splitlines() or [""]
            last = masked(lines[-1])[:200]
            raise self._failed(name, f"{words[0]} ended with {process.returncode}: {last}")
        return self._decoded(name, printed)

    def _decoded(self, name: str, data: bytes) -> str:
        if len(data) > _LARGEST:
            raise self._failed(name, f"it has more than {_LARGEST} bytes")
        try:
            value = data.decode()
        except UnicodeDecodeError:
            raise self._failed(name, "it is not UTF-8") from None
        # One newline at the end is how files and programs end, not part of the value.
        value = value.removesuffix("\n").removesuffix("\r")
        if not value:
            raise self._failed(name, "it is empty")
        if "\0" in value:
            raise self._failed(name, "it contains a NUL character")
        return value

    def _failed(self, name: str, why: str) -> SecretMissing:
        return SecretMissing(
            f"The secret {name!r} could not be fetched",
            why=why,
            next=f"Look at [secrets] in {self._file}.",
            data={"reason": "secret", "name": name},
        )


def secret_name(value: str) -> str | None:
    """The name in `secret:NAME`; None if a value is something else."""
    return value.removeprefix(PREFIX) if value.startswith(PREFIX) else None


def _read(name: str, entry: Any, file: str) -> _Source:
    where = Place(file) if file else None
    if not isinstance(entry, Mapping) or len(entry) != 1 or next(iter(entry)) not in SOURCES:
        raise ConfigError(
            f"[secrets] {name} must have exactly one of: {', '.join(SOURCES)}",
            where=where,
            next=f'For example: {name} = {{env = "VARIABLE"}}',
        )
    ((kind, value),) = entry.items()
    if kind == "command":
        if not isinstance(value, list) or not value or not all(isinstance(w, str) for w in value):
            raise ConfigError(f"[secrets] {name}: command must be a list of words", where=where)
        return _Source(kind, tuple(value))
    if not isinstance(value, str) or not value:
        raise ConfigError(f"[secrets] {name}: {kind} must be a string", where=where)
    return _Source(kind, value)


def _keyring_programs() -> tuple[str, ...]:
    return ("security",) if sys.platform == "darwin" else ("secret-tool",)


def _keyring_words(entry: str) -> tuple[str, ...]:
    """The program that asks the keyring of this system for `service/user`."""
    service, _, user = entry.partition("/")
    if sys.platform == "darwin":
        account = ("-a", user) if user else ()
        return ("security", "find-generic-password", "-s", service, *account, "-w")
    named = ("username", user) if user else ()
    return ("secret-tool", "lookup", "service", service, *named)
