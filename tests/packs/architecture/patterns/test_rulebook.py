from __future__ import annotations

import asyncio
import logging
import time
from pathlib import Path

import pytest

from support.clock import assert_within
from toolcrib.files.markdown.document import parse
from toolcrib.packs.architecture.library.library import Library
from toolcrib.packs.architecture.patterns.rulebook import (
    RuleCheck,
    check_rules,
    rule_book,
    rule_problems,
)

DEEP = "x = " + "(" * 12_000 + "1" + ")" * 12_000
RUNAWAY = "{kind: parenthesized_expression, inside: {kind: function_definition, stopBy: end}}"


def document(*rules: str, more: str = "") -> str:
    return f"# P\n\n{more}\n\n```yaml rules\n" + "\n".join(rules) + "\n```\n"


def check(text: str):
    return asyncio.run(check_rules(parse("p.md", text.encode()), "docs/p.md"))


def rule(id: str, pattern: str, more: str = "") -> str:
    return f"- id: {id}\n  language: python\n  rule: {{pattern: '{pattern}'}}\n{more}"


GOOD = rule("good", "print($$$A)", "  valid: log(1)\n  invalid: print(1)\n")


def test_a_rule_that_keeps_its_word_is_trusted() -> None:
    found = check(document(GOOD))
    assert [each.id for each in found.rules] == ["good"]
    assert not found.problems


def test_a_rule_that_finds_nothing_in_its_invalid_snippet_is_reported() -> None:
    """A-6: `valid:`/`invalid:` snippets are checked at load."""
    found = check(document(rule("blind", "prnt($$$A)", "  invalid: print(1)\n"), GOOD))
    assert [each.id for each in found.rules] == ["good"]
    assert "does not do what it says: it does not match its own invalid" in str(found.problems[0])
    assert str(found.problems[0]).startswith("docs/p.md:9:3:")


def test_a_rule_that_finds_something_in_its_valid_snippet_is_reported() -> None:
    found = check(document(rule("blind", "$F($$$A)", "  valid: log(1)\n  invalid: print(1)\n")))
    assert "it matches its own valid snippet" in str(found.unsound["blind"])


def test_a_rule_that_expects_presence_is_held_to_the_opposite() -> None:
    more = "  expect: present\n  valid: log(1)\n  invalid: print(1)\n"
    assert check(document(rule("logs", "log($$$A)", more))).rules
    assert not check(document(rule("logs", "print($$$A)", more))).rules


def test_a_rule_that_can_never_match_is_reported() -> None:
    """A-6: `(((` is accepted by the engine and matches nothing."""
    nothing = "- id: never\n  language: python\n  rule: {kind: call, pattern: '((('}\n"
    found = check(document(nothing + "  invalid: f(((1)))\n", GOOD))
    assert "never" in found.unsound
    assert [each.id for each in found.rules] == ["good"]


def test_a_rule_that_the_engine_refuses_is_named_and_the_others_run() -> None:
    refused = "- id: refused\n  language: python\n  rule: {patern: x}\n"
    found = check(document(refused, GOOD))
    assert "unknown field `patern`" in str(found.unsound["refused"])
    assert [each.id for each in found.rules] == ["good"]


def test_a_call_in_go_that_reads_as_a_type_is_told_with_the_cure() -> None:
    go = "- {id: go, language: go, rule: {pattern: f.P($A)}, invalid: 'func t() { f.P(1) }'}\n"
    found = check(document(go))
    assert "{context: 'func t() { f.P($A) }', selector: call_expression}" in str(found.problems[0])


def test_a_rule_without_snippets_runs_and_its_author_is_told() -> None:
    found = check(document(rule("untested", "print($$$A)")))
    assert [each.id for each in found.rules] == ["untested"]
    assert "has no invalid snippet" in str(found.problems[0])


@pytest.mark.timing
def test_a_rule_that_runs_away_on_its_own_snippet_is_named() -> None:
    """A-6: a rule that runs away is stopped at its deadline and named."""
    slow = f"- id: slow\n  language: python\n  rule: {RUNAWAY}\n  valid: '{DEEP}'\n"
    started = time.perf_counter()
    found = check(document(slow, GOOD))
    assert_within(8, time.perf_counter() - started)
    assert "stopped at its deadline" in str(found.unsound["slow"])
    assert [each.id for each in found.rules] == ["good"]


def test_own_sample_code_that_breaks_a_rule_is_reported() -> None:
    """A-6: a document's own sample code must always be compliant."""
    sample = "```python\nprint(1)\n```"
    found = check(document(GOOD, more=sample))
    assert "own sample code breaks its rule 'good'" in str(found.problems[0])
    assert str(found.problems[0]).startswith("docs/p.md:4:")
    assert not check(document(GOOD, more="## Bad\n\n" + sample)).problems


def test_checked_rules_are_kept_until_the_document_changes(shelve, write) -> None:
    library = shelve({"mcp/resources/patterns/p.md": document(GOOD)})
    book = rule_book(library)
    (record,) = library.records("patterns")

    def checked():
        return asyncio.run(book.checked(record, library.document(record)))

    first = checked()
    assert checked() is first
    write({"mcp/resources/patterns/p.md": document(GOOD.replace("print(1)", "say(1)"))})
    library.refresh()
    assert "good" in checked().unsound


def test_all_problems_of_a_library_are_told_and_logged_once(shelve, caplog) -> None:
    """A-6: a rule that does not do what it says is reported at load."""
    broken = document(rule("blind", "prnt($$$A)", "  invalid: print(1)\n"))
    library = shelve({"mcp/resources/patterns/p.md": broken, "mcp/resources/patterns/q.md": "# Q"})
    with caplog.at_level(logging.WARNING, logger="toolcrib.architecture"):
        check = RuleCheck(library)
        check.start()
        check.join()
        (problem,) = rule_problems(library)
        assert rule_problems(library) == check.problems == [problem]
    assert problem.where.file == "mcp/resources/patterns/p.md"
    assert sum("blind" in each.message for each in caplog.records) == 1


def test_who_is_told_of_the_problems_does_not_find_them_in_the_log_as_well(shelve, caplog) -> None:
    """U-1: a warning is printed once."""
    broken = document(rule("blind", "prnt($$$A)", "  invalid: print(1)\n"))
    library = shelve({"mcp/resources/patterns/p.md": broken})
    with caplog.at_level(logging.WARNING, logger="toolcrib.architecture"):
        assert len(rule_problems(library)) == 1
    assert caplog.records == []


def test_a_problem_goes_away_with_its_cause(shelve, write) -> None:
    broken = document(rule("blind", "prnt($$$A)", "  invalid: print(1)\n"))
    library = shelve({"mcp/resources/patterns/p.md": broken})
    assert len(rule_problems(library)) == 1
    write({"mcp/resources/patterns/p.md": document(GOOD)})
    library.refresh()
    assert rule_problems(library) == []
    write({"mcp/resources/patterns/p.md": "# No more of them"})
    library.refresh()
    assert rule_problems(library) == []


@pytest.mark.timing
def test_a_check_beside_the_server_can_be_stopped(shelve) -> None:
    """FAULTS: gone within 2 s, no child left."""
    slow = f"- id: slow\n  language: python\n  rule: {RUNAWAY}\n  valid: '{DEEP}'\n"
    check = RuleCheck(shelve({"mcp/resources/patterns/p.md": document(slow, GOOD)}))
    check.start()
    started = time.perf_counter()
    check.stop()
    assert not check.is_alive()
    assert_within(1.5, time.perf_counter() - started)


def test_a_check_that_is_stopped_before_it_began_ends_at_once(tmp_path: Path) -> None:
    """FAULTS: a client that goes while the server starts: exit 0, no traceback."""
    check = RuleCheck(Library(tmp_path))
    check.stop()
    check.start()
    check.join(20)
    assert not check.is_alive() and check.problems == []


def test_rules_for_yaml_are_not_held_against_the_rules_themselves() -> None:
    """A-6: a block of rules is no sample code of its document."""
    text = document(
        "- id: no-id\n  language: yaml\n  rule: {pattern: 'id: $A'}\n  invalid: 'id: 1'\n"
    )
    assert check(text).problems == []
    (doubt,) = check(f"{text}\n```yaml\nid: 7\n```\n").problems
    assert "own sample code breaks" in str(doubt)
