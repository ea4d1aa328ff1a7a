"""What a command is granted, and the sandbox that follows from it: plain records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from toolcrib.running.network.hosts import NO_NETWORK, Network

Mode = Literal["off", "auto", "required"]
Level = Literal["off", "rlimits", "landlock", "bubblewrap", "seatbelt", "docker"]


@dataclass(frozen=True, slots=True)
class Access:
    """What one tool may reach beyond the repository: its grants."""

    network: Network = NO_NETWORK
    reads: tuple[str, ...] = ()
    """Paths that are hidden from others."""
    writes: tuple[str, ...] = ()
    """Paths outside of the repository that may be written."""
    sockets: tuple[str, ...] = ()
    """Paths of Unix sockets, `$NAME` of a variable that holds one, or a word of `SOCKETS`."""
    env: tuple[str, ...] = ()
    """Variables of the server that are passed on."""
    hides: tuple[str, ...] = ()
    """Patterns for names of files in the repository that are hidden."""
    deaf_sockets: bool = False
    """Whether it may listen on Unix sockets by which nothing comes in or goes out.

    No tool has this: it is for questions to programs that will not speak before they listen.
    """
    changes_work_tree: bool = False
    """Whether it may write files of the repository that are protected, all but hooks: git."""

    def as_dict(self) -> dict[str, Any]:
        """The grants as they are written; what is not granted is left out."""
        lists = {key: list(getattr(self, key)) for key in ("reads", "writes", "sockets", "env")}
        found: dict[str, Any] = {key: value for key, value in lists.items() if value}
        return found if self.network.word == "none" else {"network": self.network.shown(), **found}


NOTHING = Access()
"""No grant at all."""


@dataclass(frozen=True, slots=True)
class SandboxReport:
    """What truly held for a call: `_meta["toolcrib/sandbox"]`."""

    level: Level = "off"
    network: str = "full"
    reads: str = "open"
    sockets: str = "open"

    def as_dict(self) -> dict[str, str]:
        """The report as a result's metadata shows it."""
        return {
            "level": self.level,
            "network": self.network,
            "reads": self.reads,
            "sockets": self.sockets,
        }


UNSANDBOXED = SandboxReport()
"""Nothing was done."""
UNCONFINED: Mapping[str, Any] = {
    "seccomp": None,
    "landlock": None,
    "capabilities": None,
    "nested": False,
    "places": [],
}
"""What a supervisor puts on itself: nothing."""


@dataclass(frozen=True, slots=True)
class Spec:
    """One sandbox: how its first process is started and what its supervisors put on themselves."""

    key: str
    """Two commands share a kept sandbox if their keys are equal."""
    report: SandboxReport = UNSANDBOXED
    command: tuple[str, ...] = ()
    """Words that come before the supervisor's own: bubblewrap and its options."""
    mode: Literal["nested", "single", "plain"] = "plain"
    profile: Mapping[str, Any] = field(default_factory=lambda: UNCONFINED)
    network: Network = NO_NETWORK
    proxied: bool = False
    """Whether the network is reached through the server's proxy only."""
    own_network: bool = False
    """Whether the commands have a network namespace of their own, in which the proxy listens."""
