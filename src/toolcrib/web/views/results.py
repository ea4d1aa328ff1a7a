"""The result of a call that a person made: text, structured content, and whether it failed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from toolcrib.core.tool import JSON
from toolcrib.web.views.text import marked

LONGEST: Final = 200_000
"""Characters of a result that are shown."""
_DEEPEST, _MOST_ITEMS, _LONGEST_LEAF = 8, 200, 2000


def shown(result: JSON, milliseconds: float) -> JSON:
    """What a tool answered, so that it can be shown as it is."""
    text = "\n".join(_item(item) for item in result.get("content", ()))
    cut = len(text) - LONGEST
    if result.get("resultType") == "input_required":
        text = "It asks a person something, and the page cannot answer."
    return {
        "outcome": "failed" if result.get("isError") else "ok",
        "ms": round(milliseconds, 1),
        "text": marked(text[:LONGEST]),
        "cut": f"{cut:,} characters more are not shown." if cut > 0 else "",
        "tree": tree(result["structuredContent"]) if "structuredContent" in result else None,
    }


def refused(message: str) -> JSON:
    """A call that did not come to an answer."""
    return {"outcome": "failed", "ms": 0.0, "text": marked(message), "cut": "", "tree": None}


def tree(value: Any, depth: int = 0) -> JSON:
    """A JSON value as nested rows: `text` of a leaf, or `rows` with a name each."""
    if isinstance(value, Mapping):
        pairs: Iterator[tuple[str, Any]] = ((str(key), item) for key, item in value.items())
        brackets, size = "{}", len(value)
    elif isinstance(value, list):
        pairs = ((str(number), item) for number, item in enumerate(value))
        brackets, size = "[]", len(value)
    else:
        return {"text": _leaf(value)}
    if not size:
        return {"text": brackets}
    if depth >= _DEEPEST:
        return {"text": f"{brackets[0]}{size} more{brackets[1]}"}
    rows = [
        {"name": marked(name[:200]), **tree(item, depth + 1)}
        for name, item in _first(pairs, _MOST_ITEMS)
    ]
    if size > _MOST_ITEMS:
        rows.append({"name": "…", "text": f"{size - _MOST_ITEMS} more"})
    return {"rows": rows, "size": size, "brackets": brackets}


def _first(pairs: Iterator[tuple[str, Any]], most: int) -> Iterator[tuple[str, Any]]:
    for _, pair in zip(range(most), pairs, strict=False):
        yield pair


def _leaf(value: Any) -> str:
    if isinstance(value, str):
        more = len(value) - _LONGEST_LEAF
        return marked(value[:_LONGEST_LEAF]) + (f"… {more:,} characters more" if more > 0 else "")
    return json.dumps(value)


def _item(item: JSON) -> str:
    """One item of a result's content in words."""
    kind = item.get("type")
    if kind == "text":
        return str(item.get("text", ""))
    if kind == "resource":
        inside = item.get("resource", {})
        if "text" in inside:
            return str(inside["text"])
        item = {"type": kind, "data": inside.get("blob", ""), "mimeType": inside.get("mimeType")}
    if "data" in item:
        size = len(str(item["data"])) * 3 // 4
        return f"[{kind}: {size:,} bytes of {item.get('mimeType') or 'data'}]"
    return f"[{kind}: {item.get('uri') or ''}]"
