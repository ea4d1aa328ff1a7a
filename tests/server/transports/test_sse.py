"""A client that takes its answers slowly, or not at all."""

from __future__ import annotations

import json
import socket
from pathlib import Path

from support.pipe import ENVELOPE
from support.serving import BOTH, Serving, modern_headers, until

CHATTER = 400


class Deaf:
    """A client that asks, and reads nothing of the answer."""

    def __init__(self, server: Serving, note: Path) -> None:
        params = {
            "name": "chatter",
            "arguments": {"note": str(note), "lines": CHATTER},
            "_meta": {**ENVELOPE, "io.modelcontextprotocol/logLevel": "info"},
        }
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        body = json.dumps(message).encode()
        named = [("Host", f"127.0.0.1:{server.port}"), ("Content-Type", "application/json")]
        named += [("Accept", BOTH), ("Content-Length", str(len(body)))]
        named += modern_headers("tools/call", params)
        head = "POST /mcp HTTP/1.1\r\n" + "".join(f"{key}: {value}\r\n" for key, value in named)
        self.socket = socket.socket()
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.socket.connect(("127.0.0.1", server.port))
        self.socket.sendall(head.encode() + b"\r\n" + body)

    def read(self) -> bytes:
        """All that is left to be read, to the end."""
        self.socket.settimeout(60)
        found = bytearray()
        while data := self.socket.recv(1 << 20):
            found += data
            if b'"result"' in data or found.endswith(b"0\r\n\r\n"):
                break
        return bytes(found)


def memory(server: Serving) -> int:
    """Megabytes that the server has in memory."""
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) // 1024


def test_a_client_that_stops_reading_holds_up_nobody_and_fills_no_memory(tmp_path: Path) -> None:
    """R-4, FAULTS: whatever it does not read waits with the tool, and not in the server."""
    with Serving(tmp_path, env={"WORKBENCH_READ_WITHIN": "300"}) as server:
        server.call("echo", {"text": "warm"})
        before = memory(server)
        deaf = [Deaf(server, tmp_path / f"note{number}") for number in range(20)]
        until(lambda: all((tmp_path / f"note{n}").exists() for n in range(20)), 60)
        for number in range(50):
            assert server.call("echo", {"text": str(number)}).status == 200
        # Twenty times forty megabytes were to be said.
        assert memory(server) - before < 200
        assert "done" not in {(tmp_path / f"note{n}").read_text() for n in range(20)}
        # Whoever reads after all gets everything, in order.
        text = deaf[0].read()
        assert text.count(b"notifications/message") == CHATTER
        for each in deaf:
            each.socket.close()
        until(lambda: all((tmp_path / f"note{n}").read_text() != "began" for n in range(20)), 60)
        assert (tmp_path / "note0").read_text() == "done"
        assert (tmp_path / "note1").read_text() == "cancelled"


def test_a_client_that_reads_nothing_for_long_counts_as_gone(tmp_path: Path) -> None:
    """FAULTS: its call is cancelled, as if it had closed the connection."""
    with Serving(tmp_path, env={"WORKBENCH_READ_WITHIN": "1"}) as server:
        deaf = Deaf(server, tmp_path / "note")
        note = tmp_path / "note"
        until(lambda: note.exists() and note.read_text() == "cancelled", 60)
        deaf.socket.close()
        assert server.call("echo", {"text": "still here"}).status == 200
