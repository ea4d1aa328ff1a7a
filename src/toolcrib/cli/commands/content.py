"""Print guide content by an expression, and see what there is.

examples:
  toolcrib content get lang/python             one document
  toolcrib content lang/python                 the same: `get` may be left out
  toolcrib content get lang/python+sql,docs    several, in order
  toolcrib content categories                  what can be got
  toolcrib content files docs                  the documents of a category or collection
  toolcrib content rules src/api/users.py      the rules that apply to a file, nearest first
  toolcrib content skills [NAME]               agent skills
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from toolcrib.cli.terminal import console
from toolcrib.core.errors import ToolcribError

if TYPE_CHECKING:
    from toolcrib.packs.guide.session import GuideSession


_COMMANDS = {
    "Call category_list": "Run `toolcrib content categories`",
    "Call get_skill without a name": "Run `toolcrib content skills`",
}


def add(parser: argparse.ArgumentParser) -> None:
    """The actions."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    for name, summary, argument in (
        ("get", "print documents", "EXPRESSION"),
        ("categories", "list the categories", None),
        ("collections", "list the collections", None),
        ("files", "list the documents of a category or collection", "NAME"),
        ("rules", "print the rules that apply to a file", "PATH"),
        ("skills", "list the agent skills, or print one", "[NAME]"),
    ):
        action = actions.add_parser(name, help=summary, description=summary)
        if argument is not None:
            optional = "?" if argument.startswith("[") else None
            action.add_argument("word", metavar=argument.strip("[]"), nargs=optional)


def run(args: argparse.Namespace) -> int:
    """Run one action."""
    from toolcrib.packs.guide.session import GuideSession
    from toolcrib.settings import load

    session = GuideSession(args.project, load(args.project).section("guide"))
    try:
        _ACTIONS[args.action](session, args)
    except ToolcribError as error:
        # What an agent would call is a command for whoever types.
        for tool, command in _COMMANDS.items():
            error.next = (error.next or "").replace(tool, command) or None
        raise
    finally:
        session.close()
    return 0


def _get(session: GuideSession, args: argparse.Namespace) -> None:
    """Everything at once: a person has a pager, and no context window."""
    from toolcrib.packs.guide.content import answers
    from toolcrib.packs.guide.content.budget import MOST

    documents: list[dict[str, Any]] = []
    cursor = None
    while True:
        answer = answers.content(session.library, args.word, max_tokens=MOST, cursor=cursor)
        documents += answer["documents"]
        cursor = answer.get("cursor")
        if cursor is None:
            break
    for each in answer["missing"]:
        near = f" Nearest: {', '.join(each['nearest'])}" if each["nearest"] else ""
        console.hint(f"Nothing matches {each['expression']}: {each['reason']}.{near}")
    parts = [
        f"{console.style('── ' + each['document'], 'bold')}\n{each['content'] or each['error']}"
        for each in documents
    ]
    console.emit({"documents": documents, "missing": answer["missing"]}, "\n\n".join(parts), args)


def _categories(session: GuideSession, args: argparse.Namespace) -> None:
    from toolcrib.packs.guide.content import listing

    found = listing.categories(session.library)
    rows = [
        (
            each["name"],
            each["documents"],
            each["dir"] or ".",
            each["origin"],
            each["description"] or "",
        )
        for each in found
    ]
    headers = ["category", "documents", "folder", "from", ""]
    text = console.table(rows, headers) if rows else _nothing(session)
    console.emit(found, text, args)


def _collections(session: GuideSession, args: argparse.Namespace) -> None:
    from toolcrib.packs.guide.content import listing

    found = listing.collections(session.library)
    rows = [(each["name"], ", ".join(each["expressions"]), each["origin"]) for each in found]
    text = console.table(rows, ["collection", "expressions", "from"])
    console.emit(found, text if rows else "No collections are defined.", args)


def _files(session: GuideSession, args: argparse.Namespace) -> None:
    from toolcrib.packs.guide.content import answers

    selection = session.library.select(args.word)
    if not selection.documents:
        raise answers.nothing_matches(args.word, selection.missing)
    found = [
        {"document": each.key, "path": each.path, "size": each.entry.size}
        for each in selection.documents
    ]
    rows = [(each["document"], each["path"], each["size"]) for each in found]
    console.emit(found, console.table(rows, ["document", "file", "bytes"]), args)
    for missing in selection.missing:
        console.hint(f"Nothing matches {missing.expression}: {missing.reason}.")


def _rules(session: GuideSession, args: argparse.Namespace) -> None:
    from toolcrib.packs.guide.content import answers

    found = answers.rules(session.library, args.word)
    parts = [
        f"{console.style('── ' + each['path'], 'bold')} ({each['applies']})\n"
        f"{each['content'] or each['omitted']}"
        for each in found["rules"]
    ]
    text = "\n\n".join(parts) or f"No rules apply to {found['path']}."
    console.emit(found, text, args)


def _skills(session: GuideSession, args: argparse.Namespace) -> None:
    from toolcrib.packs.guide.content import listing

    found = listing.skill(session.skills(), args.word)
    if args.word is not None:
        console.emit(found, found["content"], args)
        return
    rows = [(each["name"], each["description"]) for each in found["skills"]]
    text = console.table(rows, ["skill", ""]) if rows else "No skills are in this repository."
    console.emit(found, text, args)


def _nothing(session: GuideSession) -> str:
    folder = session.library.content
    return (
        f"There is no content yet. Make a folder such as {folder}/docs/ and put Markdown files "
        "into it: each folder is a category."
    )


_ACTIONS: dict[str, Callable[[GuideSession, argparse.Namespace], None]] = {
    "get": _get,
    "categories": _categories,
    "collections": _collections,
    "files": _files,
    "rules": _rules,
    "skills": _skills,
}
