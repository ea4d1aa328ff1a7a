"""The SDK's low-level server, bare, over the SDK's stdio."""

from __future__ import annotations

import asyncio
import sys

import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

COUNT = int(sys.argv[1]) if len(sys.argv) > 1 else 10
SCHEMA = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
TOOLS = [
    types.Tool(name=f"tool_{n:04}", description="Say it", input_schema=SCHEMA) for n in range(COUNT)
]


async def list_tools(ctx, params):
    return types.ListToolsResult(tools=TOOLS)


async def call_tool(ctx, params):
    text = types.TextContent(type="text", text=params.arguments["text"])
    return types.CallToolResult(content=[text])


async def main() -> None:
    server = Server("bare", on_list_tools=list_tools, on_call_tool=call_tool)
    async with stdio_server() as (source, sink):
        await server.run(source, sink, server.create_initialization_options())


asyncio.run(main())
