"""Products, in and out of the database."""

from __future__ import annotations

import sqlite3

from shop.domain.errors import OutOfStock, ProductNotFound
from shop.domain.money import Money
from shop.domain.product import Product


class ProductRepository:
    """All that anybody may ask the product table."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def all(self) -> list[Product]:
        """Every product, by name."""
        rows = self._connection.execute("SELECT * FROM product ORDER BY name")
        return [_product(row) for row in rows]

    def get(self, sku: str) -> Product:
        """The product of that sku, or `ProductNotFound`."""
        row = self._connection.execute("SELECT * FROM product WHERE sku = ?", (sku,)).fetchone()
        if row is None:
            raise ProductNotFound(sku)
        return _product(row)

    def search(self, words: str) -> list[Product]:
        """The products whose name or description contains `words`."""
        like = f"%{words}%"
        rows = self._connection.execute(
            "SELECT * FROM product WHERE name LIKE ? OR description LIKE ? ORDER BY name",
            (like, like),
        )
        return [_product(row) for row in rows]

    def below(self, stock: int) -> list[Product]:
        """The products of which fewer than `stock` pieces are left, scarcest first."""
        rows = self._connection.execute(
            "SELECT * FROM product WHERE stock < ? ORDER BY stock, name", (stock,)
        )
        return [_product(row) for row in rows]

    def take(self, sku: str, quantity: int) -> None:
        """Take pieces off the shelf, in one statement so that two customers cannot share one."""
        taken = self._connection.execute(
            "UPDATE product SET stock = stock - ? WHERE sku = ? AND stock >= ?",
            (quantity, sku, quantity),
        )
        if taken.rowcount == 0:
            raise OutOfStock(sku, quantity, self.get(sku).stock)

    def put_back(self, sku: str, quantity: int) -> None:
        """Put pieces back on the shelf."""
        self._connection.execute(
            "UPDATE product SET stock = stock + ? WHERE sku = ?", (quantity, sku)
        )

    def set_stock(self, sku: str, stock: int) -> None:
        """Set the number of pieces after somebody has counted them."""
        changed = self._connection.execute(
            "UPDATE product SET stock = ? WHERE sku = ?", (stock, sku)
        )
        if changed.rowcount == 0:
            raise ProductNotFound(sku)


def _product(row: sqlite3.Row) -> Product:
    return Product(
        sku=row["sku"],
        name=row["name"],
        description=row["description"],
        price=Money(row["price_cents"]),
        stock=row["stock"],
    )
