"""An order, its lines, and the states that it goes through."""

from __future__ import annotations

from dataclasses import dataclass, replace

from shop.domain.errors import IllegalTransition
from shop.domain.money import ZERO, Money

# placed ──▶ paid ──▶ shipped
#    └────────┴─────▶ cancelled
TRANSITIONS = {
    "placed": ("paid", "cancelled"),
    "paid": ("shipped", "cancelled"),
    "shipped": (),
    "cancelled": (),
}
STATUSES = tuple(TRANSITIONS)


@dataclass(frozen=True)
class OrderLine:
    """So many pieces of one product, at the price of the day."""

    sku: str
    quantity: int
    unit_price: Money

    @property
    def total(self) -> Money:
        """Price times quantity."""
        return self.unit_price * self.quantity


@dataclass(frozen=True)
class Order:
    """What one customer wants; `discount_percent` is fixed when the order is placed."""

    number: int
    customer: str
    lines: tuple[OrderLine, ...]
    placed_on: str
    status: str = "placed"
    discount_percent: int = 0

    @property
    def total(self) -> Money:
        """What the customer pays."""
        return sum((line.total for line in self.lines), ZERO).percent_off(self.discount_percent)

    def to(self, status: str) -> Order:
        """The same order one step further; a step that is not drawn above is refused."""
        if status not in TRANSITIONS[self.status]:
            raise IllegalTransition(self.number, self.status, status)
        return replace(self, status=status)
