"""The `[climax]` table of `toolcrib.toml`, and whether a repository has anything for it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

from toolcrib.core.options import option
from toolcrib.core.support.records import record

HOMES = ("climax", ".climax")
"""Folders where every YAML file is a config, but for the policy."""
SHARED_HOME = "tools"
"""A folder that may hold other things too: there only what looks like a config is one."""
POLICIES = ("policy.yaml", "policy.yml")
SUFFIXES = (".yaml", ".yml")
_MOST_SNIFFED = 50
_LOOKS_LIKE_CONFIG = (re.compile(rb"^command\s*:", re.M), re.compile(rb"^tools\s*:", re.M))


@record
class ClimaxSettings:
    """Command-line programs as tools: `[climax]`."""

    configs: tuple[str, ...] = option(
        (), "Names of bundled configs, files and patterns; none: those of climax/ and tools/"
    )
    policy: str | None = option(None, "File that says which tools may be called, and how")
    strict: bool = option(False, "Treat warnings about configs and policy as errors")
    sandbox: Literal["off", "auto", "required"] = option(
        "auto",
        "off; auto: bubblewrap, else Landlock, else rlimits; required: bubblewrap or nothing",
    )
    writable: tuple[str, ...] = option(
        (), "Folders that a sandboxed command may write to, besides the repo and the temporary ones"
    )
    approve: Literal["never", "destructive", "changes", "always"] = option(
        "never", "Before which calls a person is asked; the strictest word of all files holds"
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
    max_memory: int = option(4096, "MiB of memory for a command and all that it starts", least=16)
    max_file: int = option(4096, "MiB that a command may write to one file", least=0)
    max_disk: int = option(
        16384, "MiB that a command may add to the repo and the temporary folders in all", least=1
    )
    max_processes: int = option(512, "Processes that a command may have at once", least=1)
    max_cpu: int | None = option(
        None, "Seconds of CPU time per process; none: bound by the timeout", least=1
    )
    concurrency: int = option(16, "Commands that run at once; others wait", least=1)
    concurrency_per_tool: int = option(8, "Commands of one tool that run at once", least=1)


def found_configs(project: Path) -> list[str]:
    """The configs of a repository that names none, as paths below it."""
    found: list[str] = []
    for home in (*HOMES, SHARED_HOME):
        folder = project / home
        if folder.is_dir():
            paths = sorted(path for path in folder.iterdir() if path.suffix in SUFFIXES)
            if home == SHARED_HOME:
                paths = [path for path in paths[:_MOST_SNIFFED] if _looks_like_config(path)]
            found += [f"{home}/{path.name}" for path in paths if path.name not in POLICIES]
    return found


def found_policies(project: Path, configs: Iterable[str]) -> list[str]:
    """The policies of a repository whose configs were found, not named.

    A link that leads nowhere is one too: it stands where somebody wanted a policy to hold.
    """
    shared = any(config.startswith(f"{SHARED_HOME}/") for config in configs)
    homes = (*HOMES, SHARED_HOME) if shared else HOMES
    paths = [f"{home}/{name}" for home in homes for name in POLICIES]
    return [path for path in paths if os.path.lexists(project / path)]


def detect(project: Path) -> bool:
    """Whether the repository has configs of its own."""
    return bool(found_configs(project))


def _looks_like_config(path: Path) -> bool:
    from toolcrib.core.errors import ToolcribError
    from toolcrib.files.root import Root

    try:
        data = Root(path.parent).read(path.name).data
    except ToolcribError:
        return False
    return all(line.search(data) for line in _LOOKS_LIKE_CONFIG)
