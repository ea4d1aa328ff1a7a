"""JWTs, against a real issuer: a small HTTP server that publishes keys and counts who asks."""

from __future__ import annotations

import asyncio
import base64
import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm

from toolcrib.core.executor import ToolExecutor
from toolcrib.core.tool import Tool
from toolcrib.server.auth import jwks as keys
from toolcrib.server.auth.tokens import JwtTokens

OURS, OTHER = (rsa.generate_private_key(public_exponent=65537, key_size=2048) for _ in "ab")


def published(key: Any, id: str) -> dict[str, Any]:
    return {**json.loads(RSAAlgorithm.to_jwk(key.public_key())), "kid": id, "alg": "RS256"}


class Issuer:
    """What it answers can be changed, and held back until `open` is set."""

    def __init__(self) -> None:
        self.answer: Any = {"keys": [published(OURS, "k1")]}
        self.asked = 0
        self.open = threading.Event()
        self.open.set()
        issuer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                issuer.asked += 1
                issuer.open.wait(10)
                self.send_response(200 if issuer.answer is not None else 503)
                self.end_headers()
                self.wfile.write(json.dumps(issuer.answer).encode())

            def log_message(self, *args: object) -> None:
                """Quiet."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/jwks"

    def close(self) -> None:
        self.open.set()
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def issuer() -> Iterator[Issuer]:
    made = Issuer()
    yield made
    made.close()


@pytest.fixture
def verifier(issuer: Issuer) -> JwtTokens:
    return JwtTokens(issuer.url, "https://iss", "toolcrib")


def token(key: Any = OURS, algorithm: str = "RS256", kid: Any = "k1", **changed: Any) -> str:
    claims = {"sub": "ann", "iss": "https://iss", "aud": "toolcrib", "exp": time.time() + 60}
    return jwt.encode({**claims, **changed}, key, algorithm=algorithm, headers={"kid": kid})


def test_a_jwt_is_checked_with_the_published_keys(verifier: JwtTokens) -> None:
    """S-6: JWT by JWKS: signature, issuer, audience, expiry."""

    async def main() -> None:
        assert await verifier.caller(token()) == "jwt:https://iss:ann"
        assert await verifier.caller(token(OTHER)) is None
        assert await verifier.caller(token(iss="https://evil")) is None
        assert await verifier.caller(token(aud="somebody else")) is None
        assert await verifier.caller(token(exp=time.time() - 10)) is None
        assert await verifier.caller(token("k" * 64, "HS256")) is None
        assert await verifier.caller("not.a.jwt") is None
        deep = base64.urlsafe_b64encode(b'{"alg":' + b"[" * 5000).rstrip(b"=").decode()
        assert await verifier.caller(f"{deep}.e30.eA") is None

    asyncio.run(main())


def test_strangers_cannot_make_the_server_ask_again_and_again(
    verifier: JwtTokens, issuer: Issuer
) -> None:
    """S-6: an unknown key id asks the issuer once, however many come, at once or in a row."""

    async def main() -> None:
        strangers = [token(OTHER, kid=f"made-up-{n}") for n in range(100)]
        found = await asyncio.gather(*(verifier.caller(each) for each in strangers))
        assert set(found) == {None}
        for each in strangers[:10]:
            assert await verifier.caller(each) is None
        assert await verifier.caller(token()) == "jwt:https://iss:ann"

    asyncio.run(main())
    assert issuer.asked == 1


def test_an_issuer_that_does_not_answer_holds_up_no_tool_and_no_known_caller(
    verifier: JwtTokens, issuer: Issuer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """S-6, FAULTS: the server answers others within a second."""
    monkeypatch.setattr(keys, "PAUSE", 0.0)
    tool = Tool("plain", "A plain function", {"type": "object"}, lambda args, ctx: "done")

    async def main() -> None:
        assert await verifier.caller(token()) == "jwt:https://iss:ann"
        issuer.open.clear()
        strangers = [
            asyncio.create_task(verifier.caller(token(OTHER, kid=f"x{n}"))) for n in range(200)
        ]
        await asyncio.sleep(0)
        async with asyncio.timeout(1):
            output = await ToolExecutor().run(tool)
            assert output.content[0]["text"] == "done"
            assert await verifier.caller(token()) == "jwt:https://iss:ann"
        assert not any(each.done() for each in strangers)
        strangers.pop().cancel()  # one who goes away takes nobody with him
        issuer.open.set()
        assert set(await asyncio.gather(*strangers)) == {None}

    asyncio.run(main())


def test_a_new_key_is_found_and_a_withdrawn_one_is_not(issuer: Issuer) -> None:
    """S-6: keys are believed as long as they are published."""
    now = 1000.0
    found = keys.PublishedKeys(issuer.url, clock=lambda: now)

    async def main() -> None:
        nonlocal now
        assert await found.find("k1") is not None
        issuer.answer = {"keys": [published(OTHER, "k2")]}
        assert await found.find("k2") is None, "just asked"
        now += keys.PAUSE
        assert await found.find("k2") is not None
        assert await found.find("k1") is None
        issuer.answer = {"keys": [published(OTHER, "k3")]}
        now += keys.FRESH
        assert await found.find("k2") is None

    asyncio.run(main())


@pytest.mark.parametrize("answer", [None, [], {"keys": "none"}, {"keys": [5]}, {"keys": []}, "x"])
def test_an_issuer_that_is_away_or_astray_is_believed_by_its_last_word(
    issuer: Issuer, answer: Any
) -> None:
    """S-6: an outage locks nobody out for an hour; after that nobody is let in unchecked."""
    now = 1000.0
    found = keys.PublishedKeys(issuer.url, clock=lambda: now)

    async def main() -> None:
        nonlocal now
        assert await found.find("k1") is not None
        issuer.answer = answer
        now += keys.FRESH
        assert await found.find("k1") is not None
        assert await found.find("k2") is None
        assert issuer.asked == 2, "a failed attempt counts as one"
        now += keys.KEPT
        assert await found.find("k1") is None

    asyncio.run(main())
