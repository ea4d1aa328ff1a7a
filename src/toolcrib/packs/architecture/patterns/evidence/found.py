"""Whether a text that reads as a language is code of it."""

from __future__ import annotations

import textwrap

from toolcrib.packs.architecture.patterns.evidence.python import python_evidence
from toolcrib.packs.architecture.patterns.evidence.text import text_evidence
from toolcrib.packs.architecture.patterns.languages import DATA, Language, signs_of
from toolcrib.packs.architecture.patterns.pythoncode import parsed_python
from toolcrib.packs.architecture.patterns.sourcecode import without_comments, without_strings

_SURE = 3


def speaks_for(code: str, language: Language) -> bool:
    """Whether anything in `code`, which reads as `language`, shows that it is that."""
    name = language.name
    signs = signs_of(code, name)
    if name in DATA:
        return signs > 0
    dedented = textwrap.dedent(code.removeprefix("\ufeff"))
    logic = without_strings(without_comments(dedented, name), name)
    # What reads as Python and is not parsed here is of a newer one.
    if name == "python" and (tree := parsed_python(code)) is not None:
        return bool(python_evidence(tree, logic))
    return signs >= _SURE or bool(text_evidence(logic, name, signs=signs // 2))
