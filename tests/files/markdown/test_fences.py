from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from toolcrib.files.markdown.fences import block_text, fenced_blocks, find_fences, without_code

DOCUMENT = """# Title

Some text.

```python
good()
```

## Bad

~~~go title="x"
bad()
```
still inside
~~~

   ```yaml rules
   - id: x
   ```
"""


def test_blocks_come_with_their_info_line_and_heading() -> None:
    first, second, third = fenced_blocks(DOCUMENT)
    assert (first.language, first.text, first.line) == ("python", "good()\n", 6)
    assert (first.heading, first.lead) == ("Title", "Some text.")
    assert (second.language, second.line) == ("go", 12)
    assert second.text == "bad()\n```\nstill inside\n"
    assert (third.info, third.text) == ("yaml rules", "- id: x\n")


def test_lines_count_from_where_the_body_begins() -> None:
    assert fenced_blocks("```\nx\n```\n", first_line=10)[0].line == 11


def test_a_fence_that_is_never_closed_reaches_to_the_end() -> None:
    (block,) = fenced_blocks("```python\nx = 1\n\ny = 2")
    assert block.text == "x = 1\n\ny = 2\n"


def test_a_fence_is_closed_only_by_one_of_its_kind_that_is_as_long() -> None:
    """A-1: a document can show a fence inside of a longer one."""
    (block,) = fenced_blocks("````md\n```python\nx\n```\n~~~\n````\n")
    assert block.text == "```python\nx\n```\n~~~\n"
    assert [each.text for each in fenced_blocks("~~~\na\n~~~~\n~~~\nb\n~~~\n")] == ["a\n", "b\n"]


def test_blocks_of_list_items_and_quotations_end_with_these() -> None:
    """A-1: as Markdown has it."""
    listed = "1. One\n\n    ```sh\n    ls\n    ```\n\n2. Two\n"
    assert [(each.language, each.text) for each in fenced_blocks(listed)] == [("sh", "ls\n")]
    left_open = "- ```\n  code\n\n# Title\n"
    assert without_code(left_open).strip() == "# Title"
    assert without_code("> ```\n> code\ntext").strip() == "text"


def test_indented_code_and_comments_open_no_fence() -> None:
    """A-1: what only looks like a fence hides nothing."""
    assert find_fences("Text\n\n    ```\n# Title\n") == []
    assert find_fences("<!--\n```\n-->\n# Title\n") == []
    assert find_fences("``` a`b\n# Title\n") == []


_LINES = ["```", "````", "~~~", "~~~~", "``` py", "~~~ a`b", "``` a`b", "text", "# Head", "", "  "]
_LINES += [" ```", "   ```", "    ```", "<!--", "-->", "<!-- x -->", "> q", "> ```", "> ~~~", "\tx"]


@given(st.lists(st.sampled_from(_LINES), max_size=9))
def test_blocks_are_those_that_commonmark_sees(lines: list[str]) -> None:
    """A-1: compared with another reader, which takes a hundred times as long."""
    text = "\n".join([*lines, ""])
    expected = [
        (token.map[0], token.info.strip(), token.content.rstrip())
        for token in MarkdownIt("commonmark").parse(text)
        if token.type == "fence" and token.map
    ]
    found = [
        (text.count("\n", 0, fence.start), fence.info, block_text(text, fence).rstrip())
        for fence in find_fences(text)
    ]
    assert found == expected


@given(st.text(alphabet="`~#>- \t\nax1.<!", max_size=300))
def test_without_code_every_offset_stays_what_it_was(text: str) -> None:
    """A-1: links and labels are reported with their lines."""
    prose = without_code(text)
    assert len(prose) == len(text)
    assert [at for at, c in enumerate(prose) if c == "\n"] == [
        at for at, c in enumerate(text) if c == "\n"
    ]
    assert all(here == there or here == " " for here, there in zip(prose, text, strict=True))


@given(st.text(alphabet="`~# \nax", max_size=200), st.integers(1, 50))
def test_any_text_has_blocks_whose_lines_are_its_own(text: str, first: int) -> None:
    lines = text.split("\n")
    for block in fenced_blocks(text, first):
        for offset, line in enumerate(block.text.split("\n")[:-1]):
            assert lines[block.line - first + offset].endswith(line)


@pytest.mark.parametrize(
    ("info", "language"),
    [
        ("ts", "ts"),
        ("{.typescript}", "typescript"),
        ("{python, echo=F}", "python"),
        ("rust,ignore", "rust"),
        ('ts title="a.ts" {1,2}', "ts"),
        ("C++", "C++"),
        ("", ""),
    ],
)
def test_the_language_is_the_first_word_however_it_is_braced(info: str, language: str) -> None:
    """A-6: the language of an example is read from its fence."""
    assert fenced_blocks(f"```{info}\nx\n```\n")[0].language == language
