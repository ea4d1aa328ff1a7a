"""The folders of this user: state, cache, and configuration; and the machine's own."""

from __future__ import annotations

import os
from pathlib import Path

from toolcrib.core.errors import ConfigError

STATE_VARIABLE = "TOOLCRIB_STATE"
ORGANISATION = Path("/etc/toolcrib")
"""Where whoever runs the machine writes `config.toml` and `policy.yaml` for everybody."""


def state_folder() -> Path:
    """The folder of this user's state: TOOLCRIB_STATE, else the XDG state folder.

    Raises `ConfigError` for a relative path: it would be inside the served repository.
    """
    given = os.environ.get(STATE_VARIABLE)
    if given:
        folder = Path(os.path.expanduser(given))  # noqa: PTH111 - expanduser() raises without HOME
        if not folder.is_absolute():
            raise ConfigError(
                f"{STATE_VARIABLE}={given} is a relative path",
                why="state kept in the folder at hand could be written by what is served there",
                next=f"Set {STATE_VARIABLE} to an absolute path.",
            )
        return folder
    return _xdg("XDG_STATE_HOME", ".local/state")


def config_folder() -> Path:
    """The folder with this user's own `config.toml` and `policy.yaml`."""
    return _xdg("XDG_CONFIG_HOME", ".config")


def cache_folder() -> Path | None:
    """The cache folder; None if there is no home folder.

    A missing home folder is never created.
    """
    folder = os.environ.get("XDG_CACHE_HOME") or ""
    if not os.path.isabs(folder):  # noqa: PTH117 - a relative one is to be ignored
        home = os.environ.get("HOME", "")
        if home in ("", "/") or not os.path.isdir(home):  # noqa: PTH112
            return None
        folder = f"{home}/.cache"
    return Path(folder, "toolcrib")


def _xdg(variable: str, below_home: str) -> Path:
    shared = os.environ.get(variable, "")
    if os.path.isabs(shared):  # noqa: PTH117 - a relative one is to be ignored
        return Path(shared, "toolcrib")
    home = os.path.expanduser("~")  # noqa: PTH111 - Path.home() raises without one
    if not os.path.isabs(home):  # noqa: PTH117
        raise ConfigError(
            f"There is no folder for {variable}: this user has no home folder",
            next=f"Set {STATE_VARIABLE} or {variable} to an absolute path.",
        )
    return Path(home, below_home, "toolcrib")
