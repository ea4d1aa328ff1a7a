"""What kind of value an option takes: told from the name of the value and from the description."""

from __future__ import annotations

import re
from dataclasses import replace

from toolcrib.packs.climax.importer.model import Operand, Option, Style
from toolcrib.running.program import ArgType, Scalar

_INTEGERS = frozenset(
    (
        "n", "num", "number", "count", "int", "int8", "int16", "int32", "int64", "integer",
        "integer range", "uint", "uint8", "uint16", "uint32", "uint64", "depth", "lines", "cols",
        "columns", "jobs", "port", "pid", "nr", "limit", "retries", "threads", "workers", "width",
        "height", "channels",
    )
)  # fmt: skip
_NUMBERS = frozenset(
    (
        "float", "float32", "float64", "float range", "decimal", "percent", "seconds", "secs",
        "sec", "ratio", "double",
    )
)  # fmt: skip
# Values with a unit: what stands in parentheses behind them are the units.
_MEASURES = _INTEGERS | _NUMBERS | {"duration", "bytes", "size", "time", "list", "map"}
# Words that name a kind of value: alternatives with one of them are no list of choices.
_KINDS = frozenset(
    (
        "pkg", "package", "glob", "path", "file", "filename", "url", "uri", "dir", "directory",
        "name", "id", "commit", "branch", "pattern", "n", "num", "number", "string", "regex",
        "regexp", "key", "value", "ref", "tag", "tree", "host", "ip", "address", "date",
        "time", "size", "int", "text", "expression", "command", "cmd", "version", "spec",
        "image", "user", "group", "sha", "hash", "object", "remote", "mode", "type", "format",
        "list", "integer", "float",
    )
)  # fmt: skip
_CHOICE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+:/-]*")
_POSSIBLE = re.compile(r"[\[(](?:possible )?(?:values|choices):\s*([^\])]{1,400})[\])]", re.I)
_POSSIBLE_LIST = re.compile(r"possible values:((?:\s*- [\w.+-]+(?::[^-]{0,300})?){2,40})", re.I)
_BULLET = re.compile(r"(?:^|\s)- ([\w.+-]+)")
_BRACED = re.compile(r"\{([^{}]{1,200}\|[^{}]{1,200})\}")
_BARRED = re.compile(r"[\[(]([a-z0-9_.+-]{1,30}(?:\|[a-z0-9_.+-]{1,30}){1,12})[\])]")
_ONE_OF = re.compile(
    r"\bone of:?\s*[\[({]?"
    r"([\w.+'\"-]{1,40}(?:(?:,?\s+or\s+|,\s*|\s*\|\s*)[\w.+'\"-]{1,40}){1,9})",
    re.I,
)
_QUOTED_LIST = re.compile(r"\((\"[\w.+-]{1,30}\"(?:,?\s*(?:or\s+)?\"[\w.+-]{1,30}\"){1,9})\)")
_CAN_BE = re.compile(r"\b(?:can|may|must) be ('[\w-]{1,30}'(?:[^'.;]{0,40}'[\w-]{1,30}'){1,9})")
_QUOTED = re.compile(r"['\"]([\w.+-]{1,30})['\"]")
_DEFAULT = re.compile(
    r"[\[(]\s*defaults?(?: is| to)?\s*[:=]?\s*(\"[^\"]{0,80}\"|'[^']{0,80}'|[^\s\])]{1,80})", re.I
)
_INTEGER = re.compile(r"-?[0-9]{1,15}")
_NUMBER = re.compile(r"-?[0-9]{1,15}\.[0-9]{1,15}")
_REQUIRED = re.compile(r"[\[(](?:[^\])]{0,40}; ?)?required[\])]", re.I)
_SCALES = re.compile(r"\b(?:size|suffix|bytes|\d+[kKmMgG]\b|\d+[smh]\b)")


def understood(option: Option, style: Style) -> Option:
    """Return the option with its type, choices and default."""
    if style is Style.KUBECTL and option.value is not None:
        option = _kubectl(option)
    option = replace(option, required=option.required or bool(_REQUIRED.search(option.description)))
    if option.is_switch:
        return _switch(option)
    enum = choices(option.value or "", option.description)
    kind: ArgType = "string" if enum else _type(option)
    default = _default(option.description, kind, enum) if option.default is None else option.default
    return replace(option, type=kind, enum=enum, default=default)


def understood_operand(operand: Operand) -> Operand:
    """Return the operand with its choices."""
    if operand.enum:
        return operand
    return replace(operand, enum=choices(operand.name, operand.description))


def choices(name: str, description: str) -> tuple[str, ...]:
    """The values that are allowed, where the text lists them without doubt."""
    measured = name.strip("<>[]").lower() in _MEASURES
    return _named_choices(name) or (() if measured else _described_choices(description))


def _named_choices(name: str) -> tuple[str, ...]:
    """`{a,b}`, `a|b|c`, `<fetch|push>`."""
    text = name.strip("<>[](){}= ")
    if "|" in text:
        parts = text.split("|")
    elif "," in text and (name.startswith("{") or " " not in text) and "." not in text:
        parts = text.split(",")
    else:
        return ()
    parts = [part.strip() for part in parts]
    literal = all(_CHOICE.fullmatch(part) and part.lower() not in _KINDS for part in parts)
    if not literal or all(part.isupper() and len(part) > 1 for part in parts):
        return ()
    return _distinct(parts)


def _described_choices(text: str) -> tuple[str, ...]:
    for pattern in (_POSSIBLE, _BRACED, _BARRED):
        match = pattern.search(text)
        if match is not None:
            parts = [part.strip(" '\"") for part in re.split(r"[|,]", match[1])]
            if not any(part.lower() in _KINDS or not part for part in parts):
                return _distinct(parts)
    listed = _POSSIBLE_LIST.search(text)
    if listed is not None:
        return _distinct(_BULLET.findall(listed[1]))
    for pattern in (_QUOTED_LIST, _CAN_BE):
        match = pattern.search(text)
        if match is not None:
            return _distinct(_QUOTED.findall(match[1]))
    match = _ONE_OF.search(text)
    if match is not None and not _goes_on(text, match.end()):
        words = re.split(r",\s*(?:or\s+)?|\s*\|\s*|\s+or\s+", match[1])
        parts = [word.strip(" '\".") for word in words]
        if all(_CHOICE.fullmatch(part) and part.lower() not in _KINDS for part in parts):
            return _distinct(parts)
    return ()


def _goes_on(text: str, end: int) -> bool:
    """Whether a list of choices is longer than what was read of it."""
    return text[end : end + 2].lstrip(" ")[:1] in (",", "|")


def _distinct(parts: list[str]) -> tuple[str, ...]:
    found = tuple(dict.fromkeys(part for part in parts if part))
    usable = len(found) >= 2 and not any(part.startswith("-") for part in found)
    return found if usable else ()


def _switch(option: Option) -> Option:
    """A switch that is on unless told otherwise needs its two values to be turned off."""
    match = _DEFAULT.search(option.description)
    if match is not None and match[1].strip("\"'").lower() == "true" and option.main[:2] == "--":
        return replace(option, value="bool", joined=True, enum=("true", "false"))
    return replace(option, type="boolean")


def _type(option: Option) -> ArgType:
    name = (option.value or "").strip("<>[]").lower()
    if name in ("bool", "boolean"):
        return "string"
    if name in _INTEGERS and not _SCALES.search(option.description.lower()):
        return "integer"
    return "number" if name in _NUMBERS else "string"


def _default(description: str, kind: ArgType, enum: tuple[str, ...]) -> Scalar | None:
    """A default that can be passed as it is: a choice, or a number above zero.

    Others stay in the description alone. To pass a path of this machine, or `--stop-timeout=0`, on
    every call would mean something else than not to pass it.
    """
    match = _DEFAULT.search(description)
    if match is None:
        return None
    text = match[1].strip("\"'").rstrip(".,;")
    if enum:
        return text if text in enum else None
    if kind == "integer" and _INTEGER.fullmatch(text):
        return int(text) if int(text) > 0 else None
    if kind == "number" and (_NUMBER.fullmatch(text) or _INTEGER.fullmatch(text)):
        return float(text) if float(text) > 0 else None
    return None


def _kubectl(option: Option) -> Option:
    """`--name=default:` says the type by the default."""
    shown = (option.value or "").strip()
    if shown == "false":
        return replace(option, value=None, joined=False)
    if shown == "true":
        return replace(option, value="{true,false}", joined=True)
    if _INTEGER.fullmatch(shown):
        default = int(shown) if int(shown) > 0 else None
        return replace(option, value="int", default=default)
    return replace(option, value="string")
