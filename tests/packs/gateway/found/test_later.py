"""A start with servers pays for none of them."""

from __future__ import annotations

import json
import subprocess
import sys

from packs.gateway.conftest import Project, odd

CODE = """
import sys
from pathlib import Path
from toolcrib.packs.gateway.pack import GatewayPack
from toolcrib.packs.gateway.settings import GatewaySettings
from toolcrib.server.surface import Surface
surface = Surface([GatewayPack(Path(sys.argv[1]), GatewaySettings())])
assert [tool.name for tool in surface.catalog.listed()] == ["climax_call", "climax_search"]
import json
print(json.dumps(sorted(sys.modules)))
"""


def test_a_start_loads_nothing_that_only_a_call_needs(project: Project) -> None:
    """X-31: neither `mcp` nor pydantic, no client, no sandbox, before anybody asks."""
    project.write(odd=odd())
    ran = subprocess.run(
        [sys.executable, "-c", CODE, str(project.folder)],
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = set(json.loads(ran.stdout))
    for name in ("mcp", "pydantic", "toolcrib.client.session", "toolcrib.packs.gateway.servers",
                 "toolcrib.running.sandbox.ladder", "toolcrib.policy.layers"):  # fmt: skip
        assert name not in loaded, name
