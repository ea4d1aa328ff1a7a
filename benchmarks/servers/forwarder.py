"""A bare forwarder: lines from one pair of pipes to another and back, and no protocol."""

from __future__ import annotations

import asyncio
import sys


async def main() -> None:
    """Start the server that is named, and copy lines both ways until the client goes."""
    loop = asyncio.get_running_loop()
    server = await asyncio.create_subprocess_exec(
        *sys.argv[1:], stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=2**24
    )
    reader = asyncio.StreamReader(limit=2**24)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    transport, protocol = await loop.connect_write_pipe(
        asyncio.streams.FlowControlMixin, sys.stdout
    )
    writer = asyncio.StreamWriter(transport, protocol, None, loop)
    back = asyncio.create_task(copied(server.stdout, writer))
    await copied(reader, server.stdin)
    server.stdin.close()
    await back
    await server.wait()


async def copied(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    """Copy line by line until there are no more."""
    while line := await source.readline():
        target.write(line)
        await target.drain()


asyncio.run(main())
