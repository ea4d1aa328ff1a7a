"""What `doctor` reports about the sandbox: one line for each protection, with a remedy."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from toolcrib.core.errors import ConfigError
from toolcrib.core.pack import Health
from toolcrib.running.sandbox.ladder import STRONG, Sandbox
from toolcrib.running.sandbox.profile import SandboxReport

_CURE = "Install bubblewrap."
_PLUGINS: Mapping[str, str] = {
    "gke-gcloud-auth-plugin": "~/.config/gcloud",
    "aws": "~/.aws",
    "kubelogin": "~/.azure",
}
"""Programs that kubectl starts to sign in, and the hidden folder that each of them reads."""


def sandbox_health(sandbox: Sandbox, configs: Sequence[str]) -> list[Health]:
    """The rung, its network, reads and sockets, and what the served programs may need."""
    try:
        sandbox.check()
        report = sandbox.report()
    except ConfigError as error:
        return [Health("error", str(error), error.next)]
    return [*_walls(sandbox, report), *_environment(sandbox), *_plugins(configs)]


def missing_folders(project: Path, writable: Sequence[str]) -> list[Health]:
    """Folders that commands may write to and that are not there: no command can make them."""
    return [
        Health("warning", f"[climax] writable: {place} is missing", "Make it, or take it out.")
        for place in writable
        if not (project / Path(place).expanduser()).exists()
    ]


def _walls(sandbox: Sandbox, report: SandboxReport) -> Iterator[Health]:
    if report.level == "off":
        yield Health("warning", "sandbox: off")
        return
    why = f" ({sandbox.reason})" if sandbox.reason else ""
    strong = report.level in STRONG
    yield Health("ok", f"sandbox: {report.level}{why}", None if strong else _CURE)
    network = {
        "none": "tools have none unless it is granted",
        "full": "every tool reaches everything",
    }
    held = report.network == "none"
    text = f"sandbox: network {report.network}: {network[report.network]}"
    yield Health("ok" if held else "warning", text, None if held else _CURE)
    reads = "keys, histories and tokens cannot be read"
    if report.reads == "open":
        yield Health("warning", "sandbox: reads open: commands read what you can read", _CURE)
    elif strong:
        yield Health("ok", f"sandbox: reads hidden: {reads}")
    else:
        yield Health("ok", f"sandbox: reads hidden: {reads}, their names can", _CURE)
    if report.sockets == "none":
        yield Health(
            "ok", "sandbox: sockets none: agents and engines can be reached only if granted"
        )
    else:
        yield Health("warning", f"sandbox: sockets {report.sockets}", _CURE)


def _environment(sandbox: Sandbox) -> Iterator[Health]:
    for path in sandbox.exposed():
        yield Health(
            "warning",
            f"{path} is toolcrib's own, and commands may write it",
            "Keep it outside of the repository, or install bubblewrap.",
        )


def _plugins(configs: Sequence[str]) -> Iterator[Health]:
    """The grant that a cloud's plugin of kubectl needs."""
    if "kubectl" not in configs:
        return
    import shutil

    for program, folder in _PLUGINS.items():
        there = os.path.isdir(os.path.expanduser(folder))  # noqa: PTH111, PTH112
        if there and shutil.which(program) is not None:
            yield Health(
                "ok",
                f"kubectl may sign in with {program}, which reads {folder}",
                f'Grant it in toolcrib.toml: [climax.access.kubectl] reads = ["{folder}"]',
            )
