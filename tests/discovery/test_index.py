"""`ToolIndex`, and what `climax_search` answers."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from support.growth import assert_costs_at_most
from toolcrib.core.errors import InvalidArguments
from toolcrib.core.executor import ToolExecutor
from toolcrib.core.support.jsonable import dumps
from toolcrib.core.tool import Tool
from toolcrib.discovery.answers import search
from toolcrib.discovery.groups import PackTools
from toolcrib.discovery.index import ToolIndex
from toolcrib.discovery.meta_tools import meta_tools
from toolcrib.packs.climax.config.config import bundled_names, load_configs

GIT = """
    name: git-tools
    description: Version control
    command: git
    category: vcs
    tags: [git, scm]
    tools:
      - name: git_commit
        description: Record changes to the repository
        command: commit
        args:
          - {name: message, description: The message, required: true, flag: -m}
          - {name: amend, type: boolean, description: Replace the last one}
      - name: git_branch
        description: List, create, or delete branches
        command: branch
        args:
          - {name: sort, enum: [name, date], default: name, flag: "--sort="}
          - {name: name, positional: true}
      - {name: git_log, description: Show the history of commits, command: log}
"""
DOCKER = """
    name: docker
    description: Containers
    command: docker
    category: containers
    tools:
      - {name: docker_ps, description: List containers, command: ps}
      - {name: docker_commit, description: Create an image from a branch of layers, command: commit}
"""


@pytest.fixture
def index(write: Callable[..., Path], tmp_path: Path) -> ToolIndex:
    write(GIT, "git.yaml")
    write(DOCKER, "docker.yaml")
    return ToolIndex.from_configs(load_configs(["git.yaml", "docker.yaml"], tmp_path).configs)


def names(answer: dict[str, Any]) -> list[str]:
    return [entry["tool_name"] for entry in answer["results"]]


def test_a_query_finds_tools_with_all_that_a_call_needs(index: ToolIndex) -> None:
    """C-4, seed US1.1: exactly the keys of the contract, arguments with all they have."""
    answer = search(index, query="git_branch")
    assert answer["mode"] == "search"
    assert answer["results"][0] == {
        "tool_name": "git_branch",
        "description": "List, create, or delete branches",
        "cli_name": "git-tools",
        "category": "vcs",
        "tags": ["git", "scm"],
        "args": [
            {"name": "sort", "type": "string", "description": "", "required": False,
             "default": "name", "enum": ["name", "date"], "flag": "--sort="},
            {"name": "name", "type": "string", "description": "", "required": False,
             "positional": True},
        ],
        "input_schema": {
            "type": "object",
            "properties": {
                "sort": {"type": "string", "enum": ["name", "date"], "default": "name"},
                "name": {"type": "string"},
            },
        },
    }  # fmt: skip


def test_a_required_argument_and_its_flag_are_shown(index: ToolIndex) -> None:
    """C-4: required, flag and type of each argument."""
    entry = search(index, query="git_commit")["results"][0]
    assert entry["args"][0] == {
        "name": "message",
        "type": "string",
        "description": "The message",
        "required": True,
        "flag": "-m",
    }
    assert entry["input_schema"]["required"] == ["message"]


def test_filters_are_joined_by_and(index: ToolIndex) -> None:
    """C-4, seed US1.2-4: category, cli, and query with category."""
    assert set(names(search(index, category="vcs"))) == {"git_commit", "git_branch", "git_log"}
    assert set(names(search(index, cli="DOCKER"))) == {"docker_ps", "docker_commit"}
    assert names(search(index, query="branch", category="containers")) == ["docker_commit"]
    assert names(search(index, query="branch", category="vcs", cli="docker")) == []


def test_the_limit_cuts_and_the_total_is_told(index: ToolIndex) -> None:
    """C-4, C-11, seed US1.5: at most `limit` results; the answer may say how many there were."""
    answer = search(index, category="vcs", limit=2)
    assert len(answer["results"]) == 2
    assert answer["total_matches"] == 3


def test_without_a_filter_there_is_a_summary_whatever_the_limit(index: ToolIndex) -> None:
    """C-4, seed US1.6: the CLIs with tool count, category and tags, capped at `limit`."""
    assert search(index) == {
        "mode": "summary",
        "summary": [
            {"name": "docker", "description": "Containers", "tool_count": 2,
             "category": "containers", "tags": []},
            {"name": "git-tools", "description": "Version control", "tool_count": 3,
             "category": "vcs", "tags": ["git", "scm"]},
        ],
    }  # fmt: skip
    assert [each["name"] for each in search(index, limit=1)["summary"]] == ["docker"]


def test_no_match_is_an_empty_list(index: ToolIndex) -> None:
    """C-4: an empty list, not an error; the nearest names may help."""
    answer = search(index, query="qwertz")
    assert (answer["mode"], answer["results"]) == ("search", [])
    assert (
        search(index, query="git_comit")["results"] or search(index, query="git_comit")["nearest"]
    )


def test_exact_names_and_parts_of_names_rank_first(index: ToolIndex) -> None:
    """C-4: exact names and substring matches always rank first."""
    assert names(search(index, query="git_log"))[0] == "git_log"
    assert set(names(search(index, query="commit"))[:2]) == {"git_commit", "docker_commit"}


def test_words_in_any_order_and_word_forms_are_found(index: ToolIndex) -> None:
    """C-4: then words in any order, word forms."""
    assert names(search(index, query="branches deleting"))[0] == "git_branch"


def test_get_returns_the_tool_with_its_config(index: ToolIndex) -> None:
    """C-3: `get(name)` pairs a tool with its config."""
    found = index.get("git_log")
    assert found is not None
    assert (found.tool.words, found.config.name) == (("log",), "git-tools")
    assert index.get("git_lo") is None
    assert "git_log" in index
    assert len(index) == 5


def test_other_tools_can_be_found_as_well(index: ToolIndex) -> None:
    """S-3: progressive discovery reaches every tool of every pack."""
    schema = {
        "type": "object",
        "properties": {"path": {"type": "string", "description": "Which"}, "n": {"default": 1}},
        "required": ["path"],
    }
    tool = Tool("directive/file.get", "Read a directive file", schema, lambda *_: None)
    index = ToolIndex(index.stock, [PackTools("directive", "Files of the repository", [tool])])
    entry = search(index, query="read a directive")["results"][0]
    assert entry["tool_name"] == "directive/file.get"
    assert entry["args"] == [
        {"name": "path", "type": "string", "description": "Which", "required": True},
        {"name": "n", "type": "integer", "description": "", "required": False, "default": 1},
    ]
    assert entry["input_schema"] == schema
    assert [each["name"] for each in search(index)["summary"]] == [
        "directive",
        "docker",
        "git-tools",
    ]


def validated(index: ToolIndex, given: dict[str, Any]) -> dict[str, Any]:
    tool = next(
        each
        for each in meta_tools(index, lambda _: None, lambda _: None, ToolExecutor())
        if "search" in each.name
    )
    assert tool.validate is not None
    return tool.validate(given)


def test_null_and_empty_filters_count_as_absent(index: ToolIndex) -> None:
    """C-11: `query` null or "" counts as absent."""
    assert validated(index, {"query": "", "category": None, "limit": "3"}) == {"limit": 3}


def test_a_query_of_blanks_makes_no_match_of_every_tool(index: ToolIndex) -> None:
    """C-14: no tool shares a word with blanks; they count as absent, as "" does (C-11)."""
    for blank in (" ", " \t\n ", "\u3000"):
        assert validated(index, {"query": blank, "category": blank, "cli": "docker"}) == {
            "cli": "docker"
        }
        assert search(index, query=blank) == search(index)


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"limit": 0}, "Argument 'limit' must be at least 1, got 0"),
        ({"limit": "many"}, "Argument 'limit': cannot convert 'many' to integer"),
        ({"qurey": "x"}, "Unknown argument 'qurey'; did you mean 'query'?"),
        ({"query": ["x"]}, "Argument 'query': cannot convert [\"x\"] to string"),
    ],
)
def test_a_wrong_search_says_what_would_be_right(
    index: ToolIndex, given: dict[str, Any], problem: str
) -> None:
    """C-4: wrong arguments are named, with what was expected."""
    with pytest.raises(InvalidArguments) as caught:
        validated(index, given)
    assert caught.value.problems == (problem,)


@pytest.mark.parametrize(
    "query", ["list", "container logs", "search text in files", "create", "diff", "install"]
)
def test_ten_results_of_the_bundled_configs_stay_small(tmp_path: Path, query: str) -> None:
    """C-4: at most 2,500 tokens (a token of JSON is at least three characters) for 10 results."""
    bundled = ToolIndex.from_configs(load_configs(bundled_names(), tmp_path).configs)
    answer = search(bundled, query=query)
    assert len(answer["results"]) == 10
    assert len(dumps(answer)) < 2500 * 3


def test_ten_thousand_tools_are_searched_in_milliseconds(
    write: Callable[..., Path], tmp_path: Path
) -> None:
    """C-4: p50 at most 5 ms of CPU on 10,000 tools (four times that, for busy machines)."""
    verbs = ["list", "show", "create", "delete", "copy", "merge", "start", "stop", "build", "push"]
    nouns = ["branch", "image", "volume", "file", "issue", "user", "token", "page", "row", "job"]
    tools = "".join(
        f"  - {{name: {verbs[n % 10]}_{nouns[n // 10 % 10]}_{n}, "
        f"description: {verbs[n % 10]} the {nouns[n // 10 % 10]} of the {nouns[n // 100 % 10]}}}\n"
        for n in range(10_000)
    )
    write("command: x\ntools:\n" + tools)
    index = ToolIndex.from_configs(load_configs(["tools.yaml"], tmp_path).configs)
    index.prepare()
    spent = []
    for query in ("delete a branch", "show issues", "build_image", "users and tokens", "row") * 3:
        started = time.thread_time()
        assert search(index, query=query)["results"]
        spent.append(time.thread_time() - started)
    assert_costs_at_most(sorted(spent)[len(spent) // 2], 2)


def test_an_answer_stays_within_what_a_context_has_room_for(
    write: Callable[..., Path], tmp_path: Path
) -> None:
    """C-4: the best of a thousand matches, and how many there were; never more than is read."""
    lines = "\n".join(
        f"      - {{name: job_{number:04}, description: {'Runs one of the nightly jobs. ' * 8}}}"
        for number in range(1_000)
    )
    write(f"    name: jobs\n    command: echo\n    tools:\n{lines}\n")
    jobs = ToolIndex.from_configs(load_configs(["tools.yaml"], tmp_path).configs)
    answer = search(jobs, query="nightly job", limit=1_000)
    assert answer["total_matches"] == 1_000
    assert 100 < len(answer["results"]) < 1_000
    assert len(dumps(answer)) < 80_000
    assert names(answer) == names(search(jobs, query="nightly job", limit=len(answer["results"])))


def test_why_a_tool_matched_is_told_on_request(index: ToolIndex) -> None:
    """C-4: the entries keep their keys; the reasons stand beside them, by name."""
    answer = search(index, query="show containers", explain=True)
    assert list(answer["explain"]) == names(answer)
    why = answer["explain"]["docker_ps"]
    assert why["words"]["containers"] == {"in": ["description", "tags", "about"]}
    assert why["name"] is None
    assert search(index, query="git_log", explain=True)["explain"]["git_log"]["name"] == "exact"
    assert answer["results"][0].keys() == search(index, query="ps")["results"][0].keys()
    assert "explain" not in search(index, query="show containers")
