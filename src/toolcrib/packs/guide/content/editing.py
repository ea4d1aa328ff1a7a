"""Adding, changing and removing categories and collections, so that references stay whole.

Changes are serialised among all writers, so that what was checked is still true on saving.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from toolcrib.core.support.suggest import did_you_mean, nearest
from toolcrib.packs.guide.content.content import ContentLibrary, Definitions
from toolcrib.packs.guide.content.definitions import (
    Category,
    Collection,
    make_category,
    make_collection,
)
from toolcrib.packs.guide.content.expressions import checked_name, renamed
from toolcrib.packs.guide.errors import InUse, InvalidValue, NameTaken, NotFound, ReadOnly
from toolcrib.packs.guide.state.store import Kind, StoreEdit

T = TypeVar("T")

_HOMES = {
    "folder": "it is a folder of the guide; change or rename the folder",
    "file": "it is defined in guide.toml; change it there",
    "rules": "it shows rule files of the repository; change those",
}


class Editor:
    """Changes what the library has; only what was added by a tool can be changed by one."""

    def __init__(self, library: ContentLibrary) -> None:
        self._library = library

    def add_category(self, name: str, value: Mapping[str, Any]) -> Category:
        """Add a category under a name that is free."""
        category = make_category(name, value, "store")

        def work(edit: StoreEdit, known: Definitions) -> Category:
            _check_free(name, known)
            self._put(edit, "category", category)
            return category

        return self._change(work)

    def change_category(
        self, name: str, given: Mapping[str, Any], new_name: str | None = None
    ) -> Category:
        """Change what is given and keep the rest; a rename is carried into all collections."""
        if new_name is not None:
            checked_name(new_name, "Category")

        def work(edit: StoreEdit, known: Definitions) -> Category:
            old = _own(name, known.categories, "category")
            made = make_category(new_name or name, {**old.to_json(), **given}, "store")
            self._rename(edit, known, "category", name, made.name)
            self._put(edit, "category", made)
            return made

        return self._change(work)

    def remove_category(self, name: str) -> Category:
        """Remove a category that no collection refers to; its documents stay where they are."""

        def work(edit: StoreEdit, known: Definitions) -> Category:
            old = _own(name, known.categories, "category")
            _check_unused(name, known, "category")
            edit.drop(self._library.key, "category", name)
            return old

        return self._change(work)

    def add_collection(self, name: str, value: Mapping[str, Any]) -> Collection:
        """Add a collection under a name that is free; all that it refers to must exist."""
        collection = make_collection(name, value, "store")

        def work(edit: StoreEdit, known: Definitions) -> Collection:
            _check_free(name, known)
            _check_references(collection, known)
            self._put(edit, "collection", collection)
            return collection

        return self._change(work)

    def change_collection(
        self, name: str, given: Mapping[str, Any], new_name: str | None = None
    ) -> Collection:
        """Change what is given and keep the rest; a rename is carried into other collections."""
        if new_name is not None:
            checked_name(new_name, "Collection")

        def work(edit: StoreEdit, known: Definitions) -> Collection:
            old = _own(name, known.collections, "collection")
            made = make_collection(new_name or name, {**old.to_json(), **given}, "store")
            _check_references(made, known)
            self._rename(edit, known, "collection", name, made.name)
            self._put(edit, "collection", made)
            return made

        return self._change(work)

    def remove_collection(self, name: str) -> Collection:
        """Remove a collection that no other one refers to."""

        def work(edit: StoreEdit, known: Definitions) -> Collection:
            old = _own(name, known.collections, "collection")
            _check_unused(name, known, "collection")
            edit.drop(self._library.key, "collection", name)
            return old

        return self._change(work)

    def _change(self, work: Callable[[StoreEdit, Definitions], T]) -> T:
        # Files are looked at before the lock is taken; what is in the store, inside of it.
        known = self._library.definitions()
        key = self._library.key

        def inside(edit: StoreEdit) -> T:
            kept = Definitions(
                {n: c for n, c in known.categories.items() if c.origin != "store"},
                {n: c for n, c in known.collections.items() if c.origin != "store"},
            )
            for name, value in edit.all(key, "category").items():
                kept.categories[name] = make_category(name, value, "store")
            for name, value in edit.all(key, "collection").items():
                kept.collections[name] = make_collection(name, value, "store")
            return work(edit, kept)

        return self._library.store.change(inside)

    def _put(self, edit: StoreEdit, kind: Kind, made: Category | Collection) -> None:
        edit.put(self._library.key, kind, made.name, made.to_json())

    def _rename(self, edit: StoreEdit, known: Definitions, kind: Kind, old: str, new: str) -> None:
        if old == new:
            return
        _check_free(new, known)
        users = _users(old, known)
        fixed = [each.name for each in users if each.origin != "store"]
        if fixed:
            raise InUse(
                f"{old!r} cannot be renamed: guide.toml refers to it in {', '.join(fixed)}",
                data={"used_by": fixed},
                next="Change guide.toml first.",
            )
        for user in users:
            if user.name != old:
                expressions = [renamed(each, old, new) for each in user.expressions]
                made = Collection(user.name, tuple(expressions), user.description)
                self._put(edit, "collection", made)
        edit.drop(self._library.key, kind, old)


def _check_free(name: str, known: Definitions) -> None:
    """Expressions name categories and collections alike, so they share their names."""
    for what, table in (("category", known.categories), ("collection", known.collections)):
        if name in table:
            raise NameTaken(
                f"A {what} is already named {name!r}",
                data={"name": name, "kind": what},
                next=f"Use {what}_change, or another name.",
            )


D = TypeVar("D", Category, Collection)


def _own(name: str, table: Mapping[str, D], what: str) -> D:
    found = table.get(name)
    if found is None:
        raise NotFound(
            f"No {what} is named {name!r}{did_you_mean(name, table)}",
            data={"nearest": nearest(name, table)},
            next=f"Call {what}_list for all of them.",
        )
    if found.origin != "store":
        raise ReadOnly(f"The {what} {name!r} is read-only: {_HOMES[found.origin]}")
    return found


def _users(name: str, known: Definitions) -> list[Collection]:
    return [each for each in known.collections.values() if name in each.names()]


def _check_unused(name: str, known: Definitions, what: str) -> None:
    users = sorted(each.name for each in _users(name, known))
    if users:
        raise InUse(
            f"The {what} {name!r} is used by: {', '.join(users)}",
            data={"used_by": users},
            next="Change or remove those collections first.",
        )


def _check_references(collection: Collection, known: Definitions) -> None:
    names = known.names()
    unknown = sorted(collection.names() - {*names, collection.name})
    if unknown:
        hints = [f"{each!r}{did_you_mean(each, names)}" for each in unknown]
        raise NotFound(
            f"Collection {collection.name!r} refers to unknown names: {', '.join(hints)}",
            data={"unknown": unknown},
        )
    cycle = _cycle(collection, known)
    if cycle:
        raise InvalidValue(f"Collection would contain itself: {' > '.join(cycle)}")


def _cycle(collection: Collection, known: Definitions) -> Sequence[str]:
    """The way from a collection back to itself, if there is one."""
    pending: list[tuple[str, ...]] = [(collection.name,)]
    seen: set[str] = set()
    while pending:
        way = pending.pop()
        current = collection if way[-1] == collection.name else known.collections.get(way[-1])
        if current is None or way[-1] in known.categories:
            continue
        for name in sorted(current.names()):
            if name == collection.name:
                return (*way, name)
            if name not in seen:
                seen.add(name)
                pending.append((*way, name))
    return ()
