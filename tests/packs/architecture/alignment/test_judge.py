from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support.decisions import shelf_of, verdict_on
from support.growth import assert_grows_slowly
from toolcrib.packs.architecture.alignment.corpus import Decision, Decisions
from toolcrib.packs.architecture.alignment.judge import Judge, quoted
from toolcrib.packs.architecture.alignment.proposal import Proposal
from toolcrib.packs.architecture.library.records import DocumentRecord

RECORDS = {
    "Use Black as code formatter": (
        "## Context\n\nWe argue about style. Reviews are slow.\n\n## Decision\n\n"
        "We use Black as code formatter for all Python code. It runs before each commit.\n"
    ),
    "Ship services as Docker images": (
        "## Decision\n\nEach service is built as a Docker image and pushed to our registry.\n"
    ),
    "Use PostgreSQL for orders": (
        "## Considered options\n\n### PostgreSQL\n\nSolid.\n\n### MongoDB\n\nFast.\n\n"
        "## Decision\n\nWe will use PostgreSQL for orders, because it is solid.\n\n"
        "## Changelog\n\nIn May we moved this record to another folder.\n"
    ),
    "Error tracking": (
        "## Considered Options\n\n* Sentry\n* Rollbar\n\n## Decision Outcome\n\n"
        "Chosen option: Rollbar, because exceptions are grouped well.\n"
    ),
    "Remove the proxy in front of the search": (
        "## Decision\n\nWe remove the proxy, and services talk to the search directly.\n"
    ),
    "Use React Lazy for code splitting": (
        "## Considered Options\n\n* React Loadable\n* React Lazy\n\n## Decision Outcome\n\n"
        "Chosen option: React Lazy, because it is part of React.\n"
    ),
    "Video conferencing": (
        "## Considered Options\n\n* Zoom\n* Jitsi\n\n## Decision Outcome\n\n"
        "Chosen option: Zoom, because the public may join.\n"
    ),
    "Use Figaro for environment variables": (
        "## Decision\n\nUse Figaro to load our environment variables.\n"
    ),
    "Local machines": (
        "## Considered Options\n\n* Do nothing\n* Replace Vagrant with Podman\n\n"
        "## Decision Outcome\n\nChosen option: Replace Vagrant with Podman\n"
    ),
    "Use data loaders for nested queries": (
        "## Decision\n\nEvery nested query goes through one of the data loaders.\n"
    ),
    "Cloud platform": "## Decision Outcome\n\nChosen option: Google Cloud, as it is near us.\n",
    "Keep decisions as records": "## Decision\n\nWe write each decision down as a short text.\n",
}


def decision(number: int, title: str, body: str) -> Decision:
    record = DocumentRecord(
        uri=f"architecture://adr/{number:04}", kind="adr", path=f"{number:04}.md", root=0,
        file=f"{number:04}.md", title=f"{number}. {title}", size=len(body), number=number,
    )  # fmt: skip
    return Decision(record, f"# {number}. {title}\n\n{body}")


DOCKER = "Ship services as Docker images"
PROXY = "Remove the proxy in front of the search"
REACT = "Use React Lazy for code splitting"
FIGARO = "Use Figaro for environment variables"
PODMAN = "Local machines"
LOADERS = "Use data loaders for nested queries"
SHELF = Decisions(decision(n, *each) for n, each in enumerate(RECORDS.items(), 1))


def verdicts(text: str) -> dict[str, str]:
    proposal = Proposal.of(text)
    found = SHELF.related(proposal, 30)
    judged = Judge(proposal, SHELF).judge_all(found)
    return {
        each.decision.title: verdict.alignment for each, verdict in zip(found, judged, strict=True)
    }


def reasons(text: str) -> dict[str, str]:
    proposal = Proposal.of(text)
    found = SHELF.related(proposal, 30)
    judge = Judge(proposal, SHELF)
    judged = judge.judge_all(found)
    return {
        each.decision.title: judge.reason(each.decision, verdict)
        for each, verdict in zip(found, judged, strict=True)
    }


@pytest.mark.parametrize(
    ("text", "title", "alignment"),
    [
        ("Use Black for formatting", "Use Black as code formatter", "supports"),
        ("Deploy the services without Docker images", DOCKER, "conflicts"),
        ("Replace PostgreSQL with MySQL", "Use PostgreSQL for orders", "conflicts"),
        ("Keep the orders in MongoDB.", "Use PostgreSQL for orders", "conflicts"),
        ("Do not use MongoDB for orders", "Use PostgreSQL for orders", "supports"),
        ("New orders go to a PostgreSQL table.", "Use PostgreSQL for orders", "supports"),
        ("Add sentry-ruby and collect the exceptions there.", "Error tracking", "conflicts"),
        ("Do not use Sentry.", "Error tracking", "supports"),
        ("Keep the proxy in front of the search", PROXY, "conflicts"),
        ("Remove the proxy in front of the search", PROXY, "supports"),
        ("Which orders are older than a year? Count them.", "Use PostgreSQL for orders", "related"),
        ("Document how PostgreSQL is backed up.", "Use PostgreSQL for orders", "related"),
        ("Add a note column to the PostgreSQL tables.", "Use PostgreSQL for orders", "related"),
        ("The PostgreSQL port must not be reachable from the internet.",
         "Use PostgreSQL for orders", "related"),
        ("Use Redis to avoid load on the orders.", "Use PostgreSQL for orders", "related"),
        ("Abolish PostgreSQL.", "Use PostgreSQL for orders", "conflicts"),
        ("Split the bundle with React Loadable.", REACT, "conflicts"),
        ("Load the admin route with React Lazy.", REACT, "supports"),
        ("Hold the sprint review over Webex.", "Video conferencing", "conflicts"),
        ("Publish the minutes of the video call.", "Video conferencing", "related"),
        ("Go back to Dotfetch for our environment variables.", FIGARO, "conflicts"),
        ("List all environment variables in the handbook.", FIGARO, "related"),
        ("A plan with nested queries goes through a data loader.", LOADERS, "supports"),
        ("We will not replace Vagrant with Podman.", PODMAN, "conflicts"),
        ("Replace Vagrant with Podman.", PODMAN, "supports"),
        ("Turn our backs on Rollbar.", "Error tracking", "conflicts"),
        ("Forbid silent failures with Rollbar.", "Error tracking", "supports"),
        ("Rollbar is nothing but noise: kick it out.", "Error tracking", "conflicts"),
        ("Rollbar is fine, yet I would rather have Sentry.", "Error tracking", "conflicts"),
        ("Sentry is better than Rollbar.", "Error tracking", "conflicts"),
        ("Wean error tracking off Rollbar.", "Error tracking", "conflicts"),
        ("Rollbar has to be replaced.", "Error tracking", "conflicts"),
        ("Keep an eye on Sentry.", "Error tracking", "related"),
    ],
)  # fmt: skip
def test_the_verdict_follows_from_what_was_chosen(text: str, title: str, alignment: str) -> None:
    """A-7: restating supports; giving up what was chosen, or taking a rival, conflicts."""
    assert verdicts(text)[title] == alignment


def test_a_subject_is_not_a_choice() -> None:
    """A-7: "Cloud platform" is no word for or against what was chosen."""
    assert verdicts("Adopt a cloud platform of our own")["Cloud platform"] == "related"


@pytest.mark.parametrize(
    "text",
    ["Paint the office blue.", "Teach the robot vacuum to avoid the stairs.", "Feed the fish."],
)
def test_what_has_nothing_to_do_with_a_decision_conflicts_with_none(text: str) -> None:
    assert "conflicts" not in verdicts(text).values()


@pytest.mark.parametrize("written", ["Acme ID", "AcmeID", "acme-id", "Acme-ID"])
@pytest.mark.parametrize("said", ["Acme ID", "AcmeID", "acme-id"])
def test_spellings_of_one_name_meet(written: str, said: str) -> None:
    """A-7: blanks, hyphens and capitals tell no two names apart."""
    own = decision(30, "Signing in", f"## Decision\n\nWe will use **{written}** to sign in.\n")
    shelf = Decisions([*SHELF.all, own])
    proposal = Proposal.of(f"Stop using {said}.")
    found = shelf.related(proposal, 30)
    judged = Judge(proposal, shelf).judge_all(found)
    assert [v.alignment for each, v in zip(found, judged, strict=True) if each.decision is own] == [
        "conflicts"
    ]


CHOSEN = [("PostgreSQL for orders", "Use PostgreSQL for orders"), ("Rollbar", "Error tracking")]


@given(st.sampled_from(CHOSEN), st.integers(0, 4))
def test_a_negation_turns_the_verdict_and_a_double_one_turns_it_back(
    choice: tuple[str, str], count: int
) -> None:
    """A-7: polarity."""
    thing, title = choice
    words = "not stop " * (count // 2) + "not " * (count % 2) + "use "
    text = f"We will {words}{thing}.".replace("stop use", "stop using")
    expected = "conflicts" if count % 2 else "supports"
    assert verdicts(text)[title] == expected


TAKING = (
    "Wire up {x}.", "Plug in {x}.", "Hook up {x}.", "Turn to {x}.", "Lean on {x}.", "Set {x} up.",
    "{x} gets the nod.", "Give {x} a go.", "Delegate this to {x}.", "Let {x} do the work.",
    "The work is done by {x}.", "It should live in {x}.", "Everything on top of {x}.",
    "{x} as our solution.", "My vote goes to {x}.", "{x} wins.",
)  # fmt: skip
GIVING_UP = (
    "Evict {x}.", "Give {x} the boot.", "Free ourselves from {x}.", "{x} must die.", "Excise {x}.",
    "Erase every trace of {x}.", "{x} goes in the bin.", "Say farewell to {x}.", "Enough of {x}.",
    "{x} has outlived its usefulness.", "Wean ourselves off {x}.", "Put {x} out to pasture.",
)  # fmt: skip


@given(st.sampled_from(TAKING), st.sampled_from(GIVING_UP))
def test_however_a_thing_is_taken_or_given_up_the_verdict_follows(taking: str, giving: str) -> None:
    """A-7: the chosen thing taken supports, given up conflicts; a rejected one the other way."""
    assert verdicts(taking.format(x="Rollbar"))["Error tracking"] == "supports"
    assert verdicts(giving.format(x="Rollbar"))["Error tracking"] == "conflicts"
    assert verdicts(taking.format(x="Sentry"))["Error tracking"] == "conflicts"
    assert verdicts(giving.format(x="Sentry"))["Error tracking"] == "supports"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Rollbar? Rather not.", "conflicts"),
        ("Rollbar? By all means.", "supports"),
        ("Could we dismantle Rollbar?", "conflicts"),
        ("Should we dismantle Rollbar?", "related"),
        ("chore(ops): retire Rollbar", "conflicts"),
        ("Do not dismantle Rollbar.", "supports"),
        ("Remove unused settings from Rollbar.", "related"),
        ("Rollbar shall be removed without replacement.", "conflicts"),
        ("Rollbar isn't pulling its weight.", "conflicts"),
        ("Flummox Rollbar.", "related"),
    ],
)
def test_the_verdict_follows_what_governs_the_thing(text: str, expected: str) -> None:
    """A-7: a definite verdict is earned."""
    assert verdicts(text)["Error tracking"] == expected


def test_who_takes_what_was_turned_down_conflicts_whatever_else_is_refused() -> None:
    """A-7: what takes a rejected option conflicts."""
    body = (
        "## Considered Options\n\n* Log4j2\n* SLF4J with Log4j2 binding\n* SLF4J with Logback "
        "binding\n\n## Decision Outcome\n\nChosen option: SLF4J with Log4j2 binding\n"
    )
    shelf = Decisions(
        [*SHELF.all, decision(30, "Use SLF4J together with Log4j2 for logging", body)]
    )
    proposal = Proposal.of("Logback behind SLF4J, no more Log4j2.")
    found = shelf.related(proposal, 30)
    judged = Judge(proposal, shelf).judge_all(found)
    assert judged[0].alignment == "conflicts"


SENTENCES = [
    (title, sentence.strip() + ".")
    for title, body in RECORDS.items()
    for part in body.split("## ")
    if not part.startswith(("Considered", "# "))
    for sentence in part.split("\n\n", 1)[-1].replace("\n", " ").split(". ")
    if len(sentence.split()) > 3
] + [(title, title) for title in RECORDS]


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(SENTENCES), st.booleans())
def test_the_own_words_of_a_record_never_conflict_with_it(
    said: tuple[str, str], quietly: bool
) -> None:
    """A-7: what restates a decision, in any words, supports it."""
    title, sentence = said
    assert verdicts(sentence.lower() if quietly else sentence).get(title) != "conflicts"


NAMES = ("Redis", "Kafka", "an outbox table", "Varnish", "message queues", "TypeScript", "ECS")
PURPOSES = ("sending receipts", "the nightly report", "search results", "user sessions")
TITLES = (
    "Use {x} for {p}", "Replace {y} with {x} for {p}", "{p}", "Do not use {y} for {p}",
    "Remove {y}", "decision to not use {y} for {p}", "Move {p} from {y} to {x}", "{x}",
    "Keep {p} out of {y}", "{x} over {y}", "Stop {p} with {y}", "No {y} without {x}",
)  # fmt: skip
DECISIONS = (
    "We will use {x} for {p}, because {y} is slow.",
    "We decided to use {x} instead of {y} for {p}.",
    "{y} is no longer used: {p} goes through {x}.",
    "We currently run {y}. From now on {x} is used for {p}.",
    "Nobody may use {y} for {p} without {x}.",
    "We considered {y}, but decided against it. Chosen option: {x}.",
    "Instead of {y}, {p} relies on {x}.",
    "Forbid {y} for {p} with {x}.",
    "{x}, not {y}, is what we take for {p}.",
    "Turn off {y}. Do not drop {x}.",
)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None, max_examples=300)
@given(
    st.lists(st.sampled_from(NAMES), min_size=2, max_size=2, unique=True),
    st.sampled_from(PURPOSES),
    st.sampled_from(TITLES),
    st.lists(st.sampled_from(DECISIONS), min_size=1, max_size=3, unique=True),
    st.booleans(),
)
def test_the_own_words_of_any_record_never_conflict_with_it(
    things: list[str], purpose: str, form: str, decided: list[str], quietly: bool
) -> None:
    """A-7: any record's own words never conflict with it."""
    x, y = things
    said = {"x": x, "y": y, "p": purpose}
    title = form.format(**said)
    title = title[0].upper() + title[1:]
    sentences = [each.format(**said) for each in decided]
    body = f"## Decision\n\n{' '.join(sentences)}\n"
    own = decision(30, title, body)
    shelf = Decisions([*SHELF.all, own])
    for text in (title, *sentences, f"# {title}\n\n{body}"):
        proposal = Proposal.of(text.lower() if quietly else text)
        found = shelf.related(proposal, 30)
        judged = Judge(proposal, shelf).judge_all(found)
        verdict = [v for each, v in zip(found, judged, strict=True) if each.decision is own]
        assert all(each.alignment != "conflicts" for each in verdict), text


THINGS = ("Redis", "RabbitMQ", "Kafka 2.8", "an outbox table", "Amazon SQS with SNS", "SQS")
FORMS = (
    '## Considered Options\n\n{list}\n\n## Decision Outcome\n\nChosen option: "{chosen}", because '
    "it is small.\n",
    "## Options\n\n{headings}\n\n## Decision\n\nWe will use {chosen} because it is small.\n",
    "## Considered Options\n\n{list}\n\n## Decision\n\nWe choose option {number}.\n",
)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(
    st.lists(st.sampled_from(THINGS), min_size=2, max_size=4, unique=True),
    st.sampled_from(FORMS),
    st.integers(0, 3),
)
def test_each_option_of_any_record_stands_on_its_side(
    options: list[str], form: str, count: int
) -> None:
    """A-7: taking what was rejected and giving up what was chosen conflicts, in any form."""
    chosen = options[0]
    body = form.format(
        list="\n".join(f"{n}. {each}" for n, each in enumerate(options, 1)),
        headings="\n\n".join(f"### Option {n}: {each}" for n, each in enumerate(options, 1)),
        chosen=chosen,
        number=1,
    )
    shelf = Decisions([*SHELF.all, decision(30, "Messages between services", body)])
    for option in options:
        words = "not stop using " * (count // 2) + "not use " * (count % 2) or "use "
        proposal = Proposal.of(f"We will {words}{option}.".replace("using not use", "not using"))
        found = shelf.related(proposal, 30)
        judged = Judge(proposal, shelf).judge_all(found)
        own = [
            v for each, v in zip(found, judged, strict=True) if each.decision.record.number == 30
        ]
        agrees = (option == chosen) == (count % 2 == 0)
        assert [each.alignment for each in own] == ["supports" if agrees else "conflicts"], option


def test_the_whole_text_of_a_record_supports_it() -> None:
    for title, body in RECORDS.items():
        text = f"# {title}\n\n{body}"
        assert verdicts(text)[title] == "supports", title


def test_the_reason_quotes_a_sentence_of_the_decision() -> None:
    """A-7: never a title, a change log or a piece of a list."""
    reason = reasons("Replace PostgreSQL with MySQL")["Use PostgreSQL for orders"]
    assert "“We will use PostgreSQL for orders, because it is solid.”" in reason
    for each in reasons("Record orders and errors of the shop in May").values():
        assert "In May" not in each
    assert "“Chosen option: Rollbar" in reasons("Use Sentry")["Error tracking"]


def test_a_newer_version_of_a_record_conflicts_with_the_older() -> None:
    """A-7: a whole record that replaces a version says so in its title."""
    old = decision(3, "Issue Credential Protocol 1.0", "## Decision\n\nMessages are signed once.\n")
    shelf = Decisions([*SHELF.all, old])
    text = "# 40. Issue Credential Protocol 2.0\n\n## Status\n\n## Decision\n\nSign twice.\n"
    proposal = Proposal.of(text)
    found = shelf.related(proposal, 30)
    judged = Judge(proposal, shelf).judge_all(found)
    (verdict,) = [v for each, v in zip(found, judged, strict=True) if each.decision is old]
    assert verdict.alignment == "conflicts"


@pytest.mark.parametrize("unit", [" ", "\t", "\u00a0", "(", "because ", "use ", ", "])
def test_a_hostile_sentence_is_quoted_in_linear_time(unit: str) -> None:
    """FAULTS: patterns are linear, whatever a sentence is made of."""

    def work(size: int) -> None:
        text = "We use Redis" + (unit * size)[:size] + "."
        for _ in range(50):  # not by size: large texts would measure how memory is given out
            quoted(text)

    assert_grows_slowly(work, 4_000)


_REMOVED = shelf_of({
    "Deprecated TLS versions": "## Status\n\nAccepted\n\n## Decision\n\nRemove support for TLS "
    "versions 1.0 and 1.1 on the new gateway.\n",
    "FilePostbox deprecation": "## Status\n\nAccepted\n\n## Decision\n\nDeprecate FilePostbox "
    "components.\n",
    "Use a private cluster endpoint": "## Status\n\nAccepted\n\n## Decision\n\nThe cluster "
    "endpoint will be private.\n",
    "Adopt reactor-kiln": "## Status\n\nAccepted\n\n## Decision\n\nWe use reactor-kiln. "
    "Implementing ZMAP does not require high level HTTP features.\n",
})  # fmt: skip


@pytest.mark.parametrize(
    ("title", "proposal", "verdict"),
    [
        ("Deprecated TLS versions", "Turn TLS 1.1 back on at the gateway", "conflicts"),
        ("Deprecated TLS versions", "Turn TLS 1.1 off at the gateway", "supports"),
        ("FilePostbox deprecation", "Ship the FilePostbox again", "conflicts"),
        ("FilePostbox deprecation", "Stop shipping the FilePostbox", "supports"),
        (
            "Use a private cluster endpoint",
            "Set public access to false on the cluster endpoint",
            "supports",
        ),
        (
            "Use a private cluster endpoint",
            "Set public access to true on the cluster endpoint",
            "conflicts",
        ),
    ],
)
def test_what_was_switched_off_is_wanted_again_or_stays_off(
    title: str, proposal: str, verdict: str
) -> None:
    """A-7: "back on", "again" and "to false" turn a verdict as other words do."""
    assert verdict_on(title, proposal, _REMOVED) == verdict


def test_what_a_thing_does_not_need_is_not_refused() -> None:
    """A-7: "implementing X does not require Y" decides nothing about Y."""
    proposal = "The ZMAP routes return early from the HTTP layer"
    assert verdict_on("Adopt reactor-kiln", proposal, _REMOVED) in {"related", "unlisted"}


ANY_WORDS = """
    the a our of for on to from with in into by at like than before without until no not never we
    should could let use drop replace keep move block reject becomes is are be was takes costs more
    job end front rather instead but and , : ; . ? ( ) - Redis redis's Kafka C++ jobs tests builds
    receipts search results whether that which also exchange rates Sentry flag""".split()  # noqa: SIM905


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None, max_examples=300)
@given(st.lists(st.sampled_from(ANY_WORDS), min_size=1, max_size=14))
def test_any_order_of_words_gets_a_verdict(words: list[str]) -> None:
    """A-7: no wording breaks the comparison, however odd."""
    proposal = Proposal.of(" ".join(words))
    found = SHELF.related(proposal, 30)
    judged = Judge(proposal, SHELF).judge_all(found)
    assert {each.alignment for each in judged} <= {"supports", "conflicts", "related"}
