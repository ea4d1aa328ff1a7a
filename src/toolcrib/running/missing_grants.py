"""Finds out from the output of a failed command which grant was missing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from toolcrib.running.sandbox.profile import SandboxReport

_LOOKED_AT = 16384
_MOST = 3
_PATH = re.compile(r"(?:~|/)[\w.@+/-]*[\w@+-]")
_HOSTS = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        r"could not resolve host(?:name)?:? '?([\w.-]+)",
        r"getaddrinfo (?:ENOTFOUND|EAI_AGAIN) ([\w.-]+)",
        r"failed to connect to ([\w.:-]+?)(?: port (\d+))?[ ,:]",
        r"connect to host ([\w.-]+) port (\d+)",
        r"lookup ([\w.-]+)[^\n]*?(?:no such host|connection refused)",
        r"host='([\w.-]+)', port=(\d+)",
        r"name or service not known[^\n]*?([\w-]+(?:\.[\w-]+)+)",
    )
)
_NO_NETWORK = re.compile(
    r"network is unreachable|temporary failure in name resolution|could not resolve|"
    r"name or service not known",
    re.I,
)


def missing_grants(
    stdout: str, stderr: str, report: SandboxReport, hidden: Sequence[str], home: str | None
) -> list[str]:
    """One sentence for each grant that seems to be missing."""
    said = stderr[-_LOOKED_AT:] + "\n" + stdout[-_LOOKED_AT:]
    notes = [
        f"hidden: {path} (a grant opens it: reads in [climax.access])"
        for path in _hidden_paths(said, hidden, home)
    ]
    if report.network == "none":
        notes += _unreached(said)
    return notes


def _hidden_paths(said: str, hidden: Sequence[str], home: str | None) -> list[str]:
    found: dict[str, None] = {}
    for match in _PATH.finditer(said):
        path = match[0]
        if path.startswith("~/") and home:
            path = home + path[1:]
        if any(path == each or path.startswith(each + "/") for each in hidden):
            shown = "~" + path[len(home) :] if home and path.startswith(home + "/") else path
            found[shown] = None
    return list(found)[:_MOST]


def _unreached(said: str) -> list[str]:
    hosts = list(dict.fromkeys(_hosts(said)))[:_MOST]
    if hosts:
        return [
            f"network: none, so {host} was not reached (a grant opens it: network in "
            "[climax.access])"
            for host in hosts
        ]
    if _NO_NETWORK.search(said):
        return ["network: none (a grant opens it: network in [climax.access])"]
    return []


def _hosts(said: str) -> Iterator[str]:
    for pattern in _HOSTS:
        for match in pattern.finditer(said):
            host = next((group for group in match.groups() if group), None)
            if host and host not in ("127.0.0.1", "localhost", "::1"):
                yield host.rstrip(".")
