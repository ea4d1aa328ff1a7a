"""What kind of value an option takes: told from the name of the value and from the description."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from toolcrib.packs.climax.importer.model import HelpOption, Operand, Style
from toolcrib.running.program import ArgType

_INTEGERS = frozenset(
    (
        "n", "num", "number", "count", "int", "int8", "int16", "int32", "int64", "integer",
        "integer range", "uint", "uint8", "uint16", "uint32", "uint64", "depth", "lines", "cols",
        "columns", "jobs", "port", "pid", "nr", "limit", "retries", "threads", "workers", "width",
        "height", "channels", "#",
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
_FILE = re.compile(r"[a-z-]*(?:file|path|name|dir|folder)s?\.[a-z]{1,5}", re.I)
_IS_DEFAULT = re.compile(r"\s*[\[(](?:the )?default[\])]", re.I)
_POSSIBLE = re.compile(r"[\[(](?:possible )?(?:values|choices):\s*([^\])]{1,400})[\])]", re.I)
_POSSIBLE_LIST = re.compile(r"possible values:((?:\s*- [\w.+-]+(?::[^-]{0,300})?){2,40})", re.I)
_BULLET = re.compile(r"(?:^|\s)- ([\w.+-]+)")
_BRACED = re.compile(r"\{([^{}]{1,200}\|[^{}]{1,200})\}")
_BARRED = re.compile(r"(?<![\w.])[\[(]([a-z0-9_.+-]{1,30}(?:\|[a-z0-9_.+-]{1,30}){1,12})[\])]")
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
_OFF_OR_ON = frozenset(
    (
        "", "true", "false", "yes", "no", "on", "off", "y", "n", "enabled", "disabled", "none",
        "unset", "behavior", "behaviour", "mode", "option",
    )
)  # fmt: skip
# "[default=60]", "(default .)": a default that is a word.
_WHOLE_DEFAULT = re.compile(
    r"[\[(]\s?default(?:\s?[:=]| is| to)?\s*"
    r"['\"]?([^\s'\"\])]+)['\"]?\s?[\])]",
    re.I,
)
# `--dry  fires nothing  [boolean]`
_MARKED_SWITCH = re.compile(r"\[(?:boolean|count)\](?=\s*(?:\[|$))")
# `--port`: nobody calls a switch so, unless it does something with it: "print the port".
_NAMES_VALUE = re.compile(
    r"--(?:path|file|dir|directory|folder|host|hostname|port|url|timeout|format|user|username"
    r"|password|config|outfile|cwd|encoding|delimiter|separator|prefix|suffix|pattern|template"
    r"|theme|depth|width|height)"
)
_DOES = re.compile(
    r"(?:print|echo|show|list|display|output|get|dump|include|exclude|add|enable|disable|use|check|whether"
    r"|turn|toggle|ask|prompt|don't|do not|no|open|edit|create|remove|strip|omit|skip)s?\b|\Z",
    re.I,
)
_ASKS = frozenset(("-h", "-help", "--help", "-version", "--version", "-V"))
_FEWEST_OFF = 4
_FEWEST_CHOICES = 4
"""How many choices there are for each that might be the name of a kind of value."""
# "to this file", "default 5000": nobody says so of a switch.
_TOLD_VALUE = re.compile(
    # "every part of the given name" is about an operand.
    r"(?<!\bof the )\b(?:this|given|specified) "
    r"(?:[\w/]+ )?(?:file(?:name)?|directory|folder|path|url|name|port|number|string|socket|address"
    r"|value|seed|module|user|group|interface|pid)\b"
    r"|\byou (?:specify|give|name)\b|\bto file ?name\b"
    r"|\bdefault(?:s to|:| is| =)? ['\"]?(?:\d|Infinity\b|\.?/|[\w-]+\.[a-z]+\b|std(?:in|out)\b)"
    # 'defaults to "text/html"', "as host:port", "one of GET, PUT, HEAD"
    r"|\bdefault(?:s to|:| is) \"(?!(?:true|false|on|off)\")[^\"]+\""
    r"|\b(?:host|user(?:name)?):(?:port|pass(?:word)?)\b"
    r"|\bfor example, ~?\.{0,2}/\w"
    r"|, one of [A-Z]{2,}, [A-Z]{2,},"
    # "Indentation size [4]"
    r"|(?<=\w) \[(?:\d+|\"[^\"\]]*\")\]\Z",
    re.I,
)
# "Path to the config", "Specify the port": what begins so tells what is given.
_GIVEN = re.compile(
    r"(?:the |an? )?(?:path|names?|number|directory|folder|location|title|url|file ?name|prefix"
    r"|suffix|comma[- ]separated list|list|port|maximum|minimum|duration) (?:to|of|for|from|in"
    r"|containing|where|which|that|number)\b"
    r"|(?:the )?(?:format|type|kind|encoding|size|length|width|level) of\b"
    # "Any file patterns to ignore", "Additional module(s) to load": several things, or one.
    r"|(?:any|additional|extra|custom) (?:[a-z-]+ ){0,2}[a-z]+(?:s|\(s\)) (?:to|for|from)\b"
    # Nobody specifies with a switch.
    r"|specif(?:y|ies) (?!if\b|that\b|whether\b)[a-z]"
    r"|(?:sets?|defines?|override) (?:an?|the) (?:[\w-]+ ){0,2}"
    r"(?:path|name|number|directory|folder|location|title|url|file|port|theme|format|level"
    r"|version|encoding|prefix|suffix|order|category|text|strategy|language|type)\b",
    re.I,
)
# "Colon-separated list of pots": no switch holds any.
_BEYOND_DOUBT = re.compile(
    r"(?:an? |the )?(?:comma|colon|semicolon|space)[- ](?:separated|delimited)"
    r" (?:list|names?|values?)\b"
    r"|(?:the )?(?:(?:full|absolute|relative) )?(?:path|(?:fully qualified )?name)"
    r" (?:to|of) [A-Za-z]"
    r"|(?:the )?(?:input|output|config|configuration|log) file"
    r" (?:to (?:read|write|use|run|load)|containing|name)\b"
    # "Number of pots", "List of pots", "Format to use", "where it is, followed by the path"
    r"|(?:the )?(?:max(?:imum)? |min(?:imum)? )?number of [a-z]|list of [a-z]"
    r"|(?:the )?(?:maximum|minimum) (?:size|width|length|height|depth|time) of|file containing\b"
    r"|(?:[a-z]+ )?(?:number|name|size|port|host|timeout|format|encoding|directory|file) to use\b"
    r"|.*\bfollowed by (?:an? |the )?(?:path|version|name|file|number|directory)\b"
    r"|.*(?:[\[(]default: |\bDefaults to |\bDefault: )\d\d"
    # "Specify the shape (or not)" is a switch all the same.
    r"|specif(?:y|ies) (?:an?|the|which|how many)\b(?!.*\(or not\))"
    r"|string used to\b",
    re.I,
)
# "Destination name to call", "Timeout in seconds": no word of these tells to do something.
_NOUN = re.compile(
    r"(?!(?:show|print|list|display|use|set|read|write|ignore|keep|include|exclude|omit|skip|check"
    r"|resolve|force|allow|follow|do|don't|no|only|enable|disable|output|all|each|every|full)\b)"
    r"[a-z]+ (?:and [a-z]+ )?(?:name|path|address|url|id|level|size|port|limit)\b"
    # "HTTP Accept header."
    r"|(?!(?:show|print|include|send|add|no|skip|strip|ignore|remove|omit|dump|only|with|the)\b)"
    r"(?:[a-z]+ ){1,2}(?:header|body)\.?$"
    r"|(?:the |an? )?(?!(?:allow|force|whether|try|prefer|not|refuse|when|how|what)\b)"
    r"[a-z]+ to use(?:\.|$| (?:for|when|as|in|instead)\b)"
    r"|[a-z]+(?: [a-z]+)? in (?:milli|micro)?(?:seconds|minutes|bytes|pixels|percent|degrees)\b",
    re.I,
)
# "1 (default), 224, 256": what may be given.
_LISTED = re.compile(r"[\w.-]+ \(default\)(?:, [\w.-]+){2,}")
_WHOLE = re.compile(
    r"(?:the |an? )?(?:input|output|config|configuration|source|target|destination|log|template)"
    r" (?:file\(s\)|(?:file|files|directory|folder|path|url)\b)"
    r"(?:\.?$|[ ,;(]+(?:to|from|of|for|default|pass)\b)",
    re.I,
)
# `--port  where it listens  [required]`: a switch that has to be there would switch nothing.
_REQUIRED_BEHIND = re.compile(r"(?<!\[boolean\] )\[required\]\s*$")
# `--format  how it is drawn  [choices: "png", "svg"]`
_CHOICES_BEHIND = re.compile(r"\[choices: \"[^\[\]]{1,400}\](?=\s*(?:\[|$))")
_KIND_BEHIND = re.compile(r"\[(string|number|array)\](?=\s*(?:\[|$))")
_INTEGER = re.compile(r"-?[0-9]{1,15}")
# Beside a number the program takes a word or a unit, too: `N or "auto"`, `50%`, `10k`.
_BESIDE_A_NUMBER = re.compile(
    r"\bor\s+(?:['\"<`][A-Za-z]|[a-z]+\b(?=\s*(?:[).,;]|$|to\b|for\b)))"
    r"|['\"`](?:[a-z]{2,}|[A-Z]{3,})['\"`]"
    r"|(?<![\w-])(?:auto|inf|infinite|infinity|unlimited)\b|\d%|percent|\bsuffix"
    r"|\d[kKmMgGsh]\b|\b[Hh]ex|\b0x[0-9a-fA-F]",
)
_OR_A_NUMBER = re.compile(
    r"\bor\s+(?:an?\s+|the\s+)?(?:[a-z]+\s+){0,2}(?:number|integer|int|float|count|value|path"
    r"|file|name|url|expression|percentage|seconds|size)\b|\bor\s+(?:<\w+>|[A-Z]{1,8}\b|\d)"
)
_REPEATED = re.compile(
    r"\b(?:(?:multiple|several|many) times|more than once|repeatable"
    r"|multi-allowed|repeatedly|(?:be|is) repeated|repeat(?: this)?(?: option| flag)?(?: to| for)\b"
    r"|once (?:per|for each))",
    re.I,
)
_DENIED = re.compile(r"\b(?:not|cannot|can't|never)\b", re.I)
_MANY_AT_ONCE = frozenset(
    ("strings", "stringarray", "stringslice", "ints", "intslice", "uints", "list", "stringtostring")
)
# A library prints it in square brackets. In round ones somebody says so, and a file of settings may
# give it as well: then it is told, and not asked for.
_REQUIRED = re.compile(r"\[(?:[^\]]{0,40}; ?)?required\]", re.I)
_SCALES = re.compile(r"\b(?:size|suffix|bytes|\d+[kKmMgG]\b|\d+[smh]\b)")


def understood(option: HelpOption, style: Style) -> HelpOption:
    """Return the option with its type and choices.

    What a text calls a default is no default of ours: passed on every call, it would override what
    the program reads from its own settings.
    """
    if style is Style.KUBECTL and option.value is not None:
        option = _kubectl(option)
    # A manual marks so what one of several ways to call it needs; its synopsis shows the rest.
    told = style is not Style.MAN and _REQUIRED.search(option.description) is not None
    # What has a default is there without being given.
    told = told and default_of(option.description) is None
    option = replace(option, required=option.required or told)
    if option.is_switch:
        option = marked(option)
    if option.is_switch:
        return _switch(option)
    if (option.value or "").strip("<>[]").lower() in ("bool", "boolean"):
        # Of a switch some libraries print the kind, too.
        option = replace(option, value_optional=True)
    enum = choices(option.value or "", option.description)
    kind: ArgType = "string" if enum else _type(option)
    return replace(option, type=kind, enum=enum, repeats=_repeats(option, style))


def with_told_value(option: HelpOption) -> HelpOption:
    """The option with the value that only its description speaks of: "writes to this file"."""
    if _MARKED_SWITCH.search(option.description):
        return option
    told = _TOLD_VALUE.search(option.description) or _GIVEN.match(option.description)
    told = told or _WHOLE.match(option.description) or _NOUN.match(option.description)
    told = told or _BARRED.match(option.description)
    return replace(option, value="value") if told or _is_given(option) else option


def _is_given(option: HelpOption) -> bool:
    """Whether an option has a default that is a word, or is called as only a value is."""
    default = _WHOLE_DEFAULT.search(option.description)
    named = any(map(_NAMES_VALUE.fullmatch, option.flags)) and not _DOES.match(option.description)
    return named or (default is not None and default[1].lower() not in _OFF_OR_ON)


def with_list(option: HelpOption) -> HelpOption:
    """The option with the value that it has beyond doubt, wherever others show theirs."""
    about = option.description
    if not option.is_switch or _KIND_BEHIND.search(about) or _MARKED_SWITCH.search(about):
        return option  # who marks each says so without words
    return replace(option, value="value") if _BEYOND_DOUBT.match(about) else option


def with_untold_values(options: Sequence[HelpOption]) -> list[HelpOption]:
    """The options of a text that shows no values, but says of each switch that it is off.

    Where defaults are told of others, too, what is not said to be off takes a value.
    """
    defaults = [(default_of(each.description) or "").lower() for each in options]
    off = sum(default == "false" for default in defaults)
    given = sum(bool(default) and default not in _OFF_OR_ON for default in defaults)
    if off < _FEWEST_OFF or not given:
        return list(options)
    return [
        option
        if default in ("true", "false") or _is_plain(option)
        else replace(option, value="value")
        for option, default in zip(options, defaults, strict=True)
    ]


def _is_plain(option: HelpOption) -> bool:
    """Whether an option asks about the program, or is marked as a switch: `[boolean]`."""
    return not _ASKS.isdisjoint(option.flags) or bool(_MARKED_SWITCH.search(option.description))


def with_shown_value(option: HelpOption) -> HelpOption:
    """The option with the value that its description gives it: "e.g. --mark=#", "-t 10s"."""
    if option.is_switch and _LISTED.match(option.description):
        return replace(option, value="value")
    # A number or quotes: behind any other word, the option may just as well be a switch.
    apart = rf"\b(?:examples?|e\.g\.)[:,]? {re.escape(option.main)} (?:\d|\"\w|'\w)"
    if option.is_switch and re.search(apart, option.description, re.I):
        return replace(option, value="value")
    if not option.is_switch or not option.main.startswith("--"):
        return option
    shown = re.search(rf"(?<![\w-]){re.escape(option.main)}=\S", option.description)
    return replace(option, value="value", value_optional=True, joined=True) if shown else option


def marked(option: HelpOption) -> HelpOption:
    """`-o, --output  where to write  [string]`: the kind of the value stands behind it all."""
    match = _KIND_BEHIND.search(option.description)
    if match is None:
        needs_one = _REQUIRED_BEHIND.search(option.description)
        needs_one = needs_one or _CHOICES_BEHIND.search(option.description)
        return replace(option, value="value") if needs_one else option
    return replace(option, value=match[1], repeats=option.repeats or match[1] == "array")


def says_required(option: HelpOption) -> bool:
    """Whether the description ends with a mark that the option is required."""
    return _REQUIRED_BEHIND.search(option.description) is not None


def default_of(description: str) -> str | None:
    """The default that a description names, as it is written there."""
    match = _DEFAULT.search(description)
    return match[1].strip("\"'").rstrip(".,;") if match is not None else None


def understood_operand(operand: Operand) -> Operand:
    """Return the operand with its choices."""
    if operand.enum:
        return operand
    return replace(operand, enum=choices(operand.name, operand.description))


def choices(name: str, description: str) -> tuple[str, ...]:
    """The values that are allowed, where the text lists them without doubt."""
    named = _named_choices(name)
    if named:
        return named
    if name.strip("<>[]").lower() in _MEASURES or _OR_A_NUMBER.search(description):
        return ()
    return _described_choices(description)


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
    # Of `get|list|show|drop`, one may be called as a kind of value is.
    kinds = sum(part.lower() in _KINDS for part in parts)
    literal = all(map(_CHOICE.fullmatch, parts)) and kinds * _FEWEST_CHOICES <= len(parts)
    # `W,H` is a width and a height; a file is whatever the caller calls it.
    pair = "|" not in text and not name.startswith("{") and any(map(str.isupper, parts))
    if pair or any(map(_FILE.fullmatch, parts)):
        return ()
    upper = [part.isupper() and len(part) > 1 for part in parts]
    # `STYLE|FILE` and `SECONDS|never` name kinds of values; `PEM|DER` might, too.
    if not literal or (any(upper) and not name.startswith("{")):
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
    text = _IS_DEFAULT.sub("", text)
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


def _switch(option: HelpOption) -> HelpOption:
    """A switch that is on unless told otherwise needs its two values to be turned off.

    Of `--no-pots`, it is the pots that are there by default.
    """
    match = _DEFAULT.search(option.description)
    on = match is not None and match[1].strip("\"'").lower() == "true"
    if on and option.main[:2] == "--" and not option.main.startswith("--no-"):
        both = ("true", "false")
        return replace(option, value="bool", value_optional=True, joined=True, enum=both)
    return replace(option, type="boolean")


def _type(option: HelpOption) -> ArgType:
    name = (option.value or "").strip("<>[]").lower()
    default = default_of(option.description)
    word = default is not None and re.match(r"-?[0-9.]*\Z", default) is None
    if word or _BESIDE_A_NUMBER.search(option.description):
        return "string"
    if name in _INTEGERS and not _SCALES.search(option.description.lower()):
        fraction = default is not None and "." in default
        return "number" if fraction else "integer"
    return "number" if name in _NUMBERS else "string"


def _repeats(option: HelpOption, style: Style) -> bool:
    """Whether it may be given several times."""
    told = _REPEATED.search(option.description)
    if option.repeats or (told and not _DENIED.search(option.description[: told.start()][-40:])):
        return True
    named = (option.value or "").strip("<>[]").lower()
    return style in (Style.COBRA, Style.KUBECTL) and named in _MANY_AT_ONCE


def _kubectl(option: HelpOption) -> HelpOption:
    """`--name=default:` says the type by the default."""
    shown = (option.value or "").strip()
    if shown == "false":
        return replace(option, value=None, joined=False)
    if shown == "true":
        return replace(option, value="{true,false}", joined=True)
    several = shown.startswith("[")
    if shown.strip("\"'[]"):
        remark = f"{option.description} (default: {shown})".strip()
        option = replace(option, description=remark)
    kind = "int" if _INTEGER.fullmatch(shown) else "strings" if several else "string"
    return replace(option, value=kind)
