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


WATCHED = """
import asyncio, json, sys, threading
from pathlib import Path
from toolcrib.core.executor import ToolExecutor
from toolcrib.core.tool import CallContext
from toolcrib.packs.gateway.pack import GatewayPack
from toolcrib.packs.gateway.settings import GatewaySettings

class Watch:
    found = []
    def find_spec(self, name, path=None, target=None):
        if threading.current_thread() is threading.main_thread():
            self.found.append(name)

async def main():
    pack = GatewayPack(Path(sys.argv[1]), GatewaySettings())
    tools = pack.contribute().unlisted
    pack.read
    sys.meta_path.insert(0, Watch())
    await tools.prepare("odd__t0")
    output = await ToolExecutor().run(tools.get("odd__t0"), {}, CallContext())
    await pack.close()
    assert not output.is_error, output
    print(json.dumps(Watch.found))

asyncio.run(main())
"""


def test_the_first_call_imports_nothing_on_the_loop(project: Project) -> None:
    """X-10: no server ever delays another one; the modules of a call are imported in a thread."""
    project.write(odd=odd())
    done = subprocess.run(
        [sys.executable, "-c", WATCHED, str(project.folder)],
        stdout=subprocess.PIPE,
        check=True,
    )
    found = json.loads(done.stdout)
    slow = [name for name in found if name.startswith(("toolcrib.packs", "mcp"))]
    assert slow == []


SEARCHED = """
import asyncio, json, sys, threading
from pathlib import Path
from toolcrib.core.executor import ToolExecutor
from toolcrib.core.tool import CallContext
from toolcrib.packs.gateway.pack import GatewayPack
from toolcrib.packs.gateway.settings import GatewaySettings
from toolcrib.server.mcp.catalog import Catalog, Offer

opened = {True: [], False: []}

def watch(event, args):
    if event == "open" and str(args[0]).endswith(".json"):
        opened[threading.current_thread() is threading.main_thread()].append(str(args[0]))

async def main():
    pack = GatewayPack(Path(sys.argv[1]), GatewaySettings())
    catalog = Catalog(ToolExecutor())
    catalog.load([Offer(pack.name, pack.about, pack.contribute(), pack.trusted)])
    sys.addaudithook(watch)
    given = {"query": "does t0"}
    output = await ToolExecutor().run(catalog.resolve("climax_search"), given, CallContext())
    await pack.close()
    print(json.dumps([output.structured["results"][0]["tool_name"], opened[True], opened[False]]))

asyncio.run(main())
"""


def test_the_first_search_reads_catalogues_beside_the_loop(project: Project) -> None:
    """X-10: no server delays the first answer of anybody, however much it has told."""
    project.write(odd=odd())
    assert not project.call("odd__t0").is_error
    done = subprocess.run(
        [sys.executable, "-c", SEARCHED, str(project.folder)], stdout=subprocess.PIPE, check=True
    )
    found, on_the_loop, beside = json.loads(done.stdout)
    assert found == "odd__t0"
    catalogue = "/toolcrib/servers/"
    assert any(catalogue in name for name in beside)
    assert not any(catalogue in name for name in on_the_loop)
