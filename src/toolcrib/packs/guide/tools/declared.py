"""The guide's tools: importing this module declares them, and takes them out of the collection.

They are taken here, once, because a collection is handed out only once: a second server in the
same process finds them in `TOOLS` all the same.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping

from toolcrib.core.declare.arguments import Function, ToolArguments
from toolcrib.packs.guide.environment import include_example_tools

_MODULES = ("content", "categories", "collections", "flags", "rules", "search")
_PACKAGE = __name__.rpartition(".")[0]
_EXAMPLES = f"{_PACKAGE}.tool_example"

for _name in _MODULES:
    importlib.import_module(f"{_PACKAGE}.{_name}")

TOOLS: Mapping[str, Function] = ToolArguments.get_declared_tools(_PACKAGE)
_examples: dict[str, Function] = {}


def declared_tools() -> dict[str, Function]:
    """All tools by their undecorated names; the examples too, where the environment asks."""
    if not include_example_tools():
        return dict(TOOLS)
    importlib.import_module(_EXAMPLES)
    _examples.update(ToolArguments.get_declared_tools(_EXAMPLES))
    return {**TOOLS, **_examples}
