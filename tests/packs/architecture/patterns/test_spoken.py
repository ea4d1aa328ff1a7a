from __future__ import annotations

import pytest

from toolcrib.files.markdown.document import parse
from toolcrib.packs.architecture.patterns.spoken import (
    languages_meant,
    languages_of_headings,
    languages_of_sentence,
    languages_shown,
)


def document(text: str):
    return parse("p.md", text.encode())


@pytest.mark.parametrize(
    ("sentence", "language"),
    [
        ("A TypeScript store must define `load`.", "typescript"),
        ("Go handlers must define `load`.", "go"),
        ("A Go handler must define `load`.", "go"),
        ("C functions must not call `gets`.", "c"),
        ("A C++ class must define `load`.", "cpp"),
        ("Handlers in Go must define `load`.", "go"),
        ("In Swift, a store must define `load`.", "swift"),
        ("Every small Kotlin data store must define `load`.", "kotlin"),
        ("**TypeScript** stores must define `load`.", "typescript"),
        ("Node.js services must define `load`.", "javascript"),
        ("A Perl module must define `load`.", "perl"),
        ("A YAML manifest must contain `kind`.", "yaml"),
        ("Every TS store must define `load`.", "typescript"),
        ("A store must define `load` in its `.ts` file.", "typescript"),
        ("`src/stores/*.py` must define `load`.", "python"),
    ],
)
def test_the_language_of_what_a_sentence_demands_is_read(sentence: str, language: str) -> None:
    """A-6: code in a language that no rule speaks of is `mode: none`."""
    assert languages_of_sentence(sentence) == {language}


@pytest.mark.parametrize(
    "sentence",
    [
        "The API is also used from TypeScript clients.",
        "TypeScript clients call it.",
        "Because TypeScript clients call it, a store must define `load`.",
        "A store that Java services call must define `load`.",
        "A store must define `load`, as in Java.",
        "Go through the store: it must define `load`.",
        "Swift answers must carry `load`.",
        "A Node class must define `next`.",
        "A Shell class must define `load`.",
        "Class C must define `load`.",
        "YAML files must be loaded with `safe_load`.",
        "All non-Python services must define `load`.",
        "Every js store must define `load`.",
        "A store must read `config/shop.yaml`.",
        "A store must not call `os.sh`.",
    ],
)
def test_a_language_that_is_merely_mentioned_is_not_meant(sentence: str) -> None:
    """A-6: what a sentence mentions is not what it is about."""
    assert languages_of_sentence(sentence) == frozenset()


@pytest.mark.parametrize(
    ("text", "languages"),
    [
        ("---\nlanguage: typescript\n---\n# P\n", {"typescript"}),
        ("---\nlanguages: [go, C#]\n---\n# P\n", {"go", "csharp"}),
        ("---\nlanguages: Go, Rust\n---\n# P\n", {"go", "rust"}),
        ("# Go handlers\n", {"go"}),
        ("# Handlers in Go\n", {"go"}),
        ("# Store (TypeScript)\n", {"typescript"}),
        ("# P\n\nHandlers are written in Go.\n", {"go"}),
        ("# P\n\nWrite handlers in Go.\n", {"go"}),
        ("# P\n\nThis pattern is for TypeScript.\n", {"typescript"}),
        ("# P\n\nThis document applies to Go and Rust services.\n", {"go", "rust"}),
        ("# P\n\n**Applies to:** TypeScript, JavaScript\n", {"typescript", "javascript"}),
        ("# P\n\nAll our services are TypeScript.\n", {"typescript"}),
        ("# P\n\nA store is a TypeScript class. It must load.\n", {"typescript"}),
        ("---\ntags: [typescript, store, yaml]\n---\n# P\n", {"typescript"}),
    ],
)
def test_a_document_says_for_which_languages_it_is(text: str, languages: set[str]) -> None:
    """A-6: in front matter, in its title, or as what something is written in."""
    assert languages_meant(document(text)) == languages


@pytest.mark.parametrize(
    "text",
    [
        "---\nlanguage: en\n---\n# P\n",
        "# Go live checklist\n",
        "# Swift recovery\n",
        "# P\n\nHandlers must never be written in Go.\n",
        "# P\n\nDo not write handlers in Go.\n",
        "# P\n\nThe store is used by clients written in Go.\n",
        "# P\n\nThis pattern is not for TypeScript.\n",
        "# P\n\nThe old store is Java.\n",
        "# P\n\nFor Python, a store must define `load`.\n",
        "# P\n\nOur answers are swift.\n",
        "---\ntags: [json, docker]\n---\n# P\n",
    ],
)
def test_a_document_that_names_a_language_otherwise_is_for_none(text: str) -> None:
    """A-6: a word of English, a language of people, and a denial name no language of code."""
    assert languages_meant(document(text)) == frozenset()


def test_rules_for_machines_are_no_code_that_a_document_shows() -> None:
    """A-6: a fenced block of rules is not a sample."""
    rules = "```yaml\nid: a\nrule: {pattern: x}\n```\n"
    assert languages_shown(document(f"# P\n\n{rules}\n```go\nx := 1\n```\n")) == {"go"}
    assert languages_shown(document("# P\n\n```yaml\nkind: Secret\n```\n")) == {"yaml"}
    other = "```yaml\nrules:\n  - forbid: eval\n```\n"
    assert languages_shown(document(f"# P\n\n{other}")) == frozenset()


@pytest.mark.parametrize(
    ("name", "languages"),
    [
        ("typescript-store.md", {"typescript"}),
        ("patterns/python_order_repository.md", {"python"}),
        ("kotlin.md", {"kotlin"}),
        ("java-style-getters.md", set()),
        ("go-live.md", set()),
        ("json-service.md", set()),
        ("cache-store.md", set()),
    ],
)
def test_a_file_is_named_after_its_language(name: str, languages: set[str]) -> None:
    """A-6: code in a language that no rule speaks of is `mode: none`."""
    assert languages_meant(parse(name, b"# P\n")) == languages


@pytest.mark.parametrize(
    ("headings", "languages"),
    [
        (("Store", "TypeScript"), {"typescript"}),
        (("Store", "For Go services", "Errors"), {"go"}),
        (("Store", "Python and TypeScript"), {"python", "typescript"}),
        (("Store", "Go live"), set()),
        (("Store", "JSON"), set()),
        (("Store", "TypeScript clients call it"), set()),
    ],
)
def test_a_heading_says_for_which_language_its_section_is(
    headings: tuple[str, ...], languages: set[str]
) -> None:
    """A-6: each sentence is held against code in the language of which it speaks."""
    assert languages_of_headings(headings) == languages
