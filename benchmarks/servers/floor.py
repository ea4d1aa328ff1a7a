"""The floor: the least that can answer. A loop over asyncio pipes and a dictionary of methods."""

from __future__ import annotations

import asyncio
import json
import sys

SCHEMA = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
COUNT = int(sys.argv[1]) if len(sys.argv) > 1 else 10
TOOLS = [
    {"name": f"tool_{n:04}", "description": "Say it", "inputSchema": SCHEMA} for n in range(COUNT)
]


UNKNOWN = {"error": {"code": -32601, "message": "Method not found"}}


def answer(message: dict) -> dict:
    method, params = message["method"], message.get("params", {})
    if method == "initialize":
        info = {"name": "floor", "version": "1"}
        result = {
            "protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": info
        }  # fmt: skip
        return {"result": result}
    if method == "tools/list":
        return {"result": {"tools": TOOLS}}
    if method == "tools/call":
        said = params["arguments"]["text"]
        return {"result": {"content": [{"type": "text", "text": said}], "isError": False}}
    return UNKNOWN


async def main() -> None:
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=2**24)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    transport, protocol = await loop.connect_write_pipe(
        asyncio.streams.FlowControlMixin, sys.stdout
    )
    writer = asyncio.StreamWriter(transport, protocol, None, loop)
    while line := await reader.readline():
        message = json.loads(line)
        if "id" in message:
            reply = {"jsonrpc": "2.0", "id": message["id"], **answer(message)}
            writer.write(json.dumps(reply).encode() + b"\n")
            await writer.drain()


asyncio.run(main())
