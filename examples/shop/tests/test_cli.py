"""The management command."""

from __future__ import annotations

import contextlib
import io
import json
import os
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from shop.cli import main


class CommandTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        database = str(Path(folder.name) / "var" / "shop.db")
        patch = mock.patch.dict(os.environ, {"SHOP_DATABASE": database})
        patch.start()
        self.addCleanup(patch.stop)

    def run_shop(self, *words: str) -> tuple[int, str]:
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            code = main(words)
        return code, out.getvalue()

    def test_looking_works_before_there_is_a_database(self) -> None:
        code, text = self.run_shop("stock", "list", "--below", "1")
        self.assertEqual(code, 0)
        self.assertIn("showing the sample goods", text)
        self.assertIn("vase-smoke", text)

    def test_writing_asks_for_a_database_first(self) -> None:
        code, text = self.run_shop("stock", "count", "mug-ink", "9")
        self.assertEqual(code, 1)
        self.assertIn("python3 -m shop init", text)

    def test_a_count_is_kept(self) -> None:
        self.assertEqual(self.run_shop("init")[0], 0)
        self.assertEqual(self.run_shop("stock", "count", "mug-ink", "9")[0], 0)
        _, text = self.run_shop("stock", "list", "--format", "json")
        self.assertEqual({row["sku"]: row["stock"] for row in json.loads(text)}["mug-ink"], 9)

    def test_revenue_counts_what_is_paid(self) -> None:
        self.run_shop("init")
        code, text = self.run_shop("report", "revenue", "--from", "2025-03-05", "--format", "csv")
        self.assertEqual((code, text), (0, "date,orders,revenue\n2025-03-05,1,€226.80\n"))

    def test_an_order_that_is_not_ours_is_told(self) -> None:
        self.run_shop("init")
        self.assertEqual(self.run_shop("orders", "show", "7"), (1, "shop: There is no order 7.\n"))
