"""Kept logins: refreshed in time, by one at a time."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from support.authorization import authorization, control, log_of
from support.waiting import until
from toolcrib.client.addresses import AddressPolicy
from toolcrib.client.connection import ServerRefused
from toolcrib.client.http_client import open_client
from toolcrib.client.tokens import Login, TokenStore, kept_login

CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "look"}}


CALLER = """
import sys; sys.path.insert(0, sys.argv[3])
from pathlib import Path
from client.test_tokens import TokenStore, answers
url = sys.argv[1]
print(answers(url, TokenStore("srv", f"{url}/mcp", Path(sys.argv[2])), 5))
"""


@pytest.fixture
def guarded() -> Iterator[str]:
    with authorization() as found:
        yield found


def kept(url: str, folder: Path, **more: object) -> TokenStore:
    """A store with a login whose token is unknown to the server."""
    store = TokenStore("srv", f"{url}/mcp", folder)
    given = {"access_token": "old", "refresh_token": "refresh-0", **more}
    store.put(Login(f"{url}/mcp", url, f"{url}/token", "me", **given))
    return store


def answers(url: str, store: TokenStore, count: int = 1, clients: int = 1) -> list[int]:
    """The statuses of some calls at the same time, of one or several clients."""

    async def run() -> list[int]:
        made = [
            await open_client(AddressPolicy(url), partial(kept_login, store))
            for _ in range(clients)
        ]
        calls = [made[n % clients].post(f"{url}/mcp", json=CALL) for n in range(count)]
        found = [response.status_code for response in await asyncio.gather(*calls)]
        for client in made:
            await client.aclose()
        return found

    return asyncio.run(run())


def refreshes(url: str) -> int:
    return sum("token" in each for each in log_of(url))


def test_a_refused_token_is_refreshed_once(guarded, tmp_path) -> None:
    """X-24: once after 401; the new one is kept with what was not said anew."""
    store = kept(guarded, tmp_path, resource="r")
    assert answers(guarded, store) == [200]
    login = store.get()
    assert login is not None
    assert (login.access_token, login.refresh_token) == ("token-1", "refresh-1")
    assert log_of(guarded)[0]["token"]["resource"] == "r"


@pytest.mark.parametrize("clients", [1, 4])
def test_twenty_calls_refresh_once(guarded, tmp_path, clients) -> None:
    """X-24: by one at a time, whoever they are."""
    store = kept(guarded, tmp_path)
    assert answers(guarded, store, 20, clients) == [200] * 20
    assert refreshes(guarded) == 1


def test_a_token_is_refreshed_before_its_end(guarded, tmp_path) -> None:
    """X-24: 60 s before; nothing is tried with one that is about to end."""
    store = kept(guarded, tmp_path, expires_at=time.time() + 30)
    assert answers(guarded, store) == [200]
    assert refreshes(guarded) == 1
    assert answers(guarded, store) == [200]
    assert refreshes(guarded) == 1


def test_a_refused_refresh_ends_the_login(guarded, tmp_path) -> None:
    """X-24: somebody has to log in again."""
    control(guarded, refuse=True)
    store = kept(guarded, tmp_path)
    assert answers(guarded, store, 3) == [401, 401, 401]
    assert store.get() is None
    assert refreshes(guarded) == 1


def test_processes_refresh_once_together(guarded, tmp_path) -> None:
    """X-24: by one process at a time, and once for all of them."""
    control(guarded, delay=0.3)
    store = kept(guarded, tmp_path)
    tests = Path(__file__).parents[1]
    words = [sys.executable, "-c", CALLER, guarded, str(tmp_path), str(tests)]
    running = [subprocess.Popen(words, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    assert [json.loads(each.communicate()[0]) for each in running] == [[200] * 5] * 3
    assert refreshes(guarded) == 1
    login = store.get()
    assert login is not None and login.access_token == "token-1"


def test_a_refresh_that_fails_for_now_ends_nothing(guarded, tmp_path) -> None:
    """X-24: a token that is still good is used; one that is not says why, and is kept."""
    first = kept(guarded, tmp_path)
    assert answers(guarded, first) == [200]
    login = first.get()
    assert login is not None
    control(guarded, status=503)
    first.put(replace(login, expires_at=time.time() + 30))
    assert answers(guarded, first) == [200]
    first.put(replace(login, expires_at=time.time() - 1))
    with pytest.raises(ServerRefused, match="HTTP 503") as raised:
        answers(guarded, first)
    assert raised.value.reason == "unreachable"
    first.put(replace(login, access_token="refused"))
    with pytest.raises(ServerRefused, match="cannot be refreshed"):
        answers(guarded, first)
    assert first.get() is not None


def test_a_call_that_is_cancelled_loses_no_token(guarded, tmp_path) -> None:
    """X-24: a refresh token may be good for one time only."""
    control(guarded, delay=0.5)
    store = kept(guarded, tmp_path)

    async def run() -> None:
        client = await open_client(AddressPolicy(guarded), partial(kept_login, store))
        call = asyncio.create_task(client.post(f"{guarded}/mcp", json=CALL))
        await asyncio.to_thread(until, lambda: refreshes(guarded))
        call.cancel()
        await asyncio.wait([call])
        async with store.alone():
            await client.aclose()

    asyncio.run(run())
    login = store.get()
    assert login is not None and login.access_token == "token-1"


def test_who_gives_up_waiting_holds_off_nobody(tmp_path) -> None:
    """X-24: a lock that was waited for in vain is not kept."""
    store = kept("http://127.0.0.1:1", tmp_path)

    async def run() -> None:
        async with store.alone():
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.1), store.alone():
                    raise AssertionError
        async with asyncio.timeout(10), store.alone():
            pass

    asyncio.run(run())


def test_a_login_belongs_to_its_url(tmp_path) -> None:
    """X-24: a server that moves elsewhere does not get another one's token."""
    store = kept("http://127.0.0.1:1", tmp_path)
    assert TokenStore("srv", "http://127.0.0.1:2/mcp", tmp_path).get() is None
    assert TokenStore("other", "http://127.0.0.1:1/mcp", tmp_path).get() is None
    assert store.forget() and not store.forget()
    next(iter(tmp_path.glob("*")), None)
    (tmp_path / "x").write_text("")
    assert store.get() is None


def test_without_a_refresh_token_a_refusal_stands(guarded, tmp_path) -> None:
    """X-24: nothing is asked in vain."""
    store = kept(guarded, tmp_path, refresh_token=None)
    assert answers(guarded, store) == [401]
    assert refreshes(guarded) == 0
