"""Place an order, and take it through its states."""

from __future__ import annotations

from shop.domain.order import Order, OrderLine
from shop.flags import Flags
from shop.repositories.orders import OrderRepository
from shop.repositories.outbox import Outbox
from shop.repositories.products import ProductRepository

BULK_PIECES = 6
BULK_PERCENT = 10


class Checkout:
    """From a wish to a parcel. The caller holds the transaction."""

    def __init__(
        self,
        products: ProductRepository,
        orders: OrderRepository,
        outbox: Outbox,
        flags: Flags,
    ) -> None:
        self._products = products
        self._orders = orders
        self._outbox = outbox
        self._flags = flags

    def place(self, customer: str, items: dict[str, int], today: str) -> Order:
        """Take the goods off the shelf and write the order down, or fail and do neither."""
        lines = []
        for sku, quantity in items.items():
            product = self._products.get(sku)
            self._products.take(sku, quantity)
            lines.append(OrderLine(sku, quantity, product.price))
        order = self._orders.add(customer, lines, today, self._discount(items))
        self._outbox.put("order-placed", number=order.number, customer=customer)
        return order

    def advance(self, number: int, status: str) -> Order:
        """Move an order on; cancelling it puts the goods back on the shelf."""
        order = self._orders.get(number).to(status)
        if status == "cancelled":
            for line in order.lines:
                self._products.put_back(line.sku, line.quantity)
        self._orders.save_status(order)
        self._outbox.put(f"order-{status}", number=number)
        return order

    def _discount(self, items: dict[str, int]) -> int:
        if not self._flags.on("bulk-discount"):
            return 0
        return BULK_PERCENT if sum(items.values()) >= BULK_PIECES else 0
