"""ast-grep as a child process: it parses code without running it, and can be stopped.

The engine also exists as a library, but there a runaway rule holds the interpreter's lock until it
ends. A child takes some 10 ms to start and can be killed at its deadline.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
import sysconfig
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal
from weakref import WeakKeyDictionary

from toolcrib.core.errors import ExecutionFailed

Outcome = Literal["done", "late", "too much", "bad rule", "crashed"]

# The exit code with which the engine refuses a rule.
_BAD_RULE = 8
GAP = "TOOLCRIB_GAP"
"""A name in a rule: where it stands for something, the match begins there."""
_MOST_BYTES = 8 * 1024 * 1024
_MOST_ERROR_BYTES = 64 * 1024
_MOST_MATCHES = 2_000
_MOST_MEMORY = 4 * 1024**3
_MOST_CHILDREN = 4
_ARGUMENTS = (
    *("scan", "--config", "sgconfig.yml", "--rule", "rules.yml"),
    *("--json=stream", "--color", "never", "--threads", "1", "--max-results", str(_MOST_MATCHES)),
    *(f"--no-ignore={kind}" for kind in ("hidden", "dot", "exclude", "global", "parent", "vcs")),
    "code",
)

_places: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class Match:
    """One place that a rule found; lines and columns count from 1, columns in characters."""

    rule: str
    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    text: str
    lines: str
    replacement: str | None = None


@dataclass(frozen=True, slots=True)
class Scan:
    """What came of one run: `matches` are complete exactly when `outcome` is "done"."""

    outcome: Outcome
    matches: tuple[Match, ...] = ()
    problem: str = ""


@cache
def find_engine() -> Path | None:
    """The engine's program, where this Python keeps its scripts.

    Not on the PATH: a command could have put another program there. Never `sg`, its short name: on
    most systems that is something else.
    """
    for folder in (Path(sys.executable).parent, Path(sysconfig.get_path("scripts"))):
        program = folder / ("ast-grep.exe" if os.name == "nt" else "ast-grep")
        if os.access(program, os.X_OK):
            return program
    return None


async def scan(
    rules: Sequence[Mapping[str, Any]], files: Mapping[str, str], deadline: float
) -> Scan:
    """Run rules over files, given as name and text; each rule reads the files of its language.

    Raises `ExecutionFailed` when the engine cannot be started at all.
    """
    program = find_engine()
    if program is None:
        raise ExecutionFailed(
            "The rule engine ast-grep is not installed", next="Run: pip install ast-grep-cli"
        )
    async with _places.setdefault(asyncio.get_running_loop(), asyncio.Semaphore(_MOST_CHILDREN)):
        try:
            with tempfile.TemporaryDirectory(prefix="toolcrib-", ignore_cleanup_errors=True) as at:
                _lay_out(Path(at), rules, files)
                return await _run(program, Path(at), deadline)
        except OSError as error:
            raise ExecutionFailed(
                "The rule engine could not be started", why=error.strerror or type(error).__name__
            ) from error


def _lay_out(folder: Path, rules: Sequence[Mapping[str, Any]], files: Mapping[str, str]) -> None:
    """Write what the engine reads. JSON is YAML, and leaves nothing to be read in another way."""
    documents = "\n---\n".join(json.dumps(rule) for rule in rules)
    (folder / "rules.yml").write_text(documents, "utf-8")
    # A configuration of our own, so that none is looked for in the folders above.
    (folder / "sgconfig.yml").write_text("ruleDirs: []\n", "utf-8")
    code = folder / "code"
    code.mkdir()
    for name, text in files.items():
        (code / name).write_text(text, "utf-8", errors="replace", newline="")


async def _run(program: Path, folder: Path, deadline: float) -> Scan:
    process = await asyncio.create_subprocess_exec(
        program,
        *_ARGUMENTS,
        cwd=folder,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={"HOME": str(folder), "LC_ALL": "C.UTF-8", "NO_COLOR": "1"},
        start_new_session=True,
    )
    reading = [
        asyncio.create_task(_read(process.stdout, _MOST_BYTES)),
        asyncio.create_task(_read(process.stderr, _MOST_ERROR_BYTES)),
    ]
    try:
        _fence_in(process.pid, deadline)
        async with asyncio.timeout(deadline):
            output, errors = await asyncio.gather(*reading)
            await process.wait()
    except TimeoutError:
        return Scan("late")
    except _TooMuch:
        return Scan("too much")
    finally:
        for task in reading:
            task.cancel()
        await _end(process)
    return _outcome(process.returncode or 0, output, errors)


def _fence_in(pid: int, deadline: float) -> None:
    """A second fence behind the deadline: processor time and memory."""
    try:
        import resource
    except ImportError:  # not on Windows
        return
    if not hasattr(resource, "prlimit"):  # Linux alone
        return
    seconds = int(deadline) + 2
    with contextlib.suppress(ProcessLookupError, PermissionError, ValueError):
        resource.prlimit(pid, resource.RLIMIT_CPU, (seconds, seconds))
        resource.prlimit(pid, resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))


class _TooMuch(Exception):
    """The engine says more than anybody will read."""


async def _read(stream: asyncio.StreamReader | None, most: int) -> bytes:
    """All that comes; raises `_TooMuch` above `most` bytes."""
    taken = bytearray()
    while stream is not None and (chunk := await stream.read(64 * 1024)):
        taken += chunk
        if len(taken) > most:
            raise _TooMuch
    return bytes(taken)


async def _end(process: asyncio.subprocess.Process) -> None:
    """Leave nothing behind, whatever happened: the child leads a group of its own.

    What is left in the pipes is read and dropped: with a full pipe, nobody learns of the end.
    """
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if os.name == "nt":
                process.kill()
            else:
                os.killpg(process.pid, signal.SIGKILL)
    await asyncio.shield(
        asyncio.gather(_drain(process.stdout), _drain(process.stderr), process.wait())
    )


async def _drain(stream: asyncio.StreamReader | None) -> None:
    while stream is not None and await stream.read(64 * 1024):
        pass


def _outcome(code: int, output: bytes, errors: bytes) -> Scan:
    if code == _BAD_RULE:
        return Scan("bad rule", problem=_reason(errors.decode("utf-8", "replace")))
    if code not in (0, 1):
        how = f"by signal {-code}" if code < 0 else f"with exit code {code}"
        return Scan("crashed", problem=f"the rule engine ended {how}")
    matches = tuple(_match(json.loads(line)) for line in output.splitlines() if line)
    if len(matches) >= _MOST_MATCHES:
        return Scan("too much")
    return Scan("done", matches)


def _reason(errors: str) -> str:
    """The innermost cause in the engine's report, in one line."""
    causes = [line.strip("╰▻ \t") for line in errors.splitlines() if line.startswith("╰▻")]
    return (causes[-1] if causes else "the rule engine does not accept it")[:300]


def _match(found: Mapping[str, Any]) -> Match:
    whole = found["range"]
    caught = found.get("metaVariables", {}).get("single", {}).get(GAP)
    start, end = (caught["range"] if caught else whole)["start"], whole["end"]
    return Match(
        rule=found["ruleId"],
        file=Path(found["file"]).name,
        line=start["line"] + 1,
        column=start["column"] + 1,
        end_line=end["line"] + 1,
        end_column=end["column"] + 1,
        text=found["text"],
        lines=found["lines"],
        replacement=found.get("replacement"),
    )
