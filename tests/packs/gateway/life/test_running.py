"""How a server that is up is stopped."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from packs.gateway.conftest import Project, call, odd
from support.waiting import until_async


@pytest.mark.parametrize(
    ("stays", "expected"),
    [(None, "input closed"), ("input", "input closed, SIGTERM"), ("all", "input closed, SIGTERM")],
)
def test_input_is_closed_first_then_asked_then_killed(
    project: Project, tmp_path: Path, stays: str | None, expected: str
) -> None:
    """X-12: stop is: close stdin, 1 s, TERM, 1 s, KILL; whatever it ignores, it is gone."""
    diary = tmp_path / "diary"
    project.write(odd=odd(diary=str(diary), stays=stays))

    async def work(pack: Any) -> None:
        await call(pack, "odd__t0")
        server = pack.servers.server("odd")
        server.stop()
        await until_async(lambda: not server.leaving)

    project.run(work)
    assert diary.read_text() == expected
