"""What `[gateway]` in `toolcrib.toml` may say, and whether anything is there for it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

from toolcrib.core.errors import ToolcribError
from toolcrib.core.options import option
from toolcrib.core.support.folders import config_folder
from toolcrib.core.support.records import record
from toolcrib.policy.repository.places import SERVERS_FILE

REPO_FILE = SERVERS_FILE
USER_FILE = "servers.json"
SCHEMA = "servers.schema.json"
DEPTH = "TOOLCRIB_GATEWAY_DEPTH"
DEEPEST = 2
"""How many gateways may stand above each other."""


@record
class GatewaySettings:
    """Other MCP servers behind this one: `[gateway]`."""

    configs: tuple[str, ...] = option(
        (), "Files with servers, instead of mcp/servers.json; the user's own is always read"
    )
    max_message: int = option(
        16 * 1024 * 1024, "Bytes of one message of a server", least=64 * 1024, most=2**30
    )
    max_result: int = option(
        100_000, "Characters of a result's text; the rest is kept as a resource", least=1000
    )
    flow: Literal["off", "warn", "block"] = option(
        "warn", "What happens to calls that could carry private data out"
    )
    private: tuple[str, ...] = option((), "Hosts with private addresses that may be reached")


def user_file() -> Path | None:
    """The user's own file of servers; None where there can be none."""
    try:
        return config_folder() / USER_FILE
    except ToolcribError:
        return None


def depth() -> int:
    """How many gateways stand above this one."""
    text = os.environ.get(DEPTH, "0")
    return int(text) if text.isdecimal() and len(text) < 4 else DEEPEST


def possible() -> bool:
    """Whether servers may be started here: not below a gateway that stands below a gateway."""
    return depth() < DEEPEST


def schema_text() -> str:
    """The JSON Schema of a file with servers."""
    return (Path(__file__).parents[2] / "schemas" / SCHEMA).read_text(encoding="utf-8")


def detect(project: Path) -> bool:
    """Whether the repository or the user has servers."""
    own = user_file()
    return (project / REPO_FILE).is_file() or (own is not None and own.is_file())
