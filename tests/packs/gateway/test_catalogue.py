"""What a server has, kept on disk."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from typing import Any, cast

import pytest

from toolcrib.client.session import ListPage, ServerSession
from toolcrib.packs.gateway.catalogue import (
    FORMAT,
    Catalogue,
    CatalogueStore,
    Noted,
    asked,
    parsed,
)
from toolcrib.packs.gateway.entries import ConfiguredServer
from toolcrib.wire.messages import RpcError

TOOLS = [{"name": "t", "description": "does\ud800"}, {"name": 7}, {"title": "no name"}]


def entry(source: str = "user", **more: object) -> ConfiguredServer:
    written = {"command": "x", **more}
    return ConfiguredServer(
        "s",
        source,
        "stdio",
        "f",
        1,
        Path("/"),
        command="x",
        cwd="/tmp",
        written=written,  # type: ignore[arg-type]
    )


def test_it_comes_back_as_it_was_kept_and_only_its_owner_can_read_it(tmp_path: Path) -> None:
    """X-9: 0600; lone surrogates and odd names do no harm; the same content, the same digest."""
    store, given = CatalogueStore("root", tmp_path), Catalogue({"name": "x"}, tools=TOOLS, time=1.0)
    assert store.get(entry()) is None
    store.put(entry(), given)
    found = CatalogueStore("root", tmp_path).get(entry())
    assert found is not None and found.tools == TOOLS and found.names == {"t"}
    assert found.digest == given.digest == Catalogue({"name": "x"}, tools=TOOLS, time=9.0).digest
    assert found.digest != Catalogue({"name": "y"}, tools=TOOLS).digest
    (file,) = tmp_path.iterdir()
    assert file.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"[]", b"null", b'{"toolcrib": 99}', b"\xff" * 9, b"[" * 100_000,
     b'{"toolcrib": 1, "tools": 3}', b'{"toolcrib": 1, "tools": [3]}', b'{"toolcrib": 1, "x": 1}',
     b'{"toolcrib": 1, "info": []}'],
)  # fmt: skip
def test_what_is_damaged_or_of_another_format_counts_as_absent(data: bytes) -> None:
    """X-9: damaged or foreign: as if absent."""
    assert parsed(data) is None


def test_a_file_that_others_could_have_written_counts_as_absent(tmp_path: Path) -> None:
    """FAULTS: other owner, writable by others: absent."""
    store = CatalogueStore("root", tmp_path)
    store.put(entry(), Catalogue(tools=TOOLS))
    (file,) = tmp_path.iterdir()
    file.chmod(0o666)
    assert CatalogueStore("root", tmp_path).get(entry()) is None


def test_the_key_has_the_root_where_it_matters(tmp_path: Path) -> None:
    """X-9: the repo's entries, `${workspaceFolder}` and the default cwd belong to one root."""
    here, there = CatalogueStore("here", tmp_path), CatalogueStore("there", tmp_path)
    assert here.key(entry()) == there.key(entry())
    assert here.key(entry("repo")) != there.key(entry("repo"))
    assert here.key(entry(env={"A": "1"})) != here.key(entry(env={"A": "2"}))


def test_what_cannot_be_written_is_known_to_this_process_alone(tmp_path: Path) -> None:
    """X-9: unwritable: as if absent, and the server can be used all the same."""
    (tmp_path / "file").write_text("")
    store = CatalogueStore("root", tmp_path / "file")
    store.put(entry(), Catalogue(tools=TOOLS))
    found = store.get(entry())
    assert found is not None and found.tools == TOOLS
    assert CatalogueStore("root", tmp_path / "file").get(entry()) is None


def test_what_is_more_than_the_bound_is_left_out_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """X-9: at most 32 MiB; the rest is served, with a warning."""
    monkeypatch.setattr("toolcrib.packs.gateway.catalogue.LARGEST", 2**21)
    tools = [{"name": f"t{n}", "description": "x" * 100_000} for n in range(30)]

    class Large:
        info, era, capabilities, instructions = {"name": "large"}, "legacy", {"tools": {}}, None

        async def whole(self, method: str, name: str) -> ListPage:
            return ListPage(tools)

    found = asyncio.run(asked(cast(ServerSession, Large())))
    assert 0 < len(found.tools) < 30 and len(found.as_bytes()) < 2**21
    assert "left out" in found.warnings[0]


@pytest.mark.parametrize(
    "damage",
    [
        {"time": "yesterday"},
        {"era": ["legacy"]},
        {"capabilities": None},
        {"instructions": 7},
        {"warnings": {}},
        {"tools": [7]},
        {"more": 1},
    ],
)
def test_a_damaged_catalogue_is_as_if_absent(damage: dict[str, Any]) -> None:
    """X-9, FAULTS: damaged: as if absent."""
    kept = json.loads(Catalogue(tools=TOOLS).as_bytes().decode("utf-8", "surrogatepass"))
    assert parsed(json.dumps(kept).encode()) is not None
    assert parsed(json.dumps({**kept, **damage}).encode()) is None


def test_what_a_process_noted_ends_with_it(tmp_path: Path) -> None:
    """X-29: ready while it runs; why it could not be started; nothing of a process that is gone."""
    store = CatalogueStore("root", tmp_path)
    assert store.noted(entry()) == Noted()
    store.note(entry(), up=True)
    assert store.noted(entry()) == Noted(up=True)
    store.note(entry(), up=False, fault="no licence")
    assert store.noted(entry()) == Noted(fault="no licence")
    store.note(entry(), up=False)
    assert store.noted(entry()) == Noted()
    (tmp_path / f"{store.key(entry())}.state").write_text(json.dumps({"pid": _gone()}))
    os.chmod(tmp_path / f"{store.key(entry())}.state", 0o600)
    assert store.noted(entry()) == Noted()
    store.keep_log(entry(), "said")
    assert store.log(entry()) == "said" and FORMAT == 1


def _gone() -> int:
    """The id of a process that has ended."""
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    return pid


def test_a_list_that_cannot_be_read_again_stays_as_it_was() -> None:
    """X-9: a re-list that fails leaves the catalogue and is a warning; a new list counts."""

    class Half:
        era, instructions = "legacy", None

        def __init__(self) -> None:
            self.info: dict[str, Any] = {}
            self.capabilities: dict[str, Any] = {"prompts": {}, "resources": {}}

        async def whole(self, method: str, name: str) -> ListPage:
            if method == "prompts/list":
                raise RpcError(-32603, "not today")
            if method == "resources/templates/list":
                raise RpcError(-32601, "there are none")
            return ListPage([{"name": "new"}])

    before = Catalogue(prompts=[{"name": "p"}], templates=[{"name": "old"}], tools=[{"name": "t"}])
    session = cast("ServerSession", Half())
    now = asyncio.run(asked(session, before))
    assert now.prompts == before.prompts and now.tools == [{"name": "new"}] and not now.templates
    assert now.warnings == ["prompts/list could not be read"]
    assert asyncio.run(asked(session)).prompts == []
