"""Look around in the shop."""

from __future__ import annotations

from shop.domain.product import Product
from shop.repositories.products import ProductRepository


class Catalog:
    """Browsing and searching."""

    def __init__(self, products: ProductRepository) -> None:
        self._products = products

    def browse(self, words: str = "") -> list[Product]:
        """Everything, or what contains the words."""
        return self._products.search(words) if words else self._products.all()

    def product(self, sku: str) -> Product:
        """One product."""
        return self._products.get(sku)
