"""Errors as problem objects, for every route alike. See ADR 0013."""

from __future__ import annotations

from shop.domain.errors import (
    IllegalTransition,
    InvalidRequest,
    OrderNotFound,
    OutOfStock,
    ProductNotFound,
    ShopError,
)
from shop.handlers.http import Response

STATUS: dict[type[ShopError], int] = {
    ProductNotFound: 404,
    OrderNotFound: 404,
    InvalidRequest: 422,
    OutOfStock: 409,
    IllegalTransition: 409,
}


def problem(error: ShopError) -> Response:
    """Tell a client what went wrong."""
    status = STATUS.get(type(error), 400)
    value: dict[str, object] = {"type": error.slug, "status": status, "detail": str(error)}
    if isinstance(error, InvalidRequest):
        value["fields"] = error.fields
    return Response(status, value, "application/problem+json")


def not_found(path: str) -> Response:
    """Nothing is served at that path."""
    value = {"type": "no-such-route", "status": 404, "detail": f"Nothing is served at {path}."}
    return Response(404, value, "application/problem+json")
