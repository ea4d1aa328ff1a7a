"""The outcome of a command: its output, its exit code and an explanation."""

from __future__ import annotations

import errno
import os
import re
import signal
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from toolcrib.running.output import Stream, render
from toolcrib.running.sandbox.file_limit import file_limit_note
from toolcrib.running.sandbox.profile import UNSANDBOXED, SandboxReport

Answer = Mapping[str, Any]
"""What the supervisor says of a call; empty when it could not say anything."""

NOT_STARTED = -1
TIMED_OUT = -1
_OUT_OF_MEMORY = re.compile(
    r"out of memory|cannot allocate memory|memoryerror|memory exhausted|bad_alloc|"
    r"failed to allocate|enomem",
    re.I,
)
_NO_MORE_PROCESSES = re.compile(
    r"fork: (?:retry: )?resource temporarily unavailable|cannot fork|can't start new thread|"
    r"pthread_create failed",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Hosts:
    """What a command reached through the proxy, what it was refused, and its grant."""

    grant: str
    reached: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command printed and how it ended."""

    stdout: str
    stderr: str
    exit_code: int
    duration_ms: int
    truncated: bool = False
    notes: tuple[str, ...] = ()
    sandbox: SandboxReport = UNSANDBOXED
    timed_out: bool = False
    hosts: Hosts | None = None

    @property
    def failed(self) -> bool:
        """Whether it counts as an error."""
        return self.exit_code != 0

    def text(self) -> str:
        """The whole outcome for a reader."""
        text = render(self.stdout, self.stderr, self.exit_code, self.notes)
        if self.hosts is None:
            return text
        grant = self.hosts.grant
        refused = [f"[network] refused: {host} (grant: {grant})" for host in self.hosts.refused]
        return "\n".join([text, *refused])

    def structured(self) -> dict[str, Any]:
        """The same for a program."""
        return {
            "stdout": self.stdout,
            "stderr": self.stderr,
            "exit_code": self.exit_code,
            "duration_ms": self.duration_ms,
            "truncated": self.truncated,
        }


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a command: its exit code, what is added to its stderr, and notes."""

    exit_code: int
    message: str | None = None
    notes: tuple[str, ...] = ()


def outcome(
    stdout: Stream,
    stderr: Stream,
    ending: Ending,
    duration: float,
    sandbox: SandboxReport,
    timed_out: bool,
) -> Outcome:
    """Combine the captured output and the ending."""
    errors = stderr.text
    if ending.message:
        gap = "" if not errors or errors.endswith("\n") else "\n"
        errors = f"{errors}{gap}{ending.message}"
    return Outcome(
        stdout.text,
        errors,
        ending.exit_code,
        round(duration * 1000),
        stdout.truncated or stderr.truncated,
        (*stdout.notes, *stderr.notes, *ending.notes),
        sandbox,
        timed_out,
    )


def not_started(message: str, exit_code: int = NOT_STARTED) -> Outcome:
    """The outcome of a command that never ran."""
    return Outcome("", message, exit_code, 0)


def never_began(timeout: float) -> Outcome:
    """The outcome of a command whose time ran out while it waited for its turn."""
    message = f"{timed_out(timeout, {}, 0).message}\nIt was still waiting for others to finish."
    return Outcome("", message, TIMED_OUT, round(timeout * 1000), timed_out=True)


def missing_program(name: str, origin: str) -> Outcome:
    """The outcome when there is nothing to start."""
    return not_started(
        f"Command not found: {name}. Install it, or correct 'command' in {origin}.", 127
    )


def timed_out(timeout: float, answer: Answer, grace: float) -> Ending:
    """The end at the deadline."""
    message = f"Command timed out after {timeout:g}s"
    if answer.get("killed"):
        message += (
            f"\nIt did not stop when asked to (SIGTERM) and was killed (SIGKILL) {grace:g} s later."
        )
    return Ending(TIMED_OUT, message)


def ending(
    answer: Answer, limits: Mapping[str, int], stdout: str, stderr: str, program: str
) -> Ending:
    """The end that the supervisor reports; `program` is what was to be started."""
    if "failed" in answer:
        return _failure_to_start(answer["failed"], answer["errno"], program)
    if "status" not in answer:
        return Ending(
            NOT_STARTED, "The process that supervises commands was killed, and the command with it."
        )
    if "limit" in answer:
        return Ending(_code(answer), _over(answer["limit"], limits))
    notes: list[str] = []
    if answer.get("left"):
        names = ", ".join(answer["left"])
        notes.append(f"it left processes running in the background, which were killed: {names}")
    code = _code(answer)
    told = _signal_note(code, limits) if code < 0 else _code_note(code)
    if told:
        notes.append(told)
    if limits and code != 0:
        notes += _suspected(stderr[-4096:], limits)
    if "file" in limits:
        grown = file_limit_note(code, limits["file"], stdout, stderr, answer)
        notes += [grown] if grown else []
    return Ending(code, None, tuple(notes))


def _suspected(stderr: str, limits: Mapping[str, int]) -> list[str]:
    """The limits that a program's own output mentions."""
    notes: list[str] = []
    if _OUT_OF_MEMORY.search(stderr):
        notes.append(f"a command may use {_mib(limits['memory'])} of memory ([climax] max_memory)")
    if _NO_MORE_PROCESSES.search(stderr):
        notes.append(f"a command may have {limits['processes']} processes ([climax] max_processes)")
    return notes


def _code(answer: Answer) -> int:
    status = answer.get("status")
    return int(status) if status is not None else -int(signal.SIGKILL)


def _failure_to_start(step: str, number: int, program: str) -> Ending:
    reason = os.strerror(number)
    if step == "cwd":
        if number == errno.ENOENT:
            return Ending(NOT_STARTED, "The working directory does not exist.")
        return Ending(NOT_STARTED, f"The working directory cannot be entered: {reason}.")
    if step == "sandbox":
        return Ending(NOT_STARTED, f"The sandbox could not be set up: {reason}.")
    if step in ("fork", "limits"):
        return Ending(NOT_STARTED, f"No process could be started: {reason}.")
    if number == errno.E2BIG:
        return Ending(
            126,
            "The arguments are too long for this system. "
            "Pass long text through an argument with 'stdin: true', or in a file.",
        )
    if number == errno.ENOENT:
        return Ending(
            127, f"Command not found: {program}, or the interpreter in its first line is missing."
        )
    if number == errno.EACCES:
        return Ending(126, f"{program} may not be executed: permission denied.")
    if number == errno.ENOEXEC:
        return Ending(126, f"{program} is not a program; a script needs a first line with #!.")
    return Ending(126, f"{program} could not be executed: {reason}.")


def _over(limit: str, limits: Mapping[str, int]) -> str:
    if limit == "processes":
        return (
            f"Stopped: it had more than {limits['processes']} processes ([climax] max_processes)."
        )
    if limit == "disk":
        return f"Stopped: it wrote more than {_mib(limits['disk'])} in all ([climax] max_disk)."
    return f"Stopped: it used more than {_mib(limits['memory'])} of memory ([climax] max_memory)."


def _signal_note(code: int, limits: Mapping[str, int]) -> str:
    number = -code
    if number == signal.SIGXCPU and "cpu" in limits:
        return f"stopped after {limits['cpu']} s of CPU time ([climax] max_cpu)"
    if number == signal.SIGXFSZ and "file" in limits:
        return f"stopped: a file grew beyond {_mib(limits['file'])} ([climax] max_file)"
    try:
        name = signal.Signals(number).name
    except ValueError:
        name = f"signal {number}"
    return f"killed by signal {number} ({name})"


def _code_note(code: int) -> str | None:
    if code == 126:
        return "exit code 126 usually means that a program was found but could not be executed"
    if code == 127:
        return "exit code 127 usually means that a program it needs was not found"
    return None


def _mib(size: int) -> str:
    return f"{size // 2**20} MiB"
