"""The environment by which programs find the proxy."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

_PROXIED = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")
_LOCAL = "localhost,127.0.0.1,::1"
CONNECT = Path(__file__).with_name("connect.py")
"""A program that ssh starts to reach a host through the proxy."""


def proxy_variables(url: str, *, local: bool) -> dict[str, str]:
    """Variables for programs of all kinds: in both letter cases, for Node, and for git's ssh.

    `local`: whether this machine is reached through the proxy too.
    """
    found = dict.fromkeys(_PROXIED, url)
    found |= {name.lower(): url for name in _PROXIED}
    around = "" if local else _LOCAL
    found |= {"NO_PROXY": around, "no_proxy": around, "NODE_USE_ENV_PROXY": "1"}
    # `%%` would be a percent sign for ssh; paths with one are quoted that way.
    words = [sys.executable, "-I", "-S", str(CONNECT)]
    helper = " ".join(shlex.quote(word.replace("%", "%%")) for word in words)
    command = shlex.quote(f"ProxyCommand={helper} %h %p")
    found["GIT_SSH_COMMAND"] = f"ssh -oBatchMode=yes -o {command}"
    return found
