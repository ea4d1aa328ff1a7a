"""Numbers for the people who run the shop."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from shop.domain.money import ZERO, Money
from shop.repositories.orders import OrderRepository

EARNED = ("paid", "shipped")


@dataclass(frozen=True)
class Day:
    """One day's takings."""

    date: str
    orders: int
    revenue: Money


class Reports:
    """Revenue and bestsellers; an order counts once it is paid."""

    def __init__(self, orders: OrderRepository) -> None:
        self._orders = orders

    def revenue(self, first: str, last: str) -> list[Day]:
        """The takings of each day that had any."""
        days: dict[str, Day] = {}
        for order in self._orders.between(first, last):
            if order.status in EARNED:
                day = days.get(order.placed_on, Day(order.placed_on, 0, ZERO))
                days[day.date] = Day(day.date, day.orders + 1, day.revenue + order.total)
        return [days[date] for date in sorted(days)]

    def bestsellers(self, first: str, last: str, limit: int = 5) -> list[tuple[str, int]]:
        """The products that sold most pieces, the first one first."""
        sold: Counter[str] = Counter()
        for order in self._orders.between(first, last):
            if order.status in EARNED:
                sold.update({line.sku: line.quantity for line in order.lines})
        return sorted(sold.items(), key=lambda item: (-item[1], item[0]))[:limit]
