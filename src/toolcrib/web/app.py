"""The page as an ASGI application: who may ask, what for, and with which headers it is answered."""

from __future__ import annotations

import hmac
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final
from urllib.parse import quote, urlencode

from toolcrib.core.errors import ToolcribError
from toolcrib.web.exchange import FORM, Receive, Request, Response, Scope, Send, TooLarge
from toolcrib.web.lock import LIFETIME, Lock, Visitor
from toolcrib.web.pages import Pages
from toolcrib.web.render import Renderer, static_files
from toolcrib.web.source import Source

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

Handler = Callable[[Request, Visitor], Awaitable[Response]]


class Dashboard:
    """Serves the pages of one project at one port."""

    def __init__(
        self, source: Source, port: int, *, prefix: str = "", tokens: Sequence[str] = ()
    ) -> None:
        self.lock = Lock(tokens)
        self.port = port
        self.prefix = prefix
        self._renderer = Renderer(prefix)
        self.pages = Pages(source, self._renderer)
        self._hosts = {f"{host}:{port}" for host in ("127.0.0.1", "localhost", "[::1]")}

    @property
    def url(self) -> str:
        """The address that opens it."""
        return f"http://127.0.0.1:{self.port}{self.prefix}/?token={self.lock.token}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        request = Request(scope, receive, self.prefix)
        try:
            response = await self._answer(request)
        except TooLarge:
            response = Response.text("That form is too large.", 413)
        except ToolcribError as error:
            response = self._plain_page("Something is wrong", str(error), 500)
        except Exception:  # the shield between a bug and the browser
            logger.exception("%s %s failed", request.method, request.path)
            response = self._plain_page("Something is wrong", "The log says more.", 500)
        more = dict(HEADERS)
        if "cache-control" not in response.headers:
            more["cache-control"] = "no-store"
        await response.send(send, more)

    async def _answer(self, request: Request) -> Response:
        if (request.header("host") or "") not in self._hosts:
            return Response.text("This page is not served under that name.", 421)
        if request.path.startswith("/static/"):
            return self._static(request)
        if request.path == "/healthz":
            return Response.text("ok")
        if request.path == "/sign-in":
            return await self._sign_in(request)
        visitor, refusal = self._visitor(request)
        if visitor is None:
            return refusal or self._locked(request)
        if request.method == "POST":
            return await self._post(request, visitor)
        if request.method not in ("GET", "HEAD"):
            return Response.text("Method not allowed", 405)
        if "token" in request.query:
            return self._opened(request)
        return await self.pages.get(request, visitor)

    def _visitor(self, request: Request) -> tuple[Visitor | None, Response | None]:
        visitor = self.lock.visitor(request.cookie(self._cookie_name))
        if visitor is not None:
            return visitor, None
        given = request.query.get("token")
        bearer = request.header("authorization") or ""
        if bearer.lower().startswith("bearer "):
            given = bearer[7:].strip()
        if given is None:
            return None, None
        if self.lock.tired:
            return None, Response.text("Too many wrong tokens; wait a minute.", 429)
        if not self.lock.opens(given):
            return None, None
        return Visitor("", by_cookie=False), None

    def _opened(self, request: Request) -> Response:
        """Take the token out of the address, and keep a session in a cookie instead."""
        rest = {key: value for key, value in request.query.items() if key != "token"}
        address = self.prefix + request.path + (f"?{urlencode(rest)}" if rest else "")
        return self._with_session(Response.to(address))

    def _with_session(self, response: Response) -> Response:
        path = self.prefix or "/"
        response.headers["set-cookie"] = (
            f"{self._cookie_name}={self.lock.sign_in()}; HttpOnly; SameSite=Strict; "
            f"Path={path}; Max-Age={LIFETIME}"
        )
        return response

    async def _sign_in(self, request: Request) -> Response:
        if request.method != "POST":
            return self._locked(request)
        if not self._same_origin(request) or not _is_form(request):
            return Response.text("That request did not come from this page.", 403)
        if self.lock.tired:
            return Response.text("Too many wrong tokens; wait a minute.", 429)
        form = await request.form()
        if not self.lock.opens(form.get("token", "")):
            return self._locked(request, wrong=True, next=form.get("next", "/"))
        following = form.get("next", "/")
        safe = following if following.startswith("/") and not following.startswith("//") else "/"
        return self._with_session(Response.to(self.prefix + safe))

    async def _post(self, request: Request, visitor: Visitor) -> Response:
        origin = request.header("origin")
        if visitor.by_cookie and not self._same_origin(request):
            return self._refused(request)
        if not visitor.by_cookie and origin is not None and not self._same_origin(request):
            return self._refused(request)
        if not _is_form(request):
            return self._refused(request)
        form = await request.form()
        if visitor.by_cookie:
            given = form.pop("csrf", "") or request.header("x-csrf") or ""
            if not hmac.compare_digest(given.encode(), visitor.csrf.encode()):
                return self._refused(request)
        return await self.pages.post(request, visitor, form)

    def _same_origin(self, request: Request) -> bool:
        origin = request.header("origin")
        if origin is None:
            return request.header("sec-fetch-site") == "same-origin"
        return origin == f"http://{request.header('host')}"

    def _refused(self, request: Request) -> Response:
        logger.warning("refused: %s %s from another place", request.method, request.path)
        return Response.text("That request did not come from this page.", 403)

    def _locked(self, request: Request, *, wrong: bool = False, next: str = "") -> Response:
        address = next or request.path
        if address == "/sign-in":
            address = "/"
        body = self._renderer.page("sign_in.html", wrong=wrong, next=address, title="Sign in")
        return Response(body, 401)

    def _plain_page(self, heading: str, text: str, status: int) -> Response:
        body = self._renderer.page("plain.html", heading=heading, text=text, title=heading)
        return Response(body, status)

    def _static(self, request: Request) -> Response:
        name = request.path.removeprefix("/static/")
        body = static_files().get(name)
        if body is None:
            return Response.text("Not found", 404)
        kind = f"{_KINDS[name.rpartition('.')[2]]}; charset=utf-8"
        cached = {"cache-control": "max-age=31536000, immutable"}
        return Response(body, 200, kind, cached)

    @property
    def _cookie_name(self) -> str:
        return f"toolcrib-{self.port}"


def _is_form(request: Request) -> bool:
    return (request.header("content-type") or "").partition(";")[0].strip().lower() == FORM


def quoted(step: str) -> str:
    """One step of a path, percent-encoded."""
    return quote(step, safe="")
