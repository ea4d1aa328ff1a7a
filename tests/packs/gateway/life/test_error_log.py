"""The end of what a server writes to its standard error."""

from __future__ import annotations

from typing import Any

from packs.gateway.conftest import Project, call, odd
from support.waiting import until_async


def test_what_was_written_is_known_while_it_runs_and_afterwards(project: Project) -> None:
    """X-29: `servers logs` shows it also when the process is gone."""
    project.write(odd=odd(stderr="hello"))

    async def work(pack: Any) -> str:
        await call(pack, "odd__t0")
        server = pack.servers.server("odd")
        await until_async(lambda: "hello" in server.errors)
        server.stop()
        return server.errors

    assert project.run(work) == "hello\n"
