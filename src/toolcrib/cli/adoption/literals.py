"""Secrets that are written into entries: they go to files of their own, and names stay."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from toolcrib.cli.adoption.translation import Translation
from toolcrib.core.support.redact import looks_secret, masked
from toolcrib.packs.gateway.references import SECRET, names_secret

_WORDS = ("true", "false", "yes", "no", "on", "off", "none", "null", "")


@dataclass(slots=True)
class KeptSecrets:
    """The secrets of a person that adoption has kept or is going to keep, each in its file."""

    folder: Path
    mapped: Mapping[str, Any]
    """`[secrets]` of the person's `config.toml`, as it is."""
    values: dict[str, str] = field(default_factory=dict)
    """What is new, by name."""

    def file(self, name: str) -> Path:
        """Where the value of a secret is kept."""
        return self.folder / name

    def value(self, name: str) -> str | None:
        """The value of a secret that we keep; None for any other."""
        if name in self.values:
            return self.values[name]
        source = self.mapped.get(name)
        path = source.get("file") if isinstance(source, dict) else None
        if not isinstance(path, str) or Path(path) != self.file(name):
            return None
        try:
            return self.file(name).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return None

    def keep(self, wanted: str, value: str) -> str:
        """Keep a value under a name like `wanted`; returns the name."""
        plain = re.sub(r"[^A-Za-z0-9_-]+", "-", wanted)
        name, number = plain, 1
        while name in self.mapped or name in self.values:
            if self.value(name) == value:
                return name
            number += 1
            name = f"{plain}-{number}"
        self.values[name] = value
        return name


def without_literals(server: str, translation: Translation, kept: KeptSecrets) -> dict[str, Any]:
    """The entry with `secret:NAME` in place of every value that is a secret."""
    entry = dict(translation.entry)
    for group in ("env", "headers"):
        values = entry.get(group)
        if isinstance(values, dict):
            entry[group] = {
                name: f"{SECRET}{kept.keep(f'{server}-{name}', value)}"
                if (group, name) in translation.private or is_secret(name, value)
                else value
                for name, value in values.items()
            }
    oauth = entry.get("oauth")
    value = oauth.get("client_secret") if isinstance(oauth, dict) else None
    if isinstance(value, str) and _literal(value):
        name = kept.keep(f"{server}-client_secret", value)
        entry["oauth"] = {**oauth, "client_secret": f"{SECRET}{name}"}  # type: ignore[dict-item]
    return entry


def with_literals(
    entry: Mapping[str, Any], value_of: Callable[[str], str | None]
) -> dict[str, Any]:
    """The entry with the values that we know in place of `secret:NAME`: what it means."""
    found = dict(entry)
    for group in ("env", "headers", "oauth"):
        values = found.get(group)
        if isinstance(values, dict):
            found[group] = {name: _opened(value, value_of) for name, value in values.items()}
    return found


def is_secret(name: str, value: str) -> bool:
    """Whether a value, by its name or by its own look, is a secret that is written out."""
    if not _literal(value):
        return False
    return looks_secret(name) or names_secret(name) or masked(value) != value


def in_arguments(entry: Mapping[str, Any]) -> bool:
    """Whether a secret seems to stand among the arguments or in the url, where it has to stay."""
    words = [str(word) for word in entry.get("args") or ()]
    for word, following in zip(words, [*words[1:], ""], strict=False):
        name, equals, value = word.partition("=")
        given = value if equals else following
        if name.startswith("-") and is_secret(name, given) and not given.startswith("-"):
            return True
    texts = [*words, str(entry.get("url", ""))]
    return any(masked(text) != text for text in texts)


def _literal(value: str) -> bool:
    return "${" not in value and not value.startswith(SECRET) and value.lower() not in _WORDS


def _opened(value: Any, value_of: Callable[[str], str | None]) -> Any:
    if isinstance(value, str) and value.startswith(SECRET):
        known = value_of(value.removeprefix(SECRET))
        return value if known is None else known
    return value
