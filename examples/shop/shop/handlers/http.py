"""Just enough of a web framework: a request, a response, a router."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from shop.domain.errors import InvalidRequest

LARGEST_BODY = 64 * 1024


@dataclass(frozen=True)
class Request:
    """What a client asks for."""

    method: str
    path: str
    query: dict[str, str] = field(default_factory=dict)
    body: bytes = b""

    def json(self) -> Any:
        """The body as JSON."""
        try:
            return json.loads(self.body)
        except ValueError:
            raise InvalidRequest({"body": "is not JSON"}) from None


@dataclass(frozen=True)
class Response:
    """What it gets."""

    status: int
    value: object
    content_type: str = "application/json"

    @property
    def body(self) -> bytes:
        """The value as JSON bytes."""
        return json.dumps(self.value, indent=2).encode() + b"\n"


Handler = Callable[..., Response]


class Router:
    """Methods and paths to handlers; `{name}` in a path becomes an argument."""

    def __init__(self) -> None:
        self._routes: list[tuple[str, re.Pattern[str], Handler]] = []

    def add(self, method: str, path: str, handler: Handler) -> None:
        """Send `method path` to `handler`."""
        pattern = re.compile(re.sub(r"{(\w+)}", r"(?P<\1>[^/]+)", path))
        self._routes.append((method, pattern, handler))

    def find(self, request: Request) -> tuple[Handler, dict[str, str]] | None:
        """The handler for a request and the arguments that its path holds."""
        for method, pattern, handler in self._routes:
            match = pattern.fullmatch(request.path)
            if match and method == request.method:
                return handler, match.groupdict()
        return None
