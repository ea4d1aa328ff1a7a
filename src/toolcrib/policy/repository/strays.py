"""Files that look like a policy but are not in use, although somebody may rely on them."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from toolcrib.core.errors import ToolcribError
from toolcrib.files.root import Root
from toolcrib.files.yaml_document import document_of
from toolcrib.policy.repository.places import HOMES, SHARED_HOME, SUFFIXES

_NAMES = re.compile(r"polic(?:y|ies)(?:\.(?:yaml|yml|json))?", re.IGNORECASE)
_KEYS = {"executor", "default", "deny", "tools", "servers", "remember"}
_TOP_KEY = re.compile(rb"^[\"']?([A-Za-z_][\w-]*)[\"']?[ \t]*:", re.MULTILINE)
_LARGEST = 256 * 1024
_MOST_FILES = 200


def stray_policies(project: Path, configs: Iterable[Path], used: Collection[Path]) -> list[Path]:
    """Every file that looks like a policy beside configs, or where configs are kept."""
    taken = {os.path.normpath(path) for path in used}
    own = list(configs)
    served = {os.path.normpath(path) for path in own}
    folders = dict.fromkeys([*(project / home for home in (*HOMES, SHARED_HOME))])
    folders.update(dict.fromkeys(path.parent for path in own))
    return [
        folder / name
        for folder in folders
        for name in _listed(folder)
        if os.path.normpath(folder / name) not in taken
        and _looks_like_policy(folder, name, in_use=os.path.normpath(folder / name) in served)
    ]


def _listed(folder: Path) -> Sequence[str]:
    try:
        return sorted(os.listdir(folder))[:_MOST_FILES]  # noqa: PTH208 - names are all we need
    except OSError:
        return ()


def _looks_like_policy(folder: Path, name: str, *, in_use: bool) -> bool:
    if _NAMES.fullmatch(name):
        return not (folder / name).is_dir()
    return not in_use and name.lower().endswith(SUFFIXES) and _reads_like_policy(folder, name)


def _reads_like_policy(folder: Path, name: str) -> bool:
    """Whether all top keys are a policy's, and one of the two that make it one is there."""
    try:
        data = Root(folder).read(name, cap=_LARGEST).data
    except ToolcribError:
        return False
    keys = {key.decode() for key in _TOP_KEY.findall(data)}
    if not keys <= _KEYS or not (keys or data.lstrip().startswith(b"{")):
        return False
    document = document_of(data)
    if not document or not set(document) <= _KEYS:
        return False
    says_default = document.get("default") in ("enabled", "disabled")
    return says_default or isinstance(document.get("tools"), dict)
