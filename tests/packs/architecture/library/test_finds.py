"""A-10: folders of decision records are found by what they are."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from support.pipe import Pipe, toolcrib
from support.waiting import until
from toolcrib.core.errors import InvalidParams, ResourceNotFound
from toolcrib.core.support.folders import cache_folder
from toolcrib.packs.architecture.alignment.decisions import check_alignment
from toolcrib.packs.architecture.library.finds import Find, Finder, finder_of
from toolcrib.packs.architecture.library.library import Library
from toolcrib.packs.architecture.pack import ArchitecturePack
from toolcrib.packs.architecture.records.authoring import draft_decision
from toolcrib.packs.architecture.records.lint import lint, linted
from toolcrib.packs.architecture.settings import ArchitectureSettings, detect, search

Write = Callable[[Mapping[str, str]], Path]


def adr(title: str, status: str = "Accepted") -> str:
    return f"# {title}\n\n## Status\n\n{status}\n\n## Context\n\nWhy.\n\n## Decision\n\n{title}.\n"


def found(project: Path) -> list[Find]:
    return list(Finder(project).look(now=True))


def library(project: Path, **settings: object) -> Library:
    made = Library(project, ArchitectureSettings(**settings))  # type: ignore[arg-type]
    made.look_around(now=True)
    return made


def uris(library: Library) -> list[str]:
    return [record.uri.removeprefix("architecture://") for record in library.records()]


def kept_file(project: Path) -> Path:
    """Where what was found in a project is kept."""
    (file,) = [
        each
        for each in (cache_folder() / "finds").iterdir()  # type: ignore[operator]
        if f'"{project}"' in each.read_text()
    ]
    return file


COSMOS = {
    "docs/architecture/README.md": "# Records\n\n- [1](adr-001-coins.md)\n",
    "docs/architecture/PROCESS.md": "# Process\n\n## Status\n\nAccepted\n",
    "docs/architecture/adr-template.md": adr("ADR {NUMBER}: {TITLE}"),
    "docs/architecture/adr-001-coins.md": adr("ADR 001: Coins"),
    "docs/architecture/adr-002-fees.md": adr("ADR 002: Fees"),
}


@pytest.mark.parametrize(
    ("files", "folder"),
    [
        (COSMOS, "docs/architecture"),
        ({"0001-a.md": adr("A"), "0002-b.md": adr("B"), "README.md": "# Hello\n"}, "."),
        ({"openspec/adr/0001-a.md": adr("A")}, "openspec/adr"),
        ({"internal/design/ADR 12 Use X.md": adr("ADR 12: Use X")}, "internal/design"),
        ({".architecture/decisions/adrs/ADR-001-x.md": adr("X")}, ".architecture/decisions"),
    ],
)
def test_records_are_served_wherever_they_lie(
    write: Write, files: dict[str, str], folder: str
) -> None:
    """A-10: cosmos-sdk's, records in the root, openspec/adr; with short ids, for no one else is."""
    made = library(write(files))
    records = [record for record in made.records("adr") if record.is_decision]
    assert records and all("/" not in (record.adr_id or "") for record in records)
    wanted = [name for name in files if "0" in name or "12" in name]
    assert sorted(record.file for record in records) == sorted(wanted)
    assert {source.folder for source in made.sources if source.find} == {folder}


@pytest.mark.parametrize(
    "home", ["architecture-decision-records", "Technical_Decisions", "team.adrs", "decision-log"]
)
def test_below_a_folder_for_decisions_all_of_them_belong_together(write: Write, home: str) -> None:
    """A-10: whoever counts by parts of a project has one set of decisions, in sub-folders."""
    names = ("ODH-ADR-0001-use-records", "pay/ODH-ADR-Pay-0001-cards", "ui/ODH-ADR-UI-0001-forms")
    project = write({f"{home}/{name}.md": adr(name) for name in names})
    assert found(project) == [Find(home, deep=True)]
    assert uris(library(project)) == [
        "adr/0001", "adr/ODH-ADR-Pay-0001-cards", "adr/ODH-ADR-UI-0001-forms",
    ]  # fmt: skip
    assert len(linted(library(project))) == 3


def test_records_without_numbers_are_found_in_a_folder_that_is_called_after_them(
    write: Write,
) -> None:
    """A-1, A-10: by what they say; the page that lists them is none."""
    record = "---\ntitle: 'ADR: {0}'\n---\n\n## Background\n\nWhy.\n\n## Decision\n\n{0}.\n"
    names = ("names", "logs", "tables")
    files = {f"contributing/ADRs/back-end/{name}.md": record.format(name) for name in names}
    listed = "\n".join(f"* [{name}](/contributing/ADRs/back-end/{name})" for name in names)
    files["contributing/ADRs/ADRs.md"] = f"# Our records\n\n{listed}\n"
    made = library(write(files))
    decisions = {record.name for record in made.records("adr") if record.is_decision}
    assert decisions == set(names)


def test_notes_in_a_folder_that_is_called_after_decisions_do_not_make_it_one(write: Write) -> None:
    """A-10: at least half of the files have to be records, whatever their names."""
    notes = {f"app/decisions/{name}.md": f"# {name}\n\nDo it.\n" for name in ("tree", "leaf")}
    assert (
        found(write({**notes, "app/decisions/why.md": adr("Why").replace("## Decision", "##")}))
        == []
    )


def test_a_folder_that_only_sounds_like_decisions_is_no_home(write: Write) -> None:
    """A-10: `indecisions` or `quadr` says nothing of its sub-folders."""
    project = write({f"{home}/a/0001-x.md": adr("X") for home in ("indecisions", "quadr")})
    assert found(project) == [Find("indecisions/a", deep=False), Find("quadr/a", deep=False)]


def test_other_documents_are_not_taken_for_records(write: Write) -> None:
    """A-10: chapters, posts, migrations, requests for comments without a status; and tests' own."""
    project = write(
        {
            "book/01-intro.md": "# Introduction\n\n## Context\n\nWords.\n",
            "book/02-setup.md": "# Set-up\n\n## Steps\n",
            "posts/2024-01-31-hello.md": "---\nstatus: published\n---\n# Hello\n",
            "rfcs/0001-x.md": "- Start Date: 2020\n\n# Summary\n\n# Motivation\n",
            "migrations/0001-init.md": "# First\n\nCreates tables.\n",
            "tests/adr/0001-x.md": adr("X"),
            "examples/shop/docs/adr/0001-x.md": adr("X"),
            "packages/core/integration-tests/docs/adr/0001-x.md": adr("X"),
            "packages/core/__fixtures__/adr/0001-x.md": adr("X"),
            "template/0000-use-records.md": adr("X"),
            "vendor/lib/adr/0001-x.md": adr("X"),
        }
    )
    assert found(project) == [] and not search(project)


def test_one_stray_file_does_not_make_a_folder_of_decisions(write: Write) -> None:
    """A-10: at least half of the files with a record's name have to be records."""
    chapters = {f"guide/{n:03}-step.md": f"# Step {n}\n\nDo it.\n" for n in range(1, 6)}
    assert found(write({**chapters, "guide/006-why.md": adr("Why")})) == []


def test_the_projects_own_keep_their_short_ids(write: Write) -> None:
    """A-10: further ones have their folder before their id, and no short id means them."""
    project = write(
        {
            "docs/adr/0001-own.md": adr("Own"),
            "packages/pay/docs/adr/0001-theirs.md": adr("Theirs"),
            "packages/pay/docs/adr/0007-only.md": adr("Only theirs"),
            "0001-root.md": adr("Root"),
        }
    )
    made = library(project)
    assert uris(made) == [
        "adr/0001", "adr/packages/pay/docs/adr/0001", "adr/packages/pay/docs/adr/0007",
        "adr/root/0001",
    ]  # fmt: skip
    assert made.resolve_adr("1").title == "Own"
    assert made.resolve_adr("7").title == "Only theirs"
    assert made.resolve_adr("packages/pay/docs/adr/0001").title == "Theirs"
    with pytest.raises(ResourceNotFound):
        made.resolve_adr("9")


@pytest.mark.parametrize("ending", ["", ".md"])
def test_a_found_record_is_read_by_its_folder_with_id_or_stem(write: Write, ending: str) -> None:
    """A-2: id or file stem, `.md` left off and accepted, behind the folder as before the own."""
    made = library(
        write(
            {
                "docs/adr/0001-own.md": adr("Own"),
                "packages/pay/docs/adr/0001-theirs.md": adr("Theirs"),
                "packages/pay/docs/adr/old/0002-below.md": adr("Below"),
                "0001-root.md": adr("Root"),
            }
        )
    )
    for name, title in (
        ("packages/pay/docs/adr/0001-theirs", "Theirs"),
        ("packages/pay/docs/adr/0001", "Theirs"),
        ("packages/pay/docs/adr/1", "Theirs"),
        ("Packages/Pay/docs/adr/0001-THEIRS", "Theirs"),
        ("packages/pay/docs/adr/0002-below", "Below"),
        ("packages/pay/docs/adr/old/0002-below", "Below"),
        ("root/0001-root", "Root"),
        ("docs/adr/0001-own", "Own"),
    ):
        assert made.find(f"architecture://adr/{name}{ending}").title == title
    with pytest.raises(ResourceNotFound):
        made.find("architecture://adr/packages/pay/docs/adr/0001-own")


def test_an_ambiguous_stem_of_a_found_folder_lists_the_candidates(write: Write) -> None:
    """A-2: never a guess, behind a folder neither."""
    home = "packages/pay/adr"
    files = {f"{home}/{part}/0002-x.md": adr(part) for part in ("back", "front")}
    made = library(write({"docs/adr/0001-own.md": adr("Own"), **files}))
    with pytest.raises(InvalidParams, match=f"{home}/back/0002-x, architecture://adr/{home}/front"):
        made.find(f"architecture://adr/{home}/0002-x")


def test_the_folder_with_the_most_records_is_the_own_one(write: Write) -> None:
    """A-10: with nothing in a usual home; it gives way as soon as there is one."""
    few = {"a/design/0001-x.md": adr("Few")}
    many = {f"b/c/notes/000{n}-y.md": adr(f"Many {n}") for n in (1, 2, 3)}
    made = library(project := write({**few, **many}))
    assert uris(made) == ["adr/0001", "adr/0002", "adr/0003", "adr/a/design/0001"]
    write({"docs/adr/0001-home.md": adr("Home")})
    made.refresh([project / "docs/adr/0001-home.md"])
    assert made.resolve_adr("1").title == "Home"
    assert "adr/b/c/notes/0002" in uris(made) and "adr/0002" not in uris(made)


def test_records_of_a_part_count_for_that_part_alone(write: Write) -> None:
    """A-10: for alignment and lint, only for paths below the folder that holds them."""
    project = write(
        {
            "docs/adr/0001-own.md": adr("Use PostgreSQL for orders"),
            "packages/pay/docs/adr/0001-x.md": adr("Use MongoDB for payments") + "[x](gone.md)\n",
        }
    )
    made = library(project)

    def related(text: str) -> list[str]:
        answer = check_alignment(made.decisions, text)
        return [each["title"] for each in answer["related_adrs"]]

    assert related("Use MongoDB for payments") in ([], ["Use PostgreSQL for orders"])
    assert "Use MongoDB for payments" in related("In packages/pay/src: use MongoDB for payments")
    assert lint(made) == []
    assert [each.rule for each in lint(made, ["packages/pay/src/x.py"])] == ["broken-link"]
    assert [each.rule for each in lint(made, ["packages"])] == ["broken-link"]
    assert lint(made, ["docs"]) == []


def test_a_new_decision_goes_to_the_own_folder(write: Write) -> None:
    """A-10: however many there are elsewhere."""
    project = write(
        {
            "docs/adr/0001-own.md": adr("Own"),
            **{f"packages/pay/adr/000{n}-x.md": adr("Theirs") for n in (1, 2, 3)},
        }
    )
    assert draft_decision(library(project), "Next")[0].file == "docs/adr/0002-next.md"


def test_detection_can_be_turned_off(write: Write) -> None:
    """A-10: `detect = false` ends the walk and the usual homes; configured folders stay."""
    project = write({**COSMOS, "docs/adr/0001-x.md": adr("X"), "own/0001-y.md": adr("Y")})
    assert uris(library(project, detect=False)) == []
    assert uris(library(project, detect=False, adr=("own",))) == ["adr/0001"]


def test_finds_are_kept_for_the_next_start(write: Write) -> None:
    """A-10: kept in the cache; what somebody else wrote there, or what leads out, is not used."""
    project = write(COSMOS)
    assert not detect(project)
    assert search(project) and detect(project)
    assert Finder(project).known() == (Find("docs/architecture", deep=False),)
    file = kept_file(project)
    kept = json.loads(file.read_bytes())
    file.write_text(json.dumps({**kept, "folders": [["../elsewhere", True], ["/etc", True]]}))
    finder_of.cache_clear()
    assert [source for source in Library(project).sources if source.find] == []
    file.chmod(0o666)
    assert Finder(project).known() == ()
    file.write_text("[]")
    assert Finder(project).known() == ()


def test_a_kept_find_of_another_shape_gives_way(write: Write) -> None:
    """A-10: another release may have kept the folder without its sub-folders."""
    project = write({"team-decisions/pay/0001-cards.md": adr("Cards")})
    found(project)
    kept = kept_file(project)
    kept.write_text(kept.read_text().replace("true", "false"))
    finder_of.cache_clear()
    assert uris(library(project)) == ["adr/0001"]


def test_a_folder_that_holds_none_any_more_is_let_go(write: Write) -> None:
    """S-5: and one that was emptied is no error."""
    project = write(COSMOS)
    made = library(project)
    assert len(made.records()) == 2
    for path in (project / "docs/architecture").glob("adr-0*.md"):
        path.write_text("# Nothing\n")
    made.look_around(now=True)
    assert made.records() == ()
    for path in (project / "docs/architecture").iterdir():
        path.unlink()
    (project / "docs/architecture").rmdir()
    made.look_around(now=True)
    assert made.records() == () and made.snapshot.unavailable == ()


def test_a_record_that_joins_a_flat_folder_is_served(write: Write) -> None:
    """S-5: what lies below such a folder is not watched as a whole; a look at it is enough."""
    project = write({"0001-a.md": adr("A")})
    made = library(project)
    assert uris(made) == ["adr/0001"]
    assert made.watched()[-1] == project / "0001-a.md"
    made.look_around()
    write({"0002-b.md": adr("B"), "notes.md": "# Notes\n", "src/0003-c.md": "# C\n"})
    os.utime(project, ns=(1, 1))
    assert made.look_around().added == ("architecture://adr/0002",)


@pytest.mark.parametrize("known", [False, True], ids=["found now", "found before"])
def test_a_change_of_a_found_record_is_told(write: Write, known: bool) -> None:
    """S-5, A-10: also in a flat folder, which is not watched as a whole, from the first moment."""
    uri = "architecture://adr/001"
    project = write({"design/adr-001-coins.md": adr("ADR 001: Coins")})
    if known:
        finder_of(project).look(now=True)
    with Pipe(toolcrib("serve"), cwd=project) as pipe:
        pipe.initialize()
        until(lambda: known or uri in str(pipe.result("resources/list")))
        pipe.result("resources/subscribe", {"uri": uri})
        write({"design/adr-001-coins.md": adr("ADR 001: Coins of gold")})
        told = {"method": "notifications/resources/updated", "params": {"uri": uri}}

        def is_told() -> bool:
            pipe.result("ping")
            return any(told.items() <= note.items() for note in pipe.notifications)

        until(is_told)


def test_a_configured_folder_without_documents_is_a_warning(write: Write) -> None:
    """A-10: missing or empty, never a tick."""
    project = write({"docs/adr/0001-x.md": adr("X"), "empty/notes.txt": "none"})
    settings = ArchitectureSettings(adr=("gone", "empty"), resources=("nowhere",))
    said = [each for each in ArchitecturePack(project, settings).health() if each.level != "ok"]
    assert [each.text for each in said] == [
        "[architecture] resources: nowhere is missing",
        "[architecture] adr: gone is missing",
        "[architecture] adr: empty has no document",
    ]
    assert all(each.level == "warning" for each in said)
    well = ArchitecturePack(project, ArchitectureSettings(adr=("docs/adr",))).health()
    assert [each.level for each in well] == ["ok"]


def test_finds_join_a_running_server(write: Write) -> None:
    """A-10: the first answer does not wait for the walk; finds come by list_changed."""
    project = write(COSMOS)
    with Pipe(toolcrib("serve"), cwd=project) as pipe:
        pipe.initialize()
        assert pipe.result("tools/list")["tools"] == []
        until(lambda: pipe.result("tools/list")["tools"])
        listed = [each["uri"] for each in pipe.result("resources/list")["resources"]]
        assert listed == ["architecture://adr/001", "architecture://adr/002"]
        told = {note["method"] for note in pipe.notifications}
        assert "notifications/resources/list_changed" in told
        write({"services/pay/adr/0001-late.md": adr("Late")})
        late = "architecture://adr/services/pay/adr/0001"
        until(lambda: late in str(pipe.result("resources/list")), 30)
        assert "Late" in pipe.result("resources/read", {"uri": late})["contents"][0]["text"]
    with Pipe(toolcrib("serve"), cwd=project) as pipe:
        pipe.initialize()
        assert pipe.result("tools/list")["tools"]  # known from the first moment on
