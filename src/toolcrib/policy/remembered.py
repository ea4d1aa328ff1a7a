"""Remembered approvals: which calls they cover, as long as the tool is unchanged."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from toolcrib.core.support.digests import sha256
from toolcrib.core.support.records import record
from toolcrib.core.tool import JSON, Tool


@record
class Remembered:
    """A tool, and what its arguments have to be like, that need no further question."""

    tool: str
    arguments: Mapping[str, str]
    definition: str

    def allows(self, tool: Tool, arguments: JSON) -> bool:
        """Whether a call is one of those that were meant."""
        if tool.name != self.tool or fingerprint(tool) != self.definition:
            return False
        properties = tool.input_schema.get("properties", {})
        given = {name: value for name, value in arguments.items() if value is not None}
        for name, pattern in self.arguments.items():
            if name not in given or not like(_text(given.pop(name)), pattern):
                return False
        return all(
            "default" in properties.get(name, {}) and value == properties[name]["default"]
            for name, value in given.items()
        )


def fingerprint(tool: Tool) -> str:
    """A digest that changes if a tool would do something else."""
    defined = tool.definition() if tool.definition is not None else tool.origin
    return sha256(json.dumps([tool.name, tool.input_schema, defined], default=repr).encode())


def like(text: str, pattern: str) -> bool:
    """Whether all of `text` is like a pattern in which `*` stands for anything but a slash."""
    import re2  # linear in what a caller writes; compiled, so only where something is remembered

    wanted = "[^/]*".join(map(re2.escape, re.sub(r"\*+", "*", pattern).split("*")))
    return re2.fullmatch(f"(?s){wanted}", text) is not None


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)
