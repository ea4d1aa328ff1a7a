from __future__ import annotations

from toolcrib.files.markdown.fences import fenced_blocks
from toolcrib.packs.architecture.patterns.examples import is_bad_example


def test_a_document_says_which_of_its_examples_are_bad() -> None:
    """A-6: the own sample code is compliant; what is held up as a warning is no sample."""

    def is_bad(text: str) -> bool:
        return is_bad_example(fenced_blocks(text)[-1])

    assert is_bad("## Bad\n\n```python\nx\n```")
    assert is_bad("Do not do this:\n\n```python\nx\n```")
    assert is_bad("```python\n# Bad: swallows the error\nx\n```")
    assert is_bad("❌\n```js\nx\n```")
    assert not is_bad("## Good\n\n```python\nx\n```")
    assert not is_bad("## Bad and good\n\n```python\nx\n```")
    assert not is_bad("## Do's and don'ts\n\nDo:\n\n```python\nx\n```")
    assert not is_bad("```python\nraise ValueError('bad')\n```")
