"""The reader of the record: whole lines, once each, whatever happens to the files meanwhile."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from toolcrib.core.audit import FinishedCall, new_id
from toolcrib.core.tool import CallContext
from toolcrib.server.record import CallRecord
from toolcrib.web.calls import RecordReader, completed


def line(name: str, **more: Any) -> str:
    given = {"tool": name, "id": name, "parent": None, "v": 2, "outcome": "ok", **more}
    return json.dumps(given) + "\n"


def names(reader: RecordReader) -> list[str]:
    return [each.line["tool"] for each in reader.read()]


def write(record: CallRecord, name: str) -> None:
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


def test_each_line_can_be_read_again_where_it_stands(tmp_path: Path) -> None:
    """W-6: `/calls.jsonl` has the lines as they are, also over a torn end and a long line."""
    file = tmp_path / "r"
    texts = [line(f"täg{number}", error="x" * number) for number in range(50)]
    file.write_text("junk\n" + "".join(texts[:25]) + texts[25][:7])
    reader = RecordReader(file)
    found = list(reader.read())
    with file.open("a") as end:
        end.write(texts[25][7:] + "y" * 3_000_000 + "\n" + "".join(texts[26:]))
    found += reader.read()
    again = [each.file.read_at(each.offset, each.length).decode() + "\n" for each in found]
    assert again == texts and reader.unread == 2


def test_a_rotation_between_two_looks_loses_and_doubles_nothing(tmp_path: Path) -> None:
    """FAULTS: rotated while it is read; every line once, in order."""
    file = tmp_path / "r"
    record = CallRecord(file, rotate=4096, keep=50)
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


def test_a_file_that_was_emptied_and_filled_again_is_another(tmp_path: Path) -> None:
    """W, exactly: readers keep the file open and compare; also when it is longer by now."""
    file = tmp_path / "r"
    file.write_text(line("one") + line("two"))
    reader = RecordReader(file)
    assert names(reader) == ["one", "two"]
    file.write_text("".join(line(f"new{number}") for number in range(20)))
    assert names(reader) == [f"new{number}" for number in range(20)] and reader.unread == 0
    assert [each.was_cut for each in reader.files] == [True, False]


def test_a_closed_file_is_no_other_one(tmp_path: Path) -> None:
    """FAULTS: the number of a closed file may be another's; nothing of that is ever shown."""
    file = tmp_path / "r"
    file.write_text(line("one"))
    reader = RecordReader(file)
    (found,) = reader.read()
    found.file.close()
    with (tmp_path / "other").open("w+") as other:
        other.write("secret " * 20)
        other.flush()
        with pytest.raises(OSError, match="descriptor"):
            found.file.read_at(0, 10)


def test_a_file_that_was_removed_beside_older_ones_doubles_none_of_them(tmp_path: Path) -> None:
    """FAULTS: deleted and made again: no row twice."""
    file = tmp_path / "r"
    (tmp_path / "r.1").write_text(line("old"))
    file.write_text(line("one"))
    reader = RecordReader(file)
    assert names(reader) == ["old", "one"]
    file.unlink()
    file.write_text(line("two"))
    assert names(reader) == ["two"]


def test_what_is_no_file_is_named_and_nobody_waits_for_it(tmp_path: Path) -> None:
    """FAULTS: not readable: the page says what it could not read."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    for name in ("pipe", "folder"):
        reader = RecordReader(tmp_path / name)
        assert names(reader) == [] and name in (reader.problem or "")


def test_lines_of_version_1_are_completed_with_nulls() -> None:
    """W-3: lines without `v` are read as version 1."""
    old = {"time": "t", "caller": "stdio", "tool": "x", "arguments": {}, "outcome": "ok"}
    assert completed(old)["client"] is None and completed(old)["tool"] == "x"


def test_what_comes_late_to_a_rotated_file_is_read_and_each_line_once(tmp_path: Path) -> None:
    """FAULTS: a process that has not seen the rotation writes to the old file, torn lines too."""
    file = tmp_path / "late.jsonl"
    file.write_text(line("a"))
    reader = RecordReader(file)
    assert names(reader) == ["a"]
    torn = line("d")
    with file.open("a") as late:
        file.rename(tmp_path / "late.jsonl.1")
        file.write_text(line("b"))
        assert names(reader) == ["b"]
        for text, seen in ((line("c"), ["c"]), (torn[:9], []), (torn[9:], ["d"])):
            late.write(text)
            late.flush()
            assert names(reader) == seen
    assert names(reader) == [] and reader.unread == 0
