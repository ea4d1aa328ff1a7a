"""A-1: headings and labelled lines, outside of code."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from toolcrib.files.markdown.outline import Outline, first_heading, lines_with

BODY = """# Title

* Status: accepted
| Date | 2024 |

```sh
# not a heading
Status: nothing
```

## 1. Context

Text.

### **Decision** <!-- optional -->
More.
"""


def test_headings_in_code_are_none() -> None:
    """A-1: only the document's own words count."""
    sections = Outline(BODY).sections
    assert [section.title for section in sections] == ["Title", "Context", "Decision"]
    context = sections[1]
    assert BODY[context.body_start : context.end].strip() == "Text."


def test_labels_are_lines_list_items_and_rows() -> None:
    """A-1: bold-line and table forms."""
    labels = {label.name: label.value for label in Outline(BODY).labels}
    assert labels == {"status": "accepted", "date": "2024"}


def test_a_fence_that_is_never_closed_swallows_the_rest() -> None:
    """A-1: as Markdown has it."""
    outline = Outline("# A\n~~~\n# B\n```\n# C\n")
    assert [section.title for section in outline.sections] == ["A"]
    assert outline.prose.strip() == "# A"


def test_what_stands_below_ends_at_the_next_heading() -> None:
    """A-1: a section's own lines."""
    outline = Outline("## Status\n\nAccepted\n\n## Context\n\nNo.\n")
    assert outline.below(0) == "\nAccepted\n"


def test_lines_with_marks_are_found_once_each() -> None:
    assert lines_with("a: b: c\nd\n e|f: g", (":", "|")) == [0, 10]


@given(st.text(alphabet="#`~ \n|:*aS-", max_size=300))
def test_offsets_stay_inside_the_body(body: str) -> None:
    """A-1: documents are untrusted."""
    outline = Outline(body)
    for section in outline.sections:
        assert 0 <= section.start <= section.body_start <= section.end <= len(body)
    for label in outline.labels:
        assert 0 <= label.start <= label.end <= len(body)
        assert outline.line(label.start) >= 1


def test_an_anchor_behind_a_heading_is_no_part_of_it() -> None:
    """A-1: `# Title {#id}`, as site generators have it."""
    body = "# Use aliases {#adr_0013}\n\n## Decision {#adr_0013_decision .wide}\n\nText.\n"
    assert first_heading(body) == "Use aliases"
    assert [section.title for section in Outline(body).sections] == ["Use aliases", "Decision"]
    assert first_heading("# The {#} operator\n") == "The {#} operator"


def test_a_numbered_title_may_lack_its_blank_and_a_tag_is_no_title() -> None:
    """A-1: what a reader takes for the title, at the beginning of a document alone."""
    assert first_heading("\n#12. Use aliases\n\n## Context\n") == "12. Use aliases"
    assert first_heading("#aliases\n\n## Context\n") == "Context"
    assert first_heading("Text\n\n#12. of March\n\n## Context\n") == "Context"
