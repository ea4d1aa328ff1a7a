"""Ask a client itself whether it has a server: what a file says is only half of it."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from toolcrib.cli.clients.machine import Machine

State = Literal["has", "waits", "off", "fails", "lacks", "silent"]
"""It has the server and can use it; it waits for a person; a person has disabled it; it cannot
start it; it does not know it; it could not be asked."""
PATIENCE = 60
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")


@dataclass(frozen=True, slots=True)
class ListQuestion:
    """The words that make a client list its servers, and how its line about one is read."""

    words: tuple[str, ...]
    read: Callable[[str], State]


@dataclass(frozen=True, slots=True)
class ClientAnswer:
    """What a client says of a server, in one word and in its own."""

    state: State
    line: str = ""


def ask(
    program: str, question: ListQuestion, name: str, project: Path, machine: Machine
) -> ClientAnswer:
    """The client's answer about the server `name`, asked in the folder of the project."""
    found = machine.program(program)
    if found is None:
        return ClientAnswer("silent")
    try:
        done = subprocess.run(
            (found, *question.words), cwd=project, stdin=subprocess.DEVNULL, capture_output=True,
            text=True, errors="replace", timeout=PATIENCE, env=dict(machine.environ),
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return ClientAnswer("silent")
    if done.returncode:
        return ClientAnswer("silent")
    printed = _COLOURS.sub("", f"{done.stdout}\n{done.stderr}")
    named = re.compile(rf"^\W*{re.escape(name)}(?:[:\s]|$)")
    line = next((line.strip() for line in printed.splitlines() if named.match(line)), None)
    return ClientAnswer("lacks") if line is None else ClientAnswer(question.read(line), line)


def by_words(has: str, waits: str = "", off: str = "") -> Callable[[str], State]:
    """A reader of lines that say how it stands with a server in one of these words."""
    signs: list[tuple[State, str]] = [("waits", waits), ("off", off), ("has", has)]
    known = [(state, re.compile(words, re.I)) for state, words in signs if words]

    def read(line: str) -> State:
        return next((state for state, words in known if words.search(line)), "fails")

    return read
