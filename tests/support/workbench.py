"""A server with tools made for tests: `python workbench.py [PORT]` serves it.

They echo, crash, wait, print and talk, so that a test can see what the server does about it.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from toolcrib.core.pack import Changes, Contributions, Pack
from toolcrib.core.result import Result
from toolcrib.core.tool import JSON, READ_ONLY, CallContext, Tool, ToolOutput
from toolcrib.files.revision import head_revision
from toolcrib.server.auth.secret import shared_secret
from toolcrib.server.mcp.seal import Seal
from toolcrib.server.record import opened_record
from toolcrib.server.surface import Options, Surface
from toolcrib.settings import load

ANYTHING: JSON = {"type": "object"}
ECHO: JSON = {
    "type": "object",
    "properties": {"text": {"type": "string", "maxLength": 5_000_000}},
    "required": ["text"],
    "additionalProperties": False,
}


MIRROR: JSON = {
    "type": "object",
    "properties": {"text": {"type": "string", "x-mcp-header": "Text"}},
    "required": ["text"],
}


async def echo(args: JSON, ctx: CallContext) -> Any:
    return {"said": args["text"]}


async def wait(args: JSON, ctx: CallContext) -> Any:
    """Wait for ever, or until cancelled; a file tells that it began and how it ended."""
    note = Path(args["note"])
    note.write_text("began")
    try:
        await asyncio.sleep(args.get("seconds", 3600))  # work: of the tool
    except asyncio.CancelledError:
        note.write_text("cancelled")
        raise
    return "waited"


async def crash(args: JSON, ctx: CallContext) -> Any:
    raise RuntimeError("password=hunter2 at /srv/private/app.py")


def block(args: JSON, ctx: CallContext) -> Any:
    import time

    time.sleep(args.get("seconds", 3600))  # work: of the tool
    return "unblocked"


async def noisy(args: JSON, ctx: CallContext) -> Any:
    print("a stray print")
    os.write(1, b"a stray write\n")
    subprocess.run(["sh", "-c", "echo a stray child; cat"], check=True)
    return "quiet on the wire"


async def fail(args: JSON, ctx: CallContext) -> Any:
    return Result.failure("no luck", "unlucky", message="Sorry.", instruction="Stop.")


async def huge(args: JSON, ctx: CallContext) -> Any:
    return "x" * int(args["size"])


async def talk(args: JSON, ctx: CallContext) -> Any:
    for done in (1, 2):
        await ctx.progress(done, 2)
    if args.get("wait"):
        await asyncio.sleep(3600)  # work: of the tool
    return "talked"


async def chatter(args: JSON, ctx: CallContext) -> Any:
    """Say a hundred thousand characters at a time; a file tells how that went."""
    note = Path(args["note"])
    note.write_text("began")
    try:
        for _ in range(int(args["lines"])):
            await ctx.client.log("info", "x" * 100_000, None)  # type: ignore[union-attr]
            await asyncio.sleep(0)  # work: of the tool
    except asyncio.CancelledError:
        note.write_text("cancelled")
        raise
    note.write_text("done")
    return "said"


async def question(args: JSON, ctx: CallContext) -> Any:
    """Ask the client for its name, in the way of its era."""
    schema = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
    form = {"message": "Who are you?", "requestedSchema": schema}
    if ctx.era == "legacy" and ctx.client is not None:
        reply = await ctx.client.request("elicitation/create", form)
        return f"You are {reply['content']['name']}"
    if ctx.request_state != "asked":
        asked = {"who": {"method": "elicitation/create", "params": form}}
        extra = {"resultType": "input_required", "inputRequests": asked, "requestState": "asked"}
        return ToolOutput([], extra=extra)
    return f"You are {ctx.input_responses['who']['content']['name']}"


class Workbench(Pack):
    name = "workbench"
    live = True

    def __init__(self, count: int = 0) -> None:
        self._count = count
        self.publish: Callable[[], None] = lambda: None

    async def publishing(self, args: JSON, ctx: CallContext) -> Any:
        self.publish()
        return "published"

    def contribute(self) -> Contributions:
        runs: dict[str, tuple[Any, JSON]] = {
            "block": (block, ANYTHING),
            "chatter": (chatter, ANYTHING),
            "crash": (crash, ANYTHING),
            "echo": (echo, ECHO),
            "fail": (fail, ANYTHING),
            "huge": (huge, ANYTHING),
            "mirror": (echo, MIRROR),
            "noisy": (noisy, ANYTHING),
            "publish": (self.publishing, ANYTHING),
            "question": (question, ANYTHING),
            "talk": (talk, ANYTHING),
            "wait": (wait, ANYTHING),
            "with/slash.dot": (echo, ECHO),
        }
        tools = [
            Tool(
                name,
                f"Tool {name}",
                schema,
                run,
                origin="workbench",
                annotations=READ_ONLY,
                keeps_time=name == "chatter",
            )
            for name, (run, schema) in runs.items()
        ]
        more = [Tool(f"many_{n:05}", "One of many", ECHO, echo) for n in range(self._count)]
        return Contributions(tools=tools + more)


def main() -> int:
    pack = Workbench(int(os.environ.get("WORKBENCH_TOOLS", "0")))
    naming = "safe" if os.environ.get("WORKBENCH_SAFE") else "exact"
    size = int(os.environ.get("WORKBENCH_PAGE", "1000"))
    settings = load(Path(os.environ.get("WORKBENCH_PROJECT", ".")))
    surface = Surface(
        [pack],
        options=Options(naming=naming, page_size=size),  # type: ignore[arg-type]
        seal=Seal(shared_secret(settings.project, settings.server.secret_file)),
    )
    surface.revision = lambda: head_revision(settings.project)
    if settings.server.audit:
        surface.keep_record(opened_record(settings.project, settings.server))
    pack.publish = lambda: surface.publish(Changes(tools=True))
    if len(sys.argv) > 1:
        from toolcrib.server.transports import sse
        from toolcrib.server.transports.http import serve_http

        if "WORKBENCH_READ_WITHIN" in os.environ:
            sse.READ_WITHIN = float(os.environ["WORKBENCH_READ_WITHIN"])  # type: ignore[misc]

        settings = load(settings.project, {"http": {"port": int(sys.argv[1])}})
        return serve_http(surface, settings, insecure="--insecure" in sys.argv)
    from toolcrib.server.transports.stdio import serve_stdio

    return serve_stdio(surface, cap=settings.server.max_message_bytes)


if __name__ == "__main__":
    sys.exit(main())
