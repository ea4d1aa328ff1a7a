"""Orders, in and out of the database."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from shop.domain.errors import OrderNotFound
from shop.domain.money import Money
from shop.domain.order import Order, OrderLine


class OrderRepository:
    """All that anybody may ask the order tables."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def add(
        self,
        customer: str,
        lines: Iterable[OrderLine],
        placed_on: str,
        discount_percent: int = 0,
    ) -> Order:
        """Write a new order down and give it its number."""
        cursor = self._connection.execute(
            "INSERT INTO customer_order (customer, status, placed_on, discount_percent)"
            " VALUES (?, 'placed', ?, ?)",
            (customer, placed_on, discount_percent),
        )
        number = int(cursor.lastrowid or 0)
        self._connection.executemany(
            "INSERT INTO order_line VALUES (?, ?, ?, ?)",
            [(number, line.sku, line.quantity, line.unit_price.cents) for line in lines],
        )
        return self.get(number)

    def get(self, number: int) -> Order:
        """The order of that number, or `OrderNotFound`."""
        row = self._connection.execute(
            "SELECT * FROM customer_order WHERE number = ?", (number,)
        ).fetchone()
        if row is None:
            raise OrderNotFound(number)
        return self._order(row)

    def all(self, status: str | None = None, limit: int = 100) -> list[Order]:
        """The latest orders, of one status or of all."""
        rows = self._connection.execute(
            "SELECT * FROM customer_order WHERE ? IS NULL OR status = ?"
            " ORDER BY number DESC LIMIT ?",
            (status, status, limit),
        ).fetchall()
        return [self._order(row) for row in rows]

    def between(self, first: str, last: str) -> list[Order]:
        """The orders placed from `first` to `last`, both days included, oldest first."""
        rows = self._connection.execute(
            "SELECT * FROM customer_order WHERE placed_on BETWEEN ? AND ? ORDER BY number",
            (first, last),
        ).fetchall()
        return [self._order(row) for row in rows]

    def save_status(self, order: Order) -> None:
        """Write down where an order stands now."""
        self._connection.execute(
            "UPDATE customer_order SET status = ? WHERE number = ?", (order.status, order.number)
        )

    def _order(self, row: sqlite3.Row) -> Order:
        lines = self._connection.execute(
            "SELECT * FROM order_line WHERE order_number = ? ORDER BY rowid", (row["number"],)
        )
        return Order(
            number=row["number"],
            customer=row["customer"],
            lines=tuple(
                OrderLine(line["sku"], line["quantity"], Money(line["unit_price_cents"]))
                for line in lines
            ),
            placed_on=row["placed_on"],
            status=row["status"],
            discount_percent=row["discount_percent"],
        )
