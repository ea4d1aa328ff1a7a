"""The files below `directive/`, and the bundles made of them for drafting."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from toolcrib.core.errors import FileRefused, FileUnreadable
from toolcrib.files.root import Root, RootUnavailable
from toolcrib.packs.directive.primer import primer
from toolcrib.packs.directive.settings import FOLDER

PROCEDURE = "agent_operating_procedure.md"
CONTEXT = "agent_context.md"
TEMPLATES = "templates"
# Where a part is looked for; `reference/` wins where both have it.
HOMES = ("reference/", "")

_MOST_BYTES_PER_CHARACTER = 4


class MissingPart(FileUnreadable):
    """A template or another part of a bundle is not in the repository."""


def open_root(project: Path) -> Root:
    """The repo's `directive/`, which itself must not lead out of the repo."""
    return Root(project / FOLDER, within=project, label=FOLDER)


def list_directive_files(root: Root) -> list[str]:
    """Return the paths of all files, sorted, each beginning with `directive/`."""
    try:
        return [f"{FOLDER}/{entry.path}" for entry in root.walk(hidden=True)]
    except RootUnavailable as error:
        raise _no_folder(error) from None


def read_directive_file(root: Root, path: str, largest: int = 1_000_000) -> dict[str, str]:
    """Return `{path, content}`, the content to the character as it is on disk.

    `path` begins with `directive/`. Whatever is missing or lies elsewhere is refused with the same
    words and the nearest names.
    """
    first, _, inner = path.removeprefix("./").partition("/")
    try:
        if first != FOLDER:
            raise FileRefused(path)
        return _text(root, inner, largest)
    except RootUnavailable as error:
        raise _no_folder(error) from None
    except FileRefused:
        known = list_directive_files(root)
        refused = FileRefused(path[:200], known)
        if not refused.nearest:
            refused.next = f"`{FOLDER}/files.list` lists what there is."
        raise refused from None


def build_template_bundle(root: Root, template: str, largest: int = 1_000_000) -> dict[str, Any]:
    """Return everything that drafting needs: primer, procedure, context, template.

    `template` is the name of a file in `templates/`, such as `spec_template.md`.
    """
    try:
        procedure = _part(
            root, PROCEDURE, largest, f"Run `toolcrib {FOLDER} update` to restore it."
        )
        context = _part(
            root, CONTEXT, largest, f"Run `toolcrib {FOLDER} init`: it adds what is missing."
        )
        body = _template(root, template, largest)
    except RootUnavailable as error:
        raise _no_folder(error) from None
    return {
        "primer": primer(procedure["content"]),
        "agentOperatingProcedure": procedure,
        "agentContext": context,
        "template": body,
        "resources": [{"path": part["path"]} for part in (procedure, context, body)],
    }


def list_templates(root: Root) -> list[str]:
    """Return the paths of the templates that a bundle can be made with, sorted."""
    by_name: dict[str, str] = {}
    for home in reversed(HOMES):
        for entry in root.walk(f"{home}{TEMPLATES}", suffixes=(".md",)):
            by_name[entry.path.removeprefix(f"{home}{TEMPLATES}/")] = f"{FOLDER}/{entry.path}"
    return sorted(by_name.values())


def _template(root: Root, name: str, largest: int) -> dict[str, str]:
    try:
        return _first(root, f"{TEMPLATES}/{name}", largest)
    except FileRefused:
        known = list_templates(root)
    available = f"available templates: {', '.join(known)}" if known else "there are no templates"
    raise MissingPart(
        f"Missing template: {FOLDER}/{TEMPLATES}/{name[:100]}",
        why=available,
        next=f"Run `toolcrib {FOLDER} update` to restore the templates.",
    )


def _part(root: Root, name: str, largest: int, cure: str) -> dict[str, str]:
    try:
        return _first(root, name, largest)
    except FileRefused:
        raise MissingPart(f"Missing file: {FOLDER}/{name}", next=cure) from None


def _first(root: Root, name: str, largest: int, homes: Sequence[str] = HOMES) -> dict[str, str]:
    """The part as it is in the first home that has it."""
    for home in homes[:-1]:
        try:
            return _text(root, home + name, largest)
        except FileRefused:
            continue
    return _text(root, homes[-1] + name, largest)


def _text(root: Root, inner: str, largest: int) -> dict[str, str]:
    blob = root.read(inner, cap=largest * _MOST_BYTES_PER_CHARACTER)
    path = f"{FOLDER}/{blob.entry.path}"
    try:
        # Not `files.documents.decode`: a byte order mark and the line ends are part of the content.
        content = blob.data.decode()
    except UnicodeDecodeError as error:
        line = blob.data.count(b"\n", 0, error.start) + 1
        raise FileUnreadable(
            f"{path} is not UTF-8 text", why=f"byte 0x{blob.data[error.start]:02x} in line {line}"
        ) from None
    if len(content) > largest:
        raise FileUnreadable(
            f"{path} is too large: {len(content):,} characters, at most {largest:,} are delivered"
        )
    return {"path": path, "content": content}


def _no_folder(error: RootUnavailable) -> RootUnavailable:
    return RootUnavailable(
        f"The folder {FOLDER}/ is unavailable",
        why=error.why,
        next=f"Run `toolcrib {FOLDER} init` to make one.",
    )
