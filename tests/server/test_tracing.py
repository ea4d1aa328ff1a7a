"""Spans over a pipe: made when somebody asks, never otherwise."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys

import pytest

pytest.importorskip("opentelemetry.sdk", reason="the OpenTelemetry SDK is not installed")

from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from support.workbench import Workbench
from toolcrib.server.mcp.engine import Engine
from toolcrib.server.surface import Surface


def test_a_request_is_a_span_with_its_tool_and_parent(monkeypatch: pytest.MonkeyPatch) -> None:
    """S-9: OpenTelemetry spans, children of the client's own context."""
    monkeypatch.setenv("OTEL_SERVICE_NAME", "test")
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    trace.set_tracer_provider(provider)
    sent: list[str] = []

    async def main() -> None:
        engine = Engine(Surface([Workbench()]), sent.append)
        parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        meta = {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
            "traceparent": parent,
        }
        for name in ("echo", "nope"):
            params = {"name": name, "arguments": {"text": "x"}, "_meta": meta}
            message = {"jsonrpc": "2.0", "id": name, "method": "tools/call", "params": params}
            engine.receive(json.dumps(message).encode())
        await engine.finish(5)

    asyncio.run(main())
    good, bad = sorted(exporter.get_finished_spans(), key=lambda span: span.name)
    assert good.name == "tools/call echo" and good.attributes is not None
    assert good.attributes["gen_ai.tool.name"] == "echo"
    assert good.parent is not None and format(good.parent.span_id, "x") == "b7ad6b7169203331"
    assert bad.attributes is not None and bad.attributes["error.type"] == "-32602"


def test_without_telemetry_nothing_of_it_is_loaded() -> None:
    """S-9: a server that nobody traces pays nothing."""
    code = "import sys, toolcrib.server.transports.stdio; print('opentelemetry' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
