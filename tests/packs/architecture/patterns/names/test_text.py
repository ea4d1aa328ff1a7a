from __future__ import annotations

import pytest

from toolcrib.packs.architecture.patterns.names.text import NamesInText
from toolcrib.packs.architecture.patterns.sourcecode import without_comments, without_strings


def position(role: str, name: str, code: str, language: str, *, loosely: bool) -> int | None:
    bare = without_comments(code, language)
    names = NamesInText(bare, without_strings(bare, language), language)
    return names.position(role, tuple(name.split(".")), loosely)


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("typescript", "const o = {\n  getById: function (id) { return id },\n};"),
        ("typescript", "class R { private getById = async (id: string) => 1 }"),
        ("typescript", "export default async function getById(id: string) { return id }"),
        ("go", "package r\n\ntype Repo interface {\n\tGetByID(id string) (Order, error)\n}\n"),
        ("java", "interface R { Optional<List<Order>> getById(String id); }"),
        ("java", "class R { @Override public <T> T getById(String id) throws X { } }"),
        ("csharp", "class R { public async Task<Order> GetById(int id) => await x; }"),
        ("ruby", "class R\n  def self.get_by_id(id)\n  end\nend\n"),
        ("c", "struct order *get_by_id(int id)\n{\n  return 0;\n}\n"),
        ("cpp", "Order Repo::getById(int id) const { return x; }\n"),
        ("bash", "get_by_id() {\n  echo 1\n}\n"),
        ("lua", "function M.get_by_id(x) end"),
        ("lua", "function M:get_by_id(x)\nend\n"),
        ("kotlin", "fun <T> Store.getById(id: String): T = load(id)"),
        ("haskell", "getById :: Int -> Item\n"),
        ("haskell", "getById x = foo x\n"),
        ("php", "<?php class A { public static function getById($x) {} }"),
        ("zig", "pub fn getById(id: u32) !Item {}\n"),
        ("c", "struct order *get_by_id(int id);\nint get_by_id(int);\n"),
    ],
)
def test_a_definition_is_seen_in_many_languages(language: str, code: str) -> None:
    """A-6: words that ask for a definition are met by one, in any style of naming."""
    assert position("definition", "get_by_id", code, language, loosely=True) is not None


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("typescript", "void getById(3);"),
        ("typescript", "f({\n  x: 1,\n}, getById = 3)"),
        ("typescript", "repo.getById = 3;"),
        ("javascript", "function f(\n  getById = 3,\n) {}"),
        ("javascript", "if (a) x(); else getById(3);"),
        ("go", "package r\n\nfunc f() {\n\tgo GetByID(4)\n\tdefer GetByID(3)\n}\n"),
        ("rust", "fn main() { match get_by_id(3) { _ => {} } }"),
        ("rust", "fn main() { for x in get_by_id(3) { } }"),
        ("java", "class R { void f() { throw getById(3); } }"),
        ("php", "<?php $x = $this->getById(3); echo getById(3);"),
        ("ruby", "puts get_by_id(4)\n"),
        ("c", "int main(void) { return a * get_by_id(2); }\n"),
        ("typescript", "import { getById } from './x';"),
        ("typescript", "export default getById(id);"),
        ("javascript", "getById(1)\n{ x() }"),
        ("swift", "func f() throws {\n    try getById(id)\n}\n"),
        ("swift", "func f() { getById(1) { x in x } }"),
        ("zig", "fn f() !void {\n    try getById(id);\n    errdefer getById(id);\n}\n"),
        ("kotlin", "val x by getById(id)\n"),
        ("kotlin", "fun f() {\n  getById(id) { it.x }\n}\n"),
        ("ruby", "def f\n  render get_by_id(id)\n  log.info get_by_id(id)\nend\n"),
        ("ruby", "get_by_id(id) { |x| x }\n"),
        ("rust", "fn f() { loop { break get_by_id(id); } }"),
        ("cpp", "int f() { co_await get_by_id(id); }"),
        ("cpp", "int f() { if (a) { Order get_by_id(id); } }"),
        ("php", "<?php function f() { clone getById($x); }"),
        ("solidity", "contract A { function f() public { emit getById(id); } }"),
        ("dart", "Widget f() { return const GetById(id); }"),
        ("haskell", "f x = getById x\nmain = do\n  y <- getById 1\n"),
    ],
)
def test_a_call_or_an_argument_defines_nothing(language: str, code: str) -> None:
    """A-6: words that ask for a definition are not met by a call."""
    assert position("definition", "get_by_id", code, language, loosely=True) is None


@pytest.mark.parametrize(
    ("language", "code", "called"),
    [
        ("typescript", "const s = `a ${print(1)} b`;", True),
        ("typescript", "const s = `print(1)`;", False),
        ("typescript", "obj?.print(1);", False),
        ("java", "class A { void f() { System.out.print(1); } }", False),
        ("java", "class A { void print(int x) { } }", False),
        ("java", "class A { int f() { return print(1); } }", True),
        ("rust", "fn f() { X::print(2); }", False),
        ("lua", "obj:print(1)\n", False),
        ("bash", "ls | print 1\n", True),
        ("ruby", "print 1\n", True),
        ("ruby", "x.print 1\n", False),
        ("ruby", "log.info print(1)\n", True),
        ("ruby", "print(1) { |x| x }\n", True),
        ("swift", "func f() {\n  try print(1)\n}\n", True),
        ("kotlin", "fun f() { print(1) { it } }", True),
        ("javascript", "f(...print(1)); [...print(2)]", True),
        ("javascript", "export default print(1);", True),
        ("javascript", "return builder.\n  print();", False),
        ("javascript", "return builder\n  .print();", False),
        ("php", "<?php print 'x';", True),
        ("php", "<?php $x->print();", False),
        ("lua", "print 'x'\n", True),
    ],
)
def test_a_call_is_that_of_the_name_itself(language: str, code: str, called: bool) -> None:
    """A-6: words that forbid a call are not broken by another object's method of that name."""
    assert (position("call", "print", code, language, loosely=False) is not None) is called


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("javascript", "const r = require('requests');"),
        ("typescript", "import { get } from 'requests';"),
        ("typescript", "import {\n  get,\n} from 'requests';"),
        ("go", 'package a\n\nimport (\n\t"fmt"\n\t"requests"\n)\n'),
        ("java", "import requests.Foo;\nclass A {}"),
        ("rust", "use requests::get;\n"),
    ],
)
def test_an_import_is_seen_by_the_name_of_its_module(language: str, code: str) -> None:
    """A-6: words that forbid an import are broken by one."""
    assert position("import", "requests", code, language, loosely=False) is not None
    assert position("any", "requests", code, language, loosely=False) is not None


def test_a_variable_is_no_import() -> None:
    code = "const requests = [];\nfor (const r of requests) f(r);\n"
    assert position("import", "requests", code, "javascript", loosely=False) is None


@pytest.mark.parametrize(
    ("language", "code"),
    [("ruby", "def h\n  db.commit\nend\n"), ("ruby", "@db&.commit\n"), ("scala", "db.commit\n")],
)
def test_a_method_is_called_without_parentheses_where_the_language_knows_that(
    language: str, code: str
) -> None:
    """A-6: a call that is asked for is met by the call of any object's method of that name."""
    assert position("call", "commit", code, language, loosely=True) is not None
    assert position("call", "commit", code, "java", loosely=True) is None


def test_what_a_string_says_of_an_import_imports_nothing() -> None:
    """A-6: words that forbid an import are broken by one, not by a text that speaks of it."""
    for code in ("const s = 'please import sqlite3';", "log(`import of sqlite3 failed`);"):
        assert position("import", "sqlite3", code, "typescript", loosely=False) is None
    for code in ("import s from 'sqlite3';", "const s = require('sqlite3');"):
        assert position("import", "sqlite3", code, "typescript", loosely=False) is not None
