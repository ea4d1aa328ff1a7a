"""Logging in at a remote server from a terminal, with or without a browser."""

from __future__ import annotations

import argparse
import asyncio
import sys
import threading
from typing import TYPE_CHECKING

from toolcrib.cli.terminal import console
from toolcrib.cli.terminal.browser import open_page
from toolcrib.core.errors import ToolcribError, UsageError

if TYPE_CHECKING:
    from toolcrib.client.oauth import Callback
    from toolcrib.packs.gateway.pack import GatewayPack
    from toolcrib.packs.gateway.remote.server import RemoteServer


def log_in(pack: GatewayPack, args: argparse.Namespace) -> int:
    """`servers login NAME`: visit a page, come back, and what that gives is kept."""
    from toolcrib.client.oauth import LoginFailed

    async def work() -> None:
        def show(url: str, callback: Callback) -> None:
            loop = asyncio.get_running_loop()
            if args.no_browser:
                print(url, flush=True)
                reader = threading.Thread(target=_pasted, args=(callback, loop), daemon=True)
            else:
                console.say(f"Log in in your browser, or visit: {url}")
                words = (url, args.project)
                reader = threading.Thread(target=open_page, args=words, daemon=True)
            reader.start()

        try:
            await _remote(pack, args.name).log_in(show)
        finally:
            await pack.close()

    try:
        asyncio.run(work())
    except LoginFailed as error:
        raise ToolcribError(f"No login at server {args.name!r}", why=str(error)) from error
    console.emit({"login": args.name}, f"Logged in at {args.name}", args)
    return 0


def log_out(pack: GatewayPack, args: argparse.Namespace) -> int:
    """`servers logout NAME`: forget what is kept."""
    there = asyncio.run(_remote(pack, args.name).log_out())
    text = f"Logged out of {args.name}" if there else f"There was no login at {args.name}"
    console.emit({"logout": args.name, "was": there}, text, args)
    return 0


def _remote(pack: GatewayPack, name: str) -> RemoteServer:
    from toolcrib.packs.gateway.remote.server import RemoteServer

    server = pack.servers.server(name)
    if not isinstance(server, RemoteServer):
        raise UsageError(f"Server {name!r} runs on this machine: it has no login")
    return server


def _pasted(callback: Callback, loop: asyncio.AbstractEventLoop) -> None:
    """Take the address that a person pastes, where the browser is on another machine."""
    for line in sys.stdin:
        if not loop.is_closed():
            loop.call_soon_threadsafe(callback.take, line)
