"""Flags: values that steer agents, for one project or for all of them."""

from __future__ import annotations

import json
import re
from typing import Any

from toolcrib.packs.guide.errors import InvalidName, InvalidValue
from toolcrib.packs.guide.state.store import EVERYWHERE, Store, StoreEdit

FlagValue = bool | str | list[str] | dict[str, str]

LARGEST_VALUE = 65_536
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", re.ASCII)


class FeatureFlags:
    """The flags that hold everywhere; no project's flag is looked at or touched."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def set(self, name: str, value: FlagValue | None) -> None:
        """Set a flag; None removes it."""
        _write(self._store, EVERYWHERE, name, value)

    def get(self, name: str) -> FlagValue | None:
        """A flag, or None."""
        found: FlagValue | None = self._store.get(EVERYWHERE, "flag", checked_name(name))
        return found

    def list(self) -> dict[str, FlagValue]:
        """All of them."""
        return self._store.all(EVERYWHERE, "flag")


class Flags:
    """The flags of one project, over those that hold everywhere.

    The global ones are read and written by themselves, never merged; the project's are looked
    up with the global ones behind them. A project's false beats a global true.
    """

    def __init__(self, store: Store, project: str) -> None:
        self.everywhere = FeatureFlags(store)
        self._store = store
        self._project = project

    def set_feature(self, name: str, value: FlagValue | None) -> None:
        """Set a global flag; None removes it."""
        self.everywhere.set(name, value)

    def get_feature(self, name: str) -> FlagValue | None:
        """A global flag, or None."""
        return self.everywhere.get(name)

    def list_feature(self) -> dict[str, FlagValue]:
        """All global flags."""
        return self.everywhere.list()

    def set_project(self, name: str, value: FlagValue | None) -> None:
        """Set a flag of this project; None removes it, and a global one shows again."""
        _write(self._store, self._project, name, value)

    def get_project(self, name: str) -> tuple[FlagValue | None, str]:
        """A flag as this project sees it, and who set it: `project`, `global` or `none`."""
        checked_name(name)
        for project, source in ((self._project, "project"), (EVERYWHERE, "global")):
            found = self._store.get(project, "flag", name)
            if found is not None:  # null is no value of a flag: it removes one
                return found, source
        return None, "none"

    def list_project(self) -> dict[str, FlagValue]:
        """All flags as this project sees them, sorted."""
        own = self._store.all(self._project, "flag")
        return dict(sorted({**self.everywhere.list(), **own}.items()))

    def own(self) -> dict[str, FlagValue]:
        """The flags that this project itself has set."""
        return self._store.all(self._project, "flag")


def _write(store: Store, project: str, name: str, value: FlagValue | None) -> None:
    checked_name(name)
    wanted = checked_value(value)

    def work(edit: StoreEdit) -> None:
        if wanted is None:
            edit.drop(project, "flag", name)
        else:
            edit.put(project, "flag", name, wanted)

    store.change(work)


def checked_name(name: str) -> str:
    """The name, or `InvalidName` that says what a name looks like."""
    if not _NAME.fullmatch(name):
        raise InvalidName(
            f"Flag name {name[:80]!r} must begin with a letter or digit and hold at most 64 "
            "letters, digits, dots, underscores and dashes",
            data={"name": name[:80], "pattern": f"^{_NAME.pattern}$"},
        )
    return name


def checked_value(value: Any) -> FlagValue | None:
    """The value, or `InvalidValue` that says what a value may be."""
    if not _is_value(value):
        raise InvalidValue(
            "A flag is true, false, a string, a list of strings, a map of strings, or null to "
            f"remove it; got {type(value).__name__}"
        )
    size = len(json.dumps(value, ensure_ascii=False))
    if size > LARGEST_VALUE:
        raise InvalidValue(f"A flag holds at most {LARGEST_VALUE:,} characters, got {size:,}")
    checked: FlagValue | None = value
    return checked


def _is_value(value: Any) -> bool:
    if isinstance(value, list):
        return all(_is_text(each) for each in value)
    if isinstance(value, dict):
        return all(_is_text(key) and _is_text(each) for key, each in value.items())
    return value is None or isinstance(value, bool) or _is_text(value)


def _is_text(value: Any) -> bool:
    """Lone surrogates cannot be stored, and would not come back."""
    return isinstance(value, str) and not any("\ud800" <= each <= "\udfff" for each in value)
