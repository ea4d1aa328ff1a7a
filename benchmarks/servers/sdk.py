"""The peer: the SDK's own `MCPServer`, over stdio or, with a port, over HTTP."""

from __future__ import annotations

import sys

from mcp.server import MCPServer

COUNT = int(sys.argv[1]) if len(sys.argv) > 1 else 10
server = MCPServer("peer")


def add(name: str) -> None:
    async def tool(text: str) -> str:
        return text

    server.add_tool(tool, name=name, description="Say it")


for number in range(COUNT):
    add(f"tool_{number:04}")

if len(sys.argv) > 2:
    server.run("streamable-http", port=int(sys.argv[2]), json_response=True)
else:
    server.run("stdio")
