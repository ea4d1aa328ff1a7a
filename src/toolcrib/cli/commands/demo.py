"""Walk through an example project with a real MCP client, one step a screen.

A small web shop is copied to a temporary folder, `toolcrib serve` is started on it as any client
would start it, and every step is a real request over a real pipe. At a terminal you turn the
pages with Enter; without one it runs through.

examples:
  toolcrib demo
  toolcrib demo --no-pause
  toolcrib demo --keep my-shop     keep the shop, to play with it afterwards
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
import textwrap
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from toolcrib.cli.terminal import console
from toolcrib.cli.walkthrough.example import copy_shop
from toolcrib.core.errors import ToolcribError, UsageError
from toolcrib.settings import open_trust

if TYPE_CHECKING:
    from toolcrib.cli.walkthrough.steps import Screen

_WIDTH = 88


def add(parser: argparse.ArgumentParser) -> None:
    """The options of `demo`."""
    parser.add_argument("--no-pause", action="store_true", help="do not wait between the steps")
    parser.add_argument(
        "--keep", type=Path, metavar="DIR", help="leave the shop in this new folder"
    )


def run(args: argparse.Namespace) -> int:
    """Copy the shop, serve it, and show every step; exit code 1 if one fails."""
    with ExitStack() as stack:
        temporary = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="toolcrib-demo-")))
        shop = copy_shop(_folder(args.keep) if args.keep else temporary / "shop")
        screens = asyncio.run(_walk(shop, temporary / "state", args))
    if args.json:
        console.emit({"steps": [screen.as_dict() for screen in screens]}, "", args)
    elif args.keep:
        console.say(f"The shop is in {args.keep}. Try: cd {args.keep} && toolcrib trust")
        console.say(f"What agents did there, on a page: toolcrib dashboard --project {args.keep}")
    else:
        console.say("What agents do in your repository, on a page: toolcrib dashboard")
    return 0


def _folder(wanted: Path) -> Path:
    if wanted.exists() and (not wanted.is_dir() or any(wanted.iterdir())):
        raise UsageError(f"--keep {wanted}: that is there already", next="Name a new folder.")
    return wanted


async def _walk(shop: Path, state: Path, args: argparse.Namespace) -> list[Screen]:
    from toolcrib.cli.walkthrough.steps import STEPS, Guest, Unexpected
    from toolcrib.client.sdk import MCPError, over_pipe

    env = {
        **os.environ,
        # The shop's command is `python3`: let it be the one that runs this.
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")]),
        # The flags of the demo are none of the person's own.
        "TOOLCRIB_STATE": str(state),
        # Copied a moment ago from this installation: trusted as it is, and nothing else.
        "TOOLCRIB_TRUST": open_trust(shop).verdict.present.content.digest,
    }
    command = [sys.executable, "-m", "toolcrib", "serve"]
    screens: list[Screen] = []
    failure: BaseException | None = None
    try:
        async with over_pipe(command, cwd=shop, env=env) as client:
            for step in STEPS:
                screens.append(await step(Guest(client, shop)))
                if not args.json:
                    await _show(screens[-1], len(screens), len(STEPS), args)
    except* (MCPError, Unexpected, LookupError, TimeoutError) as errors:
        failure = errors.exceptions[0]
    if failure is not None:
        step = STEPS[len(screens)]
        raise ToolcribError(
            f"Step {len(screens) + 1} of the demo did not go as it should: {step.__doc__}",
            why=_reason(failure),
            next="toolcrib doctor",
        )
    return screens


def _reason(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {error}"


async def _show(screen: Screen, number: int, steps: int, args: argparse.Namespace) -> None:
    paged = sys.stdout.isatty() and sys.stdin.isatty() and not args.no_pause
    if paged:
        print("\x1b[2J\x1b[H", end="")
    console.say(console.style(f"{number}/{steps}  {screen.title}", "bold"))
    console.say()
    for paragraph in screen.words.split("\n\n"):
        console.say(textwrap.fill(" ".join(paragraph.split()), _WIDTH))
        console.say()
    for request, answer in screen.exchanges:
        for line in _wrapped(f"→ {request}", 2):
            console.say(console.style(line, "cyan"))
        for line in _wrapped(answer, 4):
            console.say(line)
        console.say()
    if paged and number < steps:
        await _turn_the_page(args)


async def _turn_the_page(args: argparse.Namespace) -> None:
    """Wait for Enter; at the end of input, show the remaining steps without pauses."""
    print(console.style("Enter for the next step ", "dim"), end="", flush=True)
    # Not input() in a thread: nothing could interrupt it.
    loop, pressed = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(sys.stdin, pressed.set)
    try:
        await pressed.wait()
    finally:
        loop.remove_reader(sys.stdin)
    if not os.read(sys.stdin.fileno(), 1024):
        args.no_pause = True


def _wrapped(text: str, indent: int) -> list[str]:
    """Lines that fit; what goes on below is set in by two, and a table stays as it is."""
    lines: list[str] = []
    for line in text.splitlines():
        own = indent + len(line) - len(line.lstrip())
        lines += textwrap.wrap(
            line.strip(),
            _WIDTH,
            initial_indent=" " * own,
            subsequent_indent=" " * (own + 2),
            break_long_words=False,
        ) or [""]
    return lines
