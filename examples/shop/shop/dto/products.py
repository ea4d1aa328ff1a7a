"""A product as the outside sees it."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from shop.domain.product import Product


@dataclass(frozen=True)
class ProductView:
    """The public face of a product: how many are left stays our secret above ten."""

    sku: str
    name: str
    description: str
    price_cents: int
    availability: str

    @classmethod
    def of(cls, product: Product) -> ProductView:
        """Show a product."""
        return cls(
            sku=product.sku,
            name=product.name,
            description=product.description,
            price_cents=product.price.cents,
            availability=availability(product.stock),
        )

    def to_json(self) -> dict[str, object]:
        """Plain JSON."""
        return asdict(self)


def availability(stock: int) -> str:
    """In stock, the last few, or sold out."""
    if stock <= 0:
        return "sold out"
    return f"only {stock} left" if stock <= 10 else "in stock"
