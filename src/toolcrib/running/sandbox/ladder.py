"""`Sandbox`: the strongest level available on this machine, applied to a tool's grants.

A sandbox is reused for every command with the same grants until the files it was made for change:
replaced folders, and protected or hidden files that were created, deleted or rewritten, lead to a
new one.
"""

# ruff: noqa: PTH116

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from toolcrib.core.errors import ConfigError
from toolcrib.running.sandbox import landlock, namespace, places, seccomp
from toolcrib.running.sandbox.layout import Layout, Listing
from toolcrib.running.sandbox.profile import NOTHING, Access, Level, Mode, SandboxReport, Spec
from toolcrib.running.supervisor.words import PROBE, supervisor_words

STRONG: tuple[Level, ...] = ("bubblewrap", "seatbelt", "docker")
"""Rungs that are enough for `sandbox = "required"`."""
_FULL_FAMILIES = (seccomp.AF_INET, seccomp.AF_INET6, seccomp.AF_NETLINK)


@dataclass(frozen=True, slots=True)
class Confinement:
    """What is done to one command before it runs."""

    spec: Spec
    argv: tuple[str, ...]
    program: str
    cleanup: tuple[str, ...] | None = None
    env: tuple[tuple[str, str], ...] = ()
    """Variables that belong to the sandbox: private caches."""

    @property
    def level(self) -> Level:
        """The sandbox level of the command."""
        return self.spec.report.level


@dataclass(slots=True)
class _Known:
    """A prepared sandbox, and the folders whose change invalidates it."""

    spec: Spec
    listing: Listing
    stamps: tuple[object, ...]


class Sandbox:
    """Picks the strongest sandbox level available on this machine, once."""

    def __init__(
        self,
        mode: Mode,
        project: Path,
        writable: Sequence[str] = (),
        hidden: Sequence[str] = (),
        acting: Callable[[], Iterable[str]] = tuple,
    ) -> None:
        self._mode = mode
        self.off = mode == "off"
        self.layout = Layout(project, writable, hidden, acting)
        self._level: Level | None = None
        self._bwrap: str | None = None
        self._nested = True
        self._abi = 0
        self._machine = seccomp.machine() if sys.platform == "linux" else None
        self._known: dict[Access, _Known] = {}
        self.reason: str | None = None
        """Why it is not bubblewrap, where it is not."""

    @property
    def decided(self) -> bool:
        """Whether the level has been determined."""
        return self._level is not None

    @property
    def level(self) -> Level:
        """The sandbox level of commands."""
        return self.decide()

    def decide(self) -> Level:
        """Determine the level on this machine; takes some milliseconds the first time."""
        if self._level is None:
            self._level = self._chosen()
        return self._level

    def check(self) -> None:
        """Raise `ConfigError` if the required level is not available."""
        unfiltered = sys.platform == "linux" and self._machine is None
        if self._mode == "required" and (self.level not in STRONG or unfiltered):
            raise ConfigError(
                'sandbox = "required", but bubblewrap cannot be used here',
                why=self.reason,
                next='Install bubblewrap, or set [climax] sandbox = "auto".',
            )

    def report(self, access: Access = NOTHING) -> SandboxReport:
        """What is enforced for a tool with these grants."""
        return self.spec(access).report

    def confine(self, argv: Sequence[str], program: str, access: Access = NOTHING) -> Confinement:
        """Confine a command."""
        self.check()
        spec = self.spec(access)
        caches = self.layout.cache_variables(access) if spec.report.level != "off" else ()
        return Confinement(spec, tuple(argv), program, env=caches)

    def spec(self, access: Access) -> Spec:
        """The current sandbox for a tool with these grants."""
        if self.level == "off":
            return Spec("off")
        known = self._known.get(access)
        if known is not None and known.stamps == self._stamps(known.listing):
            return known.spec
        listing = self.layout.listing(access)
        if known is None or known.listing != listing:
            known = _Known(self._made(access, listing), listing, ())
            self._known[access] = known
        known.stamps = self._stamps(listing)
        return known.spec

    def hidden(self, access: Access) -> Sequence[str]:
        """Real paths that a tool with these grants does not see."""
        known = self._known.get(access)
        return known.listing.mounts.hidden if known is not None else ()

    def exposed(self) -> list[str]:
        """What Landlock cannot protect: toolcrib's own code and files inside the repository."""
        return [] if self.level in STRONG or self.level == "off" else self.layout.exposed()

    def close(self) -> None:
        """Remove what was made for this process alone."""
        self._known.clear()
        self.layout.close()

    def _stamps(self, listing: Listing) -> tuple[object, ...]:
        """The state of all that makes this sandbox what it is."""
        found = places.stamps(listing.watched)
        if listing.sockets_granted:
            found.append(tuple(places.live_sockets()))
        return tuple(found)

    def _made(self, access: Access, listing: Listing) -> Spec:
        if self.level == "bubblewrap":
            return self._in_namespaces(access, listing)
        if self.level == "landlock":
            return self._in_landlock(access, listing)
        if self.level == "seatbelt":
            return self._in_seatbelt(access, listing)
        return self._in_limits(access, listing)

    def _in_namespaces(self, access: Access, listing: Listing) -> Spec:
        full = access.network.word == "full"
        proxied = access.network.word in ("hosts", "public")
        families = _FULL_FAMILIES + ((seccomp.AF_UNIX,) if access.sockets else ())
        if access.deaf_sockets:
            families = ()
        # Where each line has namespaces of its own, the proxy cannot listen in all of them.
        shared = full or (proxied and not self._nested)
        if shared and proxied:
            self._need_ports(access)
            families = families[:2] + families[3:]
        words = namespace.words(
            self._bwrap or "bwrap",
            listing.mounts,
            empty=self.layout.empty_file(),
            own_network=not shared,
            nested=self._nested,
        )
        rules = None
        if shared and self._abi >= landlock.ABI_WITH_SCOPES:
            rules = landlock.only_scopes(ports=proxied)
        profile = _message(
            self._filter(
                seccomp.FilterRules(families, access.deaf_sockets, only_tcp=shared and proxied)
            ),
            rules,
            namespace.KEPT_BY_ROOT if os.geteuid() == 0 else 0,
            nested=self._nested,
            places=_without_shared_memory(listing.mounts.writable),
        )
        sockets = "granted" if access.sockets else "none"
        if self._machine is None:
            sockets = "open"
        report = SandboxReport("bubblewrap", access.network.word, "hidden", sockets)
        spec = Spec(
            "", report, tuple(words), "nested", profile, access.network, proxied, not shared
        )
        return _keyed(spec if self._nested else replace(spec, mode="single"), listing)

    def _in_landlock(self, access: Access, listing: Listing) -> Spec:
        word = access.network.word
        proxied = word in ("hosts", "public")
        if proxied:
            self._need_ports(access)
        mounts = listing.mounts
        rules = landlock.rules(
            self._abi,
            [*mounts.writable, "/dev/shm"],  # noqa: S108
            mounts.hidden,
            mounts.opened,
            ports=proxied,
            abstract=bool(access.sockets) and word == "full",
        )
        return _keyed(self._plain(access, listing, "landlock", rules), listing)

    def _need_ports(self, access: Access) -> None:
        """Raise `ConfigError` if a command cannot be limited to the port of the proxy."""
        if self._abi < landlock.ABI_WITH_PORTS or self._machine is None:
            raise ConfigError(
                f"a tool with network {access.network} cannot be confined here",
                why=f"Landlock of this kernel knows no ports ({self.reason})",
                next="Install bubblewrap.",
            )

    def _in_limits(self, access: Access, listing: Listing) -> Spec:
        if access.network.word in ("hosts", "public"):
            raise ConfigError(
                f"a tool with network {access.network} cannot be confined here",
                why=f"there is no bubblewrap and no Landlock: {self.reason}",
                next="Install bubblewrap.",
            )
        return _keyed(self._plain(access, listing, "rlimits", None), listing)

    def _plain(self, access: Access, listing: Listing, level: Level, rules: Any) -> Spec:
        """A sandbox without namespaces: only seccomp blocks the network."""
        word = access.network.word
        proxied = word in ("hosts", "public")
        families: tuple[int, ...] = (seccomp.AF_UNIX,) if access.sockets else ()
        if word != "none":
            families += _FULL_FAMILIES if word == "full" else _FULL_FAMILIES[:2]
        protected = (seccomp.SELF, seccomp.SELF_GROUP, -1, os.getpid(), -os.getpgrp())
        filtered = self._filter(
            seccomp.FilterRules(
                families, access.deaf_sockets, only_tcp=proxied, protected=protected
            )
        )
        profile = _message(
            filtered,
            rules,
            namespace.KEPT_BY_ROOT if os.geteuid() == 0 else None,
            places=_without_shared_memory(listing.mounts.writable),
        )
        report = SandboxReport(
            level,
            word if filtered else "full",
            "hidden" if rules else "open",
            "open" if access.sockets or not filtered else "none",
        )
        return Spec("", report, (), "plain", profile, access.network, proxied)

    def _in_seatbelt(self, access: Access, listing: Listing) -> Spec:
        from toolcrib.running.sandbox import seatbelt

        proxied = access.network.word in ("hosts", "public")
        words = seatbelt.words(listing.mounts, access.network.word)
        sockets = "granted" if access.sockets else "none"
        report = SandboxReport("seatbelt", access.network.word, "hidden", sockets)
        return _keyed(
            Spec("", report, tuple(words), network=access.network, proxied=proxied), listing
        )

    def _filter(self, rules: seccomp.FilterRules) -> str | None:
        return None if self._machine is None else seccomp.assemble(self._machine, rules).hex()

    def _chosen(self) -> Level:
        if self._mode == "off":
            return "off"
        if sys.platform == "darwin":
            from toolcrib.running.sandbox import seatbelt

            self.reason = seatbelt.problem()
            return "rlimits" if self.reason else "seatbelt"
        self._abi = self._landlock()
        self._bwrap = self._working_bwrap()
        if self._bwrap is not None:
            return "bubblewrap"
        return "landlock" if self._abi >= landlock.OLDEST_ABI else "rlimits"

    def _working_bwrap(self) -> str | None:
        program = self.layout.own_program("bwrap")
        if program is None:
            self.reason = "bwrap is not installed"
            return None
        for nested in (True, False):
            mode = "nested" if nested else "single"
            self.reason = namespace.problem(program, supervisor_words(PROBE, mode), nested=nested)
            if self.reason is None:
                self._nested = nested
                return program
        return None

    def _landlock(self) -> int:
        return landlock.abi()


def _message(
    seccomp_filter: str | None,
    rules: Any,
    capabilities: int | None,
    *,
    nested: bool = False,
    places: Sequence[str] = (),
) -> dict[str, Any]:
    return {
        "seccomp": seccomp_filter,
        "landlock": rules,
        "capabilities": capabilities,
        "nested": nested,
        "places": list(places),
    }


def _keyed(spec: Spec, listing: Listing) -> Spec:
    """The same with a key that stands for all that makes it different from others."""
    whole = json.dumps(
        [spec.command, spec.mode, spec.profile, repr(spec.network), listing.identity], default=str
    )
    key = hashlib.sha256(whole.encode("utf-8", "surrogateescape")).hexdigest()
    return replace(spec, key=key)


def _without_shared_memory(writable: Iterable[str]) -> list[str]:
    """One place for each file system, so that none is counted twice."""
    by_device: dict[int, str] = {}
    for place in writable:
        try:
            by_device.setdefault(os.stat(place).st_dev, place)
        except OSError:
            continue
    return list(by_device.values())
