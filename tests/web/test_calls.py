"""The reader of the record: whole lines, once each, whatever happens to the files meanwhile."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from toolcrib.core.audit import FinishedCall, new_id
from toolcrib.core.tool import CallContext
from toolcrib.server.record import Record
from toolcrib.web.calls import Filter, RecordReader, calls_of, completed


def line(name: str, **more: Any) -> str:
    given = {"tool": name, "id": name, "parent": None, "v": 2, "outcome": "ok", **more}
    return json.dumps(given) + "\n"


def names(reader: RecordReader) -> list[str]:
    return [each["tool"] for each in reader.read()]


def write(record: Record, name: str) -> None:
    record(FinishedCall(new_id(), None, name, {}, CallContext(), "ok", 1.0))


def test_a_torn_last_line_is_waited_for(tmp_path: Path) -> None:
    """W-14: it is read once its end is there, and is no line that could not be read."""
    file = tmp_path / "r"
    whole = line("two")
    file.write_text(line("one") + whole[:10])
    reader = RecordReader(file)
    assert names(reader) == ["one"] and reader.unread == 0
    with file.open("a") as end:
        end.write(whole[10:])
    assert names(reader) == ["two"] and reader.unread == 0


def test_broken_lines_are_skipped_and_counted(tmp_path: Path) -> None:
    """FAULTS: binary, a list, a 5 MB line, another's JSON: the rest is shown."""
    file = tmp_path / "r"
    junk = b"\xff\xfe\x00\n[1]\n" + b"x" * 5_000_000 + b'\n{"a": 1}\n\n'
    file.write_bytes(line("one").encode() + junk + line("two").encode())
    reader = RecordReader(file)
    assert names(reader) == ["one", "two"] and reader.unread == 4


def test_a_rotation_between_two_looks_loses_and_doubles_nothing(tmp_path: Path) -> None:
    """FAULTS: rotated while it is read; every line once, in order."""
    file = tmp_path / "r"
    record = Record(file, rotate=4096, keep=50)
    reader = RecordReader(file)
    seen: list[str] = []
    for number in range(300):
        write(record, str(number))
        if number % 37 == 0:
            seen += names(reader)
    seen += names(reader)
    assert seen == [str(number) for number in range(300)]


def test_a_file_that_was_made_shorter_or_anew_is_read_again(tmp_path: Path) -> None:
    """FAULTS: truncated; deleted and made again."""
    file = tmp_path / "r"
    file.write_text(line("one") + line("two"))
    reader = RecordReader(file)
    assert names(reader) == ["one", "two"]
    file.write_text(line("three"))
    assert names(reader) + names(reader) == ["three"]
    file.unlink()
    assert names(reader) == []
    file.write_text(line("four"))
    assert names(reader) == ["four"]


def test_inner_calls_stand_below_their_outer_one_in_either_order() -> None:
    """W-3: either may be written first; whoever counts counts lines without a parent."""
    for order in (("outer", "inner"), ("inner", "outer")):
        lines = {
            "outer": json.loads(line("outer")),
            "inner": json.loads(line("inner", parent="outer")),
        }
        (call,) = calls_of(lines[name] for name in order)
        assert call.line["tool"] == "outer" and [each["tool"] for each in call.inner] == ["inner"]


def test_what_follows_a_question_takes_its_place() -> None:
    """W-3: an asked call and its answer are one row."""
    asked = json.loads(line("first", outcome="asked"))
    (call,) = calls_of([asked, json.loads(line("second", parent="first"))])
    assert (call.line["id"], call.line["outcome"]) == ("second", "ok")


def test_lines_of_version_1_are_completed_with_nulls() -> None:
    """W-3: lines without `v` are read as version 1."""
    old = {"time": "t", "caller": "stdio", "tool": "x", "arguments": {}, "outcome": "ok"}
    (call,) = calls_of([old])
    assert completed(call.line)["client"] is None and completed(call.line)["tool"] == "x"


def test_filters_look_at_inner_calls_clients_and_words() -> None:
    """W-10, W-14: tool fits the outer or the inner name; every word must occur."""
    outer = json.loads(line("climax_call", client={"name": "cursor"}, arguments={"x": "Paris"}))
    inner = {**json.loads(line("git_log", parent="climax_call")), "error": "no branch"}
    (call,) = calls_of([outer, inner])
    assert Filter(tool="git_log").fits(call) and Filter(tool="climax_call").fits(call)
    assert Filter(client="cursor", words=("paris", "git")).fits(call)
    assert not Filter(words=("paris", "rome")).fits(call) and not Filter(client="codex").fits(call)
