"""The prompt `guide`: a person types `@guide lang/python docs/api`, the agent gets the documents.

Documented as README.md beside this file lays out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from toolcrib.core.errors import InvalidParams, PromptNotFound
from toolcrib.core.pack import Prompt, PromptArgument, RenderedPrompt
from toolcrib.core.support.workers import in_thread
from toolcrib.core.tool import CallContext
from toolcrib.packs.guide.content.expressions import LONGEST
from toolcrib.packs.guide.session import GuideSession

if TYPE_CHECKING:
    from toolcrib.core.declare.descriptions import Style

NAME = "guide"
# Clients fill in named arguments only; people think of them as *args.
ARGUMENTS = tuple(f"arg{digit}" for digit in "123456789ABCDEF")
SUMMARY = "Get project guidance: @guide *args"
_MOST_COMPLETIONS = 100


def full_description() -> str:
    """All that there is to say of it."""
    from toolcrib.core.declare.descriptions import full_prompt  # only where it is asked for

    # The template for this text is README.md in this folder.
    return full_prompt(
        NAME,
        "Get project guidance.\n\nPuts documents of this project into the conversation: whole "
        "categories, single documents, or collections. Without arguments it shows what there is.",
        "*args: expressions, such as `category`, `category/pattern` or `collection`",
        "Each argument is an expression as get_content takes it; several are delivered in order.",
        (
            ("lang/python", "Delivers the document lang/python.md."),
            ("lang/python+sql docs/api", "Delivers two languages, then one document of docs."),
            ("", "Shows the categories and collections of this project."),
        ),
    )


class GuidePrompts:
    """The one prompt of the guide."""

    def __init__(self, session: GuideSession, descriptions: Style = "concise") -> None:
        self._session = session
        self._description = full_description() if descriptions == "full" else SUMMARY

    def prompts(self) -> Sequence[Prompt]:
        """The list of one."""
        said = "An expression, such as lang/python; none for an overview"
        arguments = [PromptArgument(ARGUMENTS[0], said)]
        arguments += [PromptArgument(each, "One more expression") for each in ARGUMENTS[1:]]
        return [Prompt(NAME, "Guide", self._description, arguments)]

    async def render(
        self, name: str, arguments: Mapping[str, str], context: CallContext
    ) -> RenderedPrompt:
        """The documents as one message; raises `InvalidParams` for what matches nothing."""
        if name != NAME:
            raise PromptNotFound(name, [NAME])
        typed = [arguments[each].strip() for each in ARGUMENTS if arguments.get(each, "").strip()]
        text = await in_thread(self._content if typed else self._overview, typed)
        message = {"role": "user", "content": {"type": "text", "text": text}}
        return RenderedPrompt([message], f"@{NAME} {' '.join(typed)}".strip())

    def complete(self, name: str, argument: str, value: str, given: dict[str, Any]) -> list[str]:
        """Categories and collections; after a slash, the documents of the category."""
        library = self._session.library
        known = library.definitions()
        category, slash, begun = value.partition("/")
        if not slash:
            names = known.names()
        elif category in known.categories:
            documents = library.index(known.categories[category]).documents
            names = [each.key for each in documents if each.name.startswith(begun)]
        else:
            names = []
        return [each for each in names if each.startswith(value)][:_MOST_COMPLETIONS]

    def _content(self, typed: list[str]) -> str:
        from toolcrib.core.declare.functions import undecorated  # pydantic: only for who asks
        from toolcrib.packs.guide.tools.content import GetContent, get_content

        expression = ",".join(typed)
        if len(expression) > LONGEST:
            raise InvalidParams(
                f"The expressions have {len(expression):,} characters, at most {LONGEST:,} are read"
            )
        with self._session.active():
            wanted = GetContent.model_validate({"expression": expression})
            result = undecorated(get_content)(wanted)
        if not result.success:
            raise InvalidParams(result.error, data=result.error_data, next=result.instruction)
        parts = [f"Guidance of this project for: {' '.join(typed)}"]
        for document in result.value["documents"]:
            body = document["content"] or document.get("error", "")
            parts.append(f"--- {document['document']} ---\n{body}")
        if result.value["missing"]:
            absent = ", ".join(each["expression"] for each in result.value["missing"])
            parts.append(f"Nothing matched: {absent}")
        if result.instruction:
            parts.append(f"{result.instruction} cursor={result.value['cursor']!r}")
        return "\n\n".join(parts)

    def _overview(self, typed: list[str]) -> str:
        from toolcrib.packs.guide.content import listing  # not for a start

        library = self._session.library
        lines = ["This project has guidance to get with get_content or @guide:", "", "Categories:"]
        for each in listing.categories(library):
            lines.append(_line(each, f"{each['documents']} documents"))
        lines += ["", "Collections:"]
        lines += [
            _line(each, ", ".join(each["expressions"])) for each in listing.collections(library)
        ]
        return "\n".join(lines)


def _line(each: dict[str, Any], more: str) -> str:
    described = f" - {each['description']}" if each["description"] else ""
    return f"- {each['name']}{described} ({more})"
