"""Where the layers meet: a WSGI application made of handlers, services and repositories."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl
from wsgiref.simple_server import make_server

from shop.domain.errors import ShopError
from shop.flags import Flags
from shop.handlers.http import LARGEST_BODY, Request, Response, Router
from shop.handlers.orders import OrderHandlers
from shop.handlers.problems import not_found, problem
from shop.handlers.products import ProductHandlers
from shop.repositories.database import connect
from shop.repositories.orders import OrderRepository
from shop.repositories.outbox import Outbox
from shop.repositories.products import ProductRepository
from shop.services.catalog import Catalog
from shop.services.checkout import Checkout


def routes(connection: sqlite3.Connection, flags: Flags) -> Router:
    """Everything that the shop serves, over one connection."""
    products = ProductRepository(connection)
    shelf = ProductHandlers(Catalog(products))
    till = OrderHandlers(Checkout(products, OrderRepository(connection), Outbox(connection), flags))
    router = Router()
    router.add("GET", "/products", shelf.index)
    router.add("GET", "/products/{sku}", shelf.show)
    router.add("POST", "/orders", till.create)
    router.add("POST", "/orders/{number}/cancel", till.cancel)
    router.add("GET", "/healthz", lambda request: Response(200, {"status": "ok"}))
    return router


def answer(connection: sqlite3.Connection, flags: Flags, request: Request) -> Response:
    """Answer one request in one transaction: a problem leaves nothing behind."""
    found = routes(connection, flags).find(request)
    if found is None:
        return not_found(request.path)
    handler, arguments = found
    try:
        with connection:
            return handler(request, **arguments)
    except ShopError as error:
        return problem(error)


class Application:
    """The shop as WSGI."""

    def __init__(self, database: Path, flags: Flags) -> None:
        self._database = database
        self._flags = flags

    def __call__(
        self, environ: dict[str, Any], start_response: Callable[..., Any]
    ) -> Iterable[bytes]:
        length = min(int(environ.get("CONTENT_LENGTH") or 0), LARGEST_BODY)
        request = Request(
            method=environ["REQUEST_METHOD"],
            path=environ["PATH_INFO"],
            query=dict(parse_qsl(environ.get("QUERY_STRING", ""))),
            body=environ["wsgi.input"].read(length) if length else b"",
        )
        with closing(connect(self._database)) as connection:
            response = answer(connection, self._flags, request)
        phrase = HTTPStatus(response.status).phrase
        start_response(
            f"{response.status} {phrase}",
            [
                ("Content-Type", response.content_type),
                ("Content-Length", str(len(response.body))),
            ],
        )
        return [response.body]


def serve(database: Path, port: int) -> None:
    """Serve the shop on this machine until somebody presses Ctrl-C."""
    application = Application(database, Flags.from_environment())
    with make_server("127.0.0.1", port, application) as server:
        print(f"Kiln & Clay is open at http://127.0.0.1:{port}/products", flush=True)
        server.serve_forever()
