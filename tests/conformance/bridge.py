"""An HTTP face for a server on a pipe, so that the official suite, which knows URLs only, can
try it: `python tests/conformance/bridge.py PORT`.

Each HTTP session gets a pipe of its own. The bridge moves messages and knows of the protocol
only what HTTP asks: headers against the body, sessions, and what becomes an event stream.
"""

from __future__ import annotations

import asyncio
import json
import sys
import uuid
from pathlib import Path
from typing import Any

import uvicorn
from mcp.shared.inbound import InboundLadderRejection, classify_inbound_request
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

SERVER = Path(__file__).parent / "serve.py"
LOCAL = ("127.0.0.1", "localhost", "[::1]")
HANDSHAKE = ("2025", "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
STATUS = {-32601: 404, -32602: 400, -32600: 400, -32020: 400, -32021: 400, -32022: 400}


class Pipe:
    """One server process; answers find their way back by their ids."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.waiting: dict[Any, asyncio.Queue[dict[str, Any]]] = {}
        self.standing: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.latest: Any = None
        self.task = asyncio.create_task(self._read())

    @classmethod
    async def open(cls) -> Pipe:
        process = await asyncio.create_subprocess_exec(
            sys.executable, str(SERVER), stdin=-1, stdout=-1, limit=2**24
        )
        return cls(process)

    def send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message).encode() + b"\n")

    async def _read(self) -> None:
        assert self.process.stdout is not None
        async for line in self.process.stdout:
            message = json.loads(line)
            self._queue(message).put_nowait(message)

    def _queue(self, message: dict[str, Any]) -> asyncio.Queue[dict[str, Any]]:
        """Where a message belongs: to its request, its subscription, or the latest request."""
        params = message.get("params") or {}
        tagged = (params.get("_meta") or {}).get("io.modelcontextprotocol/subscriptionId")
        for key in (message.get("id") if "method" not in message else None, tagged, self.latest):
            if key is not None and key in self.waiting:
                return self.waiting[key]
        return self.standing


class Bridge:
    def __init__(self) -> None:
        self.sessions: dict[str, Pipe] = {}
        self.modern: Pipe | None = None
        self.numbers = iter(range(1, 10**9))

    async def post(self, request: Request) -> Response:
        refused = self._guard(request)
        if refused is not None:
            return refused
        message = json.loads(await request.body())
        if request.headers.get("mcp-protocol-version", "2025") not in HANDSHAKE:
            return await self._post_modern(request, message)
        session = request.headers.get("mcp-session-id")
        if message.get("method") == "initialize":
            session = uuid.uuid4().hex
            self.sessions[session] = await Pipe.open()
        if session not in self.sessions:
            return Response(status_code=404 if session else 400)
        pipe = self.sessions[session]
        if "id" not in message or "method" not in message:
            pipe.send(message)
            return Response(status_code=202)
        return await self._exchange(pipe, message, {"mcp-session-id": session})

    async def _post_modern(self, request: Request, message: dict[str, Any]) -> Response:
        if "id" not in message:
            return Response(status_code=202)
        verdict = classify_inbound_request(message, headers=dict(request.headers))
        if isinstance(verdict, InboundLadderRejection):
            error = {"code": verdict.code, "message": verdict.message}
            if verdict.data is not None:
                error["data"] = verdict.data
            return JSONResponse({"jsonrpc": "2.0", "id": message["id"], "error": error}, 400)
        if self.modern is None:
            self.modern = await Pipe.open()
        # Many clients share the one pipe of the stateless era: their ids must not meet.
        inner = {**message, "id": next(self.numbers)}
        return await self._exchange(self.modern, inner, {}, message["id"])

    async def _exchange(
        self, pipe: Pipe, message: dict[str, Any], headers: dict[str, str], outer: Any = None
    ) -> Response:
        id = message["id"]
        queue = pipe.waiting[id] = asyncio.Queue()
        pipe.latest = id
        pipe.send(message)
        first = await queue.get()

        def renamed(each: dict[str, Any]) -> dict[str, Any]:
            return (
                json.loads(json.dumps(each).replace(f'"id": {id}', f'"id": {json.dumps(outer)}', 1))
                if outer is not None and each.get("id") == id
                else each
            )

        if first.get("id") == id and "method" not in first:
            del pipe.waiting[id]
            status = (
                STATUS.get(first.get("error", {}).get("code"), 200) if outer is not None else 200
            )
            return JSONResponse(renamed(first), status, headers)

        async def events() -> Any:
            current = first
            try:
                while True:
                    yield f"event: message\ndata: {json.dumps(renamed(current))}\n\n"
                    if current.get("id") == id and "method" not in current:
                        return
                    current = await queue.get()
            finally:
                pipe.waiting.pop(id, None)
                cancelled = {"requestId": id}
                pipe.send(
                    {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancelled}
                )

        return StreamingResponse(events(), 200, headers, "text/event-stream")

    async def get(self, request: Request) -> Response:
        return self._guard(request) or Response(status_code=405)

    async def delete(self, request: Request) -> Response:
        pipe = self.sessions.pop(request.headers.get("mcp-session-id", ""), None)
        if pipe is None:
            return Response(status_code=404)
        assert pipe.process.stdin is not None
        pipe.process.stdin.close()
        return Response(status_code=200)

    def _guard(self, request: Request) -> Response | None:
        if request.headers.get("host", "").rsplit(":", 1)[0] not in LOCAL:
            return Response(status_code=421)
        origin = request.headers.get("origin")
        if origin and origin.partition("://")[2].rsplit(":", 1)[0] not in LOCAL:
            return Response(status_code=403)
        return None


async def health(request: Request) -> Response:
    return JSONResponse({"status": "ok"})


async def main() -> None:
    bridge = Bridge()
    app = Starlette(
        routes=[
            Route("/mcp", bridge.post, methods=["POST"]),
            Route("/mcp", bridge.get, methods=["GET"]),
            Route("/mcp", bridge.delete, methods=["DELETE"]),
            Route("/healthz", health),
        ]
    )
    config = uvicorn.Config(app, port=int(sys.argv[1]), log_level="critical", lifespan="off")
    listener = config.bind_socket()
    port = listener.getsockname()[1]
    print(f"serving on http://127.0.0.1:{port}/mcp", file=sys.stderr, flush=True)
    await uvicorn.Server(config).serve(sockets=[listener])


if __name__ == "__main__":
    asyncio.run(main())
