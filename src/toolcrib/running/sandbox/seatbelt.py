"""macOS: the profile that `sandbox-exec` puts a supervisor and its commands under, as text.

In such a profile the last rule that matches decides, so that it goes from the general to the
special: everything may be read but what is hidden, nothing written but in the writable places and
there not what is protected, and no network but the proxy of the server.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from toolcrib.running.sandbox.namespace import Mounts

PROGRAM = "/usr/bin/sandbox-exec"
PORT = "@PORT@"
"""Stands for the port of the proxy, which is known when the sandbox is started."""
_DEVICES = (
    "/dev/null",
    "/dev/zero",
    "/dev/random",
    "/dev/urandom",
    "/dev/tty",
    "/dev/dtracehelper",
)


def problem() -> str | None:
    """Why it cannot be used here; None if it can."""
    return None if os.access(PROGRAM, os.X_OK) else f"{PROGRAM} is not there"


def words(mounts: Mounts, network: str) -> list[str]:
    """The command line up to the supervisor's own words."""
    return [PROGRAM, "-p", profile(mounts, network)]


def profile(mounts: Mounts, network: str) -> str:
    """The profile for a sandbox whose network is `none`, `hosts`, `public` or `full`."""
    lines = [
        "(version 1)",
        "(allow default)",
        "(deny process-info* (target others))",
        "(deny signal (target others))",
        "(allow signal (target children))",
        "(deny mach-lookup",
        '    (global-name "com.apple.securityd")',
        '    (global-name "com.apple.SecurityServer"))',
        "(deny file-write*)",
        *_rule("allow file-write*", "literal", _DEVICES),
        *_rule("allow file-write*", "subpath", mounts.writable),
        *_rule("deny file-write*", "subpath", mounts.protected),
        *_rule("deny file-read* file-write*", "subpath", mounts.hidden),
        *_rule("allow file-read*", "subpath", mounts.opened),
        *_rule("allow file-read* file-write*", "subpath", _inside(mounts)),
    ]
    return "\n".join([*lines, *_network(mounts, network)]) + "\n"


def _network(mounts: Mounts, network: str) -> list[str]:
    if network == "full":
        rules = ["(deny network-outbound (remote unix-socket))"]
    else:
        rules = ["(deny network*)"]
    if network in ("hosts", "public"):
        rules.append(f'(allow network-outbound (remote tcp "localhost:{PORT}"))')
    return [*rules, *_rule("allow network-outbound", "literal", mounts.sockets)]


def _inside(mounts: Mounts) -> list[str]:
    """Writable places that lie below hidden ones: private caches."""
    return [
        place
        for place in mounts.writable
        if any(place.startswith(hidden + "/") for hidden in mounts.hidden)
    ]


def _rule(action: str, kind: str, paths: Iterable[str]) -> list[str]:
    quoted = [f"    ({kind} {_quoted(path)})" for path in paths]
    return [f"({action}", *quoted[:-1], quoted[-1] + ")"] if quoted else []


def _quoted(path: str) -> str:
    escaped = path.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
