"""A login at a remote server, with a real authorization server on this machine."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from typing import Any
from urllib.request import urlopen

import pytest

from support.authorization import authorization, control, log_of
from toolcrib.client.addresses import AddressPolicy
from toolcrib.client.oauth import Callback, LoginFailed, log_in
from toolcrib.client.tokens import Login, TokenStore


@pytest.fixture
def guarded() -> Iterator[str]:
    """A server that wants a login."""
    with authorization() as found:
        yield found


def logged_in(url: str, folder: Any, path: str = "mcp", **oauth: Any) -> Login | None:
    """Log in as a person with a browser would."""
    store = TokenStore("srv", f"{url}/{path}", folder)

    def show(address: str, callback: Callback) -> None:
        def visit() -> None:
            urlopen(address).close()

        threading.Thread(target=visit, daemon=True).start()

    asyncio.run(log_in(AddressPolicy(f"{url}/{path}"), store, oauth, {}, show))
    return store.get()


def test_a_login_is_kept_for_its_owner(guarded, tmp_path) -> None:
    """X-24: PKCE, `resource`, and all that a refresh needs; the file is private."""
    login = logged_in(guarded, tmp_path / "logins")
    assert login is not None and login.access_token == "token-1"
    assert (login.issuer.rstrip("/"), login.client_id) == (guarded, "registered")
    (file,) = (tmp_path / "logins").glob("*.json")
    assert file.stat().st_mode & 0o077 == 0
    asked = next(each["authorize"] for each in log_of(guarded) if "authorize" in each)
    assert asked["code_challenge_method"] == "S256" and asked["resource"] == f"{guarded}/mcp"
    token = next(each["token"] for each in log_of(guarded) if "token" in each)
    assert token["code_verifier"] and token["resource"] == f"{guarded}/mcp"


def test_a_server_that_knows_the_stream_alone_has_a_login_too(guarded, tmp_path) -> None:
    """X-24, X-11: SSE, where a POST is not known."""
    login = logged_in(guarded, tmp_path, "sse")
    assert login is not None and login.resource == f"{guarded}/sse"


def test_who_is_registered_beforehand_is_not_registered_again(guarded, tmp_path) -> None:
    """X-24: pre-registered first."""
    login = logged_in(guarded, tmp_path, client_id="mine", client_secret="s3cret", scopes=["a"])
    assert login is not None and login.client_id == "mine"
    assert not [each for each in log_of(guarded) if "register" in each]
    token = next(each["token"] for each in log_of(guarded) if "token" in each)
    assert token["client_secret"] == "s3cret"


def test_a_wrong_issuer_is_named_and_nothing_is_kept(guarded, tmp_path) -> None:
    """X-24: `iss` is checked."""
    control(guarded, iss="https://evil.example")
    with pytest.raises(LoginFailed, match=r"evil\.example"):
        logged_in(guarded, tmp_path)
    assert not list(tmp_path.glob("*.json"))


def test_a_missing_issuer_is_an_error_where_one_was_promised(guarded, tmp_path) -> None:
    """X-24: `iss` is checked, and not left out."""
    control(guarded, iss="")
    with pytest.raises(LoginFailed, match="iss"):
        logged_in(guarded, tmp_path)
    assert not list(tmp_path.glob("*.json"))


def test_metadata_of_another_issuer_are_not_used(guarded, tmp_path) -> None:
    """X-24: credentials are for the issuer that the server names."""
    control(guarded, issuer="https://evil.example")
    with pytest.raises(LoginFailed):
        logged_in(guarded, tmp_path)
    assert not [each for each in log_of(guarded) if "token" in each]


def test_a_document_comes_before_a_registration(guarded, tmp_path) -> None:
    """X-24: pre-registered, CIMD, DCR in this order."""
    control(guarded, documents=True)
    document = "https://me.example/client.json"
    login = logged_in(guarded, tmp_path, client_id=document)
    assert login is not None and login.client_id == document
    assert not [each for each in log_of(guarded) if "register" in each]


def test_a_person_who_refuses_has_no_login(guarded, tmp_path) -> None:
    """X-24: the reason of the server is told."""
    control(guarded, deny=True)
    with pytest.raises(LoginFailed, match="access_denied"):
        logged_in(guarded, tmp_path)


def test_a_pasted_address_is_as_good_as_a_visit() -> None:
    """X-24: where the browser is on another machine; anything else is not taken."""

    async def run() -> Any:
        callback = Callback()
        assert not callback.take("hello")
        assert callback.take(" http://127.0.0.1:1/callback?code=c&state=s&iss=i \n")
        assert not callback.take("http://127.0.0.1:1/callback?code=d")
        return await callback.answer

    assert asyncio.run(run()) == {"code": "c", "state": "s", "iss": "i"}
