"""Tools that need more than a command line, written against the shop's own services."""

from __future__ import annotations

from contextlib import closing
from typing import Any, Literal

from pydantic import Field
from shop.domain.errors import ShopError
from shop.dto.orders import OrderRequest
from shop.flags import Flags
from shop.repositories import database
from shop.repositories.orders import OrderRepository
from shop.repositories.outbox import Outbox
from shop.repositories.products import ProductRepository
from shop.services.checkout import Checkout
from shop.services.stock import Stock

from toolcrib import Result, ToolArguments


class QuoteArguments(ToolArguments):
    """What somebody would like to buy."""

    items: dict[str, int] = Field(
        description="Each sku with the number of pieces, such as {'mug-ash': 2}", min_length=1
    )
    flags: list[str] = Field(
        default_factory=list, description="Feature flags of the shop to be taken as on"
    )


@ToolArguments.declare
def shop_quote(args: QuoteArguments) -> Result[dict[str, Any]]:
    """Say what an order would cost today, without placing it.

    Use it to answer "how much is…" and to see what a feature flag would change.
    """
    with closing(_open()) as connection:
        try:
            wish = OrderRequest.from_json({"customer": "quote@example.com", "items": args.items})
            checkout = Checkout(
                ProductRepository(connection),
                OrderRepository(connection),
                Outbox(connection),
                Flags(args.flags),
            )
            order = checkout.place(wish.customer, wish.items, "today")
        except ShopError as error:
            return Result.failure(str(error), error.slug, instruction="Tell the customer so.")
        except KeyError as error:
            return Result.failure(str(error.args[0]), "unknown-flag")
        finally:
            # A quote is an order that nobody placed.
            connection.rollback()
    lines = {line.sku: str(line.total) for line in order.lines}
    return Result.ok(
        {
            "total": str(order.total),
            "lines": lines,
            "discount_percent": order.discount_percent,
        },
        message=f"That would be {order.total}.",
    )


class WriteOffArguments(ToolArguments):
    """What broke."""

    sku: str = Field(description="The product, such as teapot-fern")
    pieces: int = Field(description="How many pieces broke", ge=1, le=20)
    consent: Literal["WRITE_OFF"] = Field(
        description="The word WRITE_OFF, only when a person has said so in this conversation"
    )


@ToolArguments.declare
def shop_write_off(args: WriteOffArguments) -> Result[dict[str, int]]:
    """Take broken pieces off the shelf for good.

    REQUIRES EXPLICIT USER INSTRUCTION: the workshop pays for what is written off, and the books
    remember it.
    """
    if not database.path().exists():
        return Result.failure(
            "there is no database yet",
            "no-database",
            instruction="Ask the person to run: python3 -m shop init",
        )
    with closing(database.connect(database.path())) as connection, connection:
        products = ProductRepository(connection)
        try:
            products.take(args.sku, args.pieces)
        except ShopError as error:
            return Result.failure(str(error), error.slug)
        left = {each.sku: each.stock for each in Stock(products).levels()}[args.sku]
    return Result.ok({"left": left}, message=f"{left} of {args.sku} left.")


def _open():  # type: ignore[no-untyped-def]
    where = database.path()
    return database.connect(where) if where.exists() else database.create(":memory:")
