"""What the settings of a repository make it able to do, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolcrib.policy.trust.acting import Tables, acting_settings

_ACCESS = {"reads": "reads", "writes": "writes", "sockets": "connects to", "env": "wants"}


def describe_settings(tables: Tables) -> list[str]:
    """One sentence for each thing that the settings allow."""
    return [
        line
        for section, table in acting_settings(tables).items()
        for key, value in table.items()
        for line in _described(section, key, value)
    ]


def _described(section: str, key: str, value: Any) -> list[str]:
    match section, key:
        case "server", "audit" | "log_file":
            return [f"writes {value}"]
        case "climax", "configs":
            return [f"serves the command-line tools of {_shown(value)}"]
        case "climax", "policy":
            return [f"lets {value or 'no policy'} decide what may be called"]
        case "climax", "sandbox" if value == "off":
            return ["runs commands without a sandbox"]
        case "climax", "writable":
            return [f"lets commands write {each}" for each in _items(value)]
        case "climax", "access":
            return _access("", value)
        case "custom", "modules":
            return []  # each module speaks for itself
    return [f"sets [{section}] {key} = {_shown(value)}"]


def _access(name: str, table: Any) -> list[str]:
    """The grants of `[climax.access.…]`, of a config or of one of its tools."""
    lines: list[str] = []
    for key, value in table.items() if isinstance(table, Mapping) else ():
        if isinstance(value, Mapping):
            lines += _access(str(key), value)
        elif key == "network":
            lines.append(f"gives {name} network to {_shown(value)}")
        else:
            sign = "$" if key == "env" else ""
            lines += [f"{_ACCESS.get(key, key)} {sign}{each}" for each in _items(value)]
    return lines


def _items(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]


def _shown(value: Any) -> str:
    return ", ".join(map(str, _items(value)))
