"""Ten thousand calls in a row: no zombie, no file left open, no memory that grows.

python benchmarks/soak.py [--calls N]
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import sys
import time
from pathlib import Path

from toolcrib.running.environment import child_environment
from toolcrib.running.limits import Limits
from toolcrib.running.runner import Job, running
from toolcrib.running.sandbox.ladder import Sandbox

AT_ONCE = 8
GROWTH = 4096
"""KiB of memory that the server may have more in the end than after the first tenth."""
SCRIPTS = ("echo hello", "cat", "exit 3", "echo oops >&2", "true & true", "kill -9 $$")


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def resident() -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


def zombies(parents: set[int]) -> int:
    count = 0
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
                count += state == "Z" and int(parent) in parents
    return count


async def soak(calls: int) -> int:
    """Make the calls; return how many of the promises were broken."""
    here = Path.cwd()
    sandbox = Sandbox("auto", here)
    env = child_environment({})
    async with running(Limits(concurrency=AT_ONCE, per_tool=AT_ONCE)) as runner:

        async def one(number: int) -> None:
            script = SCRIPTS[number % len(SCRIPTS)]
            how = sandbox.confine(("sh", "-c", script), "/bin/sh")
            await runner.run_command(Job("t", how, env, str(here), 30, f"{number}\n"))

        async def batch(start: int, size: int) -> None:
            for first in range(start, start + size, AT_ONCE):
                await asyncio.gather(*map(one, range(first, min(first + AT_ONCE, start + size))))

        tenth = max(AT_ONCE, calls // 10)
        await batch(0, tenth)
        files, memory, began = open_files(), resident(), time.monotonic()
        await batch(tenth, calls - tenth)
        spent = time.monotonic() - began
        family = {os.getpid(), *runner.pool.first_processes()}
        found = {
            "zombies": (zombies(family), 0),
            "files opened": (open_files() - files, 0),
            "KiB of memory more": (resident() - memory, GROWTH),
        }
    print(f"{calls} calls, {(calls - tenth) / spent:.0f} a second, sandbox: {sandbox.level}")
    for what, (value, limit) in found.items():
        print(f"  {what:<20}{value:>8}  at most {limit}  {'ok' if value <= limit else 'MISSED'}")
    return sum(value > limit for value, limit in found.values())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--calls", type=int, default=10_000)
    return asyncio.run(soak(parser.parse_args().calls))


if __name__ == "__main__":
    sys.exit(main())
