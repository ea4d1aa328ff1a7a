"""The prefix before the names of tools: `MCP_TOOL_PREFIX`, and how it is joined on."""

from __future__ import annotations

from toolcrib.core.errors import InvalidToolSchema

PREFIX_VARIABLE = "MCP_TOOL_PREFIX"


def prefixed(name: str, prefix: str) -> str:
    """`prefix_name` with exactly one underscore between; no prefix leaves the name alone."""
    clean = prefix.strip().rstrip("_")
    if not clean:
        return name
    if not all(each.isascii() and (each.isalnum() or each in "_-.") for each in clean):
        raise InvalidToolSchema(
            f"Tool prefix {prefix!r} may hold letters, digits and _ - . only",
            next=f"Change {PREFIX_VARIABLE}, or set it to nothing for no prefix.",
        )
    return f"{clean}_{name.lstrip('_')}"
