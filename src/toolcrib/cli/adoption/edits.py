"""Changes of single values in JSON and TOML files that can be made, and taken back one by one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolcrib.cli.clients.client import Form
from toolcrib.cli.editing import toml
from toolcrib.files import jsonc


@dataclass(frozen=True, slots=True)
class ValueEdit:
    """A value at a way of keys, before and after; None for none."""

    keys: tuple[str, ...]
    before: Any
    after: Any

    @property
    def reverse(self) -> ValueEdit:
        """The edit that takes this one back."""
        return ValueEdit(self.keys, self.after, self.before)


@dataclass(frozen=True, slots=True)
class FileEdits:
    """All edits of one file."""

    path: Path
    form: Form
    edits: tuple[ValueEdit, ...]


def form_of(path: Path) -> Form:
    """The form of a file, by its name."""
    return "toml" if path.suffix == ".toml" else "json"


def value_at(text: str, form: Form, keys: Sequence[str], file: str = "<text>") -> Any:
    """The value at a way of keys; None where there is none."""
    value: Any = (toml.load if form == "toml" else jsonc.load)(text, file)
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def applied(text: str, form: Form, edits: Iterable[ValueEdit], file: str = "<text>") -> str:
    """The text with these edits made; everything else stays as it is written."""
    for edit in edits:
        text = _set(text, form, edit, file)
    return text


def taken_back(
    text: str, form: Form, edits: Sequence[ValueEdit], file: str = "<text>"
) -> tuple[str, list[str]]:
    """The text with edits undone where what they wrote still stands, and what differs, in words."""
    remarks: list[str] = []
    for edit in reversed(edits):
        now = value_at(text, form, edit.keys, file)
        if now == edit.after:
            text = _set(text, form, edit.reverse, file)
        elif now != edit.before:
            remarks.append(f"{file}: {'.'.join(edit.keys)} was changed since, and left as it is")
    return text, remarks


def _set(text: str, form: Form, edit: ValueEdit, file: str) -> str:
    keys = edit.keys
    if form == "json":
        if edit.after is None:
            return jsonc.remove_member(text, keys, file)
        return jsonc.set_member(text, keys, edit.after, file)
    if edit.after is None:
        return toml.remove(text, keys, file)
    if isinstance(edit.after, dict):
        return toml.set_keys(toml.remove(text, keys, file), keys, edit.after, file)
    return toml.set_keys(text, keys[:-1], {keys[-1]: edit.after}, file)
