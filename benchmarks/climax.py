"""Command-line tools: loading configs, searching tools, running commands.

    python benchmarks/climax.py [--calls N] [--tools N] [--json FILE]

Loading is measured in fresh processes, beyond the CPU time of one that loads an empty config. A
call is measured in turns with the least that can run a command, `asyncio.create_subprocess_exec`.
What has a limit is shown with it, and the exit code says whether all are kept.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from protocol import Peer, cpu_of, ours
from report import Report

from toolcrib.core.support.jsonable import dumps
from toolcrib.discovery.answers import search
from toolcrib.discovery.index import ToolIndex
from toolcrib.packs.climax.config.config import bundled_names, load_configs
from toolcrib.running.environment import child_environment
from toolcrib.running.runner import Job, running
from toolcrib.running.sandbox.ladder import Sandbox

VERBS = (
    "list", "show", "create", "delete", "update", "push", "pull", "fetch", "merge", "start", "stop",
    "build", "run", "copy", "find",
)  # fmt: skip
NOUNS = (
    "branch", "commit", "container", "image", "volume", "network", "file", "issue", "release",
    "user", "token", "page", "row",
)  # fmt: skip
QUERIES = (
    "delete a branch", "show issues of a user", "build_image_7", "pull", "copy files",
    "tokens that were created", "list network volumes", "stop containers",
)  # fmt: skip
# Three characters to a token is less than any tokenizer needs for JSON in English.
CHARACTERS_PER_TOKEN = 3

LOAD = """
import sys, time
from pathlib import Path
from toolcrib.files.content_cache import user_cache
from toolcrib.packs.climax.config.config import load_configs
before = time.process_time()
loaded = load_configs(["*.yaml"], Path(sys.argv[1]), cache=user_cache() if sys.argv[2] else None)
count = sum(len(list(config.tools)) for config in loaded.configs)
print(time.process_time() - before, count)
"""


def write_configs(folder: Path, files: int, tools: int) -> None:
    """Configs of the usual kind: four arguments to a tool."""
    folder.mkdir(parents=True)
    for file in range(files):
        lines = [f"name: cli{file}", "command: echo", f"category: c{file % 5}"]
        lines.append("tools:" if tools else "tools: []")
        for number in range(tools // files):
            at = file * (tools // files) + number
            verb, noun = VERBS[at % len(VERBS)], NOUNS[at // len(VERBS) % len(NOUNS)]
            other = NOUNS[at // 200 % len(NOUNS)]
            lines += [
                f"  - name: {verb}_{noun}_{at}",
                f"    description: {verb} the {noun} of a {other} when somebody asks for it",
                f"    command: {noun} {verb}",
                "    args:",
                "      - {name: path, description: Where, required: true, positional: true}",
                "      - {name: count, description: How many, type: integer, default: 10}",
                "      - {name: verbose, description: Say more, type: boolean, flag: -v}",
                '      - {name: format, enum: [json, text, csv], default: text, flag: "--format="}',
            ]
        (folder / f"{file:02}.yaml").write_text("\n".join(lines) + "\n")


def loading(folder: Path, cache: Path | None, rounds: int = 3) -> float:
    """Milliseconds of CPU time to load a folder, at best."""
    spent = []
    for _ in range(rounds):
        env = {**os.environ, **({"XDG_CACHE_HOME": str(cache)} if cache else {})}
        words = [sys.executable, "-c", LOAD, str(folder), "yes" if cache else ""]
        done = subprocess.run(words, env=env, capture_output=True, text=True, check=True)
        spent.append(float(done.stdout.split()[0]) * 1000)
    return min(spent)


def measure_loading(report: Report, scratch: Path) -> None:
    print("loading, CPU time beyond an empty config")
    write_configs(scratch / "none", 1, 0)
    write_configs(scratch / "small", 20, 1000)
    write_configs(scratch / "large", 20, 20_000)
    floor = loading(scratch / "none", None)
    report.add("1,000 tools in 20 files", loading(scratch / "small", None) - floor, "ms", 500)
    report.add("20,000 tools", loading(scratch / "large", None, rounds=1) - floor, "ms", 8000)
    cache = scratch / "cache"
    loading(scratch / "small", cache, rounds=1)
    report.add("1,000 tools, warm cache", loading(scratch / "small", cache) - floor, "ms", 60)


def measure_first_search(report: Report, scratch: Path) -> None:
    """Spawn to the first answer of `climax_search`, with everything kept from an earlier start."""
    print("serve, spawn to the first climax_search answer over 20,000 tools, CPU time")
    project = scratch / "served"
    write_configs(project / "tools", 20, 20_000)
    (project / "toolcrib.toml").write_text('[climax]\nconfigs = ["tools/*.yaml"]\n')
    os.environ["XDG_CACHE_HOME"] = str(scratch / "kept")
    os.environ["TOOLCRIB_STATE"] = str(scratch / "state")
    os.environ["TOOLCRIB_TRUST"] = "all"  # nobody is there to be asked
    first_search(project, scratch / "kept" / "toolcrib" / "indexes")
    spent = [first_search(project, None) for _ in range(5)]
    report.add("20,000 tools, warm, to the first answer", statistics.median(spent), "ms", 500)


def first_search(project: Path, kept: Path | None) -> float:
    """Milliseconds of CPU time until the answer; with `kept`, stay until the index lies there."""
    server = Peer(ours("climax"), project)
    server.handshake()
    asked = {"name": "climax_search", "arguments": {"query": QUERIES[0]}}
    answer = server.ask("tools/call", asked)
    spent = cpu_of(server.process.pid) * 1000
    while kept is not None and not list(kept.glob("*.index")):
        time.sleep(0.1)
    server.close()
    if kept is None:
        assert "branch" in json.dumps(answer["result"]["content"]), answer
    return spent


def measure_search(report: Report, scratch: Path, tools: int) -> None:
    print(f"climax_search over {tools:,} tools, CPU time")
    write_configs(scratch / "searched", 20, tools)
    index = ToolIndex.from_configs(load_configs(["*.yaml"], scratch / "searched").configs)
    before = time.process_time()
    built = index.prepare()
    report.add("building the index", (time.process_time() - before) * 1000, "ms")
    built.warm(60)  # meaning loads beside the first searches, and is none of their time
    spent = []
    for query in QUERIES * 10:
        before = time.process_time()
        dumps(search(index, query=query))
        spent.append((time.process_time() - before) * 1000)
    report.add("p50", statistics.median(spent), "ms", 5)
    report.add("p95", sorted(spent)[int(len(spent) * 0.95)], "ms")
    bundled = ToolIndex.from_configs(load_configs(bundled_names(), scratch).configs)
    asked = (*QUERIES, "container logs", "search text in files", "pull request", "create", "diff")
    largest = max(len(dumps(search(bundled, query=query))) for query in asked)
    report.add("largest answer of 10 bundled tools", largest / CHARACTERS_PER_TOKEN, "tokens", 2500)


async def raw() -> None:
    pipe, null = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
    child = await asyncio.create_subprocess_exec(
        "/bin/echo", "hello", stdin=null, stdout=pipe, stderr=pipe
    )
    await child.communicate()


async def measure_calls(report: Report, scratch: Path, calls: int) -> None:
    print("one call of /bin/echo, wall time")
    env = child_environment({})
    sandboxes = {"off": Sandbox("off", scratch), "landlock": Sandbox("auto", scratch)}
    sandboxes["landlock"]._working_bwrap = lambda: None  # type: ignore[method-assign]
    sandboxes["bubblewrap"] = Sandbox("auto", scratch)
    ways = {name: sandbox for name, sandbox in sandboxes.items() if sandbox.level == name}
    spent: dict[str, list[float]] = {name: [] for name in ("raw", *ways)}
    async with running() as runner:

        async def through(sandbox: Sandbox) -> None:
            how = sandbox.confine(("echo", "hello"), "/bin/echo")
            await runner.run_command(Job("echo", how, env, str(scratch), 30))

        for turn in range(calls + 10):
            for name in spent:
                before = time.perf_counter()
                await (raw() if name == "raw" else through(ways[name]))
                if turn >= 10:
                    spent[name].append((time.perf_counter() - before) * 1000)
    floor = statistics.median(spent["raw"])
    report.add("asyncio.create_subprocess_exec, p50", floor, "ms")
    limit = 1.5 * floor + 2
    report.add("without sandbox, p50", statistics.median(spent["off"]), "ms", round(limit, 2))
    for name in ways:
        if name != "off":
            report.add(f"{name}, p50", statistics.median(spent[name]), "ms")
    for name in sandboxes.keys() - ways.keys():
        print(f"  {name} cannot be used here")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--calls", type=int, default=200)
    parser.add_argument("--tools", type=int, default=10_000)
    parser.add_argument("--json", type=Path, metavar="FILE")
    args = parser.parse_args()
    report = Report()
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        measure_loading(report, scratch)
        measure_first_search(report, scratch)
        measure_search(report, scratch, args.tools)
        asyncio.run(measure_calls(report, scratch, args.calls))
    if args.json:
        args.json.write_text(json.dumps(report.rows, indent=2) + "\n")
    return 0 if report.kept else 1


if __name__ == "__main__":
    sys.exit(main())
