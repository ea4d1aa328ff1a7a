from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolcrib.packs.guide.content.expressions import checked_name, parse, renamed
from toolcrib.packs.guide.errors import InvalidExpression, InvalidName


def read(expression: str) -> list[tuple[str, ...]]:
    return [(term.name, *term.patterns) for term in parse(expression)]


@pytest.mark.parametrize(
    ("expression", "terms"),
    [
        ("lang/python", [("lang", "python")]),
        ("lang/python+java+rust", [("lang", "python", "java", "rust")]),
        (
            "lang/python+java,docs/api,guidelines",
            [("lang", "python", "java"), ("docs", "api"), ("guidelines",)],
        ),
        ("  lang / python + java , docs ", [("lang", "python", "java"), ("docs",)]),
        ("docs/v1/**/api", [("docs", "v1/**/api")]),
        ("lang/c[+][+],docs/[a,b]", [("lang", "c[+][+]"), ("docs", "[a,b]")]),
        ("a.b_c-d", [("a.b_c-d",)]),
        ("lang/*", [("lang", "*")]),
        ("lang/naïve café", [("lang", "naïve café")]),
    ],
)
def test_an_expression_is_read_as_it_is_meant(expression, terms):
    """G-1: slash, plus and comma."""
    assert read(expression) == terms


@pytest.mark.parametrize(
    ("expression", "position", "reason"),
    [
        ("", 1, "A name is missing"),
        ("   ", 1, "A name is missing"),
        ("lang,,docs", 6, "A name is missing"),
        ("lang,", 6, "A name is missing"),
        ("lang/", 6, "A pattern is missing"),
        ("lang/,docs", 6, "A pattern is missing"),
        ("lang/a++b", 8, "A pattern is missing"),
        ("lang/a+", 8, "A pattern is missing"),
        ("/python", 1, "A name is missing"),
        ("lang+docs", 5, "'+' cannot be part of a name"),
        ("my docs/x", 3, "' ' cannot be part of a name"),
        ("lang/../secret", 6, "'..' is no name in a path"),
        ("docs/a,lang/x[y", 14, "'[' is never closed"),
        ("docs//etc/passwd", 6, "An empty name in a path"),
        ("-x", 1, "'-x' is no name"),
        ("ä", 1, "'ä' cannot be part of a name"),
    ],
)
def test_an_error_points_at_the_character(expression, position, reason):
    """G-1: the expression grammar with an error that points at the character."""
    with pytest.raises(InvalidExpression) as caught:
        parse(expression)
    assert caught.value.data["position"] == position
    assert reason in caught.value.what
    shown, pointer = caught.value.data["pointer"].split("\n")
    assert shown == expression
    assert pointer == " " * (position - 1) + "^"


def test_limits_are_named():
    with pytest.raises(InvalidExpression, match="longer than 2,000 characters"):
        parse("a" * 2001)
    with pytest.raises(InvalidExpression, match="more than 200 patterns"):
        parse("a/" + "+".join("x" * 201))


def test_a_rename_changes_the_name_and_nothing_else():
    """G-1: renames keep references whole."""
    assert renamed("lang/lang , docs/lang+x,lang", "lang", "languages") == (
        "languages/lang , docs/lang+x,languages"
    )


@pytest.mark.parametrize("name", ["a/b", "a,b", "a+b", "a b", "", "*", "..", ".x", "x" * 65])
def test_names_that_expressions_could_not_address_are_refused(name):
    """G-1."""
    with pytest.raises(InvalidName, match="so that expressions can address it"):
        checked_name(name, "Category")


@given(st.text(st.sampled_from("ab/+,*[]. !-é\n"), max_size=20))
def test_any_text_is_an_expression_or_a_refusal_with_a_place(text):
    try:
        terms = parse(text)
    except InvalidExpression as error:
        assert 1 <= error.data["position"] <= len(text) + 1
    else:
        assert terms
        again = parse(",".join(map(str, terms)))
        assert [(t.name, t.patterns) for t in again] == [(t.name, t.patterns) for t in terms]


@given(st.text())
def test_no_text_at_all_breaks_the_parser(text):
    with contextlib.suppress(InvalidExpression):
        parse(text)
