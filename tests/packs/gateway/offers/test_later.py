"""Resources and prompts of servers, made when they are asked for."""

from __future__ import annotations

import subprocess
import sys


def test_a_start_makes_none_of_them(tmp_path) -> None:
    """X-31: neither the servers nor what they offer, before somebody asks."""
    code = (
        "import sys, pathlib\n"
        "from toolcrib.packs.gateway.pack import GatewayPack\n"
        "from toolcrib.packs.gateway.settings import GatewaySettings\n"
        f"pack = GatewayPack(pathlib.Path({str(tmp_path)!r}), GatewaySettings())\n"
        "found = pack.contribute()\n"
        "names = ('resources', 'prompts')\n"
        "print([n for n in names if f'toolcrib.packs.gateway.offers.{n}' in sys.modules])\n"
        "print(len(found.resources.resources()), len(found.prompts.prompts()))\n"
    )
    env = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env)
    assert ran.stdout.splitlines() == ["[]", "0 0"], ran.stderr
