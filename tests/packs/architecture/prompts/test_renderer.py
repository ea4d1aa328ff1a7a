"""A-3, A-4: templates are filled in, once."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.growth import assert_costs_at_most
from toolcrib.core.errors import InvalidParams, ResourceNotFound
from toolcrib.core.tool import Tool
from toolcrib.packs.architecture.library.library import Library
from toolcrib.packs.architecture.prompts.renderer import (
    MOST_EMBEDDED,
    Reference,
    Rendering,
    TemplateRenderer,
    Text,
    describe_tool,
    parse_template,
)

Shelve = Callable[..., Library]
VALIDATE = Tool(
    name="validate-against-pattern",
    description="Validates code against documented architectural patterns",
    input_schema={
        "type": "object",
        "properties": {
            "code": {"type": "string", "description": "Code to validate", "maxLength": 50000},
            "pattern_name": {
                "type": "string",
                "description": "Name of pattern to validate against (e.g., 'repository-pattern')",
            },
            "language": {"type": "string", "description": "Programming language (optional)"},
        },
        "required": ["code", "pattern_name"],
    },
    run=lambda arguments, context: None,
)


def rendered(library: Library, template: str, **arguments: str) -> str:
    declared = frozenset({*arguments, "name", "code", "absent"})
    renderer = TemplateRenderer(library, [VALIDATE])
    return renderer.render(parse_template(template), Rendering(arguments, declared, lambda: "wf_1"))


@pytest.fixture
def library(shelve: Shelve) -> Library:
    return shelve(
        {
            "mcp/resources/patterns/cqrs.md": "# CQRS\n\n{{code}} "
            "{{tool:validate-against-pattern}}\n",
            "mcp/resources/patterns/data/repository.md": "# Repository\n",
            "mcp/resources/adr/0001-first.md": "# First\n",
        }
    )


def test_a_tool_is_described_as_the_seed_shows_it() -> None:
    """A-4: name, description and a line for each parameter."""
    assert describe_tool(VALIDATE) == (
        "Tool: validate-against-pattern\n"
        "Description: Validates code against documented architectural patterns\n"
        "Parameters:\n"
        "  - code (required): Code to validate (max 50000 chars)\n"
        "  - pattern_name (required): Name of pattern to validate against\n"
        "  - language (optional): Programming language"
    )


def test_arguments_are_put_in_and_absent_ones_are_empty(library: Library) -> None:
    """A-3: an absent optional argument is empty."""
    assert rendered(library, "<{{code}}|{{ name }}|{{absent}}>", code="a", name="b") == "<a|b|>"


def test_a_document_is_embedded_by_its_uri(library: Library) -> None:
    """A-3: `{{resource:uri}}`."""
    shown = rendered(library, "[{{resource:architecture://patterns/data/repository}}]")
    assert shown == "[# Repository]"


def test_a_wildcard_embeds_all_that_match(library: Library) -> None:
    """A-3: wildcards."""
    shown = rendered(library, "{{resource:architecture://patterns/*}}")
    assert shown.startswith("<!-- architecture://patterns/cqrs -->\n# CQRS")
    assert "\n\n---\n\n<!-- architecture://patterns/data/repository -->\n# Repository" in shown
    assert "# First" in rendered(library, "{{resource:architecture://adr/000?}}")


def test_a_wildcard_without_a_match_says_so(library: Library) -> None:
    """A-3: an empty folder is no failure."""
    shown = rendered(library, "{{resource:architecture://guidelines/*}}")
    assert shown == "(no document matches architecture://guidelines/*)"


def test_an_argument_within_the_uri_chooses_the_document(library: Library) -> None:
    """A-3: nested arguments inside the uri."""
    template = "<{{resource:architecture://patterns/{{name}}}}>"
    assert rendered(library, template, name="data/repository") == "<# Repository>"
    assert rendered(library, template) == "<>"
    with pytest.raises(ResourceNotFound, match="nearest: architecture://patterns/data/repository"):
        rendered(library, template, name="repository")


def test_a_wildcard_in_an_argument_is_an_ordinary_character(library: Library) -> None:
    """A-3: text that came from an argument is never expanded."""
    template = "{{resource:architecture://patterns/{{name}}*}}"
    assert "(no document" in rendered(library, template, name="*")
    assert "# CQRS" in rendered(library, template, name="cq")


def test_what_was_put_in_is_never_expanded_again(library: Library) -> None:
    """A-3: one pass."""
    hostile = "{{tool:validate-against-pattern}} {{resource:architecture://adr/0001}} {{workflow}}"
    assert rendered(library, "{{code}}", code=hostile) == hostile
    shown = rendered(library, "{{resource:architecture://patterns/cqrs}}", code="x")
    assert shown == "# CQRS\n\n{{code}} {{tool:validate-against-pattern}}"


def test_a_handle_is_minted_once(library: Library) -> None:
    """K-20: a prompt that guides a workflow mints a handle and names it in its text."""
    handles = iter(["wf_1", "wf_2"])
    rendering = Rendering({}, frozenset(), lambda: next(handles))
    renderer = TemplateRenderer(library, [])
    assert renderer.render(parse_template("{{workflow}} {{workflow}}"), rendering) == "wf_1 wf_1"


@pytest.mark.parametrize(
    "text", ["{{", "}}", "{{}}", "{{ a b }}", "{{unknown}}", "{{tool:nothing}}", "{{x:y}}", "{a}"]
)
def test_what_is_no_reference_stays_as_it_is(library: Library, text: str) -> None:
    """A-3: braces of other languages survive."""
    assert rendered(library, f"<{text}>") == f"<{text}>"


def test_more_than_fifty_resources_are_refused(shelve: Shelve) -> None:
    """A-3: at most 50 resources, above that -32602 that names the limit."""
    files = {f"mcp/resources/patterns/p{n:02}.md": "# P\n" for n in range(50)}
    library = shelve(files)
    assert rendered(library, "{{resource:architecture://patterns/*}}").count("# P") == 50
    template = "{{resource:architecture://patterns/*}} {{resource:architecture://patterns/p00}}"
    with pytest.raises(InvalidParams, match="more than 50 resources") as caught:
        rendered(library, template)
    assert caught.value.data == {
        "limit": 50,
        "reference": "{{resource:architecture://patterns/p00}}",
    }


def test_more_than_a_megabyte_is_refused(shelve: Shelve) -> None:
    """A-3: at most 1 MB embedded, above that -32602 that names the limit."""
    half = "x" * (MOST_EMBEDDED // 2)
    library = shelve({f"mcp/resources/patterns/{name}.md": half for name in "abc"})
    assert len(rendered(library, "{{resource:architecture://patterns/a}}")) == len(half)
    with pytest.raises(InvalidParams, match="more than 1 MB") as caught:
        rendered(library, "{{resource:architecture://patterns/*}}")
    assert caught.value.data is not None
    assert caught.value.data["limit"] == MOST_EMBEDDED


def test_tools_alone_can_be_embedded(library: Library) -> None:
    """A-4: the seed's EmbedTools."""
    text = TemplateRenderer(library, [VALIDATE]).embed_tools(
        "{{code}} {{tool:validate-against-pattern}}"
    )
    assert text == "{{code}} " + describe_tool(VALIDATE)


def test_many_wildcards_take_no_time(library: Library) -> None:
    """FAULTS, state: a user's pattern with catastrophic backtracking."""
    began = time.process_time()
    shown = rendered(library, "{{resource:architecture://" + "*a" * 40 + "*!}}")
    assert shown.startswith("(no document")
    assert_costs_at_most(time.process_time() - began, 50)


@given(st.text(alphabet="{}ab: *tolresuc", max_size=80))
def test_a_template_is_made_of_all_its_characters(text: str) -> None:
    """A-3: parsing loses nothing."""
    parts = parse_template(text)
    assert "".join(p.text if isinstance(p, Text) else p.source for p in parts) == text


@given(st.text(max_size=200))
def test_an_argument_comes_out_as_it_went_in(value: str) -> None:
    """A-3: one pass, whatever the value."""
    (part,) = parse_template("{{code}}")
    assert isinstance(part, Reference)
    renderer = TemplateRenderer.__new__(TemplateRenderer)
    renderer._tools = {}
    shown = renderer.render([part], Rendering({"code": value}, frozenset({"code"})))
    assert shown == value
