"""Commands in containers: the words for docker, and how such a container is stopped."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace

from toolcrib.running.program import Executor
from toolcrib.running.sandbox.ladder import Confinement
from toolcrib.running.sandbox.profile import UNCONFINED, SandboxReport, Spec

CLIENT_VARIABLES = (
    "DOCKER_CERT_PATH", "DOCKER_CONFIG", "DOCKER_CONTEXT", "DOCKER_HOST", "DOCKER_TLS_VERIFY",
)  # fmt: skip
"""What tells docker's own client where the engine is."""
# The container is the sandbox: docker's client itself runs as it is.
_REPORT = SandboxReport("docker", "full", "hidden", "none")
_SPEC = Spec("docker", _REPORT, profile=UNCONFINED)


def containerized(
    executor: Executor,
    argv: Sequence[str],
    docker: str,
    *,
    cwd: str | None = None,
    env: Iterable[str] = (),
    stdin: bool = False,
) -> Confinement:
    """Return the command `argv` as one that runs in a new container.

    Variables are passed by name: their values are in docker's own environment and do not appear in
    process lists. The container has a name, so that it can be stopped with its call.
    """
    name = f"toolcrib-{os.urandom(8).hex()}"
    words = ["docker", "run", "--rm", "--name", name]
    if stdin:
        words.append("-i")
    for volume in executor.volumes:
        words += ["-v", volume]
    if executor.network is not None:
        words += ["--network", executor.network]
    folder = cwd or executor.working_dir
    if folder is not None:
        words += ["-w", folder]
    for variable in env:
        words += ["-e", variable]
    words += [executor.image or "", *argv]
    cleanup = (docker, "rm", "--force", "--volumes", name)
    spec = _SPEC
    if executor.network == "none":
        spec = replace(spec, report=replace(_REPORT, network="none"))
    return Confinement(spec, tuple(words), docker, cleanup)
