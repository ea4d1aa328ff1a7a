"""Collects short texts of many kinds, for `scripts/vectors.py` to learn from.

    python scripts/vector_texts.py [CHECKOUTS] > build/texts.txt

From this machine (Debian): what WordNet says of its words (`apt-get install wordnet-base`),
summaries of packages, manual pages, docstrings of installed modules. From checkouts of public
repositories below the folder, as far as they are there: what people ask assistants for
(`clinc/oos-eval`, `google-research-datasets/dstc8-schema-guided-dialogue`,
`google-research-datasets/natural-questions`), and what servers and services say of themselves
(`punkpeye/awesome-mcp-servers`, `public-apis/public-apis`, `teknium1/GPTeacher`). None of it is
among the sets that search is measured with, and none of it comes with the package.
"""

from __future__ import annotations

import argparse
import ast
import gzip
import json
import random
import re
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Final

_WORDNET: Final = Path("/usr/share/wordnet")
_MANUALS: Final = Path("/usr/share/man")
_LONGEST: Final = 48
"""Words of a text."""
_MOST: Final = 130_000
"""Texts of one source."""
_SEED: Final = 3


def wordnet() -> Iterator[str]:
    """Each meaning of a word, with and without the words that have it, and its examples."""
    for kind in ("noun", "verb", "adj", "adv"):
        for line in (_WORDNET / f"data.{kind}").read_text(errors="replace").splitlines():
            head, _, told = line.partition(" | ")
            fields = head.split()
            if not told or line.startswith("  "):
                continue
            count = int(fields[3], 16)
            names = [fields[4 + 2 * at].replace("_", " ") for at in range(count)][:3]
            meaning, *examples = re.split(r';\s*(?=")', told.strip())
            yield f"{', '.join(names)}: {meaning}"
            yield meaning
            yield from (example.strip('" ') for example in examples)


def packages() -> Iterator[str]:
    """The summary of each package that could be installed."""
    known = subprocess.run(["apt-cache", "dumpavail"], capture_output=True, text=True, check=True)
    yield from re.findall(r"^Description(?:-en)?: (.*)$", known.stdout, re.M)


def manuals() -> Iterator[str]:
    """What manual pages say of their programs and of the options."""
    for file in sorted(_MANUALS.glob("man[18]/*.gz")):
        with gzip.open(file, "rt", errors="replace") as page:
            text = page.read().replace("\\-", "-")
        text = re.sub(r"\\f.", "", text)
        yield from re.findall(r'^\.S[Hh] "?NAME"?\n([^.\n].*)', text, re.M)[:1]
        yield from re.findall(r"^\.(?:TP|IP).*\n.*\n([A-Z][^\n.\\]{15,200})", text, re.M)


def docstrings() -> Iterator[str]:
    """The first paragraph of each docstring, now and then behind the name."""
    chance = random.Random(_SEED)  # noqa: S311
    for key in ("stdlib", "purelib"):
        for file in sorted(Path(sysconfig.get_paths()[key]).rglob("*.py")):
            try:
                tree = ast.parse(file.read_text(encoding="utf-8"))
            except (OSError, SyntaxError, ValueError):
                continue
            for node in ast.walk(tree):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                    told = (ast.get_docstring(node) or "").partition("\n\n")[0]
                    name = re.sub(r"([a-z])([A-Z])", r"\1 \2", node.name).replace("_", " ")
                    yield told
                    if told and chance.random() < 0.4:
                        yield f"{name.strip()}: {told}"


def intents(folder: Path) -> Iterator[str]:
    """What people ask an assistant for."""
    for questions in json.loads((folder / "data" / "data_full.json").read_text()).values():
        yield from (question for question, _ in questions)


def dialogues(folder: Path) -> Iterator[str]:
    """What people say to a service, and what services say that they do."""
    for file in sorted((folder / "train").glob("dialogues_*.json")):
        for talk in json.loads(file.read_text()):
            yield from (
                turn["utterance"] for turn in talk["turns"]
                if turn["speaker"] == "USER" and len(turn["utterance"].split()) > 5
            )  # fmt: skip
    for file in sorted(folder.glob("*/schema.json")):
        for service in json.loads(file.read_text()):
            parts: list[dict[str, Any]] = [service, *service["intents"], *service["slots"]]
            yield from (part["description"] for part in parts)


def questions(folder: Path) -> Iterator[str]:
    """What people ask a search engine."""
    for file in sorted((folder / "nq_open").glob("*.jsonl")):
        for line in file.read_text().splitlines():
            yield json.loads(line)["question"]


def servers(folder: Path) -> Iterator[str]:
    """What servers of tools say of themselves."""
    for line in (folder / "README.md").read_text().splitlines():
        found = re.match(r"\s*[-*] \[([^\]]+)\]\([^)]*\)(.*)", line)
        if found:
            told = re.sub(r"\[[^\]]*\]\([^)]*\)|!\S+|[^\x00-\x7f]+", " ", found[2]).strip(" -")
            yield told
            yield f"{re.sub('[-_]', ' ', found[1].rpartition('/')[2])}: {told}"


def services(folder: Path) -> Iterator[str]:
    """What public services are for."""
    table = (folder / "README.md").read_text()
    for name, told in re.findall(r"^\| \[([^\]]+)\]\([^)]*\) \| ([^|]+)\|", table, re.M):
        yield told
        yield f"{name}: {told}"


def calls(folder: Path) -> Iterator[str]:
    """Instructions that take a tool."""
    for file in sorted((folder / "Toolformer").glob("*similarity-0.9*.json")):
        yield from (each["instruction"] for each in json.loads(file.read_text()))


HERE: Final[tuple[Callable[[], Iterable[str]], ...]] = (wordnet, packages, manuals, docstrings)
CHECKED_OUT: Final[dict[str, Callable[[Path], Iterable[str]]]] = {
    "oos-eval": intents,
    "dstc8-schema-guided-dialogue": dialogues,
    "natural-questions": questions,
    "awesome-mcp-servers": servers,
    "public-apis": services,
    "GPTeacher": calls,
}


def collected(checkouts: Path | None) -> list[str]:
    """All texts of at least two words, each once, in an order by chance."""
    chance = random.Random(_SEED)  # noqa: S311
    sources = [(each.__name__, each()) for each in HERE]
    for name, read in CHECKED_OUT.items():
        if checkouts and (checkouts / name).is_dir():
            sources.append((name, read(checkouts / name)))
    texts: dict[str, None] = {}
    for name, given in sources:
        plain = (" ".join(text.split()[:_LONGEST]) for text in given)
        new = [*dict.fromkeys(text for text in plain if " " in text and text not in texts)]
        texts.update(dict.fromkeys(chance.sample(new, min(_MOST, len(new)))))
        print(f"vector_texts: {name}: {len(new):,}", file=sys.stderr)
    found = [*texts]
    chance.shuffle(found)
    return found


def main() -> int:
    """Print what was collected."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkouts", type=Path, nargs="?", help="where the repositories are")
    print("\n".join(collected(parser.parse_args().checkouts)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
