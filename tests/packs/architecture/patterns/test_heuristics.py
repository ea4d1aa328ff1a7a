from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.growth import assert_costs_at_most
from toolcrib.files.markdown.document import parse
from toolcrib.files.markdown.fences import fenced_blocks
from toolcrib.packs.architecture.patterns.heuristics import (
    TextCheck,
    apply_checks,
    derive_checks,
    read_demands,
)


def checks(text: str):
    return derive_checks(parse("p.md", text.encode("utf-8", "replace")))


def named(text: str) -> list[tuple[str, str]]:
    return [(check.demand, check.element) for check in checks(text)]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Handlers must not use `sqlite3` directly.", ("forbidden", "sqlite3")),
        ("Never call `eval()`.", ("forbidden", "eval()")),
        ("`os.system` must never be used.", ("forbidden", "os.system")),
        ("`print` is forbidden.", ("forbidden", "print")),
        ("- Do not import `shop.repositories` here.", ("forbidden", "shop.repositories")),
        ("Avoid `datetime.now()`.", ("forbidden", "datetime.now()")),
        ("You should not write `SELECT *`.", ("forbidden", "SELECT *")),
        ("Every repository must define `get_by_id`.", ("required", "get_by_id")),
        ("1. A service must inherit from `BaseService`.", ("required", "BaseService")),
        ("`logging` is required.", ("required", "logging")),
        ("Don't use `requests`; use `httpx`.", ("forbidden", "requests")),
        ("Handlers MUST NOT use sqlite3 directly.", ("forbidden", "sqlite3")),
        ("Every repository must implement get_by_id.", ("required", "get_by_id")),
        ("Services must never touch HttpRequest.", ("forbidden", "HttpRequest")),
        ("Each repository must define an interface.", ("required", "interface")),
        ("No raw SQL in handlers.", ("forbidden", "SQL")),
        ("Never write print statements.", ("forbidden", "print statements")),
        ("A service must not:\n\n- call `os.system`", ("forbidden", "os.system")),
        ("## Don't\n\n- use `eval`", ("forbidden", "eval")),
    ],
)
def test_a_plain_sentence_becomes_a_check(sentence: str, expected: tuple[str, str]) -> None:
    """A-6: checks are derived from the document's own words."""
    assert named(f"# P\n\n{sentence}\n") == [expected]


@pytest.mark.parametrize(
    "sentence",
    [
        "Use `print` when debugging.",
        "`print` must not be used unless you debug.",
        "You may not need `print`, but you can use it.",
        "Handlers must not import from `shop/handlers/`.",
        "Should `print` be used?",
        "A class must implement `get` or `find`.",
        "It must be fast.",
        "Never use `--force`.",
        "You must push to GitHub.",
        "Readers must know e.g. the rules.",
        "These must be fast:\n\nA table of `numbers` follows.",
        "Handlers must not use `a` and services must use `b`.",
        "The table must not be read for example with `x.py --help me`.",
    ],
)
def test_a_sentence_that_leaves_room_becomes_none(sentence: str) -> None:
    """A-6: none without a quote that says it plainly."""
    assert named(f"# P\n\n{sentence}\n") == []


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (
            "A service must define `run` and must not use `any`.",
            [("required", "run"), ("forbidden", "any")],
        ),
        ("Never use `exec`, always use `safe`.", [("forbidden", "exec"), ("required", "safe")]),
        (
            "Code must not call `print` but must use `logger`, and must never import `os`.",
            [("forbidden", "print"), ("required", "logger"), ("forbidden", "os")],
        ),
        (
            "`eval` must not be used and must never be imported.",
            [("forbidden", "eval")],
        ),
        ("What must not fail must call `retry`.", []),
    ],
)
def test_each_duty_of_one_subject_becomes_a_check(
    sentence: str, expected: list[tuple[str, str]]
) -> None:
    """A-6: a sentence with two duties is not left out; one with two subjects is."""
    assert named(f"# P\n\n{sentence}\n") == expected


def test_demands_that_no_check_stands_for_are_told() -> None:
    """A-6: what only a reader can judge is named, and nothing that was judged is."""
    text = "Never use `eval`. It must be fast.\nMust it? Some words.\n\nRules must:\n\n- be kind\n"
    demands = read_demands(parse("p.md", text.encode()))
    assert [check.element for check in demands.checks] == ["eval"]
    assert demands.unread == ["It must be fast.", "Rules must: be kind"]


def test_each_check_quotes_its_sentence_and_its_line() -> None:
    """A-6: quotes the sentence for each."""
    (check,) = checks("# P\n\nSome words. Handlers must not\nuse `sqlite3` directly. More.\n")
    assert check.sentence == "Handlers must not use `sqlite3` directly."
    assert check.line == 3
    assert check.strict


def test_a_duty_is_an_error_and_advice_a_warning() -> None:
    assert [check.strict for check in checks("Never use `a1`.\n\nAvoid `b1`.\n")] == [True, False]


def test_words_in_code_tables_and_headings_are_not_read() -> None:
    text = "# Never use `a1`\n\n| x | never use `b1` |\n\n```text\nnever use `c1`\n```\n"
    assert named(text) == []


def test_a_document_that_says_both_says_nothing() -> None:
    assert named("Never use `cache`.\n\nA service must use `cache`.\n") == []


def test_own_sample_code_is_always_compliant() -> None:
    """A-6: a document's own sample code must always be compliant."""
    text = (
        "# P\n\nNever use `sqlite3`. A repository must define `get`. Never use `eval`.\n\n"
        "```python\nimport sqlite3\n\nclass R:\n    def find(self): ...\n```\n"
    )
    assert named(text) == [("forbidden", "eval")]
    for block in fenced_blocks(text):
        assert apply_checks(checks(text), block.text, "python") == []


def test_a_bad_example_does_not_excuse_what_it_shows() -> None:
    text = "Never use `eval`.\n\n## Bad\n\n```python\neval(x)\n```\n"
    assert named(text) == [("forbidden", "eval")]


def findings(sentence: str, code: str, language: str | None = "python"):
    return [
        (each.check.element, each.line, each.column)
        for each in apply_checks(checks(sentence), code, language)
    ]


def test_forbidden_things_are_found_with_their_place() -> None:
    assert findings("Never use `eval`.", "x = 1\ny = eval(x)\n") == [("eval", 2, 5)]
    assert findings("Never call `print()`.", "printer(1)\nlog.print(2)\n") == []
    assert findings("Never call `print()`.", "print (1)\n") == [("print()", 1, 1)]
    assert findings("Never use `SELECT *`.", "q = 'SELECT  * FROM t'\n") == [("SELECT *", 1, 6)]


@pytest.mark.parametrize(
    "sentence",
    [
        "A module must define a function called `main`.",
        "A module must have a function named `main`.",
        "There must be a function that is called `main`.",
        "Scripts must have an entry point called `main`.",
        "Every module must contain one small helper called `main`.",
        "A function called `main` must be defined.",
        "A function called `main` is required.",
    ],
)
def test_a_thing_called_by_its_name_is_asked_for_as_a_definition(sentence: str) -> None:
    """A-6: words that ask for a definition are not met by a call."""
    assert findings(sentence, "def main(): pass\n") == []
    assert findings(sentence, "main()\n") == [("main", None, None)]


@pytest.mark.parametrize(
    "sentence",
    [
        "Handlers must not have a method called `execute`.",
        "No methods called `execute`.",
        "Methods named `execute` are forbidden.",
    ],
)
def test_a_forbidden_method_may_still_be_called_on_others(sentence: str) -> None:
    """A-6: what forbids a definition is not broken by a call."""
    assert findings(sentence, "def execute(): pass\n") == [("execute", 1, 5)]
    assert findings(sentence, "cursor.execute(1)\n") == []


@pytest.mark.parametrize(
    "sentence",
    [
        "Scripts must call `main`.",
        "`main` must be called.",
        "A function called `main` must be called.",
        "Scripts must call a function called `main`.",
    ],
)
def test_what_must_be_called_is_not_met_by_a_definition(sentence: str) -> None:
    """A-6: a call that is asked for is a call, however its function is named."""
    assert findings(sentence, "main()\n") == []
    assert findings(sentence, "def main(): pass\n") == [("main", None, None)]


def test_concepts_are_found_under_their_names_in_code() -> None:
    interface = "Each repository must define an interface."
    for code in ("class R(Protocol): ...", "export interface R {}", "type R interface {\n}"):
        assert findings(interface, code, None) == []
    assert findings(interface, "class R: ...") == [("interface", None, None)]
    sql = "No raw SQL in handlers."
    assert findings(sql, "q = 'SELECT a FROM b WHERE c'\n") == [("SQL", 1, 5)]
    assert findings(sql, "label = 'Select a row from the list'\nsql = 1\n") != []
    assert findings(sql, "name = 'update'\n") == []


def test_an_item_is_quoted_with_what_leads_to_it() -> None:
    (check,) = checks("A service must not:\n\n- call `os.system`\n")
    assert check.sentence == "A service must not: call `os.system`"
    assert check.line == 3


def test_words_in_comments_strings_and_longer_names_do_not_count() -> None:
    code = "# eval is evil\nevaluate(x)\nprint('eval')\n"
    assert findings("Never use `eval`.", code) == []


def test_required_things_are_found_in_any_style_of_naming() -> None:
    rule = "Every repository must define `get_by_id`."
    for code in ("def get_by_id(self): ...", "getById() {}", "func (r *R) GetByID() {}"):
        assert findings(rule, code, None) == []
    assert findings(rule, "# get_by_id\ndef find(): ...") == [("get_by_id", None, None)]


@settings(deadline=None)
@given(st.text(alphabet="`must not.\nevalabc ,;", max_size=200))
def test_any_document_gives_checks_that_quote_it(text: str) -> None:
    body = " ".join(text.split())
    for check in checks(text):
        assert check.sentence
        assert f"`{check.element}`" in body.replace("` ", "`").replace(" `", "`") or check.element


@pytest.mark.parametrize("unit", ["`a1` must not ", "must ", "`", ". ", "- x\n", "never `a1`. "])
def test_a_hostile_document_is_read_in_no_time(unit: str) -> None:
    """A-6: no document can stall the server."""
    started = time.process_time()
    found = checks(unit * (200_000 // len(unit)))
    apply_checks(found, "x\n" * 10_000, "python")
    assert_costs_at_most(time.process_time() - started, 300)


def broken(sentence: str, code: str, language: str = "python") -> list[str]:
    found = checks(f"# P\n\n{sentence}\n")
    return [each.check.name for each in apply_checks(found, code, language)]


@pytest.mark.parametrize(
    ("code", "language"),
    [
        ("def get_by_id(self, number):\n    return 1\n", "python"),
        ("async def get_by_id(self):\n    ...\n", "python"),
        ("get_by_id = partial(find, key='id')\n", "python"),
        ("class A {\n  getById(id: string): Order {\n    return x;\n  }\n}\n", "typescript"),
        ("interface A {\n  getById(id: string): Order;\n}\n", "typescript"),
        ("const getById = (id) => orders[id];\n", "javascript"),
        ("public Order getById(String id) {\n    return null;\n}\n", "java"),
        ("func (r *Orders) GetByID(id string) (*Order, error) {\n}\n", "go"),
        ("fn get_by_id(&self) -> Order {\n}\n", "rust"),
    ],
)
def test_a_definition_meets_words_that_ask_for_one(code: str, language: str) -> None:
    """A-6: in any style of naming."""
    assert broken("Every repository must define `get_by_id`.", code, language) == []


@pytest.mark.parametrize(
    ("code", "language"),
    [
        ("x = orders.get_by_id(3)\n", "python"),
        ("get_by_id(3)\n", "python"),
        ("return get_by_id(3)\n", "python"),
        ("const x = repo.getById(id);\n", "typescript"),
        ("Order o = orders.getById(3);\n", "java"),
    ],
)
def test_a_call_does_not_meet_words_that_ask_for_a_definition(code: str, language: str) -> None:
    """A-6: words that ask for a definition are not met by a call."""
    sentence = "Every repository must define `get_by_id`."
    assert broken(sentence, code, language) == ["required: get_by_id"]


@pytest.mark.parametrize("code", ["self.print(1)\n", "printer.print('x')\n", "def print(x): ...\n"])
def test_another_objects_method_is_not_the_forbidden_call(code: str) -> None:
    """A-6: words that forbid a call are not broken by another object's method of that name."""
    assert broken("Services must not call `print`.", code) == []


@pytest.mark.parametrize("code", ["print(1)\n", "x = print ('a')\n"])
def test_the_forbidden_call_is_found(code: str) -> None:
    assert broken("Services must not call `print`.", code) == ["forbidden: print"]


def test_a_required_call_is_met_by_a_method() -> None:
    sentence = "Each unit of work must call `commit`."
    assert broken(sentence, "session.commit()\n") == []
    assert broken(sentence, "def commit(self): ...\n") == ["required: commit"]


@pytest.mark.parametrize(
    ("code", "met"),
    [
        ("class R { getById(id: string) { return 1 } }", True),
        ("const r = { getById: (id) => 1 }", True),
        ("class R {\n  async getById(id) {\n  }\n}", True),
        ("r.getById(3);", False),
        ("if (x) { getById(3); }", False),
    ],
)
def test_a_definition_may_stand_on_the_line_of_its_class(code: str, met: bool) -> None:
    """A-6: words that ask for a definition are met by one wherever it stands, not by a call."""
    check = TextCheck(
        "required", "getById", "It must define `getById`.", 1, True, role="definition"
    )
    assert (not apply_checks([check], code, "typescript")) is met


@pytest.mark.parametrize(
    ("code", "broken"),
    [
        ("eval('1')", True),
        ("f = eval", True),
        ("model.eval()", False),
        ("def evaluate(): pass", False),
    ],
)
def test_a_name_that_must_not_be_used_is_not_that_of_another_objects_method(
    code: str, broken: bool
) -> None:
    """A-6: `model.eval()` is no use of `eval`."""
    check = TextCheck("forbidden", "eval", "It must not use `eval`.", 1, True)
    assert bool(apply_checks([check], code, "python")) is broken


def test_words_that_speak_of_imports_mean_imports() -> None:
    """A-6: a variable that happens to have a module's name is not that module."""
    sentence = "Modules must not import `requests`."
    assert broken(sentence, "import requests\n") == ["forbidden: requests"]
    assert broken(sentence, "requests = 3\n") == []
    assert broken("Modules must import `logging`.", "logging = 3\n") == ["required: logging"]
    assert broken("Modules must import `logging`.", "import logging.config\n") == []


def test_a_block_of_rules_for_machines_contradicts_no_sentence() -> None:
    """A-6: only sample code shows what the document's words cannot mean."""
    words = "# P\n\nA client must use `httpx`.\n\n"
    assert named(f"{words}```yaml\nrules:\n  - forbid: requests\n```\n") == [("required", "httpx")]
    assert named(f"{words}```python\nimport requests\n```\n") == []


@pytest.mark.parametrize(
    ("sentence", "code", "kept"),
    [
        ("A store must inherit from `BaseStore`.", "class A(base.BaseStore[int]): pass\n", True),
        (
            "A store must inherit from `BaseStore`.",
            "from x import BaseStore\nclass A: pass\n",
            False,
        ),
        ("A store must extend `BaseStore`.", "x = BaseStore()\n", False),
        ("A store must extend `BaseStore`.", "class BaseStore: pass\n", False),
        ("A store must never extend `BaseStore`.", "class A(BaseStore): pass\n", False),
        ("A store must never extend `BaseStore`.", "x = BaseStore()\n", True),
        ("Callers must extend `timeout`.", "timeout = 3\n", True),
        ("A store must have a constructor.", "class A:\n    def __init__(self): pass\n", True),
        (
            "A store must have a constructor.",
            "class A:\n    def f(self):\n        super().__init__()\n",
            False,
        ),
        ("Never use a bare except.", "try:\n    f()\nexcept:\n    pass\n", False),
        ("Never use a bare except.", "try:\n    f()\nexcept ValueError:\n    pass\n", True),
    ],
)
def test_what_a_class_is_and_has_is_told_from_what_it_uses(
    sentence: str, code: str, kept: bool
) -> None:
    """A-6: words that ask for a definition are not met by a call."""
    found = checks(f"# P\n\n{sentence}\n")
    assert len(found) == 1
    assert (apply_checks(found, code, "python") == []) is kept
