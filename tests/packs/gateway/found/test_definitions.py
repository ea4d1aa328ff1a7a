"""Which tools of a server may be used."""

from __future__ import annotations

from typing import Any

from packs.gateway.conftest import Project, odd


def test_of_two_tools_with_one_name_the_first_counts_and_others_are_served(
    project: Project,
) -> None:
    """FAULTS: names with spaces, NUL, RTL, 300 characters, twice in one list, `climax_call`."""
    names = ["a b", "n\0", "\u202ertl", "x" * 300, "same", "same", "climax_call", "fine"]
    project.write(odd=odd({"deny": ["fi*"]}, names=names))

    async def work(pack: Any) -> tuple[list[str], Any]:
        await pack.servers.seen("odd")
        tools = pack.contribute().unlisted
        first = tools.definitions.of("odd")
        assert tools.definitions.of("odd") is first  # worked out once
        return list(first), tools.get("climax_call")

    usable, ours = project.run(work)
    assert usable == ["same", "climax_call"] and ours is None
