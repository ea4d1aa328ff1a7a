"""Uris of servers under our own: `mcp://SERVER/` and the server's own uri, unchanged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from toolcrib.core.tool import JSON

SCHEME: Final = "mcp://"
_TEXT: Final = frozenset(("type", "text"))


def our_uri(server: str, uri: str) -> str:
    """A server's uri as it is known here."""
    return f"{SCHEME}{server}/{uri}"


def their_uri(uri: str) -> tuple[str, str]:
    """The server that a uri belongs to, and what it is called there; raises `ValueError`."""
    server, slash, own = uri.removeprefix(SCHEME).partition("/")
    if not (uri.startswith(SCHEME) and server and slash and own):
        raise ValueError(uri)
    return server, own


def rewritten(server: str, result: JSON) -> JSON:
    """A result of a server with its uris as they are known here."""
    content = result.get("content")
    if not isinstance(content, list):
        return with_meta(server, result)
    if "_meta" not in result:
        for item in content:
            if not _is_text(item):
                break
        else:
            return result
    return {
        **(with_meta(server, result) if "_meta" in result else result),
        "content": [content_item(server, item) for item in content],
    }


def _is_text(item: Any) -> bool:
    """Whether an item is text and nothing else: most are, and have no uri anywhere."""
    return type(item) is dict and item.keys() == _TEXT


def content_item(server: str, item: Any) -> Any:
    """One item of content: a link to a resource, or a resource itself."""
    if not isinstance(item, dict) or _is_text(item):
        return item
    found = with_meta(server, item)
    if found.get("type") == "resource_link" and isinstance(found.get("uri"), str):
        found["uri"] = our_uri(server, found["uri"])
    inner = found.get("resource")
    if found.get("type") == "resource" and isinstance(inner, dict):
        found["resource"] = with_uri(server, inner)
    return found


def with_uri(server: str, value: JSON) -> JSON:
    """An object whose `uri` is a server's, with ours."""
    found = with_meta(server, value)
    if isinstance(found.get("uri"), str):
        found["uri"] = our_uri(server, found["uri"])
    return found


def with_meta(server: str, value: Mapping[str, Any]) -> JSON:
    """A copy of an object, the uri of its page (`_meta.ui.resourceUri`) as it is known here."""
    found = dict(value)
    meta = found.get("_meta")
    if isinstance(meta, dict):
        found["_meta"] = ui_meta(server, meta)
    return found


def ui_meta(server: str, meta: Mapping[str, Any]) -> JSON:
    """A `_meta` whose page is known here."""
    page = meta.get("ui")
    uri = page.get("resourceUri") if isinstance(page, dict) else None
    if not isinstance(page, dict) or not isinstance(uri, str):
        return dict(meta)
    return {**meta, "ui": {**page, "resourceUri": our_uri(server, uri)}}
