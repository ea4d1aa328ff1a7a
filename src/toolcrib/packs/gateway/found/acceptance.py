"""Which tools of an untrusted server can be served: by name, size and depth."""

from __future__ import annotations

import json
from typing import Any, Final

from toolcrib.core.support.gc_pause import no_collections
from toolcrib.core.tool import JSON
from toolcrib.packs.gateway.catalogue import Catalogue
from toolcrib.packs.gateway.found.conclusions import concluded
from toolcrib.packs.gateway.schemas import DEEPEST, LARGEST_TOOL

_LONGEST_NAME: Final = 128
_ENCODED: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def acceptable(tool: JSON) -> bool:
    """Whether a stranger's tool can be served at all."""
    name = tool.get("name")
    if not isinstance(name, str) or not 0 < len(name) <= _LONGEST_NAME:
        return False
    if not name.isprintable() or " " in name:
        return False
    try:
        text = _ENCODED(tool)
    except (ValueError, RecursionError):
        return False
    size = len(text) if text.isascii() else len(text.encode(errors="replace"))
    return size <= LARGEST_TOOL and not (_may_be_deep(text) and _deep(tool, 0))


def unacceptable(catalogue: Catalogue) -> list[int]:
    """Which tools of a catalogue cannot be served, by their places in it."""

    def places() -> list[int]:
        with no_collections():
            return [at for at, tool in enumerate(catalogue.tools) if not acceptable(tool)]

    return concluded("unacceptable", catalogue, (), places)


def _may_be_deep(text: str) -> bool:
    """Whether JSON has so many openings that it could nest too deeply: hardly any has."""
    return text.count("{") + text.count("[") > DEEPEST


def _deep(value: Any, depth: int) -> bool:
    if depth > DEEPEST:
        return True
    if isinstance(value, dict):
        return any(_deep(each, depth + 1) for each in value.values())
    return isinstance(value, list) and any(_deep(each, depth + 1) for each in value)
