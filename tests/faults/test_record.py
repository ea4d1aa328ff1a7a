"""Faults of the record while a page reads it: every whole line once, whatever happens to it."""

from __future__ import annotations

import json
import multiprocessing
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from support.waiting import until
from toolcrib.core.audit import FinishedCall
from toolcrib.core.tool import CallContext
from toolcrib.server.record import CallRecord
from toolcrib.web.call_log import CallLog
from web.conftest import Dash, dashboards

__all__ = ["dashboards"]
WRITERS, EACH = 8, 300


def line(id: str, **more: Any) -> str:
    given = {
        "time": "2026-01-02T03:04:05.000+00:00", "caller": "stdio", "tool": "x", "v": 2,
        "arguments": {}, "outcome": "ok", "duration_ms": 1.0, "id": id, "parent": None,
    }  # fmt: skip
    return json.dumps({**given, **more}) + "\n"


@pytest.fixture(scope="module")
def dash(dashboards: Callable[..., Dash]) -> Iterator[Dash]:
    found = dashboards()
    found.call(("search-architecture", {"query": "first"}))
    yield found
    found.stop()


@pytest.fixture
def file(dash: Dash) -> Path:
    (found,) = Path(dash.env["TOOLCRIB_STATE"]).glob("audit/*.jsonl")
    return found


def ids(dash: Dash) -> list[str]:
    lines: list[dict[str, Any]] = dash.json("/calls.json")["calls"]
    return [each["id"] for each in lines]


def unread(dash: Dash) -> int:
    found: int = dash.json("/calls.json")["unread"]
    return found


def test_what_is_no_line_is_counted_and_the_rest_is_shown(dash: Dash, file: Path) -> None:
    """FAULTS: version 1, a torn last line, binary, a 5 MB line: says what it could not read."""
    before, known = unread(dash), len(ids(dash))
    old = {"time": "2026-01-02T03:04:05+00:00", "caller": "stdio", "tool": "old", "outcome": "ok"}
    whole = line("torn")
    with file.open("ab") as end:
        end.write(b"\x00\xff\xfe\n" + b"z" * 5_000_000 + b"\n" + json.dumps(old).encode() + b"\n")
        end.write(whole[:20].encode())
    assert unread(dash) == before + 2 and len(ids(dash)) == known + 1
    text = dash.ask("/calls")[2]
    assert f"{before + 2} lines could not be read" in text and ">old<" in text
    with file.open("a") as end:
        end.write(whole[20:])
    assert ids(dash)[0] == "torn" and unread(dash) == before + 2


def test_the_place_in_the_file_decides_and_not_the_clock(dash: Dash, file: Path) -> None:
    """FAULTS: the clock jumps back: order by place in the file."""
    with file.open("a") as end:
        end.write(line("later", time="2026-05-01T00:00:00.000+00:00"))
        end.write(line("earlier", time="2020-05-01T00:00:00.000+00:00"))
    assert ids(dash)[:2] == ["earlier", "later"]


@pytest.mark.parametrize("how", ["emptied", "removed", "rotated"])
def test_the_page_goes_on_whatever_happens_to_the_file(dash: Dash, file: Path, how: str) -> None:
    """FAULTS: truncated, deleted and made again, rotated: no row twice, none lost that is there."""
    with file.open("a") as end:
        end.write(line(f"before-{how}"))
    assert ids(dash)[0] == f"before-{how}"
    new = "".join(line(f"{how}-{number}") for number in range(40))
    if how == "removed":
        file.unlink()
    elif how == "rotated":
        file.rename(file.with_name(f"{file.name}.1"))
    file.write_text(new)
    found = ids(dash)
    expected = [f"{how}-{number}" for number in range(39, -1, -1)]
    assert found[:40] == expected and len(set(found)) == len(found)
    assert (f"before-{how}" in found) == (how == "rotated")
    shown = dash.json(f"/calls/{how}-7.json")
    assert shown["id"] == f"{how}-7"


def test_a_record_that_cannot_be_read_is_named(dash: Dash, tmp_path: Path) -> None:
    """FAULTS: the record is not readable: the page stands and says so."""
    odd = tmp_path / "folder.jsonl"
    odd.mkdir()
    other = Dash(dash.project, tmp_path / "state", "--audit", str(odd))
    status, _, text = other.ask("/calls")
    assert other.stop() == 0
    assert status == 200 and "folder.jsonl cannot be read" in text


def _write(file: str, number: int) -> None:
    record = CallRecord(Path(file), rotate=20_000, keep=1000)
    for at in range(EACH):
        record(FinishedCall(f"{number}-{at}", None, "tool", {"n": at}, CallContext(), "ok", 1.0))


def test_eight_servers_append_and_rotate_while_it_is_read(tmp_path: Path) -> None:
    """FAULTS: every whole line once."""
    file = tmp_path / "r.jsonl"
    log = CallLog(file)
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=_write, args=(str(file), n)) for n in range(WRITERS)]
    for each in writers:
        each.start()
    while any(each.is_alive() for each in writers):
        log.refresh()
    for each in writers:
        each.join()
    log.refresh()
    seen = [row.id for row in log.rows]
    assert len(seen) == len(set(seen)) == WRITERS * EACH and log.unread == 0
    assert all(row.line["id"] == row.id for row in log.rows[::97])


def test_no_descriptor_is_left_of_streams_that_ended(dash: Dash) -> None:
    """FAULTS: 50 tabs; no descriptor left."""
    import http.client

    def open_files() -> int:
        return len(os.listdir(f"/proc/{dash.process.pid}/fd"))

    before = open_files()
    links = []
    for _ in range(50):
        link = http.client.HTTPConnection("127.0.0.1", dash.port, timeout=30)
        link.request("GET", "/calls/stream", headers={"Authorization": f"Bearer {dash.token}"})
        assert link.getresponse().read1(5)
        links.append(link)
    assert open_files() >= before + 45  # what was open before may be closed by now
    for link in links:
        link.close()
    until(lambda: open_files() <= before + 2, 30)
