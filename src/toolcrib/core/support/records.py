"""`record` and `bare`: dataclasses with slots that cost a tenth to define.

A dataclass generates and compiles its methods when it is defined. For the few dozen classes that a
server defines before its first answer, that would be half of its start-up, and most of them are
not used before it. Records share their methods, and compile a constructor only for a class that has
many instances. `dataclasses.fields`, `replace` and `asdict` work with them. Only the type checker
enforces that a record is frozen.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import _FIELD, MISSING, Field, field  # type: ignore[attr-defined]
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")

_FIELDS = "__dataclass_fields__"
_FACTORY = object()
_FEW = 16
"""So many are made field by field: to compile a constructor takes as long as that."""


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(cls: type[T]) -> type[T]:
    """Make a class of annotated fields a record: compared by value, and hashable if they are."""
    made = _defined(cls)
    fields: dict[str, Field[Any]] = getattr(made, _FIELDS)
    names = tuple(fields)
    compared = tuple(name for name, each in fields.items() if each.compare)

    def values(self: Any) -> tuple[Any, ...]:
        return tuple([getattr(self, name) for name in compared])

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
    """A mutable dataclass, compared by identity, for objects that live for one request."""
    return _defined(cls)


def _defined(cls: type[T]) -> type[T]:
    """The same class with slots for its fields, and a constructor that takes them."""
    own = {name: kind for name, kind in cls.__annotations__.items() if "ClassVar" not in str(kind)}
    fields: dict[str, Field[Any]] = {}
    for base in cls.__mro__[:0:-1]:
        fields.update(getattr(base, _FIELDS, {}))
    inherited = frozenset(fields)
    for name, kind in own.items():
        fields[name] = _field(cls, name, kind)
    body = {name: value for name, value in vars(cls).items() if name not in own}
    for name in ("__dict__", "__weakref__"):
        body.pop(name, None)
    body["__slots__"] = tuple(name for name in own if name not in inherited)
    body["__match_args__"] = tuple(name for name, each in fields.items() if each.init)
    body[_FIELDS] = fields
    meta: Any = type(cls)
    made = meta(cls.__name__, cls.__bases__, body)
    made.__qualname__ = cls.__qualname__

    made.__init__ = _first_constructor(made, fields)
    ready: type[T] = made
    return ready


def _first_constructor(made: Any, fields: dict[str, Field[Any]]) -> Callable[..., None]:
    """Sets the fields of the first few one by one, then has a function compiled for the rest."""
    times = 0
    then = hasattr(made, "__post_init__")

    def first(self: Any, *values: Any, **named: Any) -> None:
        nonlocal times
        times += 1
        if times <= _FEW and _filled(self, fields, made.__match_args__, values, named):
            if then:
                self.__post_init__()
            return
        made.__init__ = _constructor(fields, then, made.__qualname__)
        made.__init__(self, *values, **named)  # which also says what is wrong with the arguments

    return first


def _filled(
    self: Any,
    fields: dict[str, Field[Any]],
    names: tuple[str, ...],
    values: tuple[Any, ...],
    named: dict[str, Any],
) -> bool:
    """Set all fields; False where the arguments are not those that a constructor takes."""
    given = dict(zip(names, values, strict=False))
    if len(values) > len(names) or not given.keys().isdisjoint(named):
        return False
    given.update(named)
    if not given.keys() <= set(names):
        return False
    for name, each in fields.items():
        if name in given:
            setattr(self, name, given[name])
        elif each.default is not MISSING:
            setattr(self, name, each.default)
        elif each.default_factory is not MISSING:
            setattr(self, name, each.default_factory())
        elif each.init:
            return False
    return True


def _field(cls: type, name: str, kind: Any) -> Field[Any]:
    default = vars(cls).get(name, MISSING)
    made: Any = default if isinstance(default, Field) else field(default=default)
    if type(made.default).__hash__ is None:
        raise ValueError(f"{cls.__name__}.{name}: a {type(made.default).__name__} would be shared")
    made.name, made.type = name, kind
    made._field_type = _FIELD
    ready: Field[Any] = made
    return ready


def _constructor(fields: dict[str, Field[Any]], then: bool, name: str) -> Callable[..., None]:
    """A function that takes the fields as parameters and sets them."""
    known: dict[str, Any] = {"factory": _FACTORY}
    parameters, lines = ["self"], []
    for at, each in enumerate(fields.values()):
        value = each.name
        if each.default is not MISSING:
            known[f"default_{at}"] = each.default
            parameters.append(f"{each.name}=default_{at}")
        elif each.default_factory is not MISSING:
            known[f"make_{at}"] = each.default_factory
            parameters.append(f"{each.name}=factory")
            value = f"make_{at}() if {each.name} is factory else {each.name}"
        else:
            parameters.append(each.name)
        if not each.init:
            last = parameters.pop()
            if "=" not in last:
                continue  # whoever comes after sets it
            value = f"default_{at}" if each.default is not MISSING else f"make_{at}()"
        lines.append(f" self.{each.name} = {value}")
    lines += [" self.__post_init__()"] * then
    source = f"def __init__({', '.join(parameters)}):\n" + "\n".join(lines or [" pass"])
    exec(source, known)  # noqa: S102 - of names that Python itself took for identifiers
    made: Callable[..., None] = known["__init__"]
    made.__qualname__ = f"{name}.__init__"
    return made
