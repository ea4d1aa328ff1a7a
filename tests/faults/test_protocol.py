"""Every line of the protocol's table of faults, over a real pipe."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.clock import assert_within
from support.pipe import ENVELOPE, Pipe
from support.waiting import until
from toolcrib.core.tool import JSON

BENCH = Path(__file__).parents[1] / "support" / "workbench.py"
SERVE = [sys.executable, str(BENCH)]


@pytest.fixture
def pipe(tmp_path: Path) -> Iterator[Pipe]:
    with Pipe(SERVE, cwd=tmp_path) as opened:
        yield opened


@pytest.fixture
def client(pipe: Pipe) -> Pipe:
    pipe.initialize()
    return pipe


def alive(client: Pipe) -> bool:
    """One bad message never touches another."""
    return client.call("echo", {"text": "still here"})["structuredContent"] == {
        "said": "still here"
    }


def refusal(client: Pipe, raw: bytes) -> tuple[int, Any]:
    client.send(raw)
    answer = client.receive()
    return answer["error"]["code"], answer["id"]


@pytest.mark.parametrize(
    "raw",
    [
        b"not json\n",
        b'{"jsonrpc": "2.0", "id": 7, "meth\n',
        b'{"jsonrpc":"2.0","id":7,"method":"\xff\xfe"}\n',
        b'{"jsonrpc":"2.0","id":7,"method":"x","params":' + b'{"a":' * 100_000 + b"\n",
        b"[" * 100_000 + b"\n",
        b'{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":NaN}}\n',
        b'{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":-Infinity}}\n',
        b'{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":1e999}}\n',
        b'{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":1,"a":2}}\n',
        b'{"jsonrpc":"2.0","id":7,"id":8,"method":"ping"}\n',
    ],
    ids=[
        "not JSON",
        "truncated",
        "invalid UTF-8",
        "nested objects",
        "nested arrays",
        "NaN",
        "Infinity",
        "1e999",
        "duplicate key",
        "duplicate id",
    ],
)
def test_what_is_not_json_is_a_parse_error_without_id(client: Pipe, raw: bytes) -> None:
    """FAULTS: -32700 with id null, and go on."""
    assert refusal(client, raw) == (-32700, None)
    assert alive(client)


@pytest.mark.parametrize(
    ("raw", "id"),
    [
        (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]\n', None),
        (b'{"jsonrpc":"2.0","id":null,"method":"ping"}\n', None),
        (b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}\n', None),
        (b'{"jsonrpc":"2.0","id":' + b"9" * 5000 + b',"method":"ping"}\n', None),
        (b'{"jsonrpc":"2.0","id":true,"method":"ping"}\n', None),
        (b'{"jsonrpc":"2.0","id":41,"method":"ping","params":"text"}\n', 41),
        (b'{"jsonrpc":"2.0","id":41,"method":"ping","params":[1]}\n', 41),
        (b'{"jsonrpc":"2.0","id":41,"method":5}\n', 41),
        (b'{"id":41,"method":"ping"}\n', 41),
        (b'{"jsonrpc":"1.0","id":"x","method":"ping"}\n', "x"),
        (b'{"jsonrpc":"2.0","id":41}\n', 41),
        (b'{"jsonrpc":"2.0","id":41,"method":"ping","params":{"a":"\\ud800"}}\n', 41),
        (b"7\n", None),
    ],
)
def test_what_is_no_request_is_an_invalid_request_with_its_id(
    client: Pipe, raw: bytes, id: Any
) -> None:
    """FAULTS: -32600, with the id where it can be read."""
    assert refusal(client, raw) == (-32600, id)
    assert alive(client)


def test_an_empty_line_is_skipped_and_crlf_accepted(client: Pipe) -> None:
    """FAULTS: an empty line is skipped; CRLF accepted."""
    client.send(b"\n\r\n   \n" + b'{"jsonrpc":"2.0","id":9,"method":"ping"}\r\n')
    assert client.receive() == {"jsonrpc": "2.0", "id": 9, "result": {}}


def test_a_byte_order_mark_before_the_first_message_is_accepted(pipe: Pipe) -> None:
    """FAULTS: BOM accepted."""
    pipe.send(b'\xef\xbb\xbf{"jsonrpc":"2.0","id":9,"method":"ping"}\n')
    assert pipe.receive()["result"] == {}


def rss(pid: int) -> int:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) * 1024
    raise AssertionError("no VmHWM")


def test_a_message_above_the_cap_is_refused_and_memory_stays_bounded(client: Pipe) -> None:
    """FAULTS: refused, memory bounded, resynchronised at the next newline."""
    before = rss(client.process.pid)
    piece = b"x" * (1024 * 1024)
    client.send(b'{"jsonrpc":"2.0","id":5,"method":"ping","params":{"a":"')
    for _ in range(50):
        client.send(piece)
    answer = client.receive()
    assert answer["error"]["code"] == -32600 and "4194304 bytes" in answer["error"]["message"]
    client.send(b'"}}\n')
    assert alive(client)
    assert rss(client.process.pid) - before < 40 * 1024 * 1024


def test_a_second_request_with_an_id_in_flight_is_refused_alone(
    client: Pipe, tmp_path: Path
) -> None:
    """FAULTS: -32600 for the second, the first unaffected."""
    note = tmp_path / "note"
    arguments = {"note": str(note), "seconds": 0.3}
    call = {"name": "wait", "arguments": arguments}
    request = {"jsonrpc": "2.0", "id": "twice", "method": "tools/call", "params": call}
    client.post(request)
    client.post(request)
    first, second = client.receive(), client.receive()
    assert first["id"] == second["id"] == "twice"
    assert first["error"]["code"] == -32600
    assert second["result"]["content"][0]["text"] == "waited"


def begin(client: Pipe, note: Path, id: str = "slow") -> None:
    call = {"name": "wait", "arguments": {"note": str(note)}}
    client.post({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": call})
    until(lambda: note.exists() and note.read_text() == "began")


def test_a_cancelled_call_stops_and_gets_no_reply(client: Pipe, tmp_path: Path) -> None:
    """FAULTS: its work stops, no reply; cancel of an unknown one is ignored."""
    note = tmp_path / "note"
    begin(client, note)
    for id in ("slow", "never heard of", None, ["x"]):
        client.post(
            {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}
        )
    until(lambda: note.read_text() == "cancelled")
    assert alive(client)
    assert client.messages.empty() and not client.notifications


@pytest.mark.timing
def test_a_client_that_leaves_in_mid_call_ends_everything_within_two_seconds(
    client: Pipe, tmp_path: Path
) -> None:
    """FAULTS: stdin EOF in mid-call: cancel, exit 0 within 2 s, no traceback."""
    note = tmp_path / "note"
    begin(client, note)
    started = time.monotonic()
    assert client.hang_up() == 0
    assert_within(2, time.monotonic() - started)
    assert note.read_text() == "cancelled"
    assert b"Traceback" not in client.errors


def test_answers_to_the_last_lines_of_a_script_still_come() -> None:
    """FAULTS: an EOF right behind the requests loses no quick answer."""
    lines = [
        {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": ENVELOPE}},
        {"jsonrpc": "2.0", "id": 2, "method": "nonsense", "params": {"_meta": ENVELOPE}},
    ]
    script = "".join(json.dumps(line) + "\n" for line in lines).encode()
    done = subprocess.run(SERVE, input=script, capture_output=True, timeout=20)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert {answer["id"] for answer in answers} == {1, 2}
    assert done.returncode == 0


@pytest.mark.parametrize(
    ("tail", "expected"),
    [
        (b'{"jsonrpc":"2.0","id":2,"method":"ping"}', {"id": 2, "result": {}}),
        (b'{"jsonrpc":"2.0","id":2,"meth', {"id": None, "code": -32700}),
    ],
    ids=["whole", "truncated"],
)
def test_the_last_line_of_a_script_needs_no_newline(tail: bytes, expected: JSON) -> None:
    """FAULTS: truncated is -32700 with id null; whole is answered."""
    done = subprocess.run(SERVE, input=tail, capture_output=True, timeout=20)
    answer = json.loads(done.stdout)
    assert {**answer, **answer.get("error", {})}.items() >= expected.items()


@pytest.mark.timing
def test_a_client_that_was_never_there_is_left_at_once() -> None:
    """FAULTS: client gone: exit 0 within 2 s, no traceback."""
    started = time.monotonic()
    done = subprocess.run(SERVE, stdin=subprocess.DEVNULL, capture_output=True, timeout=20)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert_within(5, time.monotonic() - started)


def test_a_listener_never_makes_the_server_deaf(pipe: Pipe, tmp_path: Path) -> None:
    """FAULTS: back-pressure ends when there is room again, whoever listens meanwhile."""
    listen = {"notifications": {"toolsListChanged": True}, "_meta": ENVELOPE}
    pipe.post({"jsonrpc": "2.0", "id": "ear", "method": "subscriptions/listen", "params": listen})
    arguments = {"note": str(tmp_path / "note"), "seconds": 0.5}
    params = {"name": "wait", "arguments": arguments, "_meta": ENVELOPE}
    calls = [
        {"jsonrpc": "2.0", "id": n, "method": "tools/call", "params": params} for n in range(700)
    ]
    data = b"".join(json.dumps(call).encode() + b"\n" for call in calls)
    threading.Thread(target=pipe.send, args=(data,), daemon=True).start()
    # Two requests that are on their way together may be answered in any order.
    met = [pipe.receive() for _ in range(1 + len(calls))]
    told = [each["method"] for each in met if "method" in each]
    assert told == ["notifications/subscriptions/acknowledged"]
    assert {each["id"] for each in met if "method" not in each} == set(range(700))
    assert pipe.result("tools/list", modern=True)["tools"]


@pytest.mark.timing
def test_a_closed_stdout_ends_the_server_quietly(client: Pipe) -> None:
    """FAULTS: stdout closed: exit 0 within 2 s, no traceback."""
    assert client.process.stdout is not None
    started = time.monotonic()
    # The reader thread holds the stream; replacing its descriptor is what a dead client does.
    os.dup2(os.open(os.devnull, os.O_RDONLY), client.process.stdout.fileno())
    client.post({"jsonrpc": "2.0", "id": 1, "method": "ping"})
    assert client.process.wait(5) == 0
    assert_within(2, time.monotonic() - started)
    assert b"Traceback" not in client.errors


@pytest.mark.timing
@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGHUP"])
def test_a_signal_ends_the_server_gracefully(client: Pipe, tmp_path: Path, name: str) -> None:
    """FAULTS: SIGTERM, SIGINT, SIGHUP: graceful within 2 s."""
    note = tmp_path / "note"
    begin(client, note)
    started = time.monotonic()
    client.process.send_signal(getattr(signal, name))
    assert client.process.wait(5) == 0
    assert_within(2, time.monotonic() - started)
    assert note.read_text() == "cancelled"
    assert b"Traceback" not in client.errors


@pytest.mark.timing
def test_a_thread_that_never_returns_does_not_hold_up_the_exit(client: Pipe) -> None:
    """FAULTS: client gone: exit 0 within 2 s, whatever a tool does."""
    call = {"name": "block", "arguments": {}}
    client.post({"jsonrpc": "2.0", "id": "b", "method": "tools/call", "params": call})
    assert alive(client)
    started = time.monotonic()
    assert client.hang_up() == 0
    assert_within(2, time.monotonic() - started)


@pytest.mark.parametrize("modern", [False, True])
def test_a_tool_that_raises_leaves_a_clean_text(pipe: Pipe, modern: bool) -> None:
    """FAULTS: a clean text; no traceback, no secret, no absolute path."""
    if not modern:
        pipe.initialize()
    result = pipe.call("crash", modern=modern)
    assert result["isError"] is True
    assert result["content"][0]["text"] == (
        "Tool crash failed: RuntimeError: password=*** at app.py"
    )


def test_stray_output_never_reaches_the_wire(client: Pipe) -> None:
    """FAULTS: a tool or a child prints to stdout: it goes to stderr."""
    assert client.call("noisy")["content"][0]["text"] == "quiet on the wire"
    assert alive(client)
    client.hang_up()
    for text in (b"a stray write", b"a stray child"):
        assert text in client.errors


def test_an_unknown_tool_is_a_protocol_error_with_the_nearest_name(pipe: Pipe) -> None:
    """FAULTS, PROTOCOL: -32001 up to 2025-11-25, -32602 with a reason from 2026-07-28."""
    with Pipe(SERVE) as modern:
        error = modern.error("tools/call", {"name": "ekho"}, modern=True)
        assert error["code"] == -32602 and error["data"]["reason"] == "tool_not_found"
        assert "did you mean 'echo'" in error["message"]
    pipe.initialize()
    error = pipe.error("tools/call", {"name": "ekho"})
    assert error["code"] == -32001 and error["data"]["nearest"] == ["echo"]


def test_bad_arguments_are_a_result_that_names_field_and_expectation(client: Pipe) -> None:
    """FAULTS: the message names the field, what was expected, and the nearest name."""
    result = client.call("echo", {"txt": 5})
    assert result["isError"] is True
    text = result["content"][0]["text"]
    assert "Unknown argument 'txt'; did you mean 'text'?" in text
    assert "Missing required argument 'text': expected a string" in text


@pytest.mark.parametrize(
    ("method", "params", "field"),
    [
        ("tools/call", {}, "name"),
        ("tools/call", {"name": 5}, "name"),
        ("tools/call", {"name": "echo", "arguments": "text"}, "arguments"),
        ("resources/read", {}, "uri"),
        ("prompts/get", {"name": []}, "name"),
        ("tools/list", {"cursor": "bogus"}, "cursor"),
        ("tools/list", {"cursor": 5}, "cursor"),
        ("logging/setLevel", {"level": "loud"}, "level"),
    ],
)
def test_bad_params_are_invalid_params_that_name_the_field(
    client: Pipe, method: str, params: dict[str, Any], field: str
) -> None:
    """FAULTS: the message names the field and what was expected."""
    error = client.error(method, params)
    assert error["code"] == -32602
    assert field in error["message"] or field in json.dumps(error.get("data"))


def test_a_client_that_does_not_read_is_slowed_down_not_fed(tmp_path: Path) -> None:
    """FAULTS: bounded queue, back-pressure."""
    source, sink = os.pipe()
    server = subprocess.Popen(
        SERVE, stdin=subprocess.PIPE, stdout=sink, stderr=subprocess.DEVNULL, cwd=tmp_path
    )
    os.close(sink)
    assert server.stdin is not None
    os.set_blocking(server.stdin.fileno(), False)
    call = {"name": "huge", "arguments": {"size": 200_000}}
    line = json.dumps(
        {"jsonrpc": "2.0", "id": 0, "method": "tools/call", "params": {**call, "_meta": ENVELOPE}}
    )
    sent = 0
    deadline = time.monotonic() + 5
    try:
        while time.monotonic() < deadline:
            sent += 1
            data = line.replace('"id": 0', f'"id": {sent}').encode() + b"\n"
            try:
                os.write(server.stdin.fileno(), data)
            except BlockingIOError:
                break
        else:
            pytest.fail("the server took everything and never pushed back")
        assert rss(server.pid) < 400 * 1024 * 1024
    finally:
        os.close(source)
        server.stdin.close()
        assert server.wait(5) == 0


def test_clients_at_once_each_get_their_own_answers(tmp_path: Path) -> None:
    """FAULTS: many clients at once, each echoing nonces: each gets its own, 0 errors.

    200 is the number; a process for each is dear, so that a usual run has fewer.
    """
    count = int(os.environ.get("TOOLCRIB_TEST_CLIENTS", "40"))
    pipes = [Pipe(SERVE, cwd=tmp_path) for _ in range(count)]
    try:
        for number, each in enumerate(pipes):
            for nonce in range(5):
                arguments = {"text": f"{number}.{nonce}"}
                params = {"name": "echo", "arguments": arguments, "_meta": ENVELOPE}
                each.post({"jsonrpc": "2.0", "id": nonce, "method": "tools/call", "params": params})
        assert all(each.process.poll() is None for each in pipes), "all of them live at once"
        for number, each in enumerate(pipes):
            for nonce in range(5):
                answer = each.answer(nonce, timeout=60)
                assert answer["result"]["structuredContent"]["said"] == f"{number}.{nonce}"
            assert each.hang_up() == 0 and each.messages.get(timeout=5) is None
    finally:
        for each in pipes:
            each.__exit__()
