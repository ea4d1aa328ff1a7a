"""Attacks on the page: other pages, other hosts, wrong tokens."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from web.conftest import Dash, dashboards

__all__ = ["dashboards"]
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@pytest.fixture(scope="module")
def dash(dashboards: Callable[..., Dash]) -> Dash:
    return dashboards("--allow-edits")


def signed_in(dash: Dash) -> tuple[str, str]:
    """The cookie and the csrf of a browser that opened the printed address."""
    status, headers, _ = dash.ask(f"/calls?token={dash.token}&q=x", token=False)
    assert (status, headers["location"]) == (303, "/calls?q=x")
    cookie = headers["set-cookie"]
    assert f"toolcrib-{dash.port}=" in cookie and "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie and dash.token not in cookie
    pair = cookie.partition(";")[0]
    _, _, text = dash.ask("/health", headers={"Cookie": pair}, token=False)
    return pair, text.split('name="csrf" value="')[1].split('"')[0]


def test_every_answer_carries_the_headers_that_keep_others_out(dash: Dash) -> None:
    """W-9: CSP, nosniff, referrer, opener, resource; no CORS header, ever."""
    for path in ("/calls", "/healthz", "/nowhere", "/static/none"):
        _, headers, _ = dash.ask(path, headers={"Origin": "https://evil.example"})
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert headers["cross-origin-opener-policy"] == "same-origin"
        assert not any(name.startswith("access-control") for name in headers)


def test_without_the_token_there_is_a_page_to_sign_in(dash: Dash) -> None:
    """W-8: 401, the heading `Sign in`, a field `Token`; health and style need none."""
    for headers in ({}, {"Cookie": "toolcrib-1=x"}, {"Authorization": "Bearer wrong"}):
        status, _, text = dash.ask("/calls", token=False, headers=headers)
        assert status == 401 and "<h1>Sign in</h1>" in text and ">Token</label>" in text
        assert dash.token not in text
    assert dash.ask("/healthz", token=False)[0] == 200


def test_another_name_of_the_host_is_refused(dash: Dash) -> None:
    """W-9: Host of another name (rebinding): 421."""
    for host in (f"evil.example:{dash.port}", "127.0.0.1:1", "127.0.0.1"):
        assert dash.ask("/calls", headers={"Host": host})[0] == 421


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "null"},
        {"Origin": "https://evil.example"},
        {"Origin": "https://127.0.0.1:PORT"},
        {"Origin": "http://localhost:PORT"},
        {},
        {"Sec-Fetch-Site": "cross-site"},
    ],
)
def test_a_post_of_another_place_does_nothing(dash: Dash, headers: dict[str, str]) -> None:
    """W-9: an Origin equal to the page's own, port included; else 403 and nothing happened."""
    cookie, csrf = signed_in(dash)
    body = f"csrf={csrf}&value=true&really=yes"
    own = {name: value.replace("PORT", str(dash.port)) for name, value in headers.items()}
    given = {**FORM, "Cookie": cookie, **own}
    status, _, _ = dash.ask("/flags/evil", method="POST", headers=given, body=body, token=False)
    assert status == 403
    assert all(each["name"] != "evil" for each in dash.json("/health.json")["flags"])


def test_a_form_without_its_secret_or_of_another_kind_does_nothing(dash: Dash) -> None:
    """W-9, FAULTS: without CSRF, as text/plain, by GET: 403 (405 for GET)."""
    cookie, csrf = signed_in(dash)
    own = {"Cookie": cookie, "Origin": dash.base}
    wrong = dash.ask(
        "/flags/evil", method="POST", headers={**FORM, **own}, body="really=yes", token=False
    )
    plain = dash.ask(
        "/flags/evil",
        method="POST",
        headers={"Content-Type": "text/plain", **own},
        body=f"csrf={csrf}",
        token=False,
    )
    assert (wrong[0], plain[0]) == (403, 403)
    assert dash.ask("/flags/evil", headers=own, token=False)[0] == 405


def test_a_persons_own_form_is_asked_once_more_and_then_done(dash: Dash) -> None:
    """W-13: with --allow-edits a flag can be set, asked once more."""
    cookie, csrf = signed_in(dash)
    own = {**FORM, "Cookie": cookie, "Origin": dash.base}
    body = f"csrf={csrf}&value=true&scope=project"
    _, _, text = dash.ask("/flags/good", method="POST", headers=own, body=body, token=False)
    assert "Set it" in text
    more = f"{body}&really=yes"
    dash.ask("/flags/good", method="POST", headers=own, body=more, token=False)
    flags = {each["name"]: each["value"] for each in dash.json("/health.json")["flags"]}
    assert flags.get("good") is True


def test_ten_wrong_tokens_are_followed_by_a_pause(dashboards: Callable[..., Dash]) -> None:
    """W-8: the tenth wrong token is 401, the eleventh 429; who is signed in stays so."""
    dash = dashboards()
    cookie, _ = signed_in_without_forms(dash)
    wrong = {"Authorization": "Bearer wrong"}
    tries = [dash.ask("/calls", token=False, headers=wrong)[0] for _ in range(11)]
    assert tries == [401] * 10 + [429]
    assert dash.ask("/calls", token=False, headers={"Cookie": cookie})[0] == 200


def signed_in_without_forms(dash: Dash) -> tuple[str, None]:
    _, headers, _ = dash.ask(f"/calls?token={dash.token}", token=False)
    return headers["set-cookie"].partition(";")[0], None


@pytest.mark.parametrize(
    "beside",
    ['a={"x":1}', "a[b]=1", "bare", 'a="open', "name=two words", "expires=1", "\xfc=1", "PORT=old"],
)
def test_cookies_of_other_servers_lock_nobody_out(dash: Dash, beside: str) -> None:
    """W-8: cookies ignore ports, so what another server of this machine set comes along."""
    cookie, _ = signed_in_without_forms(dash)
    other = beside.replace("PORT", f"toolcrib-{dash.port}")
    for sent in (f"{other}; {cookie}", f"{cookie}; {other}"):
        assert dash.ask("/calls", token=False, headers={"Cookie": sent})[0] == 200
    assert dash.ask("/calls", token=False, headers={"Cookie": other})[0] == 401


def test_no_address_leads_to_another_host(dash: Dash) -> None:
    """W-8: 303 to the same address, which is one of the page's."""
    cookie, _ = signed_in_without_forms(dash)
    own = {"Cookie": cookie}
    for path in ("//evil.example/", "///evil.example", "/\\\\evil.example/"):
        _, headers, _ = dash.ask(f"{path}?token=x", headers=own, token=False)
        assert headers["location"].startswith("/") and headers["location"][1] not in "/\\"
    for following in ("//evil.example", "/%09/evil.example", "https://evil.example", "/\\evil"):
        body = f"token={dash.token}&next={following}"
        given = {**FORM, "Origin": dash.base}
        status, headers, _ = dash.ask(
            "/sign-in", method="POST", headers=given, body=body, token=False
        )
        assert status == 303 and headers["location"][:2] not in ("//", "/\\")
        assert headers["location"].startswith("/")


def test_signing_in_needs_the_pages_own_form(dash: Dash) -> None:
    """W-9: a sign-in that another page sends is refused; a wrong token is told, never shown."""
    body = f"token={dash.token}"
    for headers in ({}, {"Origin": "http://127.0.0.1:1"}, {"Sec-Fetch-Site": "same-site"}):
        given = {**FORM, **headers}
        assert dash.ask("/sign-in", method="POST", headers=given, body=body, token=False)[0] == 403
    given = {**FORM, "Origin": dash.base}
    status, _, text = dash.ask(
        "/sign-in", method="POST", headers=given, body="token=wrong%3Cb%3E", token=False
    )
    assert status == 401 and "wrong<b>" not in text and "Sign in" in text


def test_a_websocket_is_refused_without_a_word_in_the_log(dashboards: Callable[..., Dash]) -> None:
    """W-9: no other way in: whoever asks for another protocol gets no answer of an error."""
    dash = dashboards()
    asked = {
        "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
    }  # fmt: skip
    assert dash.ask("/calls/stream", token=False, headers=asked)[0] == 403
    dash.process.terminate()
    _, said = dash.process.communicate(timeout=10)
    assert b"ASGI" not in said and b"Traceback" not in said


def test_the_log_has_a_line_for_what_was_refused_and_never_the_token(
    dashboards: Callable[..., Dash],
) -> None:
    """W-8, FAULTS: one log line; the token is never logged, never in a page, never in an error."""
    dash = dashboards()
    cookie, _ = signed_in_without_forms(dash)
    given = {**FORM, "Cookie": cookie, "Origin": "http://127.0.0.1:1"}
    dash.ask("/decisions/check", method="POST", headers=given, body="x=1", token=False)
    for path in ("/calls", "/tools", "/health", "/nowhere"):
        assert dash.token not in dash.ask(path)[2]
    dash.process.terminate()
    _, said = dash.process.communicate(timeout=10)
    assert said.count(b"refused") == 1 and dash.token.encode() not in said
    assert b"Traceback" not in said and b"ASGI" not in said
