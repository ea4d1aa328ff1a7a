"""The environment of a child process: an allowlist, and variables that disable prompts."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping

_PASSED = frozenset((
    "HOME", "LANG", "LANGUAGE", "LOGNAME", "PATH", "SHELL", "TZ", "USER",
    "TEMP", "TMP", "TMPDIR",
    "XDG_CACHE_HOME", "XDG_CONFIG_DIRS", "XDG_CONFIG_HOME", "XDG_DATA_DIRS", "XDG_DATA_HOME",
    "XDG_STATE_HOME",
    "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE", "SSL_CERT_DIR", "SSL_CERT_FILE",
))  # fmt: skip
# The address of a proxy is passed on, but not with a password in it.
_PROXIES = frozenset(("ALL_PROXY", "FTP_PROXY", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"))
_REFERENCE = r"(?a)\$(\w+)|\$\{(\w+)\}"
_DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin"

UNATTENDED: Mapping[str, str] = {
    "AWS_PAGER": "",
    "CLICOLOR": "0",
    "DEBIAN_FRONTEND": "noninteractive",
    "EDITOR": "false",
    "GH_PAGER": "cat",
    "GH_PROMPT_DISABLED": "1",
    "GIT_EDITOR": "false",
    "GIT_PAGER": "cat",
    "GIT_SEQUENCE_EDITOR": "false",
    "GIT_TERMINAL_PROMPT": "0",
    "MANPAGER": "cat",
    "NO_COLOR": "1",
    "PAGER": "cat",
    "PIP_NO_INPUT": "1",
    "SSH_ASKPASS_REQUIRE": "never",
    "SYSTEMD_PAGER": "cat",
    "TERM": "dumb",
    "VISUAL": "false",
}
"""No pager, no editor, no prompt, no colours: a command that needs a person fails at once."""


def child_environment(
    config_env: Mapping[str, str],
    inherited: Mapping[str, str] | None = None,
    granted: Iterable[str] = (),
) -> dict[str, str]:
    """Return the environment of a child: harmless variables of ours, and those of the config.

    A config passes a variable on with `NAME: $NAME`; where that is not set, the child has none.
    `granted` are names that a grant adds.
    """
    ours = os.environ if inherited is None else inherited
    env = {name: value for name, value in ours.items() if _harmless(name, value)}
    env.update((name, ours[name]) for name in granted if name in ours)
    env["PATH"] = _absolute_only(env.get("PATH", _DEFAULT_PATH))
    env.update(UNATTENDED)
    for name, value in config_env.items():
        reference = re.fullmatch(_REFERENCE, value)
        if reference is None:
            env[name] = re.sub(_REFERENCE, lambda match: _referred(match, ours), value)
        elif (passed := ours.get(reference[1] or reference[2])) is not None:
            env[name] = passed
        else:
            env.pop(name, None)
    return env


def find_program(name: str, env: Mapping[str, str], cwd: str) -> str | None:
    """Return the path of a program as the child would find it; None if there is none."""
    if "/" in name:
        path = os.path.join(cwd, name)  # noqa: PTH118 - an absolute name stays as it is
        return path if os.path.exists(path) else None  # noqa: PTH110
    for folder in env.get("PATH", _DEFAULT_PATH).split(":"):
        path = f"{folder}/{name}"
        if os.access(path, os.X_OK) and not os.path.isdir(path):  # noqa: PTH112
            return path
    return None


def _harmless(name: str, value: str) -> bool:
    if name in _PASSED or name.startswith("LC_"):
        return True
    return name.upper() in _PROXIES and "@" not in value


def _absolute_only(path: str) -> str:
    """A search path without relative folders, so that no program is found in the repository."""
    return ":".join(folder for folder in path.split(":") if folder.startswith("/"))


def _referred(match: re.Match[str], ours: Mapping[str, str]) -> str:
    return ours.get(match[1] or match[2], match[0])
