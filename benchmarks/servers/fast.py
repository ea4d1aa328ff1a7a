"""Another peer: FastMCP over stdio."""

from __future__ import annotations

import sys

from fastmcp import FastMCP

COUNT = int(sys.argv[1]) if len(sys.argv) > 1 else 10
server = FastMCP("peer")


def add(name: str) -> None:
    async def tool(text: str) -> str:
        return text

    server.tool(tool, name=name, description="Say it")


for number in range(COUNT):
    add(f"tool_{number:04}")

server.run("stdio", show_banner=False, log_level="CRITICAL")
