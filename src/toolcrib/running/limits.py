"""Limits of commands: memory, files, processes, time, and how many run at once."""

from __future__ import annotations

from dataclasses import dataclass

MIB = 2**20


@dataclass(frozen=True, slots=True)
class Limits:
    """The bounds of one command, and of all of them together."""

    output: int = MIB
    memory: int = 4096 * MIB
    file: int = 4096 * MIB
    disk: int = 16384 * MIB
    """What one command may add to the repository and the temporary folders in all."""
    processes: int = 512
    cpu: int | None = None
    concurrency: int = 16
    per_tool: int = 8

    def of_child(self) -> dict[str, int]:
        """The limits that the kernel and the supervisor enforce on a command."""
        cpu = {} if self.cpu is None else {"cpu": self.cpu}
        return {
            "memory": self.memory,
            "file": self.file,
            "disk": self.disk,
            "processes": self.processes,
            "core": 0,
            **cpu,
        }
