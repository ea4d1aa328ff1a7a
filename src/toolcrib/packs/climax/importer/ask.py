"""Asking a program for its help: in a sandbox, in a new folder, without network or terminal."""

from __future__ import annotations

import contextlib
import re
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from toolcrib.running.environment import child_environment, find_program
from toolcrib.running.limits import Limits
from toolcrib.running.outcome import Outcome
from toolcrib.running.runner import Job, running
from toolcrib.running.sandbox.ladder import Sandbox
from toolcrib.running.sandbox.profile import NOTHING, Access, Mode

_WANTS_A_HOME = re.compile(
    r"read-only file system|permission denied"
    r"|\b(?:failed to|unable to|cannot|can't|could not) (?:create|make|mkdir|write)\b",
    re.I,
)
# Also from `socket`, which some call before they print a word, to listen for children of their own.
_WANTS_A_SOCKET = re.compile(r"operation not permitted|\bEPERM\b", re.I)
# A text may be blank lines and nothing else: what precedes a word is looked for in its own line.
_USAGE = re.compile(r"^[ \t]*usage\b", re.I | re.M)
_OPTION = re.compile(r"^[ \t]*--?[A-Za-z]", re.M)
_HOMES = ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME")
_FEWEST_LINES = 5
"""Lines that a version or a greeting does not have."""
_LISTENING = Access(deaf_sockets=True)
PATIENCE = 30.0
"""Seconds that a program has to print its help."""
_SHORT_PATIENCE = 2.0
_AFTER_AN_ANSWER = 10.0
"""Seconds for a program that has shown to be quick: what then takes longer, works."""
_SLOWER = 20
"""How many times as long as its slowest answer it may take all the same."""
_AS_LONG_AGAIN = 5
"""How many times as long a question may take the second time, when it gets further."""
_SURROUNDINGS = {
    "LC_ALL": "C.UTF-8",
    "LANGUAGE": "en",
    "COLUMNS": "160",
    "MANWIDTH": "120",
    "MANOPT": "--no-hyphenation --no-justification",
}


@dataclass(frozen=True, slots=True)
class Printed:
    """What a program printed."""

    stdout: str = ""
    stderr: str = ""
    exit_code: int = 0
    found: bool = True

    @property
    def text(self) -> str:
        """The help: what went to stdout, unless only stderr has something to say.

        A version on stdout and the usage on stderr is help on stderr; a list on stdout is a part
        of it.
        """
        elsewhere = _USAGE.search(self.stderr) and not _USAGE.search(self.stdout)
        plain = elsewhere and not _OPTION.search(self.stdout)
        if plain and self.stdout.strip().count("\n") >= _FEWEST_LINES:
            return f"{self.stderr}\n{self.stdout}"
        return self.stdout if self.stdout.strip() and not plain else self.stderr


Ask = Callable[[Sequence[str]], Awaitable[Printed]]
"""Runs a command line and returns what it printed."""


@contextlib.asynccontextmanager
async def asking(mode: Mode = "auto") -> AsyncIterator[tuple[Ask, bool]]:
    """Something that runs programs for their help, as long as the block lasts.

    With it comes whether a program that does more than print is held back.
    """
    with tempfile.TemporaryDirectory(prefix="toolcrib-import-") as folder:
        sandbox = Sandbox(mode, Path(folder))
        sandbox.check()
        env = child_environment(_SURROUNDINGS)
        async with running(Limits(memory=2 << 30, file=64 << 20, concurrency=4)) as runner:
            patience = PATIENCE
            slowest = PATIENCE

            async def ask(argv: Sequence[str]) -> Printed:
                program = find_program(argv[0], env, str(Path.cwd()))
                if program is None:
                    return Printed(found=False)

                async def answer(
                    env: Mapping[str, str], access: Access = NOTHING, longest: float = PATIENCE
                ) -> Outcome:
                    nonlocal patience, slowest
                    confined = sandbox.confine(argv, program, access)
                    known = min(patience, max(_AFTER_AN_ANSWER, _SLOWER * slowest))
                    waits = min(known, longest)
                    done = await runner.run_command(Job("import", confined, env, folder, waits))
                    if done.timed_out:
                        # What did not end once is not waited for as long again.
                        patience = max(known / 4, min(PATIENCE, _SHORT_PATIENCE))
                    else:
                        took = done.duration_ms / 1000
                        slowest = took if slowest == PATIENCE else max(slowest, took)
                    return done

                done = await answer(env)
                if done.exit_code and _WANTS_A_HOME.search(f"{done.stdout}\n{done.stderr}"):
                    # It will not say a word before it has written into the person's home.
                    done = await answer({**env, **dict.fromkeys(_HOMES, folder)})
                if done.exit_code and _WANTS_A_SOCKET.search(f"{done.stdout}\n{done.stderr}"):
                    # With its socket it may do its work instead, and that without end.
                    took = done.duration_ms / 1000
                    longest = max(_SHORT_PATIENCE, _AS_LONG_AGAIN * took)
                    again = await answer(env, _LISTENING, longest)
                    done = done if again.exit_code else again
                return Printed(done.stdout, done.stderr, done.exit_code)

            # Some programs explain all of themselves only inside a repository.
            await ask(("git", "init", "--quiet", "."))
            slowest = PATIENCE  # of the program itself, nothing is known yet
            yield ask, sandbox.level not in ("off", "rlimits")
        sandbox.close()
