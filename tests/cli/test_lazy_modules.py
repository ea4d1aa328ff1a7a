"""Modules that are loaded when they are used."""

from __future__ import annotations

import subprocess
import sys
from importlib.machinery import ModuleSpec
from types import ModuleType

import pytest

from support.unmeasured import unmeasured
from toolcrib.cli.lazy_modules import _Module

AFTER = """
import sys
from toolcrib.cli.lazy_modules import import_asyncio

import_asyncio()
import asyncio
import pathlib
"""


def printed(source: str) -> str:
    """What a new interpreter prints in which asyncio was imported in our way."""
    words = [sys.executable, "-c", AFTER + source]
    done = subprocess.run(words, capture_output=True, text=True, check=True, env=unmeasured())
    return done.stdout.strip()


def test_a_server_on_a_pipe_loads_no_tls_and_no_addresses() -> None:
    """Issue 12, start: asyncio and pathlib work without them."""
    source = """
assert asyncio.run(asyncio.sleep(0, "works")) == "works"
print([name for name in ("_ssl", "_hashlib") if name in sys.modules], pathlib.Path("/a").as_uri())
"""
    assert printed(source) == "[] file:///a"


def test_the_first_use_loads_the_module_itself() -> None:
    """Issue 12, start: after it, nothing tells that it came later."""
    source = """
import ssl
from ipaddress import ip_address

print(ssl.create_default_context().verify_mode.name, type(ssl).__name__, ip_address("::1"))
print(asyncio.sslproto.SSLProtocol.__module__, asyncio.base_events.ssl is ssl)
"""
    assert printed(source) == "CERT_REQUIRED module ::1\nasyncio.sslproto True"


def test_asyncio_speaks_tls_as_ever() -> None:
    """Issue 12, start: a handshake with somebody who speaks none fails in TLS, not before."""
    source = """
import ssl

async def main():
    async def plain(reader, writer):
        writer.write(b"no TLS here" * 10)
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(plain, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        try:
            await asyncio.open_connection("127.0.0.1", port, ssl=ssl.create_default_context())
        except ssl.SSLError as error:
            print(type(error).__name__)

asyncio.run(main())
"""
    assert printed(source) == "SSLError"


def test_threads_that_come_together_all_see_the_whole_module() -> None:
    """Issue 12, start: nobody sees half of a module."""
    source = """
import threading
import ssl

together, seen = threading.Barrier(8), []

def use():
    together.wait()
    seen.append(ssl.MemoryBIO is not None and ssl.get_server_certificate.__name__)

threads = [threading.Thread(target=use) for _ in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(len(seen), set(seen))
"""
    assert printed(source) == "8 {'get_server_certificate'}"


def test_what_was_imported_before_stays_as_it_is() -> None:
    """Issue 12, start: no module is taken from those who have it."""
    before = "import ssl\nhad = ssl\n"
    done = subprocess.run(
        [sys.executable, "-c", before + AFTER + "print(sys.modules['ssl'] is had)"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "True"


class Failing:
    """A loader that fails once, and asks the module while it loads it."""

    def __init__(self) -> None:
        self.tries = 0

    def exec_module(self, module: ModuleType) -> None:
        self.tries += 1
        if self.tries == 1:
            raise ImportError("not yet")
        assert not hasattr(module, "later")
        vars(module)["later"] = "now"


def test_a_module_that_fails_to_load_is_tried_again() -> None:
    """Issue 12, start: the error is that of the import, and not the last word."""
    loader = Failing()
    module = _Module(ModuleSpec("some.module", None), loader)  # type: ignore[arg-type]
    with pytest.raises(ImportError, match="not yet"):
        _ = module.later
    assert (module.later, loader.tries, type(module)) == ("now", 2, ModuleType)
    with pytest.raises(AttributeError):
        _ = module.nothing
