"""U-1, U-3: the pages of reference are those of this very code, and leave nothing out."""

from __future__ import annotations

import argparse
import importlib.util
import inspect
import subprocess
import sys
from collections.abc import Iterator
from types import ModuleType

import pytest

from support.pages import DOCS, ROOT
from toolcrib.cli import COMMANDS, parser_for
from toolcrib.cli.clients.registry import CLIENTS
from toolcrib.core import errors
from toolcrib.settings import json_schema

SHARED = ("-h", "--help", "-V", "--version", "--project", "--json")


def script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for child in action.choices.values():
                yield from parsers(child)


@pytest.mark.parametrize("name", ["cli.md", "settings.md", "errors.md"])
def test_a_page_of_reference_is_not_stale(name):
    """U-3: after a change of the code: make reference."""
    assert (DOCS / name).read_text() == script("reference").pages()[name]


def test_every_command_has_examples_and_every_option_its_words():
    """U-1: a command or an option without documentation fails here."""
    page = (DOCS / "cli.md").read_text()
    for parser in parsers(parser_for([], every=True)):
        assert f"{parser.prog}\n" in page or parser.prog == "toolcrib"
        for action in parser._actions:
            named = f"{parser.prog} {'/'.join(action.option_strings) or action.dest}"
            for option in set(action.option_strings) - set(SHARED):
                assert action.help and f"`{option}`" in page, named
    for name in COMMANDS:
        assert f"\ntoolcrib {name}" in page, f"no example of {name}"


def test_every_setting_is_on_its_page():
    """S-4, U-3: a key that is not documented fails here."""
    page = (DOCS / "settings.md").read_text()
    for section in json_schema()["properties"].values():
        for key in section["properties"]:
            assert f"| `{key}` |" in page


def test_every_class_of_errors_is_on_its_page():
    """U-3: with the sentences of its docstring."""
    page = (DOCS / "errors.md").read_text()
    for kind in vars(errors).values():
        if isinstance(kind, type) and issubclass(kind, errors.ToolcribError):
            assert f"### {kind.code}" in page
            assert "code" not in vars(kind) or inspect.cleandoc(kind.__doc__) in page


def test_every_module_that_defines_an_error_is_known_to_explain():
    """U-1: `explain` and its page do not depend on what happens to be imported."""
    code = (
        "import importlib, pkgutil, toolcrib\n"
        "from toolcrib.cli.commands.explain import explanations\n"
        "before = {each.code for each in explanations()}\n"
        "for module in pkgutil.walk_packages(toolcrib.__path__, 'toolcrib.'):\n"
        "    if not module.name.endswith('__main__'):\n"
        "        importlib.import_module(module.name)\n"
        "print(sorted({each.code for each in explanations()} - before))\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"


def test_every_client_is_on_its_page_with_its_scopes():
    """U-1: eight clients."""
    page = (DOCS / "clients.md").read_text()
    for client in CLIENTS.values():
        assert f"| `{client.name}` | {', '.join(client.scopes)} |" in page


@pytest.mark.parametrize(("name", "file"), [("picture", "toolcrib.svg")])
def test_the_picture_is_the_one_that_the_script_draws(name, file):
    """U-3: one picture, made by a script."""
    assert (DOCS / "images" / file).read_text() == script(name).draw()


def test_the_recording_shows_every_step_of_the_demo():
    """U-2: the recording is of this demo; scripts/record.py makes it anew."""
    from toolcrib.cli.walkthrough.steps import STEPS

    recording = (DOCS / "images" / "demo.svg").read_text()
    for number in range(1, len(STEPS) + 1):
        assert f">{number}/{len(STEPS)}  " in recording
