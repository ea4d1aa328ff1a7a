"""An order as it comes in, and as it is shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from shop.domain.errors import InvalidRequest
from shop.domain.order import Order

MOST_PIECES = 20


@dataclass(frozen=True)
class OrderRequest:
    """A customer's wish, checked: every problem is told at once."""

    customer: str
    items: dict[str, int]

    @classmethod
    def from_json(cls, body: Any) -> OrderRequest:
        """Check what was sent and make a request of it, or raise `InvalidRequest`."""
        if not isinstance(body, dict):
            raise InvalidRequest({"body": "must be a JSON object"})
        problems: dict[str, str] = {}
        customer = body.get("customer")
        if not isinstance(customer, str) or "@" not in customer:
            problems["customer"] = "must be an e-mail address"
        items = body.get("items")
        if not isinstance(items, dict) or not items:
            problems["items"] = "must map at least one sku to a quantity"
        else:
            problems.update(_quantity_problems(items))
        if problems:
            raise InvalidRequest(problems)
        return cls(customer=str(customer), items=dict(items))


def _quantity_problems(items: dict[str, Any]) -> dict[str, str]:
    return {
        f"items.{sku}": f"must be a whole number from 1 to {MOST_PIECES}"
        for sku, quantity in items.items()
        if not isinstance(quantity, int)
        or isinstance(quantity, bool)
        or not 1 <= quantity <= MOST_PIECES
    }


@dataclass(frozen=True)
class OrderView:
    """An order for the customer and for the people who pack it."""

    number: int
    customer: str
    status: str
    placed_on: str
    total_cents: int
    lines: tuple[dict[str, object], ...]

    @classmethod
    def of(cls, order: Order) -> OrderView:
        """Show an order."""
        return cls(
            number=order.number,
            customer=order.customer,
            status=order.status,
            placed_on=order.placed_on,
            total_cents=order.total.cents,
            lines=tuple(
                {"sku": line.sku, "quantity": line.quantity, "total_cents": line.total.cents}
                for line in order.lines
            ),
        )

    def to_json(self) -> dict[str, object]:
        """Plain JSON."""
        return {
            "number": self.number,
            "customer": self.customer,
            "status": self.status,
            "placed_on": self.placed_on,
            "total_cents": self.total_cents,
            "lines": list(self.lines),
        }
