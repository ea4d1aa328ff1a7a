"""OpenTelemetry spans around requests, over a pipe as over HTTP.

Nothing is loaded unless the environment asks for telemetry (any `OTEL_…` variable), so that a
server without it pays nothing. Where it names a collector (`OTEL_EXPORTER_OTLP_ENDPOINT`) and
`toolcrib[otel]` is installed, the spans are sent there, as http/protobuf.
"""

from __future__ import annotations

import contextlib
import logging
import os
import threading
from collections.abc import Awaitable, Callable, Iterator, Mapping
from typing import Any, Final

from toolcrib.core.tool import JSON
from toolcrib.server.mcp.protocol import Request
from toolcrib.wire.eras import VERSION_KEY
from toolcrib.wire.messages import RpcError

Answer = Callable[[Request], Awaitable[JSON]]

logger = logging.getLogger("toolcrib.server")

FLUSH: Final = 1.0
"""Seconds for the last spans to be sent."""
_ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
_provider: Any = None
_NAMES = {"tools/call": "gen_ai.tool.name", "prompts/get": "gen_ai.prompt.name"}


class Span:
    """The span of one request."""

    def __init__(self, span: Any) -> None:
        self._span = span

    def finish(self, result: JSON) -> None:
        """Say how the request ended."""
        if result.get("isError") is True:
            self._failed("tool_error", "")

    def refuse(self, error: RpcError) -> None:
        """Say that it ended with an error."""
        self._failed(str(error.code), error.message)

    def _failed(self, kind: str, text: str) -> None:
        from opentelemetry.trace import StatusCode

        self._span.set_attribute("error.type", kind)
        self._span.set_status(StatusCode.ERROR, text)


def enabled(environment: Mapping[str, str] | None = None) -> bool:
    """Whether anybody asked for telemetry, and nobody said that there is none."""
    known = os.environ if environment is None else environment
    if known.get("OTEL_SDK_DISABLED", "").lower() == "true":
        return False
    if known.get("OTEL_TRACES_EXPORTER", "").lower() == "none":
        return False
    return any(name.startswith("OTEL_") for name in known)


def traced(answer: Answer) -> Answer:
    """`answer` with a span around each request, where somebody asked for telemetry."""
    if not enabled() or not _can_trace():
        return answer
    _export()

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


def flush() -> None:
    """Send the last spans, for at most a second; a collector that is away holds up nobody."""
    if _provider is None:
        return
    milliseconds = int(FLUSH * 1000)
    thread = threading.Thread(target=_provider.force_flush, args=(milliseconds,), daemon=True)
    thread.start()
    thread.join(FLUSH)


def _can_trace() -> bool:
    from importlib.util import find_spec

    return find_spec("opentelemetry") is not None


def _export() -> None:
    """Send spans to the collector that the environment names, unless a wrapper does it already."""
    global _provider
    if _provider is not None or not any(os.environ.get(name) for name in _ENDPOINTS):
        return
    from opentelemetry import trace

    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError:
        logger.warning("traces are not exported: install toolcrib with its extra: otel")
        return
    if isinstance(trace.get_tracer_provider(), TracerProvider):
        return
    # What cannot be sent is lost, and no reason to fill the log.
    logging.getLogger("opentelemetry").setLevel(logging.CRITICAL)
    about = {"service.name": os.environ.get("OTEL_SERVICE_NAME", "toolcrib")}
    _provider = TracerProvider(resource=Resource.create(about), shutdown_on_exit=False)
    _provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(_provider)


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
        if "trace_id" in request.notes:
            request.notes["trace_id"] = format(opened.get_span_context().trace_id, "032x")
        yield Span(opened)
