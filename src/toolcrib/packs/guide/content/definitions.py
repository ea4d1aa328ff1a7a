"""Categories and collections, and where each is defined.

A repository needs no set-up: each sub-folder of its guide folder is a category. More of them can
be written down for everybody in `guide/guide.toml`, or added by a tool for oneself (kept in the
store). Of two with one name, the one added last in that order counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from toolcrib.core.errors import ConfigError
from toolcrib.core.support.records import record
from toolcrib.core.support.suggest import did_you_mean
from toolcrib.files.globs import BadGlob, compile_glob, expand_braces
from toolcrib.packs.guide.content.expressions import checked_name, parse
from toolcrib.packs.guide.errors import GuideError, InvalidValue

Origin = Literal["folder", "file", "store", "rules"]

FILE = "guide.toml"
DEFAULT_PATTERNS = ("**/*.md", "**/*.mdx", "**/*.markdown", "**/*.rst", "**/*.adoc", "**/*.txt")
LONGEST_DESCRIPTION = 1000
MOST_PATTERNS = 100


@record
class Category:
    """A folder of documents: those below `dir` that match one of `patterns`."""

    name: str
    dir: str
    patterns: tuple[str, ...] = DEFAULT_PATTERNS
    description: str | None = None
    origin: Origin = "store"

    def to_json(self) -> dict[str, Any]:
        """What is kept of it, and what `category_list` shows."""
        return {
            "dir": self.dir,
            "patterns": list(self.patterns),
            "description": self.description,
        }


@record
class Collection:
    """A named list of expressions."""

    name: str
    expressions: tuple[str, ...]
    description: str | None = None
    origin: Origin = "store"

    def to_json(self) -> dict[str, Any]:
        """What is kept of it, and what `collection_list` shows."""
        return {"expressions": list(self.expressions), "description": self.description}

    def names(self) -> set[str]:
        """The categories and collections that it refers to."""
        return {term.name for each in self.expressions for term in parse(each)}


def make_category(name: str, value: Mapping[str, Any], origin: Origin) -> Category:
    """A category from what a caller, a file or the store says; all of it is checked."""
    patterns = value.get("patterns") or DEFAULT_PATTERNS
    return Category(
        checked_name(name, "Category"),
        _folder(value.get("dir")),
        _patterns(patterns),
        _description(value.get("description")),
        origin,
    )


def make_collection(name: str, value: Mapping[str, Any], origin: Origin) -> Collection:
    """A collection from what a caller, a file or the store says; all of it is checked."""
    expressions = value.get("expressions")
    if not _is_texts(expressions) or not expressions:
        raise InvalidValue(f"Collection {name!r}: expressions must be a list of expressions")
    for each in expressions:
        parse(each)
    return Collection(
        checked_name(name, "Collection"),
        tuple(expressions),
        _description(value.get("description")),
        origin,
    )


def read_file(text: str, file: str) -> tuple[dict[str, Category], dict[str, Collection]]:
    """The definitions in a `guide.toml`, or `ConfigError` with the place."""
    from toolcrib.files.toml_places import load, place_of  # only where there is such a file

    document = load(text, file)
    known = ("categories", "collections")
    for key in document:
        if key not in known:
            raise ConfigError(
                f"Unknown key {key!r}{did_you_mean(key, known)}", where=place_of(text, file, (key,))
            )
    return (
        _table(document, text, file, "categories", ("dir", "patterns", "description")),
        _table(document, text, file, "collections", ("expressions", "description")),
    )


def _table(
    document: Mapping[str, Any], text: str, file: str, section: str, keys: tuple[str, ...]
) -> dict[str, Any]:
    from toolcrib.files.toml_places import place_of

    make = make_category if section == "categories" else make_collection
    found = {}
    table = document.get(section, {})
    if not isinstance(table, dict):
        raise ConfigError(f"{section} must be a table", where=place_of(text, file, (section,)))
    for name, value in table.items():
        where = place_of(text, file, (section, name))
        if not isinstance(value, dict):
            raise ConfigError(f"{section}.{name} must be a table", where=where)
        for key in value:
            if key not in keys:
                raise ConfigError(
                    f"Unknown key {key!r} in {section}.{name}{did_you_mean(key, keys)}",
                    where=place_of(text, file, (section, name, key)),
                )
        home = file.rpartition("/")[0]
        try:
            found[name] = make(name, {"dir": f"{home}/{name}", **value}, "file")
        except GuideError as error:
            raise ConfigError(error.what, where=where) from error
    return found


def _folder(value: Any) -> str:
    if not isinstance(value, str):
        raise InvalidValue("dir must be a folder, relative to the root of the project")
    parts = [part for part in value.replace("\\", "/").split("/") if part not in ("", ".")]
    if value.startswith(("/", "~")) or ".." in parts or "\0" in value:
        raise InvalidValue(
            f"dir {value[:80]!r} must lie inside of the project and be relative to its root"
        )
    if ".git" in parts:
        raise InvalidValue("dir must not be .git: it holds no documents, and perhaps secrets")
    return "/".join(parts)


def _patterns(value: Any) -> tuple[str, ...]:
    if not _is_texts(value) or len(value) > MOST_PATTERNS:
        raise InvalidValue(f"patterns must be a list of at most {MOST_PATTERNS} path patterns")
    for pattern in value:
        try:
            for each in expand_braces(pattern):
                compile_glob(each, extension=True)
        except BadGlob as error:
            raise InvalidValue(
                f"Pattern {pattern!r}: {error.reason} at character {error.position + 1}"
            ) from error
    return tuple(value)


def _description(value: Any) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str) or len(value) > LONGEST_DESCRIPTION:
        raise InvalidValue(
            f"description must be a text of at most {LONGEST_DESCRIPTION:,} characters"
        )
    return " ".join(value.split()) or None


def _is_texts(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and all(isinstance(each, str) for each in value)
