"""The page as an ASGI application: who may ask, what for, and with which headers it is answered."""

from __future__ import annotations

import asyncio
import hmac
import logging
from collections.abc import Callable, Mapping
from typing import Final
from urllib.parse import urlencode

from toolcrib.core.errors import ToolcribError
from toolcrib.core.support.workers import in_thread
from toolcrib.web.exchange import (
    FORM,
    READING,
    BrowserGone,
    FormTooLarge,
    PageRequest,
    Receive,
    Response,
    Scope,
    Send,
)
from toolcrib.web.lock import LIFETIME, Lock, SignedIn, Visitor
from toolcrib.web.pages.routes import Pages
from toolcrib.web.render import Renderer, static_files
from toolcrib.web.source import PageSource

logger = logging.getLogger("toolcrib.web")

HEADERS: Final[Mapping[str, str]] = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
_KINDS = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
_TIRED = "Too many wrong tokens; wait a minute."
_FOREIGN = "That request did not come from this page."


def own_hosts(port: int) -> Callable[[str], bool]:
    """Whether a Host header names this machine and that port."""
    known = {f"{host}:{port}" for host in ("127.0.0.1", "localhost", "[::1]")}
    return known.__contains__


class Dashboard:
    """Serves the pages of one project below `prefix`; without a source, nobody is let in.

    `schemes` are those that a page of ours can have come by: behind a proxy also https.
    """

    def __init__(
        self,
        source: PageSource | None,
        lock: Lock,
        is_host: Callable[[str], bool],
        prefix: str = "",
        schemes: tuple[str, ...] = ("http",),
    ) -> None:
        self._lock = lock
        self._schemes = schemes
        self._prefix = prefix
        self._is_host = is_host
        self._renderer = Renderer(prefix)
        self._pages = Pages(source, self._renderer) if source is not None else None

    def serves(self, path: str) -> bool:
        """Whether an address is one of the page's."""
        return path == self._prefix or path.startswith(f"{self._prefix}/")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "websocket":  # there is none here, whoever asks
            await send({"type": "websocket.close"})
        if scope["type"] != "http":
            return
        request = PageRequest(scope, receive, self._prefix)
        try:
            response = await self._answer(request)
        except BrowserGone:
            return
        except asyncio.CancelledError:
            response = Response.text("The server ends.", 503)
        except FormTooLarge:
            response = Response.text("That form is too large.", 413)
        except ToolcribError as error:
            response = self._plain_page("Something is wrong", str(error), 500)
        except Exception:  # the shield between a bug and the browser
            logger.exception("%s %s failed", request.method, request.path)
            response = self._plain_page("Something is wrong", "The log says more.", 500)
        if request.method == "HEAD":
            response.stream = None
        more = dict(HEADERS)
        if "cache-control" not in response.headers:
            more["cache-control"] = "no-store"
        try:
            await response.send(send, more, packed=request.takes_gzip)
        except BrowserGone:
            logger.info("dropped a browser that did not read")
        except asyncio.CancelledError:  # the server ends, and its streams with it
            if response.stream is None:
                raise
            await send({"type": "http.response.body", "body": b""})

    async def warm(self) -> None:
        """Work out what the first look would have to wait for, beside everything else."""
        try:
            if self._pages is not None:
                await in_thread(self._pages.warm)
        except ToolcribError as error:
            logger.error("%s", error)

    async def _answer(self, request: PageRequest) -> Response:
        if not self._is_host(request.header("host") or ""):
            return Response.text("This page is not served under that name.", 421)
        if request.path.startswith("/static/"):
            return _static(request)
        if request.path == "/healthz":
            return Response.text("ok")
        if request.path == "/sign-in":
            return await self._sign_in(request)
        return await self._opened(request)

    async def _opened(self, request: PageRequest) -> Response:
        shown = map(self._lock.visitor, request.cookies(_cookie(request)))
        visitor = next((each for each in shown if each is not None), None)
        given = _given_token(request)
        if visitor is None and given is not None:
            if self._lock.tired:
                return Response.text(_TIRED, 429)
            person = await self._lock.admit(given)
            if person is not None and "token" in request.query:
                return self._with_session(request, self._without_token(request), person)
            visitor = Visitor(person.name, person.only) if person is not None else None
        if visitor is None or self._pages is None:
            return self._locked(request)
        if request.method == "POST":
            return await self._post(self._pages, request, visitor)
        if request.method not in READING:
            return Response.not_allowed(*self._pages.methods(request))
        if "token" in request.query:
            return self._without_token(request)
        return await self._pages.get(request, visitor)

    def _without_token(self, request: PageRequest) -> Response:
        """The same address without the token, which stays in no history."""
        return Response.to(self._prefix + _own_address(_address_without_token(request)))

    def _with_session(self, request: PageRequest, response: Response, person: SignedIn) -> Response:
        session = self._lock.sign_in(person)
        secure = "; Secure" if request.scheme == "https" else ""
        response.headers["set-cookie"] = (
            f"{_cookie(request)}={session}; HttpOnly; SameSite=Strict; "
            f"Path={self._prefix or '/'}; Max-Age={LIFETIME}{secure}"
        )
        return response

    async def _sign_in(self, request: PageRequest) -> Response:
        if request.method != "POST":
            response = self._locked(request, status=405)
            response.headers["allow"] = "POST"
            return response
        if not self._is_own(request) or not _is_form(request):
            return self._refused(request)
        if self._lock.tired:
            return Response.text(_TIRED, 429)
        form, _ = await request.form()
        following = form.get("next", "/")
        person = await self._lock.admit(form.get("token", ""))
        if person is None:
            return self._locked(request, wrong=True, next=following)
        target = Response.to(self._prefix + _own_address(following))
        return self._with_session(request, target, person)

    async def _post(self, pages: Pages, request: PageRequest, visitor: Visitor) -> Response:
        told = request.has("origin")
        if (visitor.by_cookie or told) and not self._is_own(request):
            return self._refused(request)
        if not _is_form(request):
            return self._refused(request)
        form, secret = await request.form()
        given = secret or request.header("x-csrf") or ""
        if visitor.by_cookie and not hmac.compare_digest(
            given.encode("utf-8", "replace"), visitor.csrf.encode()
        ):
            return self._refused(request)
        return await pages.post(request, visitor, form)

    def _refused(self, request: PageRequest) -> Response:
        logger.warning("refused: %s %s from another place", request.method, request.path[:200])
        return Response.text(_FOREIGN, 403)

    def _locked(
        self, request: PageRequest, *, wrong: bool = False, next: str = "", status: int = 401
    ) -> Response:
        address = next or _address_without_token(request)
        if address.startswith("/sign-in"):
            address = "/"
        body = self._renderer.page("sign_in.html", wrong=wrong, next=address, title="Sign in")
        return Response(body, status)

    def _is_own(self, request: PageRequest) -> bool:
        """Whether the page itself sent a request: ports of one host are one site, so they count."""
        if not request.has("origin"):
            return request.header("sec-fetch-site") == "same-origin"
        host = request.header("host")
        return request.header("origin") in [f"{scheme}://{host}" for scheme in self._schemes]

    def _plain_page(self, heading: str, text: str, status: int) -> Response:
        body = self._renderer.page("plain.html", heading=heading, text=text, title=heading)
        return Response(body, status)


def _cookie(request: PageRequest) -> str:
    """The name of the cookie: cookies ignore ports, so it holds the one that was asked."""
    port = (request.header("host") or "").rpartition(":")[2]
    return f"toolcrib-{port if port.isdecimal() else 80}"


def _address_without_token(request: PageRequest) -> str:
    rest = {key: value for key, value in request.query.items() if key != "token"}
    return request.path + (f"?{urlencode(rest)}" if rest else "")


def _own_address(address: str) -> str:
    """An address of this page: `//host` and `/\\host` would lead to another one."""
    shown = "".join(letter for letter in address if letter.isprintable())
    return "/" + shown.lstrip("/\\") if shown.startswith("/") else "/"


def _given_token(request: PageRequest) -> str | None:
    bearer = request.header("authorization") or ""
    if bearer.lower().startswith("bearer "):
        return bearer[7:].strip()
    return request.query.get("token")


def _is_form(request: PageRequest) -> bool:
    return (request.header("content-type") or "").partition(";")[0].strip().lower() == FORM


def _static(request: PageRequest) -> Response:
    name = request.path.removeprefix("/static/")
    body = static_files().get(name)
    if body is None:
        return Response.text("Not found", 404)
    kind = f"{_KINDS[name.rpartition('.')[2]]}; charset=utf-8"
    return Response(body, 200, kind, {"cache-control": "max-age=31536000, immutable"})
