"""toolcrib's surface with the same tools as the peers, over stdio or, with a port, over HTTP."""

from __future__ import annotations

import sys
from pathlib import Path

from toolcrib.core.pack import Contributions, Pack
from toolcrib.core.tool import Tool
from toolcrib.server.surface import Surface

COUNT = int(sys.argv[1]) if len(sys.argv) > 1 else 10
SCHEMA = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}


async def say(arguments, context):
    return arguments["text"]


class Echo(Pack):
    name = "echo"
    live = False

    def contribute(self) -> Contributions:
        return Contributions(
            tools=[Tool(f"tool_{n:04}", "Say it", SCHEMA, say) for n in range(COUNT)]
        )


surface = Surface([Echo()])
if len(sys.argv) > 2:
    from toolcrib.server.transports.http import serve_http
    from toolcrib.settings import load

    sys.exit(serve_http(surface, load(Path(__file__).parent, {"http": {"port": int(sys.argv[2])}})))
from toolcrib.server.transports.stdio import serve_stdio  # noqa: E402

sys.exit(serve_stdio(surface))
