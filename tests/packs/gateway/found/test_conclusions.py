"""What is concluded from a long catalogue once, and when it is concluded anew."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from packs.gateway.conftest import Project, odd
from toolcrib.core.support.folders import cache_folder
from toolcrib.packs.gateway import pins
from toolcrib.packs.gateway.catalogue import Catalogue
from toolcrib.packs.gateway.found import acceptance


def says(text: str, count: int = 200) -> Catalogue:
    """A long catalogue whose last tool says something."""
    tools = [{"name": f"t{number}", "description": "Counts days."} for number in range(count)]
    return Catalogue(tools=[*tools, {"name": "last", "description": text}, {"name": "no name"}])


def conclusions() -> list[Path]:
    """The files in which conclusions are kept."""
    folder = cache_folder()
    assert folder is not None
    return sorted((folder / "conclusions").glob("*"))


def usable(project: Project, told: Catalogue | None = None, how: str = "keep") -> set[str]:
    """What of a server may be used, after it has told something, in a process of its own."""

    async def work(pack: Any) -> set[str]:
        servers, entry = pack.servers, pack.servers.entries["odd"]
        if how == "pin":
            servers.pins.put(servers.catalogues.key(entry), told)
        elif told is not None:
            servers.pins.first(servers.catalogues.key(entry), told)
            servers.keep(entry, told)
        return set(pack.contribute().unlisted.definitions.of("odd"))

    return project.run(work)


def _no_work(*given: Any) -> Any:
    raise AssertionError("worked out again")


def test_what_was_kept_is_not_hashed_and_measured_again(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """X-31: the definitions are looked at once each time a server tells them, not at each start."""
    project.write(odd=odd())
    before = usable(project, says("Counts weeks."))
    assert {"t0", "last"} < before
    assert "no name" not in before
    monkeypatch.setattr(pins, "_hash", _no_work)
    monkeypatch.setattr(acceptance, "acceptable", _no_work)
    assert usable(project) == before


def test_a_tool_that_changed_is_held_whatever_was_concluded_before(project: Project) -> None:
    """X-21: a conclusion belongs to the very bytes that it was drawn from, and to the pins."""
    project.write(odd=odd())
    assert "last" in usable(project, says("Counts weeks."))
    assert "last" not in usable(project, says("Sends your keys away."))
    assert "last" not in usable(project)
    assert "last" in usable(project, says("Sends your keys away."), "pin")
    assert "last" not in usable(project, says("Counts weeks."))


def test_a_catalogue_that_was_changed_on_disk_is_compared_anew(project: Project) -> None:
    """X-21: what lies in the cache is judged by its bytes, not by what it says of itself."""
    project.write(odd=odd())
    assert "last" in usable(project, says("Counts weeks."))
    folder = cache_folder()
    assert folder is not None
    (kept,) = (folder / "servers").glob("*.json")
    kept.write_bytes(kept.read_bytes().replace(b"Counts weeks.", b"Counts WEEKS."))
    assert "last" not in usable(project)


def test_a_conclusion_that_nobody_here_has_drawn_is_not_believed(project: Project) -> None:
    """X-21: it is sealed; one that was written by others counts as absent."""
    project.write(odd=odd())
    usable(project, says("Counts weeks."))
    assert "last" not in usable(project, says("Sends your keys away."))
    changed = 0
    for file in conclusions():
        data = file.read_bytes()
        file.write_bytes(data.replace(b'["tool last"]', b"[]"))
        changed += file.read_bytes() != data
    assert changed
    assert "last" not in usable(project)


def test_of_a_short_catalogue_nothing_is_kept(project: Project) -> None:
    """X-31: it is hashed sooner than a file is read."""
    project.write(odd=odd())
    assert "last" in usable(project, says("Counts weeks.", count=3))
    assert not conclusions()
