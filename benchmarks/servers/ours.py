"""toolcrib's surface with the same tools as the peers, over stdio or, with a port, over HTTP."""

from __future__ import annotations

import sys
from pathlib import Path

from pydantic import Field

from toolcrib.core.declare.arguments import ToolArguments
from toolcrib.core.declare.functions import to_tool
from toolcrib.core.pack import Contributions, Pack
from toolcrib.server.surface import Surface

COUNT = int(sys.argv[1]) if len(sys.argv) > 1 else 10


class Said(ToolArguments):
    text: str = Field(description="What to say")


async def say(args: Said) -> str:
    """Say it"""
    return args.text


class Echo(Pack):
    name = "echo"
    live = False

    def contribute(self) -> Contributions:
        return Contributions(tools=[to_tool(say, wire_name=f"tool_{n:04}") for n in range(COUNT)])


surface = Surface([Echo()])
if len(sys.argv) > 2:
    from toolcrib.server.transports.http import serve_http
    from toolcrib.settings import load

    sys.exit(serve_http(surface, load(Path(__file__).parent, {"http": {"port": int(sys.argv[2])}})))
from toolcrib.server.transports.stdio import serve_stdio  # noqa: E402

sys.exit(serve_stdio(surface))
