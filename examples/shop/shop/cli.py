"""The management command: what the people behind the counter type.

python3 -m shop init                          make var/shop.db with sample goods
python3 -m shop serve --port 8080             open the shop
python3 -m shop orders list --status paid     what has to be packed today
python3 -m shop orders advance 1003 shipped   it is on its way
python3 -m shop stock list --below 5          what has to be made
python3 -m shop stock count mug-ink 12        somebody has counted
python3 -m shop report revenue --from 2025-03-01 --to 2025-03-31
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import sys
from collections.abc import Sequence
from contextlib import closing

from shop.domain.errors import ShopError
from shop.domain.order import STATUSES
from shop.dto.orders import OrderView
from shop.flags import Flags
from shop.repositories import database
from shop.repositories.orders import OrderRepository
from shop.repositories.outbox import Outbox
from shop.repositories.products import ProductRepository
from shop.services.checkout import Checkout
from shop.services.reports import Reports
from shop.services.stock import Stock

Rows = list[dict[str, object]]


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; 0 is well, 1 is a problem that is told, 2 is wrong usage."""
    args = _parser().parse_args(argv)
    if args.command == "init":
        return _init()
    if args.command == "serve":
        from shop.app import serve

        serve(database.path(), args.port)
        return 0
    try:
        with closing(_connection(writes=args.writes)) as connection, connection:
            rows = args.run(connection, args)
    except ShopError as error:
        print(f"shop: {error}", file=sys.stderr)
        return 1
    print(_text(rows, args.format))
    return 0


def _init() -> int:
    where = database.path()
    if where.exists():
        print(f"shop: {where} is there already", file=sys.stderr)
        return 1
    where.parent.mkdir(parents=True, exist_ok=True)
    database.create(where).close()
    print(f"made {where}")
    return 0


def _connection(*, writes: bool) -> sqlite3.Connection:
    """The shop's database; without one, looking is answered from the sample goods."""
    where = database.path()
    if where.exists():
        return database.connect(where)
    if writes:
        raise ShopError("there is no database yet; make one with: python3 -m shop init")
    print("(no database yet: showing the sample goods)", file=sys.stderr)
    return database.create(":memory:")


def _orders_list(connection: sqlite3.Connection, args: argparse.Namespace) -> Rows:
    orders = OrderRepository(connection).all(args.status, args.limit)
    return [
        {
            "number": order.number,
            "customer": order.customer,
            "status": order.status,
            "placed": order.placed_on,
            "total": str(order.total),
        }
        for order in orders
    ]


def _orders_show(connection: sqlite3.Connection, args: argparse.Namespace) -> Rows:
    return [OrderView.of(OrderRepository(connection).get(args.number)).to_json()]


def _orders_advance(connection: sqlite3.Connection, args: argparse.Namespace) -> Rows:
    checkout = Checkout(
        ProductRepository(connection),
        OrderRepository(connection),
        Outbox(connection),
        Flags.from_environment(),
    )
    order = checkout.advance(args.number, args.status)
    return [{"number": order.number, "status": order.status}]


def _stock_list(connection: sqlite3.Connection, args: argparse.Namespace) -> Rows:
    levels = Stock(ProductRepository(connection)).levels(args.below)
    return [{"sku": each.sku, "name": each.name, "stock": each.stock} for each in levels]


def _stock_count(connection: sqlite3.Connection, args: argparse.Namespace) -> Rows:
    product = Stock(ProductRepository(connection)).count(args.sku, args.pieces)
    return [{"sku": product.sku, "stock": product.stock}]


def _report_revenue(connection: sqlite3.Connection, args: argparse.Namespace) -> Rows:
    days = Reports(OrderRepository(connection)).revenue(args.first, args.last)
    return [{"date": day.date, "orders": day.orders, "revenue": str(day.revenue)} for day in days]


def _report_bestsellers(connection: sqlite3.Connection, args: argparse.Namespace) -> Rows:
    sold = Reports(OrderRepository(connection)).bestsellers(args.first, args.last, args.limit)
    return [{"sku": sku, "pieces": pieces} for sku, pieces in sold]


def _text(rows: Rows, form: str) -> str:
    if form == "json":
        return json.dumps(rows, indent=2, ensure_ascii=False)
    if not rows:
        return "nothing"
    if form == "csv":
        return "\n".join(
            ",".join(map(str, line)) for line in [rows[0], *(r.values() for r in rows)]
        )
    widths = {key: max(len(key), *(len(str(row[key])) for row in rows)) for key in rows[0]}
    lines = ["  ".join(key.ljust(width) for key, width in widths.items())]
    lines += ["  ".join(str(row[key]).ljust(w) for key, w in widths.items()) for row in rows]
    return "\n".join(line.rstrip() for line in lines)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="shop", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("init", help="make the database with sample goods")
    serve = commands.add_parser("serve", help="open the shop on this machine")
    serve.add_argument("--port", type=int, default=8080)

    orders = commands.add_parser("orders", help="list, show, advance").add_subparsers(required=True)
    command = _command(orders, "list", _orders_list, "the latest orders")
    command.add_argument("--status", choices=STATUSES)
    command.add_argument("--limit", type=int, default=20)
    command = _command(orders, "show", _orders_show, "one order with its lines")
    command.add_argument("number", type=int)
    command = _command(orders, "advance", _orders_advance, "move an order on", writes=True)
    command.add_argument("number", type=int)
    command.add_argument("status", choices=STATUSES[1:])

    stock = commands.add_parser("stock", help="list, count").add_subparsers(required=True)
    command = _command(stock, "list", _stock_list, "what is on the shelf")
    command.add_argument("--below", type=int, help="only products with fewer pieces")
    command = _command(stock, "count", _stock_count, "set what somebody counted", writes=True)
    command.add_argument("sku")
    command.add_argument("pieces", type=int)

    report = commands.add_parser("report", help="revenue, bestsellers").add_subparsers(
        required=True
    )
    for name, run, text in (
        ("revenue", _report_revenue, "the takings of each day"),
        ("bestsellers", _report_bestsellers, "what sold most pieces"),
    ):
        command = _command(report, name, run, text)
        command.add_argument("--from", dest="first", default="0000-01-01", metavar="DAY")
        command.add_argument("--to", dest="last", default="9999-12-31", metavar="DAY")
        command.add_argument("--limit", type=int, default=5)
    return parser


def _command(group, name, run, text, writes=False):  # type: ignore[no-untyped-def]
    command = group.add_parser(name, help=text)
    command.add_argument("--format", choices=("text", "json", "csv"), default="text")
    command.set_defaults(run=run, writes=writes)
    return command
