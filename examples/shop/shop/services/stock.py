"""Count the shelf."""

from __future__ import annotations

from shop.domain.product import Product
from shop.repositories.products import ProductRepository


class Stock:
    """What is left, and what somebody has counted."""

    def __init__(self, products: ProductRepository) -> None:
        self._products = products

    def levels(self, below: int | None = None) -> list[Product]:
        """All products, or those of which fewer than `below` are left."""
        return self._products.all() if below is None else self._products.below(below)

    def count(self, sku: str, pieces: int) -> Product:
        """Believe the person who counted."""
        self._products.set_stock(sku, pieces)
        return self._products.get(sku)
