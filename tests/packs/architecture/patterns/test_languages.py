from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.growth import assert_grows_slowly
from toolcrib.packs.architecture.patterns.languages import (
    detect_language,
    find_language,
    language_names,
    language_of_path,
    spoken_as,
)

SAMPLES = {
    "python": [
        "class OrderRepository:\n    def get(self, number):\n        return self.rows[number]\n",
        "import os\n\nfor name in os.listdir('.'):\n    print(name)\n",
        "@app.get('/orders')\nasync def orders() -> list[Order]:\n    return await service.all()\n",
        "from shop.domain import Order\n\nORDERS = [Order(1)]\n",
        "try:\n    pay()\nexcept PaymentError as error:\n    raise Refused() from error\n",
    ],
    "typescript": [
        "export interface UserRepository {\n  findById(id: string): Promise<User | null>;\n}\n",
        "import { Injectable } from '@nestjs/common';\n\n@Injectable()\n"
        "export class OrderService {\n  constructor(private readonly orders: Orders) {}\n}\n",
        "type Result<T> = { ok: true; value: T } | { ok: false; error: Error };\n",
        "const total = (lines: Line[]): number => lines.reduce((a, b) => a + b.price, 0);",
    ],
    "javascript": [
        "const express = require('express');\nconst app = express();\n",
        "import { pool } from './db.js';\n\nexport async function find(id) {\n"
        "  return await pool.query(`select 1`);\n}\n",
        "function add(a, b) {\n  return a === b ? a : b;\n}\n",
    ],
    "tsx": [
        "export const Price = ({ cents }: { cents: number }) => {\n"
        "  return <span className='price'>{cents / 100}</span>;\n};\n",
    ],
    "go": [
        "package orders\n\nfunc (r *Repository) Find(id string) (*Order, error) {\n"
        "\treturn nil, nil\n}\n",
        "rows, err := db.Query(`SELECT 1`)\nif err != nil {\n\treturn err\n}\n",
        "type OrderRepository interface {\n\tFind(id string) (*Order, error)\n}\n",
    ],
    "java": [
        "package com.shop;\n\nimport java.util.List;\n\npublic class OrderController {\n"
        "    private final OrderService service;\n}\n",
        "public interface OrderRepository extends JpaRepository<Order, Long> {\n}\n",
        "@Override\npublic List<Order> findAll() throws SQLException {\n"
        "    return new ArrayList<>(orders);\n}\n",
    ],
    "csharp": [
        "using System;\n\nnamespace Shop\n{\n    public class Order\n    {\n"
        "        public int Id { get; set; }\n    }\n}\n",
    ],
    "rust": ["pub fn find(&self, id: u64) -> Result<Order, Error> {\n    Ok(Order::new(id))\n}\n"],
    "ruby": ["class Order < ApplicationRecord\n  def total\n    lines.sum(&:price)\n  end\nend\n"],
    "kotlin": ["data class Order(val id: Long)\n\nfun find(id: Long): Order? = null\n"],
    "php": ["<?php\nclass Order {\n  public function total() { return $this->total; }\n}\n"],
    "cpp": ["#include <vector>\n\nstd::vector<int> orders() {\n  return {};\n}\n"],
    "c": ["#include <stdio.h>\n\nint main(void) {\n  printf(\"hi\");\n  return 0;\n}\n"],
    "bash": ["#!/usr/bin/env bash\nset -e\nif [ -f x ]; then\n  echo \"${HOME}\"\nfi\n"],
    "swift": ["import Foundation\n\nfunc find(id: Int) throws -> Order? {\n  return nil\n}\n"],
    "json": ['{"orders": [{"id": 1}]}\n'],
    "hcl": ['resource "aws_s3_bucket" "orders" {\n  bucket = "orders"\n}\n'],
}  # fmt: skip


@pytest.mark.parametrize(
    ("language", "code"), [(name, code) for name, codes in SAMPLES.items() for code in codes]
)
def test_code_tells_its_language(language: str, code: str) -> None:
    """A-6: the language is detected when it is absent."""
    found = detect_language(code)
    assert found is not None
    assert found.name == language


@pytest.mark.parametrize("code", ["", "   \n\n", "x", "hello there, this is prose", "\x00\ufffd"])
def test_code_without_a_sign_has_no_language(code: str) -> None:
    """A-6: what cannot be told is not guessed."""
    assert detect_language(code) is None


def test_a_lone_expectation_decides_where_the_code_does_not() -> None:
    """A-6: a pattern for one language alone settles the doubt, never against clear signs."""
    python = frozenset({"python"})
    assert detect_language("connect()", python).name == "python"
    assert detect_language("connect()", frozenset({"python", "go"})) is None
    assert detect_language("package orders\n\nfunc Find() {}\n", python).name == "go"


def test_names_are_understood_as_people_write_them() -> None:
    assert find_language("Python").name == "python"
    assert find_language(" .py ").name == "python"
    assert find_language("C#").name == "csharp"
    assert find_language("TS").name == "typescript"
    assert find_language("golang").name == "go"
    assert find_language("klingon") is None
    assert {"python", "typescript", "go", "java"} <= set(language_names())


def test_a_path_tells_its_language_by_its_ending() -> None:
    assert language_of_path("shop/handlers/orders.py").name == "python"
    assert language_of_path("web/App.TSX").name == "tsx"
    assert language_of_path("Makefile") is None
    assert language_of_path("a.d/readme") is None


def test_the_javascript_family_shares_its_rules() -> None:
    assert spoken_as("tsx", "typescript") == "tsx"
    assert spoken_as("typescript", "javascript") == "typescript"
    assert spoken_as("javascript", "typescript") == "typescript"
    assert spoken_as("go", "go") == "go"
    assert spoken_as("go", "java") is None


@given(st.text(max_size=300))
def test_any_text_is_looked_at_without_an_error(code: str) -> None:
    detect_language(code)


@pytest.mark.parametrize("unit", ["\n", " ", "a ", "(", "def ", "\t\n", "end\n", "x: "])
def test_hostile_code_is_looked_at_in_no_time(unit: str) -> None:
    """A-6: no code can stall the server."""
    assert_grows_slowly(lambda size: detect_language((unit * size)[:size]), 10_000)
