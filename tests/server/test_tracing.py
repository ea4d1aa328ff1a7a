"""Spans: made when somebody asks, sent where the environment says, never otherwise."""

from __future__ import annotations

import asyncio
import gzip
import http.server
import json
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("opentelemetry.sdk", reason="the OpenTelemetry SDK is not installed")

from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from support.serving import Serving
from support.workbench import Workbench
from toolcrib.server.mcp.engine import Engine
from toolcrib.server.surface import Surface
from toolcrib.server.tracing import enabled


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
            engine.receive([json.dumps(message).encode()])
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


@pytest.mark.parametrize(
    ("environment", "wanted"),
    [
        ({}, False),
        ({"OTEL_SERVICE_NAME": "x"}, True),
        ({"OTEL_SERVICE_NAME": "x", "OTEL_SDK_DISABLED": "true"}, False),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://x", "OTEL_TRACES_EXPORTER": "none"}, False),
    ],
)
def test_the_usual_switches_are_obeyed(environment: dict[str, str], wanted: bool) -> None:
    """R-14: `OTEL_TRACES_EXPORTER=none` and `OTEL_SDK_DISABLED` are obeyed."""
    assert enabled(environment) is wanted


class Collector:
    """Takes spans over HTTP as a collector does."""

    def __init__(self) -> None:
        self.bodies: list[bytes] = []
        collector = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                if self.headers.get("content-encoding") == "gzip":
                    body = gzip.decompress(body)
                collector.bodies.append(body)
                self.send_response(200)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *words: object) -> None:
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def spans(self) -> list[Any]:
        from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
            ExportTraceServiceRequest,
        )

        found = []
        for body in self.bodies:
            request = ExportTraceServiceRequest()
            request.ParseFromString(body)
            for resource in request.resource_spans:
                for scope in resource.scope_spans:
                    found += scope.spans
        return found


def test_spans_reach_the_collector_without_a_wrapper(tmp_path: Path) -> None:
    """R-14: exported when the endpoint is set; `traceparent` from the header; flushed at the end,
    and the record names the trace."""
    pytest.importorskip("opentelemetry.exporter.otlp.proto.http", reason="toolcrib[otel]")
    collector = Collector()
    trace_id = "0af7651916cd43dd8448eb211c80319c"
    audit = tmp_path / "audit.jsonl"
    env = {"OTEL_EXPORTER_OTLP_ENDPOINT": collector.url}
    with Serving(tmp_path, f'[server]\naudit = "{audit}"\n', env=env) as server:
        parent = ("traceparent", f"00-{trace_id}-b7ad6b7169203331-01")
        assert server.call("echo", {"text": "x"}, parent).status == 200
        assert server.call("echo", {"text": "y"}).status == 200
        assert server.stop() == 0
    first, second = sorted(collector.spans(), key=lambda span: span.start_time_unix_nano)
    assert first.trace_id.hex() == trace_id and first.parent_span_id.hex() == "b7ad6b7169203331"
    lines = [json.loads(line) for line in audit.read_text().splitlines()]
    traces = [line["trace_id"] for line in lines if "tool" in line]
    assert traces == [trace_id, second.trace_id.hex()]
    collector.server.shutdown()


def test_a_collector_that_is_away_costs_nothing_but_its_spans(tmp_path: Path) -> None:
    """R-14: calls are answered, the server goes in time, and the log stays empty."""
    env = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9"}
    with Serving(tmp_path, env=env) as server:
        assert server.call("echo", {"text": "x"}).status == 200
        assert server.stop() == 0
        assert len(server.lines) == 2, server.lines
