"""`record`: a frozen dataclass that costs a fifth to define.

A dataclass writes and compiles six functions when it is defined; for the few dozen that a server
defines before its first answer, that alone would be half of its start-up. A record compiles only
its constructor and shares the rest. That it is frozen is for the type checker to hold.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(cls: type[T]) -> type[T]:
    """Make a class of annotated fields a record: compared by value, and hashable if they are."""
    made = dataclass(slots=True, eq=False, repr=False)(cls)
    names = tuple(each.name for each in fields(made))  # type: ignore[arg-type]

    def values(self: Any) -> tuple[Any, ...]:
        return tuple([getattr(self, name) for name in names])

    def equals(self: Any, other: object) -> bool:
        return values(self) == values(other) if type(other) is type(self) else NotImplemented

    def shown(self: Any) -> str:
        inside = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{type(self).__name__}({inside})"

    made.__eq__ = equals  # type: ignore[method-assign]
    made.__hash__ = lambda self: hash(values(self))  # type: ignore[method-assign]
    if made.__repr__ is object.__repr__:
        made.__repr__ = shown  # type: ignore[method-assign]
    return made


@dataclass_transform(field_specifiers=(field,))
def bare(cls: type[T]) -> type[T]:
    """A plain mutable dataclass, compared by identity: for what lives as long as one request."""
    return dataclass(slots=True, eq=False, repr=False)(cls)
