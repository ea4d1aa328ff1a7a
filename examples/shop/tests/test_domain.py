"""Money and order totals."""

from __future__ import annotations

import unittest

from shop.domain.money import Money
from shop.domain.order import Order, OrderLine
from shop.dto.products import availability


class MoneyTest(unittest.TestCase):
    def test_money_is_whole_cents(self) -> None:
        with self.assertRaises(TypeError):
            Money(19.99)  # type: ignore[arg-type]

    def test_a_discount_is_rounded_in_favour_of_the_customer(self) -> None:
        self.assertEqual(Money(999).percent_off(10), Money(899))

    def test_money_reads_well(self) -> None:
        self.assertEqual(
            [str(Money(cents)) for cents in (5, 2400, -150)], ["€0.05", "€24.00", "-€1.50"]
        )


class OrderTest(unittest.TestCase):
    def test_the_total_is_the_sum_of_the_lines(self) -> None:
        lines = (OrderLine("a", 2, Money(500)), OrderLine("b", 1, Money(1)))
        self.assertEqual(Order(1, "a@b", lines, "2025-01-01").total, Money(1001))


class AvailabilityTest(unittest.TestCase):
    def test_how_many_are_left_is_told_only_when_they_are_few(self) -> None:
        self.assertEqual(
            [availability(stock) for stock in (0, 3, 11)], ["sold out", "only 3 left", "in stock"]
        )
