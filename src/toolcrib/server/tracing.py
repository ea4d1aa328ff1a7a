"""OpenTelemetry spans around requests, over a pipe as over HTTP.

Nothing is loaded unless the environment asks for telemetry (any `OTEL_…` variable), so that a
server without it pays nothing.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

from toolcrib.core.tool import JSON
from toolcrib.server.mcp.protocol import Request
from toolcrib.wire.eras import VERSION_KEY
from toolcrib.wire.messages import RpcError

Answer = Callable[[Request], Awaitable[JSON]]

_NAMES = {"tools/call": "gen_ai.tool.name", "prompts/get": "gen_ai.prompt.name"}


class Span:
    """One span, or nothing where nobody traces."""

    def __init__(self, span: Any = None) -> None:
        self._span = span

    def finish(self, result: JSON) -> None:
        """Say how the request ended."""
        if self._span is not None and result.get("isError") is True:
            self._failed("tool_error", "")

    def refuse(self, error: RpcError) -> None:
        """Say that it ended with an error."""
        if self._span is not None:
            self._failed(str(error.code), error.message)

    def _failed(self, kind: str, text: str) -> None:
        from opentelemetry.trace import StatusCode

        self._span.set_attribute("error.type", kind)
        self._span.set_status(StatusCode.ERROR, text)


def enabled() -> bool:
    """Whether anybody asked for telemetry."""
    return any(name.startswith("OTEL_") for name in os.environ)


def traced(answer: Answer) -> Answer:
    """`answer`, with a span around each request."""

    async def answer_in_span(request: Request) -> JSON:
        with span(request) as opened:
            try:
                result = await answer(request)
            except RpcError as error:
                opened.refuse(error)
                raise
            opened.finish(result)
            return result

    return answer_in_span


@contextlib.contextmanager
def span(request: Request) -> Iterator[Span]:
    """A span around one request, a child of the client's own where it sent its context."""
    from opentelemetry import propagate, trace

    name = request.params.get("name")
    target = name if isinstance(name, str) else None
    attributes: dict[str, Any] = {
        "mcp.method.name": request.method,
        "mcp.protocol.version": request.meta.get(VERSION_KEY, request.peer.session.version),
        "jsonrpc.request.id": str(request.id),
    }
    if request.method == "tools/call":
        attributes["gen_ai.operation.name"] = "execute_tool"
    if target is not None and request.method in _NAMES:
        attributes[_NAMES[request.method]] = target
    carrier = {key: value for key, value in request.meta.items() if isinstance(value, str)}
    with trace.get_tracer("toolcrib").start_as_current_span(
        f"{request.method} {target}" if target else request.method,
        context=propagate.extract(carrier),
        kind=trace.SpanKind.SERVER,
        attributes=attributes,
        record_exception=False,
    ) as opened:
        yield Span(opened)
