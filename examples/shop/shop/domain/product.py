"""A product on the shelf."""

from __future__ import annotations

from dataclasses import dataclass

from shop.domain.money import Money


@dataclass(frozen=True)
class Product:
    """Something to buy; `stock` counts the pieces that nobody has ordered yet."""

    sku: str
    name: str
    description: str
    price: Money
    stock: int
