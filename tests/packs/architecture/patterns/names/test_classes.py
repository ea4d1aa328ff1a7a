from __future__ import annotations

import pytest

from support.growth import assert_grows_slowly
from toolcrib.packs.architecture.patterns.names.classes import base_at, constructor_at


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("typescript", "export class A<T> extends Base<T> implements C {}"),
        ("java", "public class A\n    extends Other implements Base {\n}"),
        ("cpp", "class A : public virtual ns::Base {};"),
        ("csharp", "class A(int x) : Base(x) {}"),
        ("kotlin", "class A(val x: Int) : Base(x), C {}"),
        ("swift", "struct A: Base {}"),
        ("ruby", "class A < Base\nend\n"),
        ("php", "<?php final class A extends Base {}"),
        ("rust", "impl<T> Base for A<T> {}"),
        ("scala", "class A(x: Int) extends C with Base {}"),
        ("go", "type A struct {\n\t*store.Base\n\tx int\n}\n"),
    ],
)
def test_what_a_class_is_made_of_is_seen(language: str, code: str) -> None:
    """A-6: words that ask for an inheritance are met by one."""
    assert base_at(code, "Base", language) is not None


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("typescript", "import { Base } from 'x';\nclass A {}"),
        ("java", "class A { Base base = new Base(); }"),
        ("kotlin", "class A(val x: Base) {}"),
        ("ruby", "class A\n  x = Base.new\nend\n"),
        ("go", "type A struct {\n\tbase Base\n}\n"),
        ("java", "class Base {}"),
        ("java", "class A extends BaseOfAll {}"),
    ],
)
def test_what_a_class_merely_uses_is_nothing_that_it_is_made_of(language: str, code: str) -> None:
    """A-6: words that ask for an inheritance are not met by an import or a call."""
    assert base_at(code, "Base", language) is None


@pytest.mark.parametrize(
    ("language", "code", "made"),
    [
        ("java", "class A { A() {} }", True),
        ("java", "public class A { public A(int x) throws B { this.x = x; } }", True),
        ("java", "class A { void f() { new A(x); B(); } }", False),
        ("cpp", "class A { explicit A(int x) : x_(x) {} };", True),
        ("csharp", "class A { public A(int x) : base(x) {} }", True),
        ("typescript", "class A { constructor(private x: B) {} }", True),
        ("typescript", "x.constructor; class A {}", False),
        ("kotlin", "class A { constructor(x: Int) {} }", True),
        ("swift", "class A { init(x: Int) { super.init(); } }", True),
        ("swift", "class A { func f() { super.init() } }", False),
        ("php", "<?php class A { public function __construct() {} }", True),
        ("ruby", "class A\n  def initialize\n  end\nend\n", True),
        ("rust", "impl A { pub fn new() -> Self { A } }", True),
        ("go", "func NewStore(x int) *Store {\n", True),
        ("javascript", "init();\n", False),
    ],
)
def test_a_constructor_is_seen_under_the_name_that_its_language_gives_it(
    language: str, code: str, made: bool
) -> None:
    """A-6: words that ask for a definition are met by one, and not by a call."""
    assert (constructor_at(code, language) is not None) is made


@pytest.mark.parametrize("piece", ["class A ", "impl ", "A(", "a ", "class A A() ", "throws "])
@pytest.mark.timing
def test_a_long_line_is_read_in_linear_time(piece: str) -> None:
    """A-6: one call takes no longer than its text deserves."""
    assert_grows_slowly(lambda size: base_at(piece * size, "Base", "java"), 1_000)
    assert_grows_slowly(lambda size: constructor_at(piece * size, "java"), 1_000)
