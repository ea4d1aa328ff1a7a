"""Reads policy files into records; a file with an error is refused as a whole."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from toolcrib.core.errors import ConfigError, Place
from toolcrib.files.content_cache import ContentCache
from toolcrib.files.yaml_document import Step, YamlDocument, keys, read_bytes
from toolcrib.policy.model import Constraint, Policy, ToolPolicy, compiled
from toolcrib.running.program import Executor
from toolcrib.running.words import UnsetVariable, expand

_CACHED = "policy 5"
_POLICY_KEYS = keys("executor", "default", "deny", "tools", "servers", "remember")
_SERVER_WORDS = ("enabled", "read-only", "disabled")
_EXECUTOR_KEYS = keys("type", "image", "volumes", "working_dir", "network")
_TOOL_KEYS = keys("description", "args")
_CONSTRAINT_KEYS = keys("pattern", "min", "max")


def load_policy(
    path: Path,
    shown: str | None = None,
    *,
    cache: ContentCache | None = None,
    environment: Mapping[str, str] | None = None,
) -> Policy:
    """Load a policy file, or raise `ConfigError`; a policy is never used in part."""
    return policy_from(read_bytes(path), shown or str(path), cache=cache, environment=environment)


def policy_from(
    data: bytes,
    file: str,
    *,
    cache: ContentCache | None = None,
    environment: Mapping[str, str] | None = None,
) -> Policy:
    """The policy in the bytes of a file, or `ConfigError`."""
    known = cache.get(_CACHED, data) if cache is not None else None
    if known is not None:
        policy = _from_plain(json.loads(known[0]), file)
    else:
        policy = parse_policy(data, file)
        if cache is not None:
            cache.put(_CACHED, data, [_to_plain(policy)])
    return _expanded(policy, data, os.environ if environment is None else environment)


def parse_policy(data: bytes, file: str) -> Policy:
    """The policy as written, before the environment is applied."""
    return _Reader(YamlDocument(data, file, strict_keys=True)).policy()


def _expanded(policy: Policy, data: bytes, environment: Mapping[str, str]) -> Policy:
    volumes = []
    for at, volume in enumerate(policy.executor.volumes):
        try:
            volumes.append(expand(volume, environment))
        except UnsetVariable as error:
            where = YamlDocument(data, policy.file).place("executor", "volumes", at)
            what = f"The volume {volume!r} cannot be expanded: {error}"
            raise ConfigError(what, where=where) from None
    return replace(policy, executor=replace(policy.executor, volumes=tuple(volumes)))


class _Reader:
    """Turns a document into a policy, or reports where and why it cannot."""

    def __init__(self, document: YamlDocument) -> None:
        self._document = document

    def policy(self) -> Policy:
        doc = self._document
        top = doc.mapping(doc.value, "A policy")
        doc.known_keys(top, _POLICY_KEYS)
        default = "disabled"
        if "default" in top:
            default = doc.choice(top["default"], ("disabled", "enabled"), "'default'", "default")
        tools = doc.mapping(top.get("tools"), "'tools'", "tools")
        servers = doc.mapping(top.get("servers"), "'servers'", "servers")
        return Policy(
            executor=self._executor(doc.mapping(top.get("executor"), "'executor'", "executor")),
            enabled_by_default=default == "enabled",
            tools={name: self._tool(item, "tools", name) for name, item in tools.items()},
            file=doc.file,
            lines=self._lines(top, tools, servers),
            default_at=self._default_at(top),
            deny=tuple(
                doc.text(item, "An entry of 'deny'", "deny", at)
                for at, item in enumerate(doc.sequence(top.get("deny"), "'deny'", "deny"))
            ),
            servers=self._servers(servers),
            remember=top.get("remember") is None
            or doc.boolean(top["remember"], "'remember'", "remember"),
            says_default="default" in top,
        )

    def _default_at(self, top: dict[str, Any]) -> tuple[int | None, int | None]:
        if "default" not in top:
            return (1, 1)
        place = self._document.place("default")
        return (place.line, place.column)

    def _lines(
        self, top: dict[str, Any], tools: dict[str, Any], servers: dict[str, Any]
    ) -> dict[str, int | None]:
        """Lines of tools by name, of servers by `server NAME`, `deny` by `*`, the default by ``."""
        lines: dict[str, int | None] = {name: self._document.line("tools", name) for name in tools}
        for key, name in (("default", ""), ("deny", "*")):
            if top.get(key):
                lines[name] = self._document.line(key)
        for name in servers:
            lines[f"server {name}"] = self._document.line("servers", name)
        return lines

    def _servers(self, entry: dict[str, Any]) -> dict[str, str]:
        doc = self._document
        return {
            name: doc.choice(
                word, _SERVER_WORDS, f"What is said of server {name!r}", "servers", name
            )
            for name, word in entry.items()
        }

    def _executor(self, entry: dict[str, Any]) -> Executor:
        doc = self._document
        doc.known_keys(entry, _EXECUTOR_KEYS, "executor")
        kind = "local"
        if "type" in entry:
            kind = doc.choice(entry["type"], ("local", "docker"), "'type'", "executor", "type")
        if kind == "docker" and entry.get("image") is None:
            raise doc.error("The docker executor needs the key 'image'", "executor")
        volumes = doc.sequence(entry.get("volumes"), "'volumes'", "executor", "volumes")
        return Executor(
            kind,
            self._word(entry, "image"),
            tuple(
                self._safe(doc.text(item, "A volume", "executor", "volumes", at), "volumes", at)
                for at, item in enumerate(volumes)
            ),
            self._word(entry, "working_dir"),
            self._word(entry, "network"),
        )

    def _word(self, entry: dict[str, Any], key: str) -> str | None:
        if entry.get(key) is None:
            return None
        return self._safe(self._document.text(entry[key], f"'{key}'", "executor", key), key)

    def _safe(self, text: str, *path: Step) -> str:
        """A word that docker cannot take for an option."""
        if not text or text.startswith("-") or "\0" in text:
            raise self._document.error(f"{text!r} is not possible here", "executor", *path)
        return text

    def _tool(self, item: Any, *path: Step) -> ToolPolicy:
        doc = self._document
        entry = doc.mapping(item, f"What is said of tool {path[-1]!r}", *path)
        doc.known_keys(entry, _TOOL_KEYS, *path)
        args = doc.mapping(entry.get("args"), "'args'", *path, "args")
        description = entry.get("description")
        return ToolPolicy(
            None
            if description is None
            else doc.text(description, "'description'", *path, "description"),
            {name: self._constraint(rule, *path, "args", name) for name, rule in args.items()},
        )

    def _constraint(self, item: Any, *path: Step) -> Constraint:
        doc = self._document
        entry = doc.mapping(item, f"The rule for argument {path[-1]!r}", *path)
        doc.known_keys(entry, _CONSTRAINT_KEYS, *path)
        least, most = self._bound(entry, "min", *path), self._bound(entry, "max", *path)
        if least is not None and most is not None and least > most:
            raise doc.error(f"'min' is above 'max': {least:g} > {most:g}", *path)
        pattern = self._pattern(entry.get("pattern"), *path, "pattern")
        place = doc.place(*path)
        return Constraint(pattern, least, most, Place(doc.file, place.line, place.column))

    def _bound(self, entry: dict[str, Any], key: str, *path: Step) -> float | None:
        value = entry.get(key)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float) or value != value:
            raise self._document.error(f"'{key}' must be a number", *path, key)
        return value

    def _pattern(self, value: Any, *path: Step) -> str | None:
        if value is None:
            return None
        pattern = self._document.text(value, "'pattern'", *path)
        try:
            compiled(pattern)
        except ValueError as error:
            raise self._document.error(
                f"The pattern is not valid: {error}", *path, next="Patterns are written as for RE2."
            ) from None
        return pattern


def _to_plain(policy: Policy) -> Any:
    executor = policy.executor
    return [
        [executor.type, executor.image, executor.volumes, executor.working_dir, executor.network],
        policy.enabled_by_default,
        {
            name: [
                rules.description,
                {arg: _plain_constraint(rule) for arg, rule in rules.args.items()},
            ]
            for name, rules in policy.tools.items()
        },
        dict(policy.lines),
        policy.default_at,
        policy.deny,
        dict(policy.servers),
        policy.remember,
        policy.says_default,
    ]  # fmt: skip


def _from_plain(plain: Any, file: str) -> Policy:
    executor, default, tools, lines, default_at, deny, servers, remember, says_default = plain
    kind, image, volumes, working_dir, network = executor
    return Policy(
        Executor(kind, image, tuple(volumes), working_dir, network),
        default,
        {
            name: ToolPolicy(text, {arg: _constraint(rule, file) for arg, rule in args.items()})
            for name, (text, args) in tools.items()
        },
        file,
        lines,
        tuple(default_at),
        tuple(deny),
        servers,
        remember,
        says_default,
    )


def _plain_constraint(rule: Constraint) -> list[Any]:
    place = rule.where or Place("")
    return [rule.pattern, rule.min, rule.max, place.line, place.column]


def _constraint(plain: list[Any], file: str) -> Constraint:
    pattern, least, most, line, column = plain
    return Constraint(pattern, least, most, Place(file, line, column))
