"""The SQLite file, its tables, and a handful of goods to begin with."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

DEFAULT = Path(__file__).parents[2] / "var" / "shop.db"

SCHEMA = """
CREATE TABLE product (
    sku         TEXT PRIMARY KEY,
    name        TEXT NOT NULL,
    description TEXT NOT NULL,
    price_cents INTEGER NOT NULL CHECK (price_cents >= 0),
    stock       INTEGER NOT NULL CHECK (stock >= 0)
);
CREATE TABLE customer_order (
    number           INTEGER PRIMARY KEY,
    customer         TEXT NOT NULL,
    status           TEXT NOT NULL,
    placed_on        TEXT NOT NULL,
    discount_percent INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE order_line (
    order_number     INTEGER NOT NULL REFERENCES customer_order (number),
    sku              TEXT NOT NULL REFERENCES product (sku),
    quantity         INTEGER NOT NULL CHECK (quantity > 0),
    unit_price_cents INTEGER NOT NULL
);
CREATE TABLE outbox (
    id      INTEGER PRIMARY KEY,
    topic   TEXT NOT NULL,
    payload TEXT NOT NULL,
    sent    INTEGER NOT NULL DEFAULT 0
);
"""

PRODUCTS = [
    ("mug-ash", "Ash mug", "Wood-ash glaze, holds a proper coffee.", 2400, 14),
    ("mug-ink", "Ink mug", "Deep blue, unglazed foot.", 2400, 3),
    ("bowl-rain", "Rain bowl", "Thrown thin, speckled like a window in April.", 3800, 22),
    ("plate-moon", "Moon plate", "White slip, 26 cm across, never quite round.", 4200, 9),
    ("teapot-fern", "Fern teapot", "Pressed with ferns from behind the workshop.", 9600, 2),
    ("vase-smoke", "Smoke vase", "Pit-fired; no two are alike.", 7400, 0),
    ("dish-salt", "Salt dish", "Small, soda-fired, for the table.", 1200, 41),
]

ORDERS = [
    (1001, "ada@example.com", "shipped", "2025-03-03", 0, [("mug-ash", 2), ("dish-salt", 1)]),
    (1002, "grace@example.com", "shipped", "2025-03-03", 0, [("teapot-fern", 1)]),
    (1003, "edsger@example.com", "paid", "2025-03-04", 0, [("bowl-rain", 4)]),
    (1004, "barbara@example.com", "paid", "2025-03-05", 10, [("plate-moon", 6)]),
    (1005, "alan@example.com", "cancelled", "2025-03-05", 0, [("vase-smoke", 1)]),
    (1006, "margaret@example.com", "placed", "2025-03-06", 0, [("mug-ink", 2), ("bowl-rain", 1)]),
]


def path() -> Path:
    """Where the database is: `SHOP_DATABASE`, or `var/shop.db` in this repository."""
    return Path(os.environ.get("SHOP_DATABASE") or DEFAULT)


def connect(where: Path | str) -> sqlite3.Connection:
    """Open a database; its foreign keys are checked, which SQLite does not do by itself."""
    connection = sqlite3.connect(where)
    connection.row_factory = sqlite3.Row
    connection.execute("PRAGMA foreign_keys = ON")
    return connection


def create(where: Path | str) -> sqlite3.Connection:
    """Make a new database with a few goods and orders in it."""
    connection = connect(where)
    with connection:
        connection.executescript(SCHEMA)
        connection.executemany("INSERT INTO product VALUES (?, ?, ?, ?, ?)", PRODUCTS)
        prices = {sku: price for sku, _, _, price, _ in PRODUCTS}
        for *order, lines in ORDERS:
            connection.execute("INSERT INTO customer_order VALUES (?, ?, ?, ?, ?)", order)
            connection.executemany(
                "INSERT INTO order_line VALUES (?, ?, ?, ?)",
                [(order[0], sku, quantity, prices[sku]) for sku, quantity in lines],
            )
    return connection
