"""`connect.py HOST PORT`: a connection through the proxy of `HTTPS_PROXY`, for ssh's ProxyCommand.

It runs inside of the sandbox, in an interpreter of its own, and imports as little as it can.
"""

from __future__ import annotations

import base64
import os
import select
import socket
import sys
from urllib.parse import urlsplit

_CHUNK = 65536


def connect(proxy: str, host: str, port: str) -> socket.socket:
    """A socket that leads to the host; raises `OSError` with what the proxy says."""
    url = urlsplit(proxy)
    line = socket.create_connection((url.hostname or "", url.port or 80))
    token = base64.b64encode(f"{url.username}:{url.password}".encode()).decode()
    name = f"[{host}]" if ":" in host else host
    head = f"CONNECT {name}:{port} HTTP/1.1\r\nProxy-Authorization: Basic {token}\r\n\r\n"
    line.sendall(head.encode())
    answer = b""
    while b"\r\n\r\n" not in answer:
        piece = line.recv(1)
        if not piece:
            raise OSError("the proxy has closed the connection")
        answer += piece
    if b" 200 " not in answer.split(b"\r\n")[0]:
        raise OSError(line.makefile("rb").read(1000).decode(errors="replace").strip())
    return line


def relay(line: socket.socket) -> None:
    """Copy standard input to the line and the line to standard output until that ends."""
    sources: list[int] = [0, line.fileno()]
    while line.fileno() in sources:
        ready, _, _ = select.select(sources, [], [])
        if line.fileno() in ready:
            data = line.recv(_CHUNK)
            if not data:
                return
            view = memoryview(data)
            while view:
                view = view[os.write(1, view) :]
        if 0 in ready:
            data = os.read(0, _CHUNK)
            if data:
                line.sendall(data)
            else:
                sources.remove(0)
                line.shutdown(socket.SHUT_WR)


if __name__ == "__main__":
    try:
        relay(connect(os.environ["HTTPS_PROXY"], sys.argv[1], sys.argv[2]))
    except OSError as error:
        sys.exit(f"{sys.argv[1]}:{sys.argv[2]}: {error}")
