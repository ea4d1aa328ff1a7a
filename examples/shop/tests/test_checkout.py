"""Placing orders and taking them through their states."""

from __future__ import annotations

import unittest

from shop.domain.errors import IllegalTransition, OutOfStock, ProductNotFound
from shop.domain.money import Money
from shop.flags import Flags
from shop.repositories.database import create
from shop.repositories.orders import OrderRepository
from shop.repositories.outbox import Outbox
from shop.repositories.products import ProductRepository
from shop.services.checkout import Checkout


class CheckoutTest(unittest.TestCase):
    def setUp(self) -> None:
        self.connection = create(":memory:")
        self.addCleanup(self.connection.close)
        self.products = ProductRepository(self.connection)
        self.outbox = Outbox(self.connection)

    def checkout(self, *flags: str) -> Checkout:
        orders = OrderRepository(self.connection)
        return Checkout(self.products, orders, self.outbox, Flags(flags))

    def test_an_order_takes_the_goods_off_the_shelf(self) -> None:
        order = self.checkout().place("eve@example.com", {"mug-ash": 2}, "2025-03-07")
        self.assertEqual(order.number, 1007)
        self.assertEqual(order.total, Money(4800))
        self.assertEqual(self.products.get("mug-ash").stock, 12)

    def test_an_order_leaves_a_message_in_the_outbox(self) -> None:
        order = self.checkout().place("eve@example.com", {"mug-ash": 1}, "2025-03-07")
        topic, payload = self.outbox.waiting()[-1]
        self.assertEqual((topic, payload["number"]), ("order-placed", order.number))

    def test_more_than_there_is_cannot_be_ordered(self) -> None:
        with self.assertRaisesRegex(OutOfStock, "Only 3 of 'mug-ink' left, 4 wanted."):
            self.checkout().place("eve@example.com", {"mug-ink": 4}, "2025-03-07")

    def test_what_nobody_sells_cannot_be_ordered(self) -> None:
        with self.assertRaises(ProductNotFound):
            self.checkout().place("eve@example.com", {"spoon": 1}, "2025-03-07")

    def test_six_pieces_are_cheaper_only_behind_the_flag(self) -> None:
        wish = {"dish-salt": 6}
        full = self.checkout().place("eve@example.com", wish, "2025-03-07")
        less = self.checkout("bulk-discount").place("eve@example.com", wish, "2025-03-07")
        self.assertEqual((full.total, less.total), (Money(7200), Money(6480)))

    def test_cancelling_puts_the_goods_back(self) -> None:
        checkout = self.checkout()
        order = checkout.place("eve@example.com", {"bowl-rain": 3}, "2025-03-07")
        checkout.advance(order.number, "cancelled")
        self.assertEqual(self.products.get("bowl-rain").stock, 22)

    def test_a_shipped_order_cannot_be_cancelled(self) -> None:
        with self.assertRaisesRegex(IllegalTransition, "shipped and cannot become cancelled"):
            self.checkout().advance(1001, "cancelled")


class FlagsTest(unittest.TestCase):
    def test_a_flag_that_nobody_declared_is_a_mistake(self) -> None:
        with self.assertRaisesRegex(KeyError, "no flag 'bulk_discount'"):
            Flags().on("bulk_discount")
