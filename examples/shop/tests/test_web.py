"""The shop over HTTP, from the outside."""

from __future__ import annotations

import json
import tempfile
import threading
import unittest
import urllib.error
import urllib.request
from pathlib import Path
from wsgiref.simple_server import WSGIRequestHandler, make_server

from shop.app import Application
from shop.flags import Flags
from shop.repositories.database import create


class Quiet(WSGIRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


class WebTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        database = Path(folder.name) / "shop.db"
        create(database).close()
        server = make_server("127.0.0.1", 0, Application(database, Flags()), handler_class=Quiet)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        self.addCleanup(server.server_close)
        self.addCleanup(thread.join)
        self.addCleanup(server.shutdown)
        self.address = f"http://127.0.0.1:{server.server_port}"

    def ask(self, path: str, body: object = None) -> tuple[int, dict]:
        data = None if body is None else json.dumps(body).encode()
        try:
            with urllib.request.urlopen(self.address + path, data) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.load(error)

    def test_products_can_be_searched(self) -> None:
        status, answer = self.ask("/products?q=glaze")
        self.assertEqual(status, 200)
        self.assertEqual([each["sku"] for each in answer["products"]], ["mug-ash", "mug-ink"])

    def test_an_order_can_be_placed_and_cancelled(self) -> None:
        wish = {"customer": "eve@example.com", "items": {"mug-ink": 3}}
        status, order = self.ask("/orders", wish)
        self.assertEqual((status, order["total_cents"]), (201, 7200))
        self.assertEqual(self.ask("/products/mug-ink")[1]["availability"], "sold out")
        status, order = self.ask(f"/orders/{order['number']}/cancel", {})
        self.assertEqual((status, order["status"]), (200, "cancelled"))

    def test_a_failed_order_leaves_nothing_behind(self) -> None:
        wish = {"customer": "eve@example.com", "items": {"mug-ash": 1, "vase-smoke": 1}}
        status, problem = self.ask("/orders", wish)
        self.assertEqual((status, problem["type"]), (409, "out-of-stock"))
        self.assertEqual(self.ask("/products/mug-ash")[1]["availability"], "in stock")

    def test_every_problem_of_a_wish_is_told_at_once(self) -> None:
        status, problem = self.ask("/orders", {"customer": "eve", "items": {"mug-ash": 0}})
        self.assertEqual(status, 422)
        self.assertEqual(set(problem["fields"]), {"customer", "items.mug-ash"})

    def test_an_unknown_product_is_a_problem_object(self) -> None:
        self.assertEqual(self.ask("/products/spoon")[1]["type"], "product-not-found")
        self.assertEqual(self.ask("/teapots")[1]["type"], "no-such-route")
