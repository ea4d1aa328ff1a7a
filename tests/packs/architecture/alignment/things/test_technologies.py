from __future__ import annotations

import pytest

from support.growth import assert_grows_slowly
from toolcrib.packs.architecture.alignment.things.technologies import (
    is_known_thing,
    technologies_in,
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Use PostgreSQL as database", {"postgresql": "database"}),
        ("move to postgres.", {"postgresql": "database"}),
        ("Use GitHub Actions for CI", {"github-actions": "continuous integration"}),
        ("vue.js or React?", {"vue": "frontend framework", "react": "frontend framework"}),
        ("write in C#", {"csharp": "language"}),
        ("written in Go, as the rest", {"golang": "language"}),
        ("Go with the rest", {}),
        ("render the page, express it in words, and less of it", {}),
        ("Use Black for formatting", {"black": "formatter"}),
        ("Paint the office blue", {}),
        ("Run it with good_job", {"good-job": "background jobs"}),
        ("ship logs by Logstash to Kibana", {"logstash": "log shipping", "kibana": "dashboards"}),
        ("Measure it with Uptime Kuma", {"uptime-kuma": "uptime checks"}),
        ("the CEDAR team, which is no policy engine", {}),
        ("Use non-Docker tools", {}),
        ("", {}),
    ],
)
def test_known_things_are_found_under_their_usual_names(text: str, found: dict[str, str]) -> None:
    assert technologies_in(text) == found


def test_a_longer_name_wins_over_its_parts() -> None:
    assert "github" not in technologies_in("Run it in GitHub Actions")


def test_long_texts_take_no_time() -> None:
    assert_grows_slowly(lambda size: technologies_in("use postgres " * size), 2_000)


def test_a_library_is_known_with_what_some_add_to_its_name() -> None:
    """A-7: QuillJS and Quill.js are Quill; what only ends so is nothing that is known."""
    assert technologies_in("Base it on QuillJS, or on Quill.js") == {"quill": "rich text editor"}
    assert technologies_in("Base it on plumjs and on js") == {}


def test_capitals_inside_a_name_tell_two_things_of_one_spelling_apart() -> None:
    """A-7: the library `PaperTrail` is not the log service Papertrail."""
    assert technologies_in("Track it with PaperTrail").keys() == {"paper-trail"}
    assert technologies_in("Send it to Papertrail").keys() == {"papertrail"}


def test_a_known_thing_of_several_words_is_told_from_words_around_one() -> None:
    """A-7: "styled components" is a thing, "Redis server" only speaks of one."""
    assert is_known_thing("styled components")
    assert is_known_thing("Redis")
    assert not is_known_thing("Redis server rooms")
    assert not is_known_thing("old doors")


def test_a_name_written_with_capitals_inside_is_the_one_with_blanks() -> None:
    """A-7: `SealedSecrets` are sealed secrets; other words with capitals inside are no thing."""
    assert technologies_in("Put the keys into SealedSecrets").keys() == {"sealed-secrets"}
    assert technologies_in("Put the keys into SealedBoxes") == {}


def test_a_package_is_known_by_what_it_is_also_under_an_everyday_word() -> None:
    """A-7: "the bullet gem" is a library, "a bullet" is none."""
    assert technologies_in("Install the bullet gem").keys() == {"bullet"}
    assert technologies_in("Write each item with a bullet") == {}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Keep it in an encrypted cookie", "session storage"),
        ("Encrypt the envelope with PGP", "message encryption"),
        ("Roll it out blue/green", "deployment strategy"),
        ("Wrap it by pkg/errors", "error library"),
        ("Put each service into a polyrepo", "repository layout"),
    ],
)
def test_practices_of_which_a_project_has_one_are_known(text: str, kind: str) -> None:
    """A-7: who takes another way of doing the same decides anew, as with a library."""
    assert kind in technologies_in(text).values()


@pytest.mark.parametrize(
    "text",
    [
        "Delete the old row softly",
        "Bake a cookie for the session",
        "Paint the envelope blue or green",
        "Count the errors in the package",
        "Add a tab and some spaces to the page",
        "Save the fragments of the scenic view",
    ],
)
def test_everyday_words_of_practices_name_none(text: str) -> None:
    """A-7: a harmless proposal does not become a conflict by a word that is also a name."""
    assert technologies_in(text) == {}
