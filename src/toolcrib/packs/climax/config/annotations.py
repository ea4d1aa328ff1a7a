"""The effects of a bundled config's tools: its `.meta.json`, read as annotations.

Beside `git.yaml` lies `git.meta.json` with four lists of tool names. Each tool is in exactly one of
`read_only` (looks, and changes nothing), `changes` (adds or alters, and nothing is lost by it) and
`destructive` (something may be gone afterwards); `open_world` names those that speak to other
machines. A config of one's own says the same for all of its tools with the tag `read-only`.
`network` says for each tool what of the network it needs, and `access` what else some of them do.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from toolcrib.core.tool import Annotations

READ_ONLY_TAG = "read-only"
_BUNDLED = Path(__file__).parents[1] / "configs"
_SHOWN = " (bundled)"
_LISTS = ("read_only", "changes", "destructive", "open_world")


def annotations_for(
    config_file: str | Path, tool_name: str, tags: Iterable[str] = ()
) -> Annotations:
    """Return what is known of a tool; nothing is claimed of what nobody has said.

    `config_file` is the path of the config, or a bundled one as messages show it: `git (bundled)`.
    """
    lists = _lists(_bundled_name(config_file))
    open_world = tool_name in lists.get("open_world", ())
    if tool_name in lists.get("read_only", ()):
        return Annotations(True, False, True, open_world)
    if tool_name in lists.get("changes", ()):
        return Annotations(False, False, None, open_world)
    if tool_name in lists.get("destructive", ()):
        return Annotations(False, True, None, open_world)
    if READ_ONLY_TAG in tags:
        return Annotations(read_only=True, destructive=False)
    return Annotations()


def bundled_access(config_file: str | Path) -> Mapping[str, Any]:
    """What a bundled config's tools need: `network` for each tool, and rules under `access`."""
    return _sidecar(_bundled_name(config_file))


def _bundled_name(config_file: str | Path) -> str | None:
    shown = str(config_file)
    if shown.endswith(_SHOWN):
        return shown.removesuffix(_SHOWN)
    path = Path(config_file)
    return path.stem if path.parent == _BUNDLED else None


@cache
def _lists(name: str | None) -> dict[str, frozenset[str]]:
    return {key: frozenset(_sidecar(name).get(key, ())) for key in _LISTS}


@cache
def _sidecar(name: str | None) -> Mapping[str, Any]:
    """What lies beside a bundled config: it ships with the program, is read once and trusted."""
    path = _BUNDLED / f"{name}.meta.json"
    if name is None or "/" in name or not path.is_file():
        return {}
    sidecar: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return sidecar
