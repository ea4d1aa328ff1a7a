"""A person at a terminal: some commands are reserved for people.

It is a fence, not a wall: a program can make a terminal of its own and clear the variables.
"""

from __future__ import annotations

import os
import sys

from toolcrib.core.errors import ToolcribError

AGENT_VARIABLES = ("CLAUDECODE", "CODEX_SANDBOX", "CURSOR_AGENT", "GEMINI_CLI")
SANDBOX_VARIABLE = "TOOLCRIB_SANDBOX"
"""Set for every command that toolcrib runs in its own sandbox."""


class NobodyThere(ToolcribError):
    """This needs a person at a terminal, and there is none.

    Run it in a terminal; a script says `--yes`, having looked by other means.
    """

    code = "no-terminal"
    exit_code = 2


class NotAPerson(ToolcribError):
    """This needs a person, and the shell it was typed in belongs to an agent.

    What an agent can run, an agent can be talked into. Open another terminal.
    """

    code = "agent-shell"
    exit_code = 3


def agent_shell() -> str | None:
    """The variable that reveals an agent's shell or our own sandbox; None for neither."""
    for name in (*AGENT_VARIABLES, SANDBOX_VARIABLE):
        if os.environ.get(name):
            return name
    return None


def require_person(what: str, *, yes: bool = False) -> None:
    """Raise unless a person is there, or has said `--yes` without a terminal."""
    found = agent_shell()
    if found is not None:
        whose = "our own sandbox" if found == SANDBOX_VARIABLE else "an agent's shell"
        raise NotAPerson(
            f"{what} is for a person, and {found} is set: this is {whose}",
            next="open another terminal",
        )
    if not yes and not at_terminal():
        raise NobodyThere(
            f"{what} asks a person, and there is no terminal",
            next="Run it in a terminal, or say --yes.",
        )


def at_terminal() -> bool:
    """Whether there is a terminal to ask questions on."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


def is_person() -> bool:
    """Whether a person sits at a terminal here."""
    return at_terminal() and agent_shell() is None
