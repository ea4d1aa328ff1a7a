"""Sessions of the earlier eras: whose they are, how long they live, which replica knows them."""

from __future__ import annotations

import hashlib
import json
import tracemalloc
from pathlib import Path
from string import ascii_letters, digits

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.serving import Serving
from toolcrib.server.mcp.protocol import Session
from toolcrib.server.mcp.seal import Seal
from toolcrib.server.transports.http_sessions import HttpSessions

SECRET = "0123456789abcdef0123456789abcdef"
CLIENT = {"name": "tester", "version": "1"}


def sessions(**more: object) -> HttpSessions:
    return HttpSessions(**{"seal": Seal(), "lifetime": 100.0, **more})  # type: ignore[arg-type]


def state(**capabilities: object) -> Session:
    return Session(True, capabilities=dict(capabilities), client=dict(CLIENT))


def test_a_session_is_its_caller_s_alone() -> None:
    """R-2: a session belongs to the caller who opened it, with or without a secret."""
    for seal in (Seal(), Seal(SECRET.encode())):
        known = sessions(seal=seal)
        opened = known.open("ann", state())
        assert known.find(opened.id, "ann") is opened
        assert known.find(opened.id, "bob") is None
        assert known.find("nobody", "ann") is None


def test_a_sealed_session_is_taken_over_by_a_replica_that_has_never_seen_it() -> None:
    """R-2: version, capabilities, client, caller and time are in the id itself."""
    here, there = (sessions(seal=Seal(SECRET.encode())) for _ in range(2))
    opened = here.open("ann", state(elicitation={"form": {}}, experimental={"big": "x" * 10_000}))
    assert len(opened.id) <= 1024 and opened.id.isascii() and opened.id.isprintable()
    taken = there.find(opened.id, "ann")
    assert taken is not None
    assert taken.state.capabilities == {"elicitation": {"form": {}}}, "those that we use"
    assert (taken.state.client, taken.state.version) == (CLIENT, opened.state.version)
    assert taken.state.id == opened.state.id != opened.id, "the record's name for it is the same"
    assert there.find(opened.id, "bob") is None
    assert sessions(seal=Seal(b"another" * 8)).find(opened.id, "ann") is None
    assert sessions(seal=Seal(SECRET.encode()), project="other").find(opened.id, "ann") is None
    forged = opened.id[:-2] + ("AA" if not opened.id.endswith("AA") else "BB")
    assert there.find(forged, "ann") is None


def test_a_session_ends_by_age_and_by_delete() -> None:
    """R-2: expired is 404; what was ended stays ended at that replica."""
    now = [1000.0]
    known = sessions(seal=Seal(SECRET.encode()), clock=lambda: now[0])
    old, ended = known.open("ann", state()), known.open("ann", state())
    known.end(ended)
    assert known.find(ended.id, "ann") is None
    now[0] += 99
    assert known.find(old.id, "ann") is old
    now[0] += 2
    assert known.find(old.id, "ann") is None
    assert known.find(old.id, "ann") is None, "not taken over again, either"
    told: list[str] = []
    other = sessions(seal=Seal(SECRET.encode()), clock=lambda: now[0])
    other.on_change = lambda _, what: told.append(what)
    assert other.find(old.id, "ann") is None and not told, "nor recorded as if it were"


@given(st.text(max_size=40))
def test_an_ended_session_has_no_second_spelling(name: str) -> None:
    """R-2: an id that was ended by DELETE stays 404; one that was changed is forged."""
    known = sessions(seal=Seal(SECRET.encode()))
    opened = known.open("ann", Session(True, client={"name": name, "version": "1"}))
    known.end(opened)
    for last in f"{ascii_letters}{digits}-_":
        assert known.find(opened.id[:-1] + last, "ann") is None
    assert known.find(f"{opened.id}=", "ann") is None


def test_the_one_longest_unused_goes_and_it_costs_little() -> None:
    """PROTOCOL: an idle session costs at most 10 kB; at most so many, then the oldest goes."""
    known = sessions(most=500)
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    made = [known.open("ann", state(elicitation={})) for _ in range(500)]
    cost = (tracemalloc.get_traced_memory()[0] - before) / 500
    tracemalloc.stop()
    assert cost < 10_000
    known.find(made[0].id, "ann")
    known.open("ann", state())
    assert len(known) == 500
    assert known.find(made[1].id, "ann") is None and known.find(made[0].id, "ann") is made[0]


@given(st.text(max_size=300), st.text(max_size=300))
def test_whatever_a_client_is_called_its_id_fits(name: str, version: str) -> None:
    """R-2: visible ASCII, at most 1,024 characters."""
    told = Session(True, client={"name": name, "version": version})
    opened = sessions(seal=Seal(SECRET.encode())).open("ann" * 50, told)
    assert len(opened.id) <= 1024 and opened.id.isascii() and opened.id.isprintable()


@pytest.fixture
def replicas(tmp_path: Path) -> list[Serving]:
    folders = [tmp_path / name for name in ("a", "b")]
    for folder in folders:
        folder.mkdir()
    return [Serving(folder, env={"TOOLCRIB_SECRET": SECRET}) for folder in folders]


def test_requests_of_both_eras_go_to_any_replica(replicas: list[Serving]) -> None:
    """R-1, R-2: sessions and requestState of one replica are good at the other; DELETE ends a
    session where it is known; the client is told by `resources/list_changed`."""
    one, other = replicas
    with one, other:
        session = one.initialize(elicitation={})
        assert other.legacy(session, "tools/list").status == 200
        own = [("Accept", "text/event-stream"), ("Mcp-Session-Id", session)]
        with other.asked("GET", "/mcp", None, own) as stream:
            event = json.loads(_data(stream))
            assert event["method"] == "notifications/resources/list_changed"
        call = {"name": "question", "arguments": {}}
        asked = one.modern("tools/call", call).json["result"]["requestState"]
        answer = {"who": {"action": "accept", "content": {"name": "Ann"}}}
        second = {**call, "inputResponses": answer, "requestState": asked}
        assert "You are Ann" in str(other.modern("tools/call", second).json)
        assert other.ask("DELETE", "/mcp", None, own[1:]).status == 200
        assert other.legacy(session, "tools/list").status == 404
        assert one.legacy(session, "tools/list").status == 200, "there it ends by age"


def test_without_a_secret_a_replica_stands_alone(tmp_path: Path) -> None:
    """R-1: without a secret a key is made at start."""
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    with Serving(tmp_path / "a") as one, Serving(tmp_path / "b") as other:
        assert other.legacy(one.initialize(), "tools/list").status == 404
        call = {"name": "question", "arguments": {}}
        state = one.modern("tools/call", call).json["result"]["requestState"]
        refused = other.modern("tools/call", {**call, "requestState": state})
        assert refused.json["error"]["message"] == "Invalid or expired requestState"


def test_another_caller_s_session_looks_like_none(tmp_path: Path) -> None:
    """R-2: POST, GET, DELETE and notifications of any other caller are 404 in the same bytes."""
    hashes = {name: hashlib.sha256(name.encode()).hexdigest() for name in ("ann", "bob")}
    toml = "[http.tokens]\n" + "".join(f'{name} = "{text}"\n' for name, text in hashes.items())
    with Serving(tmp_path, toml, env={"TOOLCRIB_SECRET": SECRET}) as server:
        ann, bob = (("Authorization", f"Bearer {name}") for name in ("ann", "bob"))
        session = server.initialize(ann)
        assert server.legacy(session, "tools/list", None, ann).status == 200
        for method, accept in (("GET", "text/event-stream"), ("DELETE", "*/*")):
            seen = [
                server.ask(method, "/mcp", None, [bob, ("Accept", accept), ("Mcp-Session-Id", id)])
                for id in (session, "nobody")
            ]
            assert [each.status for each in seen] == [404, 404]
            assert seen[0].body == seen[1].body
        for id in (2, None):
            seen = [server.legacy(name, "tools/list", None, bob, id=id) for name in (session, "no")]
            assert [each.status for each in seen] == [404, 404]
            assert seen[0].body == seen[1].body
        assert server.legacy(session, "tools/list", None, ann).status == 200


def test_what_changed_while_no_stream_was_open_is_told_on_the_next(tmp_path: Path) -> None:
    """S-5: the right notification in each era, without a gap."""
    with Serving(tmp_path) as server:
        session = server.initialize()
        assert (
            server.legacy(session, "tools/call", {"name": "publish", "arguments": {}}).status == 200
        )
        own = [("Accept", "text/event-stream"), ("Mcp-Session-Id", session)]
        with server.asked("GET", "/mcp", None, own) as stream:
            assert json.loads(_data(stream))["method"] == "notifications/tools/list_changed"


def _data(stream: object) -> bytes:
    for line in iter(stream.readline, b""):  # type: ignore[attr-defined]
        if line.startswith(b"data:"):
            return bytes(line[6:])
    raise AssertionError("the stream ended")
