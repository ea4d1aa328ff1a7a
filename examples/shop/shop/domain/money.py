"""Money as whole cents: see ADR 0007 for the invoice that was off by one."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Money:
    """An amount in euro cents."""

    cents: int

    def __post_init__(self) -> None:
        if not isinstance(self.cents, int) or isinstance(self.cents, bool):
            raise TypeError(f"cents must be a whole number, not {self.cents!r}")

    def __add__(self, other: Money) -> Money:
        return Money(self.cents + other.cents)

    def __mul__(self, quantity: int) -> Money:
        return Money(self.cents * quantity)

    def percent_off(self, percent: int) -> Money:
        """The amount less `percent`, rounded in favour of the customer."""
        return Money(self.cents * (100 - percent) // 100)

    def __str__(self) -> str:
        sign = "-" if self.cents < 0 else ""
        euros, cents = divmod(abs(self.cents), 100)
        return f"{sign}€{euros}.{cents:02d}"


ZERO = Money(0)
