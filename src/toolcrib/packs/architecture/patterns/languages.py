"""Programming languages: their names, their file endings, and which one a piece of code is in."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

# name: other names | file endings, the first of them for files of our own | root of its tree
_TABLE = """
bash: sh shell zsh | sh bash | program
c: | c h | translation_unit
cpp: c++ cc cxx | cpp cc cxx hpp hh | translation_unit
csharp: c# cs dotnet | cs | compilation_unit
css: | css | stylesheet
dart: | dart | source_file
elixir: ex | ex exs | source
go: golang | go | source_file
haskell: hs | hs | haskell
hcl: terraform tf | hcl tf | config_file
html: htm | html htm | document
java: | java | program
javascript: js jsx node nodejs ecmascript mjs cjs | js jsx mjs cjs | program
json: | json | document
kotlin: kt | kt kts | source_file
lua: | lua | chunk
markdown: md | md | document
nix: | nix | source_code
php: | php | program
python: py python3 | py pyi | module
ruby: rb | rb | program
rust: rs | rs | source_file
scala: | scala sc | compilation_unit
solidity: sol | sol | source_file
swift: | swift | source_file
tsx: | tsx | program
typescript: ts | ts mts cts | program
yaml: yml | yaml yml | stream
zig: | zig | source_file
"""

DATA = frozenset({"css", "hcl", "html", "json", "markdown", "yaml"})
"""Languages in which nothing is defined, called or imported."""

WITHOUT_PARENTHESES = frozenset({"elixir", "ruby", "scala"})
"""Languages in which `db.commit` calls what it names."""


@dataclass(frozen=True, slots=True)
class Language:
    """A language that rules can be written for.

    `ending` is the usual file ending, `root` what the engine calls the whole of a file.
    """

    name: str
    ending: str
    root: str


@cache
def _tables() -> tuple[dict[str, Language], dict[str, Language]]:
    names: dict[str, Language] = {}
    endings: dict[str, Language] = {}
    for line in _TABLE.strip().splitlines():
        name, _, rest = line.partition(":")
        others, written, root = rest.split("|")
        known = written.split()
        language = Language(name, known[0], root.strip())
        names |= dict.fromkeys([name, *others.split()], language)
        endings |= dict.fromkeys(known, language)
    return names, endings


def find_language(name: str) -> Language | None:
    """The language that somebody calls `name`: `Python`, `py`, `.py`, `C#`."""
    return _tables()[0].get(name.strip().lstrip(".").casefold())


def all_names() -> frozenset[str]:
    """Every name by which a language is found, in small letters."""
    return frozenset(_tables()[0])


def language_names() -> list[str]:
    """The names of all languages, sorted."""
    return sorted({language.name for language in _tables()[0].values()})


def language_of_path(path: str) -> Language | None:
    """The language of a file, by its ending."""
    _, dot, ending = path.rpartition("/")[2].rpartition(".")
    return _tables()[1].get(ending.casefold()) if dot else None


def spoken_as(code: str, rule: str) -> str | None:
    """The language in which a rule for `rule` reads code in `code`; None when it does not apply.

    TypeScript's grammars read JavaScript too, so that one rule serves the whole family.
    """
    if code == rule:
        return rule
    family = ("javascript", "typescript", "tsx")
    if code not in family or rule not in family:
        return None
    return rule if code == "javascript" else code


# A sign of a language and its weight. Each counts once, however often it stands there.
_SIGNS: tuple[tuple[str, int, str], ...] = (
    ("python", 4, r"^\s*(?:async )?def \w+\(.*\)(?: *->.*)?:\s*(?:#.*)?$"),
    ("python", 4, r"^\s*(?:async )?def \w+\([^{]*\)(?: *->[^{]*)?: *[\w.\"']+"),
    ("python", 3, r"^\s*class \w+(?:\([^)]*\))?:\s*(?:#.*)?$"),
    ("python", 3, r"^from [\w.]+ import [\w(*]"),
    ("python", 3, r"^\s*(?:elif .*|except(?: [\w.()]+(?: as \w+)?)?|finally|try|else|with .*):$"),
    ("python", 2, r"^import \w+(?:\.\w+)*(?: as \w+)?$"),
    ("python", 2, r"\bself\.\w+|\bNone\b|__\w+__"),
    ("python", 2, r"^\s*@\w+(?:\.\w+)*(?:\(.*\))?\n\s*(?:async def|def|class) "),
    ("python", 2, r"^\s*(?:if|for|while) [^{]*:$"),
    ("typescript", 4, r"^\s*(?:export )?(?:interface|type|enum) \w+(?:<[^>]*>)?\s*[={]"),
    ("typescript", 4, r"\b(?:const|let|function|=>|\)|private|public|readonly) ?[\w(]*\)?\??: ?"
     r"(?:string|number|boolean|void|any|unknown|never|Promise<|Array<|[A-Z]\w*\b)"),
    ("typescript", 3, r"[\w)]\??: (?:string|number|boolean|unknown|any)\b|\bimplements \w+ \{$"),
    ("typescript", 2, r"^import type |\bas (?:const|unknown|any)\b|\breadonly \w+"),
    ("javascript", 3, r"^(?:import|export) .*\bfrom ['\"]|\brequire\(['\"]|\bmodule\.exports\b"),
    ("javascript", 2, r"\b(?:const|let|var) [\w{\[][^:\n]*="),
    ("javascript", 2, r"=> ?[{(\w]|===|!=="),
    ("javascript", 2, r"\bfunction\b ?\w*\([^:$]*\) ?\{"),
    ("javascript", 1, r"\bconsole\.\w+\(|\bawait \w+|\basync (?:function|\()"),
    ("tsx", 5, r"(?:return|=>|=)\s*\(?\s*<(?:[A-Z]\w*|div|span|p|ul|button|input|form|>)[^;]*/?>"),
    ("go", 5, r"^package \w+\s*$"),
    ("go", 4, r"^func (?:\(\w+ \*?\w+(?:\[\w+\])?\) )?\w+(?:\[.*\])?\("),
    ("go", 3, r"\w+(?:, \w+)* := |^\s*defer |\bgo func\(|\bif err != nil\b"),
    ("go", 3, r"^type \w+ (?:struct|interface) ?\{"),
    ("java", 4, r"^\s*(?:public|protected|private|abstract|final|static)[\w ]* (?:class|interface|"
     r"record|enum) \w+"),
    ("java", 4, r"^import (?:static )?(?:java|javax|jakarta|org|com|lombok)\.[\w.*]+;"),
    ("java", 3, r"^package [\w.]+;"),
    ("java", 3, r"^\s*(?:public|protected|private)(?: static| final)* [\w<>\[\], ?]+ \w+\s*[(=;]"),
    ("java", 2, r"^\s*@(?:Override|Autowired|Service|Repository|Entity|Inject|RestController)\b"),
    ("java", 2, r"\bSystem\.out\.|\bnew \w+(?:<\w*>)?\(.*\);|\bthrows \w+|\bString \w+"),
    ("csharp", 4, r"^using [\w.]+;|^namespace [\w.]+"),
    ("csharp", 3, r"\{ get; (?:private |init;|set;)|\basync Task\b|\bvar \w+ = |\bConsole\.Write"),
    ("csharp", 3, r"^\s*(?:public|internal|private)[\w ]* (?:class|interface|record|struct) \w+"
     r"(?:<\w+>)? ?(?::.*)?$"),
    ("kotlin", 4, r"^\s*(?:(?:override|private|suspend|inline|internal) )*fun (?:<.*> )?[\w.]+\("),
    ("kotlin", 3, r"^\s*(?:data|sealed|open|abstract) class \w+|\bval \w+(?:: \w+)? ?="),
    ("scala", 4, r"^\s*(?:case class|object|trait) \w+|\bdef \w+(?:\[.*\])?\(.*\): \w+.* ="),
    ("swift", 4, r"^\s*(?:\w+ )*func \w+(?:<.*>)?\(.*\)(?: async)?(?: throws)?(?: -> .*)? \{$"),
    ("kotlin", 2, r"\bfun \w+\("),
    ("swift", 2, r"\bfunc \w+\(.*\)(?: throws)?(?: ->|\s*\{)"),
    ("swift", 3, r"\bguard let |\bif let \w+ =|^import (?:Foundation|UIKit|SwiftUI)"),
    ("rust", 4, r"^\s*(?:pub(?:\(\w+\))? )?(?:async )?fn \w+(?:<.*>)?\("),
    ("rust", 4, r"^\s*impl(?:<.*>)? \w+|^use (?:std|crate|super|serde|tokio)::|\blet mut \w+"),
    ("rust", 3, r"\bprintln!\(|\bvec!\[|->\s*Result<|&mut self|&self|\bmatch \w+ \{|::new\("),
    ("cpp", 4, r"\bstd::\w+|^\s*(?:template ?<|namespace \w+ ?\{)|^#include <\w+>$"),
    ("cpp", 2, r"^\s*(?:public|private|protected):$|\bvirtual \w+|\bcout <<|\bnullptr\b"),
    ("c", 3, r"^#include [<\"][\w/]+\.h[>\"]|^(?:static |const )*(?:int|void|char|struct \w+) "
     r"\*?\w+\([^)]*\)\s*\{?$"),
    ("c", 2, r"\bmalloc\(|\bprintf\(|^\s*struct \w+ \{|->\w+"),
    ("ruby", 4, r"^\s*def (?:self\.)?\w+[?!]?(?:\(.*\))?$(?s:.*)^\s*end\b"),
    ("ruby", 3, r"^\s*(?:require(?:_relative)?|include|attr_\w+) [:'\"\w]|\.each do \|"),
    ("ruby", 2, r"^\s*(?:class \w+(?: < [\w:]+)?|module \w+)$|@\w+ = |\bputs "),
    ("php", 6, r"<\?php|^\s*namespace [\w\\]+;"),
    ("php", 3, r"\$this->|\bfunction \w*\(.*\$\w+|^\s*\$\w+ = .*;$"),
    ("elixir", 4, r"^\s*defmodule [\w.]+ do|^\s*defp? \w+.* do$|\|> \w+"),
    ("haskell", 4, r"^\w+ :: .*->|^module [\w.]+(?: \(.*\))? where|^import qualified [A-Z]"),
    ("lua", 4, r"^\s*local \w+ ?=|^\s*(?:local )?function [\w.:]+\(.*\)$(?s:.*)^\s*end\b"),
    ("lua", 2, r"^\s*function [\w.:]+\(.*\).*\bend\b"),
    ("dart", 4, r"^import 'package:|\bWidget build\(|\bfinal \w+ \w+ ="),
    ("solidity", 6, r"^pragma solidity|^\s*contract \w+.*\{"),
    ("zig", 4, r"\bconst \w+ = @import\(|^pub fn \w+\("),
    ("hcl", 5, r"^(?:resource|variable|module|provider|data|output) \"[\w-]+\"(?: \"[\w-]+\")? \{"),
    ("bash", 6, r"\A#!.*\b(?:ba|z|k)?sh\b"),
    ("bash", 3, r"^\s*(?:if \[\[? .*\]|fi$|done$|esac$|\w+\(\) \{)|^\s*export \w+=|\$\{\w+"),
    ("bash", 2, r"^\s*function [\w-]+ *\{"),
    ("css", 4, r"^[.#\w][\w .#:>,-]*\{\s*$(?s:.*)^\s*[\w-]+: [^;{}]+;"),
    ("html", 5, r"(?i)\A\s*<(?:!doctype html|html|head|body)\b"),
    ("json", 5, r"\A\s*[{\[]\s*(?:\"[^\"\n]*\"\s*:|[{\[\"\d])(?s:.*)[}\]]\s*\z"),
    ("yaml", 3, r"\A(?:---\n)?(?:#.*\n)*[\w-]+:(?: .*)?\n(?:[ -].*\n|[\w-]+:(?: .*)?\n)+"),
)  # fmt: skip

# Enough to recognise a language.
_LOOK = 10_000
_SURE = 3


@cache
def _compiled() -> tuple[tuple[str, int, Any], ...]:
    import re2  # linear in what it reads, whoever wrote that; compiled, so only when it is needed

    return tuple((name, weight, re2.compile(f"(?m){sign}")) for name, weight, sign in _SIGNS)


def detect_language(code: str, among: frozenset[str] = frozenset()) -> Language | None:
    """The language of `code`, guessed from its tokens; None when that is not clear.

    `among` are languages that somebody expects: they win a draw, and the only one of them wins
    when there is no sign at all.
    """
    scores = _scores(code[:_LOOK])
    names = _tables()[0]
    if not scores:
        return names[next(iter(among))] if len(among) == 1 else None
    best = max(scores.values())
    drawn = sorted(name for name, score in scores.items() if score == best)
    expected = [name for name in drawn if name in among]
    if expected:
        return names[expected[0]]
    if best >= _SURE:
        return names[drawn[0]]
    return names[next(iter(among))] if len(among) == 1 else None


def candidates(code: str) -> list[Language]:
    """The languages of which `code` has any sign, the likeliest first."""
    scores = _scores(code[:_LOOK])
    names = _tables()[0]
    return [names[name] for name in sorted(scores, key=lambda name: (-scores[name], name))]


_FAMILIES = (frozenset({"javascript", "typescript", "tsx"}), frozenset({"c", "cpp"}))


def signs_of(code: str, name: str) -> int:
    """How much the signs weigh that `code` has of a language, or of one that builds on it."""
    family = next((each for each in _FAMILIES if name in each), frozenset({name}))
    return max((score for of, score in _scores(code[:_LOOK]).items() if of in family), default=0)


def _scores(code: str) -> dict[str, int]:
    scores: dict[str, int] = {}
    for name, weight, sign in _compiled():
        if sign.search(code):
            scores[name] = scores.get(name, 0) + weight
    # TypeScript is JavaScript with types, and TSX is either with tags: they build on each other.
    if "typescript" in scores:
        scores["typescript"] += scores.pop("javascript", 0)
    if "tsx" in scores:
        scores["tsx"] += scores.pop("typescript", scores.pop("javascript", 0))
    if "cpp" in scores:
        scores["cpp"] += scores.pop("c", 0)
    return scores
