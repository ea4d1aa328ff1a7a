"""How it is told what is withheld, why, and what a person can do."""

from __future__ import annotations

from toolcrib.policy.trust.project import COMMAND, EVERYTHING, VARIABLE, Trust

_MOST_NAMED = 5


def notice(trust: Trust) -> str | None:
    """One line on what is withheld; None where nothing is."""
    verdict = trust.verdict
    if verdict.state == "trusted":
        return None
    if verdict.foreign is not None:
        return (
            f"Withheld: {_named(trust)}, because {verdict.foreign}. "
            f"A person can look at it: {COMMAND}"
        )
    if verdict.state == "changed" and verdict.reference is not None:
        since = f"changed since trusted on {verdict.reference.day}"
        return f"Withheld, {since}: {_named(trust)}. A person can look at the change: {COMMAND}"
    return f"Withheld, not trusted yet: {_named(trust)}. A person can look at it: {COMMAND}"


def unquestioned(trust: Trust) -> str | None:
    """One line where all questions are switched off; None where they are not."""
    if not trust.everything or not trust.verdict.present.content:
        return None
    return f"{VARIABLE}={EVERYTHING}: whatever this repository says acts without a question"


def fresh_notices(trust: Trust) -> list[str]:
    """The lines that were not told yet in this process."""
    found = [line for line in (unquestioned(trust), notice(trust)) if line is not None]
    fresh = [line for line in found if line not in trust.told]
    trust.told.update(fresh)
    return fresh


def refusal(trust: Trust, tool: str, path: str) -> str:
    """What a caller of a withheld tool is told."""
    return f"{tool} is withheld: {trust.why(path)}"


def _named(trust: Trust) -> str:
    paths = [file.path for file in trust.withheld()]
    paths += [f"{path} (gone)" for path in trust.gone()]
    more = len(paths) - _MOST_NAMED
    shown = ", ".join(paths[:_MOST_NAMED])
    return f"{shown} and {more} more" if more > 0 else shown
