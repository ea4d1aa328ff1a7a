"""What can go wrong in the shop, in the shop's own words.

How an error looks to a web client is decided in `shop.handlers.problems` alone.
"""

from __future__ import annotations


class ShopError(Exception):
    """The base of all of them; `slug` names the kind and never changes."""

    slug = "shop-error"


class ProductNotFound(ShopError):
    """Nobody sells that here."""

    slug = "product-not-found"

    def __init__(self, sku: str) -> None:
        super().__init__(f"There is no product {sku!r}.")


class OrderNotFound(ShopError):
    """The number is not one of ours."""

    slug = "order-not-found"

    def __init__(self, number: int) -> None:
        super().__init__(f"There is no order {number}.")


class OutOfStock(ShopError):
    """Fewer pieces are left than were asked for."""

    slug = "out-of-stock"

    def __init__(self, sku: str, wanted: int, left: int) -> None:
        super().__init__(f"Only {left} of {sku!r} left, {wanted} wanted.")


class InvalidRequest(ShopError):
    """What was sent does not make an order; `fields` maps each bad field to its reason."""

    slug = "invalid-request"

    def __init__(self, fields: dict[str, str]) -> None:
        self.fields = fields
        super().__init__("; ".join(f"{name}: {reason}" for name, reason in fields.items()))


class IllegalTransition(ShopError):
    """An order cannot go that way."""

    slug = "illegal-transition"

    def __init__(self, number: int, status: str, wanted: str) -> None:
        super().__init__(f"Order {number} is {status} and cannot become {wanted}.")
