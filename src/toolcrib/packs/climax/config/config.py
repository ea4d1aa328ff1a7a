"""Config files: found by name, read, and checked before use."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from toolcrib.core.errors import ConfigError, DuplicateTool, Place, ToolcribError
from toolcrib.core.support.digests import short_digest
from toolcrib.core.support.records import record
from toolcrib.files.content_cache import ContentCache
from toolcrib.files.yaml_document import read_bytes
from toolcrib.packs.climax.config.snapshot import from_plain, to_plain
from toolcrib.packs.climax.config.sources import (
    BUNDLED,
    bundled_names,
    find_configs,
    in_vain,
    shown_path,
)
from toolcrib.running.program import ArgDef, CLIConfig, Scalar, each_of
from toolcrib.running.words import UnsetVariable, expand, split_words

if TYPE_CHECKING:
    from toolcrib.packs.climax.config.admission import Admission

__all__ = [
    "BUNDLED",
    "Configs",
    "Kept",
    "bundled_names",
    "check_names",
    "find_configs",
    "load_config",
    "load_configs",
]


Kept = dict[str, Sequence[bytes]]
"""The texts that were kept of files, by the digests of their contents."""

_MANY = 20
"""From this many files on, what was made of them is kept together, too."""


@record
class Configs:
    """Several config files, loaded and fit to be used together."""

    configs: tuple[CLIConfig, ...]
    warnings: tuple[ConfigError, ...] = ()
    problems: tuple[ToolcribError, ...] = ()
    """Why files were left out, where that was allowed."""
    kept: Kept = field(default_factory=dict, compare=False)
    """What was made of the files, for the next time that one of them changes."""


def load_configs(
    references: Sequence[str],
    base: Path,
    *,
    policies: Iterable[Path] = (),
    strict: bool = False,
    lenient: bool = False,
    last: Iterable[CLIConfig] = (),
    cache: ContentCache | None = None,
    environment: Mapping[str, str] | None = None,
    admission: Admission | None = None,
    known: Kept | None = None,
) -> Configs:
    """Load every config that `references` mean, and make sure that no tool has two of them.

    Raises `ConfigError` or `DuplicateTool`; if `strict`, also for what is only a warning else; if
    `lenient`, not at all: what cannot be used is left out, or stays as it was in `last`. `known`
    is what an earlier load has kept: of a file with the same bytes, nothing is read.
    """
    good = {config.file: config for config in last}
    loaded: list[CLIConfig] = []
    names: dict[str, CLIConfig] = {}
    warnings = in_vain(references, base)
    if strict and warnings:
        raise warnings[0]
    problems: list[ToolcribError] = []
    paths = find_configs(references, base, policies)
    kept = _kept(paths, cache, known or {})
    for path in paths:
        try:
            config, noticed = load_config(
                path, base, cache=cache, environment=environment, admission=admission, kept=kept
            )
            check_names(config, names)
            if strict and noticed:
                raise noticed[0]
        except (ConfigError, DuplicateTool) as error:
            if not lenient and (admission is None or not admission.excuses()):
                raise
            problems.append(error)
            if not _fits(good.get(shown_path(path, base)), names):
                continue
            config, noticed = good[shown_path(path, base)], []
        loaded.append(config)
        names |= dict.fromkeys(config.tools.lines, config)
        warnings += noticed
    return Configs(tuple(loaded), tuple(warnings), tuple(problems), kept)


def _kept(paths: Sequence[Path], cache: ContentCache | None, known: Kept) -> Kept:
    """What was made of all these files before, by the digests of their contents."""
    if cache is None or len(paths) < _MANY:
        return {}
    try:
        contents = {short_digest(data): data for data in map(read_bytes, paths)}
    except ConfigError:
        return {}
    if known:  # one of them has changed, and may soon change again: not worth all in one entry
        return {at: texts for at in contents if (texts := known.get(at)) is not None}
    digests = list(contents)
    found = cache.get_all("config", digests)
    if found is not None:
        return dict(zip(digests, found, strict=True))
    looked = {at: cache.get("config", data) for at, data in contents.items()}
    there: Kept = {at: texts for at, texts in looked.items() if texts is not None}
    if len(there) == len(digests):
        cache.put_all("config", digests, [there[each] for each in digests])
    return there


def _fits(config: CLIConfig | None, taken: Mapping[str, CLIConfig]) -> bool:
    """Whether there is a config, and none of its names is taken."""
    return config is not None and taken.keys().isdisjoint(config.tools.lines)


def load_config(
    path: Path,
    base: Path | None = None,
    *,
    cache: ContentCache | None = None,
    environment: Mapping[str, str] | None = None,
    admission: Admission | None = None,
    kept: Kept | None = None,
) -> tuple[CLIConfig, list[ConfigError]]:
    """Load one config file; return it and what is to be said of it.

    `admission` leaves only the tools that may act, by the very bytes that were read.
    """
    file = shown_path(path, base)
    data = read_bytes(path)
    digest = short_digest(data)
    known = kept.get(digest) if kept is not None else None
    if known is None and cache is not None:
        known = cache.get("config", data)
        if known is not None and kept:
            kept[digest] = known
    if known is not None:
        config, warnings = from_plain(known[0], known[1:], file)
    else:
        config, warnings = parsed(data, file)
        if cache is not None:
            cache.put("config", data, to_plain(config, warnings))
    if admission is not None:
        config = admission(config, data)
    try:
        config, unset = _expanded(config, os.environ if environment is None else environment)
    except _Unusable as error:
        raise ConfigError(error.what, where=_place(data, file, *error.path)) from None
    noticed = [ConfigError(each.what, where=_place(data, file, *each.path)) for each in unset]
    return replace(config, digest=digest), [*warnings, *noticed]


def parsed(data: bytes, file: str) -> tuple[CLIConfig, list[ConfigError]]:
    """The config in a file's bytes, and what is to be said of it."""
    from toolcrib.files.yaml_document import YamlDocument
    from toolcrib.packs.climax.config.reader import (
        ConfigReader,  # both: not for a start with a warm cache
    )

    document = YamlDocument(data, file)
    return ConfigReader(document).config(), document.warnings


def check_names(config: CLIConfig, taken: Mapping[str, CLIConfig]) -> None:
    """Raise `DuplicateTool` if a tool has a name that is taken, naming both places."""
    if not taken.keys().isdisjoint(config.tools.lines):
        for name in filter(taken.__contains__, config.tools.lines):
            first = taken[name].origin(name)
            raise DuplicateTool(
                f"Two tools are named {name!r}: one in {first}, one in {config.origin(name)}",
                next="Rename one of them, or load only one of the two files.",
            )


class _Unusable(Exception):
    """A value that this environment makes unfit, and the way to it in the document."""

    def __init__(self, what: str, *path: str | int) -> None:
        super().__init__(what)
        self.what = what
        self.path = path


def _place(data: bytes, file: str, *path: str | int) -> Place:
    """Where a value stands; the document is read again, since a mistake is rare."""
    from toolcrib.files.yaml_document import YamlDocument

    return YamlDocument(data, file).place(*path)


def _expanded(
    config: CLIConfig, environment: Mapping[str, str]
) -> tuple[CLIConfig, list[_Unusable]]:
    """The config with what the environment has to say to it, and what had to be left out."""
    folder = config.working_dir
    key = "command"
    try:
        base = tuple(split_words(config.command, environment))
        key = "working_dir"
        folder = None if folder is None else expand(folder, environment)
    except UnsetVariable as error:
        raise _Unusable(f"'{key}' cannot be expanded: {error}", key) from None
    everywhere: list[ArgDef] = []
    unset: list[_Unusable] = []
    for at, arg in enumerate(config.global_args):
        try:
            everywhere.append(_expanded_global(arg, environment, "global_args", at))
        except UnsetVariable as error:
            what = f"Global argument {arg.name!r} is left out: {error}"
            unset.append(_Unusable(what, "global_args", at, "default"))
    config = replace(config, base=base, working_dir=folder, global_args=tuple(everywhere))
    return config, unset


def _expanded_global(arg: ArgDef, environment: Mapping[str, str], *path: str | int) -> ArgDef:
    """The argument with the variables of its default expanded; raises `UnsetVariable`."""
    from toolcrib.running.arguments import coerce, not_allowed
    from toolcrib.running.command import unsafe

    if arg.default is None:
        return arg
    values: tuple[Scalar, ...] = ()
    for each in each_of(arg.default):
        value = expand(each, environment) if isinstance(each, str) else each
        try:
            value = coerce(value, arg.value_type)
        except ValueError:
            problem: str | None = f"Argument {arg.name!r}: {value!r} is no {arg.value_type}"
        else:
            problem = unsafe(arg, value) or not_allowed(arg, value)
        if problem:
            raise _Unusable(f"{problem} (a global argument)", *path, "default")
        values = (*values, value)
    return replace(arg, default=values if isinstance(arg.default, tuple) else values[0])
