"""The JSON-RPC methods of clients that are older than `tools/call`: bare objects, no handshake."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from toolcrib.core.errors import FileRefused, FileUnreadable, InvalidParams, MethodFailed
from toolcrib.core.pack import Method
from toolcrib.core.support.workers import in_thread
from toolcrib.core.tool import JSON
from toolcrib.files.root import Root
from toolcrib.packs.directive.bundles import (
    build_template_bundle,
    list_directive_files,
    read_directive_file,
)
from toolcrib.packs.directive.tools import IMPACT, SPEC, TDR

REFUSED = 1001
"""The code of a missing file, template or folder, and of a path outside."""


def make_methods(root: Root, largest: int) -> dict[str, Method]:
    """Return the methods on one repo's `directive/`."""

    def files_list(params: JSON) -> JSON:
        return {"files": list_directive_files(root)}

    def file_get(params: JSON) -> JSON:
        return dict(read_directive_file(root, _path(params), largest))

    def bundle(template: str) -> Callable[[JSON], JSON]:
        return lambda params: build_template_bundle(root, template, largest)

    return {
        "directive.files.list": _method(files_list),
        "directive.file.get": _method(file_get),
        "spec.template": _method(bundle(SPEC)),
        "impact.template": _method(bundle(IMPACT)),
        "tdr.template": _method(bundle(TDR)),
    }


def _method(work: Callable[[JSON], JSON]) -> Method:
    async def answer(params: JSON) -> JSON:
        try:
            return await in_thread(work, params)
        except (FileRefused, FileUnreadable) as error:
            raise MethodFailed(REFUSED, str(error)) from error

    return answer


def _path(params: JSON) -> str:
    if "path" not in params:
        raise InvalidParams("Missing required parameter 'path': expected a string")
    path: Any = params["path"]
    if not isinstance(path, str):
        raise InvalidParams(f"Parameter 'path' must be a string, got {type(path).__name__}")
    return path
