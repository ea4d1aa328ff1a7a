"""Messages between the server and a supervisor: JSON, its length in 4 bytes before it.

The first message on a line is the profile: limits and walls, which the supervisor puts on itself,
so that its children have them from their first instruction on. Each order comes with the
descriptors of its standard streams; while it is carried out, `{"stop": seconds}` may follow:
SIGTERM, and SIGKILL after so many seconds.
"""

# ruff: noqa: SIM105

from __future__ import annotations

import json
import os
import socket
import struct
import sys

TYPE_CHECKING = False  # every new sandbox imports this, and would pay for `typing`
if TYPE_CHECKING:
    from typing import Any

    Message = dict[str, Any]
else:
    Message = dict
_CLOSE_ON_EXEC = socket.MSG_CMSG_CLOEXEC if sys.platform == "linux" else 0


def receive_message(line: socket.socket) -> tuple[Message | None, list[int]]:
    """The next message and its descriptors; nothing when the line is closed."""
    try:
        size, streams = receive_descriptors(line, 4)
        while size and len(size) < 4:
            size += line.recv(4 - len(size))
    except OSError:
        return None, []
    body = _receive(line, int.from_bytes(size, "big")) if size else None
    return (json.loads(body) if body else None), streams


def receive_descriptors(line: socket.socket, size: int) -> tuple[bytes, list[int]]:
    """Some bytes and the descriptors that came with them, which no child shall inherit."""
    room = socket.CMSG_SPACE(3 * struct.calcsize("i"))
    data, attached, _, _ = line.recvmsg(size, room, _CLOSE_ON_EXEC)
    found: list[int] = []
    for level, kind, body in attached:
        if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
            found += struct.unpack(f"{len(body) // struct.calcsize('i')}i", body)
    for descriptor in found:
        os.set_inheritable(descriptor, False)  # again, for systems without the flag
    return data, found


def tell(line: socket.socket, answer: Message) -> None:
    """Send a message; nobody may be there to listen."""
    body = json.dumps(answer).encode()
    try:
        line.sendall(len(body).to_bytes(4, "big") + body)
    except OSError:
        pass


def _receive(line: socket.socket, size: int) -> bytes | None:
    data = bytearray()
    while len(data) < size:
        try:
            piece = line.recv(min(size - len(data), 1 << 20))
        except OSError:
            return None
        if not piece:
            return None
        data += piece
    return bytes(data)
