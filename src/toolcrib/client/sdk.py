"""The SDK's client, where a person or a test wants exactly that one."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path

from mcp import Client, MCPError, StdioServerParameters, stdio_client

__all__ = ["Client", "MCPError", "over_pipe"]


@contextlib.asynccontextmanager
async def over_pipe(
    command: Sequence[str], *, cwd: Path, env: Mapping[str, str]
) -> AsyncIterator[Client]:
    """Start a server, speak to it over its standard input and output, and stop it in the end."""
    program, *words = command
    server = StdioServerParameters(command=program, args=words, cwd=cwd, env=dict(env))
    async with Client(stdio_client(server)) as client:
        yield client
