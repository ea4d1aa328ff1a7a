"""What the guide's tools, prompt and command answer, as plain objects."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from toolcrib.core.declare.prefix import prefixed
from toolcrib.core.errors import FileRefused, FileUnreadable
from toolcrib.packs.guide.content.budget import (
    AnswerPosition,
    Budget,
    Piece,
    decode_cursor,
    encode_cursor,
)
from toolcrib.packs.guide.content.content import ContentLibrary, Selection, Unmatched
from toolcrib.packs.guide.content.index import DocumentEntry
from toolcrib.packs.guide.environment import tool_prefix
from toolcrib.packs.guide.errors import NotFound
from toolcrib.packs.guide.rules.rules import RuleFile, rules_for

JSON = dict[str, Any]


def content(
    library: ContentLibrary,
    expression: str,
    pattern: str | None = None,
    *,
    max_tokens: int | None = None,
    cursor: str | None = None,
) -> JSON:
    """The documents that an expression means, as many as fit, and the way to the rest.

    Raises `NotFound` only when nothing matched at all.
    """
    selection = library.select(expression, pattern)
    if not selection.documents:
        raise nothing_matches(expression, selection.missing)
    question = (expression, pattern)
    start = _resumed(selection, decode_cursor(cursor, question)) if cursor else AnswerPosition()
    budget = Budget(max_tokens or library.settings.max_tokens)
    shown, following = _filled(library, selection.documents, budget, start)
    answer: JSON = {
        "expression": expression,
        "documents": shown,
        "matched": len(selection.documents),
        "missing": [_told(each) for each in selection.missing],
        "tokens": budget.spent,
        "truncated": following is not None,
    }
    if following is not None:
        answer["remaining"] = len(selection.documents) - following.index
        answer["cursor"] = encode_cursor(following, question)
        if following.offset:
            shown[-1]["content"] += _marker(shown[-1], again(expression, pattern))
    return answer


def rules(library: ContentLibrary, path: str) -> JSON:
    """What applies to a path, nearest first; where two disagree, the earlier one wins."""
    relative = _relative(library, path)
    applying, asked = rules_for(library.root, relative)
    budget = Budget(library.settings.max_tokens)
    shown = [_rule(rule, budget) for rule in applying]
    return {
        "path": relative,
        "rules": shown,
        "on_request": [
            {"expression": rule.expression, "description": rule.description} for rule in asked
        ],
    }


def _relative(library: ContentLibrary, path: str) -> str:
    """Agents like absolute paths; one inside of the project means the same without its head."""
    for home in (str(library.root.path), str(library.root.path.resolve())):
        if path == home or path.startswith(home.rstrip("/") + "/"):
            return path[len(home) :].lstrip("/")
    return path


def _rule(rule: RuleFile, budget: Budget) -> JSON:
    shown: JSON = {
        "source": rule.source,
        "path": rule.path,
        "expression": rule.expression,
        "applies": rule.applies,
        "title": rule.document.title,
    }
    piece = budget.take(rule.document.body.strip()) if budget.left > 0 else None
    if piece is None:
        shown["content"] = None
        shown["omitted"] = f"too long to show here; get_content({rule.expression!r}) has it"
    else:
        shown["content"] = piece.text
        if not piece.whole:
            shown["content"] += (
                f"\n\n[… cut at character {piece.end:,} of {piece.total:,}; "
                f"get_content({rule.expression!r}) has all of it]"
            )
    return shown


def _filled(
    library: ContentLibrary,
    documents: Sequence[DocumentEntry],
    budget: Budget,
    start: AnswerPosition,
) -> tuple[list[JSON], AnswerPosition | None]:
    shown: list[JSON] = []
    for index in range(start.index, len(documents)):
        document = documents[index]
        try:
            read = library.read(document)
        except (FileRefused, FileUnreadable) as error:
            # One bad file never fails the rest.
            if not budget.charge():
                return shown, AnswerPosition(index, 0, document.key)
            shown.append({**_header(document, document.name), "content": None, "error": str(error)})
            continue
        text = read.body.strip("\n") or read.text
        version = hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=6).hexdigest()
        first = index == start.index
        # A document that changed since its first part was read begins again.
        offset = start.offset if first and start.version in ("", version) else 0
        piece = budget.take(text, min(offset, len(text)))
        if piece is None:
            return shown, AnswerPosition(index, 0, document.key)
        shown.append(_shown(document, read.title, piece, read.notes))
        if first and start.offset and not offset:
            shown[-1]["notes"] = [*shown[-1].get("notes", []), "changed meanwhile; begins again"]
        if piece.end < piece.total:
            return shown, AnswerPosition(index, piece.end, document.key, version)
    return shown, None


def _shown(document: DocumentEntry, title: str, piece: Piece, notes: tuple[str, ...]) -> JSON:
    shown = {**_header(document, title), "content": piece.text}
    if not piece.whole:
        shown["part"] = {"from": piece.start, "to": piece.end, "of": piece.total}
    if notes:
        shown["notes"] = list(notes)
    return shown


def _header(document: DocumentEntry, title: str) -> JSON:
    return {"document": document.key, "uri": document.uri, "title": title}


def again(expression: str, pattern: str | None) -> str:
    """What to call for the rest: the tool as it is listed, and the question of the cursor."""
    asked = {"expression": expression} | ({"pattern": pattern} if pattern is not None else {})
    tool = prefixed("get_content", tool_prefix())
    return f"{tool} with {json.dumps(asked, ensure_ascii=False)} and the cursor of this answer"


def _marker(shown: JSON, words: str) -> str:
    part = shown["part"]
    return f"\n\n[… cut at character {part['to']:,} of {part['of']:,}: for the rest call {words}]"


def _resumed(selection: Selection, position: AnswerPosition) -> AnswerPosition:
    """The place to go on from, also when documents came or went meanwhile."""
    documents = selection.documents
    if position.index < len(documents) and documents[position.index].key == position.key:
        return position
    for index, document in enumerate(documents):
        if document.key == position.key:
            return AnswerPosition(index, position.offset, position.key, position.version)
    return AnswerPosition(min(position.index, len(documents)))


def _told(missing: Unmatched) -> JSON:
    told = asdict(missing)
    told["nearest"] = list(missing.nearest)
    return told


def nothing_matches(expression: str, missing: list[Unmatched]) -> NotFound:
    """What to say of an expression that means no document at all."""
    reasons = "; ".join(f"{each.expression}: {each.reason}" for each in missing[:5])
    near = [name for each in missing for name in each.nearest][:5]
    return NotFound(
        f"Nothing matches {expression!r}" + (f" ({reasons})" if reasons else ""),
        data={"missing": [_told(each) for each in missing], "nearest": near},
        next=f"Nearest: {', '.join(near)}" if near else "Call category_list to see what there is.",
    )
