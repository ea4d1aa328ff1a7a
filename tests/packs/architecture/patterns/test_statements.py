from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from toolcrib.packs.architecture.patterns.statements import statements

DOCUMENT = """# Title

One sentence. And
another one.

> A quote stays a sentence.

A service must:

1. log
2. never print

## Don't

- guess

| a | table |

```python
code. Not a sentence.
```

## Other

- plain item
"""


def test_sentences_come_with_their_lines_and_items_with_their_lead() -> None:
    found = [(each.text, each.line, each.lead) for each in statements(DOCUMENT, 1)]
    assert found == [
        ("One sentence.", 3, ""),
        ("And another one.", 3, ""),
        ("A quote stays a sentence.", 6, ""),
        ("A service must:", 8, ""),
        ("log", 10, "A service must"),
        ("never print", 11, "A service must"),
        ("guess", 15, "must not"),
        ("plain item", 25, ""),
    ]


@given(st.text(alphabet="ab.:-#`~|> \n1)", max_size=200), st.integers(1, 9))
def test_every_statement_begins_in_its_line(text: str, first: int) -> None:
    lines = text.split("\n")
    for each in statements(text, first):
        assert each.text.split()[0][:1] in lines[each.line - first]


def test_a_statement_knows_the_sections_in_which_it_stands() -> None:
    """A-6: what a section is about is what its sentences are about."""
    body = "# A\n\nOne.\n\n## B\n\nTwo.\n\n### C\n\n- Three.\n\n## D ##\n\nFour.\n"
    found = {each.text: each.headings for each in statements(body, 1)}
    assert found == {
        "One.": ("A",),
        "Two.": ("A", "B"),
        "Three.": ("A", "B", "C"),
        "Four.": ("A", "D"),
    }
