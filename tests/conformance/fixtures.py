"""The fixtures that the official conformance suite asks for, as a pack on toolcrib's own stack."""

from __future__ import annotations

import asyncio
import base64
import json
import re
import struct
import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from toolcrib.core.errors import ExecutionFailed, MethodFailed, ResourceNotFound
from toolcrib.core.pack import (
    Changes,
    Contents,
    Contributions,
    Pack,
    Prompt,
    PromptArgument,
    RenderedPrompt,
    Resource,
    ResourceTemplate,
)
from toolcrib.core.tool import JSON, CallContext, Tool, ToolOutput

NOTHING: JSON = {"type": "object", "properties": {}}


def _png() -> str:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    header = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    pixel = zlib.compress(b"\0\xff\0\0")
    raw = (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixel) + chunk(b"IEND", b"")
    )
    return base64.b64encode(raw).decode()


def _wav() -> str:
    data = b"\x80" * 8
    raw = b"RIFF" + struct.pack("<I", 36 + len(data)) + b"WAVEfmt "
    raw += (
        struct.pack("<IHHIIHH", 16, 1, 1, 8000, 8000, 1, 8)
        + b"data"
        + struct.pack("<I", len(data))
        + data
    )
    return base64.b64encode(raw).decode()


IMAGE: JSON = {"type": "image", "data": _png(), "mimeType": "image/png"}


def embedded(uri: str, mime: str, text: str) -> JSON:
    return {"type": "resource", "resource": {"uri": uri, "mimeType": mime, "text": text}}


def content(*items: JSON) -> ToolOutput:
    return ToolOutput(list(items))


def ask(requests: JSON, state: str | None = None) -> ToolOutput:
    extra: JSON = {"resultType": "input_required", "inputRequests": requests}
    if state is not None:
        extra["requestState"] = state
    return ToolOutput([], extra=extra)


def form(message: str, name: str, kind: str = "string") -> JSON:
    schema = {"type": "object", "properties": {name: {"type": kind}}, "required": [name]}
    return {
        "method": "elicitation/create",
        "params": {"message": message, "requestedSchema": schema},
    }


def sample(text: str, tokens: int = 100) -> JSON:
    message = {"role": "user", "content": {"type": "text", "text": text}}
    return {
        "method": "sampling/createMessage",
        "params": {"messages": [message], "maxTokens": tokens},
    }


ROOTS: JSON = {"method": "roots/list", "params": {}}


async def simple_text(args: JSON, ctx: CallContext) -> Any:
    return "This is a simple text response for testing."


async def image(args: JSON, ctx: CallContext) -> Any:
    return content(IMAGE)


async def audio(args: JSON, ctx: CallContext) -> Any:
    return content({"type": "audio", "data": _wav(), "mimeType": "audio/wav"})


async def embedded_resource(args: JSON, ctx: CallContext) -> Any:
    return content(
        embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")
    )


async def mixed(args: JSON, ctx: CallContext) -> Any:
    data = json.dumps({"test": "data", "value": 123})
    return content(
        {"type": "text", "text": "Multiple content types test:"},
        IMAGE,
        embedded("test://mixed-content-resource", "application/json", data),
    )


async def with_logging(args: JSON, ctx: CallContext) -> Any:
    for text in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        await ctx.log("info", text, "conformance")
        await asyncio.sleep(0.05)  # work: of the tool
    return "Logged three lines."


async def with_progress(args: JSON, ctx: CallContext) -> Any:
    for done in (0, 50, 100):
        await ctx.progress(done, 100)
        await asyncio.sleep(0.05)  # work: of the tool
    return "Reported progress."


async def error_handling(args: JSON, ctx: CallContext) -> Any:
    raise ExecutionFailed("This tool intentionally returns an error for testing")


async def sampling(args: JSON, ctx: CallContext) -> Any:
    if "sampling" not in ctx.capabilities or ctx.client is None:
        raise ExecutionFailed("The client cannot sample")
    asked = sample(args["prompt"])
    reply = await ctx.client.request(asked["method"], asked["params"])
    return f"LLM response: {reply['content']['text']}"


async def elicit(ctx: CallContext, message: str, schema: JSON) -> JSON:
    if "elicitation" not in ctx.capabilities or ctx.client is None:
        raise ExecutionFailed("The client cannot elicit")
    return await ctx.client.request(
        "elicitation/create", {"message": message, "requestedSchema": schema}
    )


async def elicitation(args: JSON, ctx: CallContext) -> Any:
    text = {"type": "string"}
    schema = {
        "type": "object",
        "properties": {
            "username": {**text, "description": "User's response"},
            "email": {**text, "description": "User's email address"},
        },
        "required": ["username", "email"],
    }
    reply = await elicit(ctx, args["message"], schema)
    return f"User response: action={reply['action']}, content={json.dumps(reply.get('content'))}"


async def elicitation_defaults(args: JSON, ctx: CallContext) -> Any:
    states = ["active", "inactive", "pending"]
    schema = {
        "type": "object",
        "properties": {
            "name": {"type": "string", "default": "John Doe"},
            "age": {"type": "integer", "default": 30},
            "score": {"type": "number", "default": 95.5},
            "status": {"type": "string", "enum": states, "default": "active"},
            "verified": {"type": "boolean", "default": True},
        },
    }
    return _completed(await elicit(ctx, "Please review the defaults", schema))


async def elicitation_enums(args: JSON, ctx: CallContext) -> Any:
    options = ["option1", "option2", "option3"]
    titled = [
        {"const": f"value{n}", "title": f"{t} Option"}
        for n, t in enumerate(("First", "Second", "Third"), 1)
    ]
    schema = {
        "type": "object",
        "properties": {
            "untitledSingle": {"type": "string", "enum": options},
            "titledSingle": {"type": "string", "oneOf": titled},
            "legacyEnum": {
                "type": "string",
                "enum": ["opt1", "opt2", "opt3"],
                "enumNames": ["Option One", "Option Two", "Option Three"],
            },
            "untitledMulti": {"type": "array", "items": {"type": "string", "enum": options}},
            "titledMulti": {"type": "array", "items": {"anyOf": titled}},
        },
    }
    return _completed(await elicit(ctx, "Please choose", schema))


def _completed(reply: JSON) -> str:
    given = json.dumps(reply.get("content"))
    return f"Elicitation completed: action={reply['action']}, content={given}"


def answered(ctx: CallContext, key: str) -> JSON | None:
    """The answer to one of our questions, if it has the shape of one."""
    given = ctx.input_responses.get(key)
    return given if isinstance(given, dict) else None


async def input_elicitation(args: JSON, ctx: CallContext) -> Any:
    reply = answered(ctx, "user_name")
    name = (reply or {}).get("content")
    if not isinstance(name, dict) or not isinstance(name.get("name"), str):
        return ask({"user_name": form("What is your name?", "name")})
    return f"Hello, {name['name']}!"


async def input_sampling(args: JSON, ctx: CallContext) -> Any:
    reply = answered(ctx, "capital_question")
    if reply is None:
        return ask({"capital_question": sample("What is the capital of France?")})
    return f"The model says: {json.dumps(reply.get('content'))}"


async def input_roots(args: JSON, ctx: CallContext) -> Any:
    reply = answered(ctx, "client_roots")
    if reply is None:
        return ask({"client_roots": ROOTS})
    return f"Roots: {json.dumps(reply.get('roots'))}"


async def input_state(args: JSON, ctx: CallContext) -> Any:
    if answered(ctx, "confirm") is None or ctx.request_state != "asked":
        return ask({"confirm": form("Please confirm", "ok", "boolean")}, "asked")
    return "state-ok"


async def input_several(args: JSON, ctx: CallContext) -> Any:
    wanted = {
        "user_name": form("What is your name?", "name"),
        "greeting": sample("Generate a greeting", 50),
        "client_roots": ROOTS,
    }
    if any(answered(ctx, key) is None for key in wanted):
        return ask(wanted, "several")
    return f"All answered: {json.dumps(sorted(ctx.input_responses))}"


async def input_rounds(args: JSON, ctx: CallContext) -> Any:
    if ctx.request_state == "second" and answered(ctx, "step2") is not None:
        return "Both steps answered."
    if ctx.request_state == "first" and answered(ctx, "step1") is not None:
        return ask({"step2": form("Step 2: What is your favorite color?", "color")}, "second")
    return ask({"step1": form("Step 1: What is your name?", "name")}, "first")


async def input_capabilities(args: JSON, ctx: CallContext) -> Any:
    wanted = {"elicitation": form("Name?", "name"), "sampling": sample("Say hello"), "roots": ROOTS}
    asked = {key: request for key, request in wanted.items() if key in ctx.capabilities}
    if not asked or all(key in ctx.input_responses for key in asked):
        return "Nothing to ask."
    return ask(asked)


async def missing_capability(args: JSON, ctx: CallContext) -> Any:
    if "sampling" not in ctx.capabilities:
        raise MethodFailed(
            -32021,
            "Missing required client capability: sampling",
            data={"requiredCapabilities": {"sampling": {}}},
        )
    return "The client can sample."


async def streaming_elicitation(args: JSON, ctx: CallContext) -> Any:
    await ctx.progress(1, 2)
    return await input_elicitation(args, ctx)


class Fixtures(Pack):
    """Everything that the scenarios call by name."""

    name = "conformance"
    talks = True
    trusted = False

    def __init__(self) -> None:
        self.publish: Callable[[Changes], None] = lambda changes: None

    def contribute(self) -> Contributions:
        return Contributions(tools=self._tools(), resources=_Resources(), prompts=_Prompts())

    def _tools(self) -> list[Tool]:
        async def tool_change(args: JSON, ctx: CallContext) -> Any:
            self.publish(Changes(tools=True))
            return "The list of tools has changed."

        async def prompt_change(args: JSON, ctx: CallContext) -> Any:
            self.publish(Changes(prompts=True))
            return "The list of prompts has changed."

        text = {"type": "string"}
        runs: dict[str, tuple[Any, JSON]] = {
            "test_simple_text": (simple_text, NOTHING),
            "test_image_content": (image, NOTHING),
            "test_audio_content": (audio, NOTHING),
            "test_embedded_resource": (embedded_resource, NOTHING),
            "test_multiple_content_types": (mixed, NOTHING),
            "test_tool_with_logging": (with_logging, NOTHING),
            "test_logging_tool": (with_logging, NOTHING),
            "test_tool_with_progress": (with_progress, NOTHING),
            "test_error_handling": (error_handling, NOTHING),
            "test_sampling": (
                sampling,
                {"type": "object", "properties": {"prompt": text}, "required": ["prompt"]},
            ),
            "test_elicitation": (
                elicitation,
                {"type": "object", "properties": {"message": text}, "required": ["message"]},
            ),
            "test_elicitation_sep1034_defaults": (elicitation_defaults, NOTHING),
            "test_elicitation_sep1330_enums": (elicitation_enums, NOTHING),
            "test_input_required_result_elicitation": (input_elicitation, NOTHING),
            "test_input_required_result_sampling": (input_sampling, NOTHING),
            "test_input_required_result_list_roots": (input_roots, NOTHING),
            "test_input_required_result_request_state": (input_state, NOTHING),
            "test_input_required_result_tampered_state": (input_state, NOTHING),
            "test_input_required_result_multiple_inputs": (input_several, NOTHING),
            "test_input_required_result_multi_round": (input_rounds, NOTHING),
            "test_input_required_result_capabilities": (input_capabilities, NOTHING),
            "test_missing_capability": (missing_capability, NOTHING),
            "test_streaming_elicitation": (streaming_elicitation, NOTHING),
            "test_trigger_tool_change": (tool_change, NOTHING),
            "test_trigger_prompt_change": (prompt_change, NOTHING),
        }
        return [
            Tool(name, f"Fixture {name}", schema, run, origin="conformance")
            for name, (run, schema) in runs.items()
        ]


class _Resources:
    _TEMPLATE = re.compile(r"test://template/([^/]+)/data")

    def resources(self) -> Sequence[Resource]:
        return [
            Resource("test://static-binary", "static-binary", mime_type="image/png"),
            Resource("test://static-text", "static-text", mime_type="text/plain"),
            Resource("test://watched-resource", "watched-resource", mime_type="text/plain"),
        ]

    def templates(self) -> Sequence[ResourceTemplate]:
        return [
            ResourceTemplate("test://template/{id}/data", "template", mime_type="application/json")
        ]

    async def read(self, uri: str) -> Sequence[Contents]:
        if uri == "test://static-text":
            text = "This is the content of the static text resource."
            return [Contents(uri, text=text, mime_type="text/plain")]
        if uri == "test://static-binary":
            return [Contents(uri, blob=_png(), mime_type="image/png")]
        if uri == "test://watched-resource":
            return [Contents(uri, text="Watched.", mime_type="text/plain")]
        match = self._TEMPLATE.fullmatch(uri)
        if match is None:
            raise ResourceNotFound(uri, [resource.uri for resource in self.resources()])
        id = match.group(1)
        text = json.dumps({"id": id, "templateTest": True, "data": f"Data for ID: {id}"})
        return [Contents(uri, text=text, mime_type="application/json")]

    def complete(self, uri_template: str, argument: str, value: str, given: JSON) -> list[str]:
        return [each for each in ("123", "456") if each.startswith(value)]


class _Prompts:
    def prompts(self) -> Sequence[Prompt]:
        two = [
            PromptArgument("arg1", "First test argument", True),
            PromptArgument("arg2", "Second test argument", True),
        ]
        uri = [PromptArgument("resourceUri", "URI of the resource to embed", True)]
        return [
            Prompt("test_input_required_result_prompt", description="Asks for its context"),
            Prompt("test_prompt_with_arguments", description="Has two arguments", arguments=two),
            Prompt("test_prompt_with_embedded_resource", description="Embeds", arguments=uri),
            Prompt("test_prompt_with_image", description="Shows an image"),
            Prompt("test_simple_prompt", description="Says one thing"),
        ]

    async def render(
        self, name: str, arguments: Mapping[str, str], context: CallContext
    ) -> RenderedPrompt:
        if name == "test_simple_prompt":
            return _messages("This is a simple prompt for testing.")
        if name == "test_prompt_with_arguments":
            shown = f"arg1='{arguments['arg1']}', arg2='{arguments['arg2']}'"
            return _messages(f"Prompt with arguments: {shown}")
        if name == "test_prompt_with_image":
            return _messages(IMAGE, "Please analyze the image above.")
        if name == "test_input_required_result_prompt":
            if answered(context, "user_context") is None:
                asked = {"user_context": form("What context should the prompt use?", "context")}
                return RenderedPrompt(
                    [], extra={"resultType": "input_required", "inputRequests": asked}
                )
            return _messages(f"In context: {json.dumps(context.input_responses['user_context'])}")
        text = "Embedded resource content for testing."
        item = embedded(arguments["resourceUri"], "text/plain", text)
        return _messages(item, "Please process the embedded resource above.")

    def complete(self, name: str, argument: str, value: str, given: JSON) -> list[str]:
        return [each for each in ("paris", "park", "party") if each.startswith(value)]


def _messages(*items: JSON | str) -> RenderedPrompt:
    shown = [{"type": "text", "text": item} if isinstance(item, str) else item for item in items]
    return RenderedPrompt([{"role": "user", "content": item} for item in shown])
