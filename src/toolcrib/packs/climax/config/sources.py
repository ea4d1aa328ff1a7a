"""Which files are meant: configs by bundled name, path or pattern, and the policy beside them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from toolcrib.core.errors import ConfigError
from toolcrib.core.support.suggest import did_you_mean
from toolcrib.packs.climax.settings import ClimaxSettings
from toolcrib.policy.repository.places import SUFFIXES, found_configs, shown

BUNDLED = Path(__file__).parents[1] / "configs"
_BUNDLED = f"{BUNDLED}{os.sep}"
Identities = Mapping[str, Sequence[int] | None]
"""Files by path, and what tells their versions apart; None for one that is not there."""


def bundled_names() -> list[str]:
    """The configs that come with toolcrib, by the bare names that find them."""
    return sorted(path.stem for path in BUNDLED.glob("*.yaml"))


def sources(project: Path, settings: ClimaxSettings) -> tuple[Sequence[str], Sequence[Path]]:
    """The configs and the policies that are meant: named in the settings, or found in the repo."""
    references: Sequence[str] = settings.configs or found_configs(project)
    return references, settings.policy_source.paths(project)


def find_configs(
    references: Iterable[str], base: Path, policies: Iterable[Path] = ()
) -> list[Path]:
    """Return the files that `references` mean: bundled names, paths and patterns below `base`.

    What is used as a policy is no config, though a pattern may mean both.
    """
    taken = {os.path.normpath(policy) for policy in policies}
    found: dict[Path, None] = {}
    for reference in references:
        for path in _find(reference, base):
            if os.path.normpath(path) not in taken:
                found[path] = None
    return list(found)


def own_configs(project: Path, settings: ClimaxSettings) -> list[Path]:
    """The repository's own configs; none where the settings name something that is not there."""
    references, policies = sources(project, settings)
    try:
        found = find_configs(references, project, policies)
    except ConfigError:
        return []
    return [path for path in found if not is_bundled(str(path))]


def in_vain(references: Iterable[str], base: Path) -> list[ConfigError]:
    """What is to be said of patterns that no file matches."""
    return [
        ConfigError(f"No file matches the pattern {shown_path(Path(each), base)!r}")
        for each in references
        if _is_pattern(each) and not _find(each, base)
    ]


def identities(project: Path, settings: ClimaxSettings) -> Identities:
    """All files that are meant, as they are now."""
    references, policies = sources(project, settings)
    try:
        paths = find_configs(references, project, policies)
    except ConfigError:
        paths = []
    return {str(path): _identity(path) for path in [*paths, *policies]}


def shown_path(path: Path, base: Path | None) -> str:
    """A path as messages show it: from where the person stands, if it lies below."""
    if is_bundled(str(path)):
        return f"{path.stem} (bundled)"
    return shown(path, base)


def is_bundled(path: str) -> bool:
    """Whether a file came with toolcrib."""
    return path.startswith(_BUNDLED)


def _find(reference: str, base: Path) -> list[Path]:
    if "/" not in reference and not reference.endswith(SUFFIXES):
        return [_bundled(reference, base)]
    pattern = Path(os.path.expanduser(reference))  # noqa: PTH111 - expanduser() raises without HOME
    if _is_pattern(reference):
        if pattern.is_absolute():
            anchor = Path(pattern.anchor)
            return sorted(anchor.glob(str(pattern.relative_to(anchor))))
        return sorted(base.glob(str(pattern)))
    return [base / pattern]


def _is_pattern(reference: str) -> bool:
    return any(character in reference for character in "*?[")


def _bundled(name: str, base: Path) -> Path:
    path = BUNDLED / f"{name}.yaml"
    if path.is_file():
        return path
    beside = [name + suffix for suffix in SUFFIXES if (base / (name + suffix)).is_file()]
    hint = f"; did you mean {beside[0]!r}?" if beside else did_you_mean(name, bundled_names())
    raise ConfigError(
        f"No bundled config is named {name!r}{hint}",
        next=f"Bundled are: {', '.join(bundled_names())}. A file is given by its path, "
        "with a slash or its suffix.",
    )


def _identity(path: Path) -> list[int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return [found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns]
