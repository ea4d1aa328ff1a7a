from __future__ import annotations

import pytest

from support.decisions import shelf_of, verdict_on
from toolcrib.packs.architecture.alignment.corpus import Decision, Decisions
from toolcrib.packs.architecture.alignment.rivals import LEAST, Rivals
from toolcrib.packs.architecture.alignment.things.technologies import technologies_in
from toolcrib.packs.architecture.alignment.wording.clauses import read_clauses
from toolcrib.packs.architecture.library.records import DocumentRecord


def decision(title: str, body: str) -> Decision:
    record = DocumentRecord(
        uri="architecture://adr/1", kind="adr", path="1.md", root=0, file="1.md", title=title,
        size=len(body), number=1,
    )  # fmt: skip
    return Decision(record, f"# {title}\n\n{body}")


TRACKING = decision(
    "Use Sentry for error tracking",
    "## Decision\n\nWe use Sentry. The exceptions of the web service are sent there.\n",
)
JOBS = decision(
    "Use sidekiq-scheduler for scheduled jobs", "## Decision\n\nWe use sidekiq-scheduler.\n"
)
SHELF = Decisions([TRACKING, JOBS])


def rivals(text: str, record: Decision) -> list[str]:
    clauses = read_clauses(text)
    finder = Rivals(SHELF, {each: technologies_in(each.text) for each in clauses})
    words = frozenset(stem for each in clauses for stem in each.words.core)
    return [
        stance.text
        for clause in clauses
        for strength, stance, _ in finder.known(clause, record, words)
        if strength >= LEAST
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Send the exceptions of the service to Rollbar.",
        "Bugsnag collects the exceptions.",
        "Set up Honeybadger for the new site.",
    ],
)
def test_another_thing_of_the_kind_is_a_rival(text: str) -> None:
    """A-7: who chooses another thing for the same purpose conflicts."""
    assert rivals(text, TRACKING)


@pytest.mark.parametrize(
    "text",
    [
        "Keep Sentry for the exceptions.",
        "Send the exceptions of the service to Grafana.",
        "Do not send the exceptions to Rollbar.",
    ],
)
def test_what_is_chosen_refused_or_of_another_kind_is_no_rival(text: str) -> None:
    """A-7: likeness alone never makes a conflict."""
    assert not rivals(text, TRACKING)


def test_beside_what_was_chosen_nothing_is_a_rival() -> None:
    """A-7: a clause that works with the chosen thing does not choose another one."""
    assert not rivals("Add a cron entry to the sidekiq-scheduler config.", JOBS)
    assert rivals("Start the scheduled jobs from cron.", JOBS)


def test_a_kind_that_a_title_refuses_has_no_members() -> None:
    """A-7: "No CDN" is said of each of them."""
    record = decision("No CDN required", "## Decision\n\nWe serve the pictures ourselves.\n")
    assert rivals("Put CloudFront in front of the pictures.", record)
    assert not rivals("Put the pictures into one folder.", record)


def test_what_takes_the_place_of_a_thing_is_of_its_kind() -> None:
    """A-7: a rival of what was chosen, also where that is a thing of another kind."""
    record = decision(
        "Migrate from Algolia to Postgres-based search",
        "## Decision\n\nThe job adverts are found by our own database.\n",
    )
    assert rivals("Index the job adverts in Typesense.", record)


def test_what_is_only_like_a_thing_is_not_that() -> None:
    """A-7: "kubeadm-style" names no kubeadm."""
    assert technologies_in("Support Kubernetes-style tokens") == {}
    assert "kubernetes" in technologies_in("Support Kubernetes tokens")


def test_a_rival_of_a_thing_of_several_words_is_met() -> None:
    """A-7: another thing for the same purpose conflicts, and naming one does not."""
    shelf = shelf_of({
        "Preferred way to style": "## Decision\n\nWe drop `paintBucket`, it is old. The preferred"
        " way is to use styled components for every banner.\n",
        "Where couriers sleep": "## Decision\n\nCouriers sleep at home.\n",
    })  # fmt: skip
    other = "Give the sale banner its style with Tailwind classes."
    assert verdict_on("Preferred way to style", other, shelf) == "conflicts"
    told = "Tell the guests how Tailwind classes are written."
    assert verdict_on("Preferred way to style", told, shelf) != "conflicts"


def verdict(title: str, body: str, proposal: str) -> str | None:
    shelf = shelf_of({
        title: f"## Decision\n\n{body}\n",
        "Where couriers sleep": "## Decision\n\nCouriers sleep at home.\n",
    })  # fmt: skip
    return verdict_on(title, proposal, shelf)


def test_a_service_is_a_rival_of_what_the_project_makes_itself() -> None:
    """A-7: who buys what was to be made by hand conflicts; who only reads about it does not."""
    title, body = (
        "Keep web analytics in-app",
        "We count the visits of each page ourselves.",
    )
    assert verdict(title, body, "Count the visits of each page in Matomo.") == "conflicts"
    assert verdict(title, body, "Read how Matomo counts its users.") != "conflicts"


def test_what_a_thing_may_be_used_as_too_is_met_where_its_work_is_told() -> None:
    """A-7: Redis keeps sessions, too; where nothing is said of sessions it is a cache."""
    title = "Session storage using an encrypted cookie"
    body = "The payload of the cookie is encrypted and nothing stays on the server."
    assert verdict(title, body, "Put the sessions of the couriers into Redis.") == "conflicts"
    assert verdict(title, body, "Put the tariffs of the couriers into Redis.") != "conflicts"


@pytest.mark.parametrize(
    ("title", "body", "rival", "harmless"),
    [
        (
            "Use Lockbox to encrypt addresses", "We will use Lockbox for the address columns.",
            "Encrypt the address columns with attr_encrypted.",
            "Print the address columns in capitals.",
        ),
        (
            "Use Loaf for breadcrumbs", "We will use the loaf gem.",
            "Build the breadcrumbs with the gretel gem.", "Make the breadcrumbs a bit smaller.",
        ),
        (
            "Use blue-green deployments for the shop", "We will use blue-green deployments.",
            "Use canary releases for the shop.", "Show who released the shop.",
        ),
    ],
)  # fmt: skip
def test_a_rival_of_a_new_kind_is_met(title: str, body: str, rival: str, harmless: str) -> None:
    """A-7: another thing for the same purpose conflicts, work on the same subject does not."""
    assert verdict(title, body, rival) == "conflicts"
    assert verdict(title, body, harmless) != "conflicts"
