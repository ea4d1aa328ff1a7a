"""Show a person what a repository would newly be able to do, and trust exactly that."""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from toolcrib.cli.terminal import console
from toolcrib.cli.terminal.person import is_person
from toolcrib.cli.terminal.recording import note
from toolcrib.core.errors import ToolcribError
from toolcrib.core.support.printable import printable
from toolcrib.policy.trust.abilities import describe_settings
from toolcrib.policy.trust.acting import SCRIPT, SETTINGS, ActingFile, Content, Tables
from toolcrib.policy.trust.changes import capped, changes_of
from toolcrib.policy.trust.project import Trust
from toolcrib.policy.trust.records import TrustRecord
from toolcrib.settings import open_trust, reference_tables, section_of

MOST_LINES = 200
"""Lines of a diff that are shown before the question."""


class ChangedMeanwhile(ToolcribError):
    """A file changed between being shown and being trusted, so nothing was trusted.

    Look again: `toolcrib trust`.
    """

    code = "changed-meanwhile"


class ForeignOwner(ToolcribError):
    """An acting file could have been written by another user, so no record can trust it.

    The message says the line of your own `config.toml` that allows it.
    """

    code = "foreign-owner"


def ask(trust: Trust, *, yes: bool, quiet: bool = False) -> bool:
    """Show what is new and trust it if a person agrees; return whether it is trusted now."""
    if not trust.verdict.present.content:
        _say("Nothing here acts: there is nothing to trust.", quiet)
        return True
    _check_owner(trust)
    if trust.state == "trusted" and trust.verdict.by == "record":
        day = trust.verdict.reference.day if trust.verdict.reference is not None else ""
        _say(f"Trusted already, on {day}.", quiet)
        return True
    if not quiet:
        show(trust)
    seen = trust.verdict.present.content
    if not console.confirm("Trust this?", yes):
        _say("Nothing was trusted.", quiet)
        return False
    keep(trust, seen)
    _forget_looser(trust, yes=yes)
    _say(f"Trusted: {printable(str(trust.project))}", quiet)
    return True


def show(trust: Trust, most: int = MOST_LINES) -> None:
    """Print what is new in words, then as a diff."""
    console.say(console.style(f"{printable(str(trust.project))} would newly:", "bold"))
    for line in new_abilities(trust):
        console.say(f"  {printable(line)}")
    console.say()
    lines, more = capped(changes_of(trust), most)
    console.say(coloured("\n".join(lines)))
    if more:
        console.say(console.style(f"… {more:,} lines more: toolcrib trust --diff", "yellow"))
    console.say()


def keep(trust: Trust, seen: Content) -> None:
    """Record what was shown, unless it is something else by now."""
    trust.refresh()
    if trust.verdict.present.content.digest != seen.digest:
        raise ChangedMeanwhile("It changed while you looked", next="Look again: toolcrib trust")
    _check_owner(trust)
    if trust.records is None:
        raise ToolcribError("There is no folder for trust records", why=trust.problem)
    trust.records.add(TrustRecord.of(seen, trust.identity))
    trust.refresh()
    note(trust.project, "trust", trust=seen.digest, files=[file.path for file in seen.files])


def offer(project: Path) -> None:
    """Show a person at a terminal what acts in a repository that was never trusted, and ask."""
    if not is_person():
        return
    trust = open_trust(project)
    if trust.state == "untrusted" and trust.verdict.foreign is None:
        ask(trust, yes=False)


@contextmanager
def trusting_what_is_written(project: Path, *written: str) -> Iterator[None]:
    """Trust what a command of ours writes in the body, for a person at a terminal.

    That is done only if everything else was trusted before, or nothing acted, and is as it was:
    then what is trusted is exactly what that command wrote. Without a terminal, nothing is.
    """
    before = _all_trusted(project) if is_person() else None
    yield
    if before is None:
        return
    trust = open_trust(project)
    content = trust.verdict.present.content
    # A script that only now has a grant is named by the line that the person typed.
    known = {path for path, _ in before}
    ours = {*written, *(f.path for f in content.files if f.kind == SCRIPT and f.path not in known)}
    others = {file.path: file.digest for file in content.files if file.path not in ours}
    if trust.state != "trusted" and trust.verdict.foreign is None and others.items() <= before:
        keep(trust, content)


def _all_trusted(project: Path) -> ItemsView[str, str] | None:
    """The digests of what acts, if all of it is trusted; None if some of it is not."""
    try:
        trust = open_trust(project)
        if trust.state != "trusted":
            return None
    except ToolcribError:
        return None
    return {file.path: file.digest for file in trust.verdict.present.content.files}.items()


def new_abilities(trust: Trust) -> list[str]:
    """What the present content is able to do and the trusted one was not, one sentence each."""
    present, reference = trust.verdict.present, trust.verdict.reference
    now = _abilities(trust, present.tables, present.content.files)
    before: set[str] = set()
    if reference is not None:
        copies = [
            ActingFile(p, e.kind, reference.copy(p) or b"", e.digest, e.raw, e.tools, e.imports)
            for p, e in reference.files.items()
        ]
        before = set(_abilities(trust, reference_tables(trust), copies))
        now += _policy_abilities(trust, reference)
    new = [line for line in dict.fromkeys(now) if line not in before]
    return new or ["do nothing that it could not do before"]


def coloured(diff: str) -> str:
    """A diff with its additions and removals in colour, on a terminal."""
    colours = {"+": "green", "-": "red", "@": "cyan"}
    return "\n".join(
        console.style(line, colours[line[0]]) if line[:1] in colours else line
        for line in diff.split("\n")
    )


def _abilities(trust: Trust, tables: Tables, files: Sequence[ActingFile]) -> list[str]:
    from toolcrib.packs.climax import acting as climax
    from toolcrib.packs.custom import acting as custom
    from toolcrib.packs.gateway import acting as gateway

    found = describe_settings(tables) if any(file.kind == SETTINGS for file in files) else []
    settings = climax.with_person(section_of("climax", tables), trust.person)
    for file in files:
        found += custom.describe(file) + climax.describe(file, settings) + gateway.describe(file)
    return found


def _policy_abilities(trust: Trust, reference: TrustRecord) -> list[str]:
    """How many more tools the present policy allows."""
    from toolcrib.policy.model import ALLOW_ALL
    from toolcrib.policy.trust.stricter import policy_in

    present = trust.verdict.present.content
    before = policy_in(reference) or ALLOW_ALL
    now = policy_in(TrustRecord.of(present)) or ALLOW_ALL
    names = {name for file in present.files for name in file.tools}
    names |= {*now.tools, *before.tools}
    more = [n for n in names if before.decide(n) is None and now.decide(n) is not None]
    if not more:
        return []
    return [f"policy: {len(more)} tool{'s' * (len(more) != 1)} more may be called"]


def _check_owner(trust: Trust) -> None:
    foreign = trust.verdict.foreign
    if foreign is not None:
        raise ForeignOwner(str(foreign), why="somebody else could change it", next=foreign.cure)


def _forget_looser(trust: Trust, *, yes: bool) -> None:
    """Ask whether earlier versions that allowed more are forgotten."""
    from toolcrib.policy.trust.stricter import looser_records

    if trust.records is None or trust.verdict.reference is None:
        return
    looser = looser_records(trust.verdict.reference, trust.records.all())
    if not looser:
        return
    count = f"{len(looser)} earlier version{'s' * (len(looser) != 1)}"
    if yes or console.agreed(f"{count} of this repository allowed more. Forget?"):
        trust.records.forget(looser)
        note(trust.project, "revoke", trust=looser)


def _say(text: str, quiet: bool) -> None:
    if not quiet:
        console.say(text)
