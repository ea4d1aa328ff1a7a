"""Sessions of browsers: kept here, or sealed in the cookie."""

from __future__ import annotations

import asyncio

from toolcrib.server.mcp.seal import Seal
from toolcrib.web.lock import LIFETIME, Lock, OwnToken, SignedIn


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_the_token_of_a_start_opens_and_no_other_does() -> None:
    """W-8: 32 random bytes, new at each start."""
    own = OwnToken()
    assert asyncio.run(own(own.token)) == SignedIn("dashboard")
    assert asyncio.run(own(OwnToken().token)) is None and asyncio.run(own("")) is None
    assert len(own.token) == 43


def test_the_tenth_wrong_try_closes_for_a_minute() -> None:
    """W-8: ten wrong tries in a minute."""
    clock = Clock()
    own = OwnToken()
    lock = Lock(own, clock=clock)
    for _ in range(10):
        assert not lock.tired
        assert asyncio.run(lock.admit("wrong")) is None
    assert lock.tired
    clock.now += 61
    assert not lock.tired


def test_a_session_ends_after_twelve_hours() -> None:
    """W-8: Max-Age 12 h, also where it is sealed."""
    for seal in (None, Seal(b"s" * 32)):
        clock = Clock()
        lock = Lock(OwnToken(), seal, clock=clock)
        session = lock.sign_in(SignedIn("anna", only="anna"))
        visitor = lock.visitor(session)
        assert visitor is not None and (visitor.name, visitor.only) == ("anna", "anna")
        assert visitor.by_cookie
        clock.now += LIFETIME + 1
        assert lock.visitor(session) is None


def test_a_sealed_session_is_good_at_every_replica_and_at_no_other_place() -> None:
    """W-8: with a secret cookie and csrf are sealed and good at every replica."""
    one, two = (Lock(OwnToken(), Seal(b"s" * 32), "shop") for _ in range(2))
    session = one.sign_in(SignedIn("anna"))
    here, there = one.visitor(session), two.visitor(session)
    assert here is not None and there is not None and here.csrf == there.csrf
    assert Lock(OwnToken(), Seal(b"s" * 32), "other").visitor(session) is None
    assert Lock(OwnToken(), Seal(b"t" * 32), "shop").visitor(session) is None
    assert one.visitor(session[:-2]) is None and one.visitor("") is None


def test_sessions_do_not_pile_up() -> None:
    """W-8: whoever has the token cannot fill the memory with sessions."""
    lock = Lock(OwnToken())
    first = lock.sign_in(SignedIn("anna"))
    for _ in range(3000):
        last = lock.sign_in(SignedIn("anna"))
    assert lock.visitor(last) is not None and lock.visitor(first) is None
