"""Pages of a list, with cursors that survive a change of the list."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from toolcrib.core.errors import InvalidParams
from toolcrib.core.tool import JSON

T = TypeVar("T")


def page_of(
    items: Sequence[T], cursor: object, size: int, key: Callable[[T], str]
) -> tuple[Sequence[T], str | None]:
    """The items after `cursor`, at most `size`, and the cursor of the next page.

    A cursor names the last item that was seen, so that items which come or go between two
    pages shift nothing. The items must be sorted by `key`.
    """
    start = 0
    if cursor is not None:
        import bisect

        start = bisect.bisect_right(items, _opened(cursor), key=key)
    page = items[start : start + size]
    more = start + size < len(items)
    return page, _sealed(key(page[-1])) if more else None


def _sealed(name: str) -> str:
    import base64

    return base64.urlsafe_b64encode(b"after:" + name.encode()).decode("ascii").rstrip("=")


def _opened(cursor: object) -> str:
    if isinstance(cursor, str):
        import base64

        try:
            raw = base64.urlsafe_b64decode(cursor.encode() + b"=" * (-len(cursor) % 4))
            if raw.startswith(b"after:"):
                return raw[6:].decode()
        except ValueError:
            pass
    raise InvalidParams(
        "Invalid cursor",
        why="a cursor is the nextCursor of an earlier page",
        data={"field": "cursor"},
    )


def page_as_wire(name: str, items: list[JSON], following: str | None) -> JSON:
    """One page as a list method answers it."""
    page: JSON = {name: items}
    if following is not None:
        page["nextCursor"] = following
    return page
