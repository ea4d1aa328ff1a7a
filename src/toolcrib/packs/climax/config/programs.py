"""The programs that configs need, and why one of them cannot be started."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from toolcrib.core.support.records import record
from toolcrib.policy.layers import Layers
from toolcrib.policy.model import Policy
from toolcrib.running.environment import child_environment, find_program
from toolcrib.running.program import CLIConfig


@record
class Unusable:
    """A program that cannot be started, and the config that needs it."""

    name: str
    why: str
    file: str
    """The config's; empty for a program that all commands need."""


def unusable_programs(
    configs: Iterable[CLIConfig], project: Path, policy: Layers | Policy | None = None
) -> Iterator[Unusable]:
    """The programs that cannot be started on this machine.

    Where a policy has commands run in containers, their programs are in the image, and `docker` is
    all that is needed here.
    """
    if policy is not None and policy.executor.type == "docker":
        if find_program("docker", child_environment({}), "/") is None:
            yield Unusable("docker", "is not installed", "")
        return
    for config in configs:
        wrong = _problem(config, project)
        if wrong is not None:
            yield Unusable(config.base[0], wrong, config.file)


def _problem(config: CLIConfig, project: Path) -> str | None:
    home = os.path.join(project, config.working_dir or "")  # noqa: PTH118
    path = find_program(config.base[0], child_environment(config.env), home)
    if path is None:
        return "is not installed"
    if not os.path.isfile(path):  # noqa: PTH113
        return "is not a file that can be executed"
    return None if os.access(path, os.X_OK) else "may not be executed: permission denied"
