"""`/orders`."""

from __future__ import annotations

import datetime

from shop.domain.errors import InvalidRequest
from shop.dto.orders import OrderRequest, OrderView
from shop.handlers.http import Request, Response
from shop.services.checkout import Checkout


class OrderHandlers:
    """Buy something, and follow it."""

    def __init__(self, checkout: Checkout) -> None:
        self._checkout = checkout

    def create(self, request: Request) -> Response:
        """`POST /orders`."""
        wish = OrderRequest.from_json(request.json())
        today = datetime.date.today().isoformat()
        order = self._checkout.place(wish.customer, wish.items, today)
        return Response(201, OrderView.of(order).to_json())

    def cancel(self, request: Request, number: str) -> Response:
        """`POST /orders/{number}/cancel`."""
        order = self._checkout.advance(_number(number), "cancelled")
        return Response(200, OrderView.of(order).to_json())


def _number(text: str) -> int:
    if not text.isdecimal():
        raise InvalidRequest({"number": "must be a whole number"})
    return int(text)
