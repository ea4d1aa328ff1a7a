from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from toolcrib.files.markdown.fences import fenced_blocks

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


def test_a_document_says_which_of_its_examples_are_bad() -> None:
    """A-6: the own sample code is compliant; what is held up as a warning is no sample."""

    def is_bad(text: str) -> bool:
        return fenced_blocks(text)[-1].is_bad_example

    assert is_bad("## Bad\n\n```python\nx\n```")
    assert is_bad("Do not do this:\n\n```python\nx\n```")
    assert is_bad("```python\n# Bad: swallows the error\nx\n```")
    assert is_bad("❌\n```js\nx\n```")
    assert not is_bad("## Good\n\n```python\nx\n```")
    assert not is_bad("## Bad and good\n\n```python\nx\n```")
    assert not is_bad("## Do's and don'ts\n\nDo:\n\n```python\nx\n```")
    assert not is_bad("```python\nraise ValueError('bad')\n```")


@given(st.text(alphabet="`~# \nax", max_size=200), st.integers(1, 50))
def test_any_text_has_blocks_whose_lines_are_its_own(text: str, first: int) -> None:
    lines = text.split("\n")
    for block in fenced_blocks(text, first):
        for offset, line in enumerate(block.text.split("\n")[:-1]):
            assert lines[block.line - first + offset].endswith(line)
