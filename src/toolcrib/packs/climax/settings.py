"""The `[climax]` table of `toolcrib.toml`, and whether a repository has anything for it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from toolcrib.core.options import option
from toolcrib.core.support.records import record
from toolcrib.policy.repository.places import PolicySource, found_configs


@record
class ClimaxSettings:
    """Command-line programs as tools: `[climax]`."""

    configs: tuple[str, ...] = option(
        (), "Names of bundled configs, files and patterns; by default those in climax/ and tools/"
    )
    policy: str | None = option(None, "File that says which tools may be called, and how")
    strict: bool = option(False, "Treat warnings about configs and policy as errors")
    sandbox: Literal["off", "auto", "required"] = option(
        "auto",
        "off; auto: bubblewrap, else Landlock, else rlimits; required: bubblewrap or nothing",
    )
    writable: tuple[str, ...] = option(
        (), "Folders that a sandboxed command may write to, besides the repo and temporary folders"
    )
    approve: Literal["never", "destructive", "changes", "always"] = option(
        "never", "Which calls need a person's approval; the strictest value of all files applies"
    )
    access: Mapping[str, Any] | None = option(
        None,
        "What tools may reach: tables [climax.access.CONFIG] and [climax.access.CONFIG.TOOL] with "
        "network, reads, writes, sockets, env",
    )
    hidden: tuple[str, ...] = option(
        (), "Files and folders that commands do not see, besides those with keys and passwords"
    )
    max_output: int = option(1024 * 1024, "Bytes kept of each output stream", least=1024)
    max_memory: int = option(4096, "MiB of memory for a command and everything it starts", least=16)
    max_file: int = option(4096, "MiB that a command may write to one file", least=0)
    max_disk: int = option(
        16384, "MiB that a command may add to the repo and the temporary folders in total", least=1
    )
    max_processes: int = option(512, "Processes that a command may have at once", least=1)
    max_cpu: int | None = option(
        None, "Seconds of CPU time per process; none: bound by the timeout", least=1
    )
    concurrency: int = option(16, "Commands that may run at the same time; others wait", least=1)
    concurrency_per_tool: int = option(
        8, "Commands of one tool that may run at the same time", least=1
    )

    @property
    def policy_source(self) -> PolicySource:
        """Where the policy lies, for all that share it."""
        return PolicySource(self.policy, self.configs)


def detect(project: Path) -> bool:
    """Whether the repository has configs of its own."""
    return bool(found_configs(project))
