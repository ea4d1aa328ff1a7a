from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.growth import assert_costs_at_most
from toolcrib.packs.architecture.alignment.wording.clauses import beside_purposes, read_clauses
from toolcrib.packs.architecture.alignment.wording.negation import negations
from toolcrib.packs.architecture.alignment.wording.words import phrase

THINGS = ("PostgreSQL", "Redis", "the outbox table", "server-side rendering", "GitHub Actions")


def said(sentence: str) -> list[tuple[bool, frozenset[str]]]:
    return [(clause.wanted, clause.focus.core) for clause in read_clauses(sentence)]


@pytest.mark.parametrize(
    ("sentence", "wanted", "given_up"),
    [
        ("Replace PostgreSQL with MySQL", "MySQL", "PostgreSQL"),
        ("Use MySQL instead of PostgreSQL for orders.", "MySQL", "PostgreSQL"),
        ("Rather than PostgreSQL, let's go with MySQL", "MySQL", "PostgreSQL"),
        ("Migrate from PostgreSQL to MySQL", "MySQL", "PostgreSQL"),
        ("Swap PostgreSQL for MySQL", "MySQL", "PostgreSQL"),
        ("Drop PostgreSQL in favour of MySQL", "MySQL", "PostgreSQL"),
        ("Out with PostgreSQL, in with MySQL", "MySQL", "PostgreSQL"),
        ("Ditch PostgreSQL and go with MySQL.", "MySQL", "PostgreSQL"),
        ("We will not use PostgreSQL instead of MySQL", "MySQL", "PostgreSQL"),
        ("We decided not to replace MySQL with PostgreSQL.", "MySQL", "PostgreSQL"),
        ("I would rather have MySQL than PostgreSQL", "MySQL", "PostgreSQL"),
        ("PostgreSQL out, MySQL in", "MySQL", "PostgreSQL"),
        ("Substitute MySQL for PostgreSQL", "MySQL", "PostgreSQL"),
        ("Run it in MySQL outside of PostgreSQL", "Run it in MySQL", "PostgreSQL"),
        ("Forbid root pods with Gatekeeper", "Gatekeeper", "root pods"),
        ("MySQL is far better than PostgreSQL", "MySQL", "PostgreSQL"),
        ("PostgreSQL is more expensive than MySQL", "MySQL", "PostgreSQL"),
        ("Swap in MySQL for PostgreSQL", "MySQL", "PostgreSQL"),
        ("MySQL beats PostgreSQL", "MySQL", "PostgreSQL"),
        ("Forget PostgreSQL, MySQL does the job", "MySQL job", "PostgreSQL"),
        ("Old rows are deleted with a Sidekiq job", "a Sidekiq job", "Old rows are"),
    ],
)
def test_one_thing_is_wanted_and_the_other_given_up(
    sentence: str, wanted: str, given_up: str
) -> None:
    """A-7: what the proposal wants, and what it gives up."""
    assert (True, phrase(wanted).core) in said(sentence)
    assert (False, phrase(given_up).core) in said(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Stop using Redis.", "We will not use Redis", "Don't use Redis", "Avoid Redis.",
        "No more Redis", "Redis has to go", "Get rid of Redis", "We are done with Redis.",
        "Move away from Redis.", "We will no longer use Redis", "Never use Redis",
    ],
)  # fmt: skip
def test_words_of_giving_up_negate(sentence: str) -> None:
    """A-7: polarity of each clause, whatever the verb."""
    assert said(sentence) == [(False, frozenset({"redis"}))]


@pytest.mark.parametrize(
    "sentence",
    ["We will not stop using Redis", "Do not drop Redis.", "We should never abandon Redis"],
)
def test_two_negations_are_none(sentence: str) -> None:
    assert said(sentence) == [(True, frozenset({"redis"}))]


def test_a_purpose_is_no_part_of_the_thing() -> None:
    (clause,) = read_clauses("For events we will use Kafka")
    assert clause.focus.core == phrase("Kafka").core
    assert clause.purpose.core == phrase("events").core
    (clause,) = read_clauses("Use ClamAV to scan email attachments.")
    assert clause.focus.core == phrase("ClamAV").core


def test_a_title_worded_as_a_decision_says_what_it_decides() -> None:
    """A-7: polarity of a title that is worded as a decision."""
    (clause,) = read_clauses("decision to not use docker in dev")
    assert not clause.wanted


@pytest.mark.parametrize(
    ("sentence", "names"),
    [
        ("Put Varnish in front of the shop for caching", {"varnish"}),
        ("Let users edit files in a Monaco editor", set()),
        ("Read the mailbox over IMAP", {"imap"}),
        ("Sort the parcels on the Faktory servers first", {"faktory"}),
        ("Write the seat map to the Garage bucket again", {"garage"}),
        ("The Faktory servers are slow", set()),
        ("Use snake_case for parameters", {"snake_case"}),
        ("Keep The Eligibility Screener And The Portal Separate", set()),
        ("Varnish is mentioned here", set()),
    ],
)
def test_a_name_is_taken_as_a_means(sentence: str, names: set[str]) -> None:
    """A-7: another thing for the same purpose has to be taken, not only named."""
    assert read_clauses(sentence)[0].names_taken() == names


def test_a_name_with_a_capital_behind_let_is_kept() -> None:
    assert "encrypt" in read_clauses("Use ClusterIssuers with Let's Encrypt")[0].focus.raw
    assert "let" in read_clauses("Use ClusterIssuers with Let's Encrypt")[0].focus.raw


def test_a_question_states_nothing() -> None:
    assert read_clauses("Should we use Redis?") == ()


def test_what_is_only_named_like_a_negation_is_none() -> None:
    assert negations("Use soft delete for orders") == 0
    assert negations("deprecate and delete the scenarios") == 1


@given(st.sampled_from(THINGS), st.integers(0, 4))
def test_each_negation_turns_the_clause(thing: str, count: int) -> None:
    """A-7: a negation turns the verdict, a double one turns it back."""
    sentence = "We will " + "not stop " * (count // 2) + "not " * (count % 2) + f"use {thing}"
    (clause,) = read_clauses(sentence.replace("stop use", "stop using"))
    assert clause.wanted == (count % 2 == 0)
    assert clause.focus.core == phrase(thing).core


@settings(deadline=None)
@given(st.text(max_size=400))
def test_any_text_is_read(text: str) -> None:
    assert all(clause.focus for clause in read_clauses(text))


@pytest.mark.parametrize(
    "unit", ["not ", "instead of ", "replace a with ", "from a to ", ", and not ", "(no ", "for "]
)
def test_hostile_text_is_read_in_no_time(unit: str) -> None:
    """FAULTS: a text with catastrophic backtracking is read in linear time."""
    started = time.process_time()
    read_clauses((unit * 5_000)[:5_000])
    assert_costs_at_most(time.process_time() - started, 200)


@pytest.mark.parametrize(
    ("sentence", "wanted"),
    [
        ("Use Redis to avoid load on the database", True),
        ("Use Redis for what is not persisted", True),
        ("The plan is to drop Redis", False),
        ("There is no reason to keep Redis", False),
        ("Take Redis out of the path of requests", False),
        ("Leave Redis and store the sessions in memory", False),
        ("Why not use Redis", True),
        ("Neither Redis nor Kafka", False),
    ],
)
def test_only_what_speaks_of_the_thing_negates_it(sentence: str, wanted: bool) -> None:
    """A-7: polarity of each clause."""
    assert read_clauses(sentence)[0].wanted is wanted


@pytest.mark.parametrize(
    ("sentence", "taken"),
    [
        ("Document how Redis evicts keys", False),
        ("Alert when a Redis node fails", False),
        ("Add a button to the Redis dashboard", False),
        ("Track the counters with Redis", True),
        ("Report errors to Sentry", True),
    ],
)
def test_work_on_a_thing_that_is_there_chooses_nothing_but_the_means(
    sentence: str, taken: bool
) -> None:
    words = read_clauses(sentence)[0].taken
    assert words is not None
    assert bool(words & {"redis", "sentry"}) is taken


def test_who_gives_one_thing_up_and_does_another_says_two_things() -> None:
    """A-7: polarity of each clause."""
    found = [
        (each.wanted, sorted(each.focus.core))
        for each in read_clauses("Dump MVStore and write JSON")
    ]
    assert found == [(False, ["mvstore"]), (True, ["json", "write"])]
    assert len(read_clauses("Deprecate and remove the cache")) == 1
    assert len(read_clauses("Parse the file and write the result")) == len(
        read_clauses("Parse the file and write the other result")
    )


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Others may keep Redis; we shall not.", False),
        ("Redis: never again.", False),
        ("They drop Redis; we will not.", True),
        ("Redis was a mistake, let it go.", False),
        ("Redis is nothing but noise: kick it out of the build.", False),
        ("Redis has become a burden.", False),
        ("It was a mistake to use Redis.", False),
        ("Nothing but Redis.", True),
        ("Let Redis die.", False),
        ("Wean the nightly jobs off Redis.", False),
        ("Get the sessions out of Redis.", False),
        ("Get the most out of Redis.", True),
        ("We hardly need Redis.", False),
        ("Pull the plug on Redis and fetch inside of the request.", False),
        ("The retirement of Redis.", False),
        ("Become Redis-free.", False),
        ("The end of Redis.", False),
        ("Use Redis by the end of the year.", True),
        ("You cannot go wrong with Redis.", True),
    ],
)
def test_a_bare_no_turns_what_was_said_and_nouns_give_up_as_verbs_do(
    text: str, wanted: bool
) -> None:
    """A-7: the polarity of each clause, however it is built."""
    assert [each.wanted for each in read_clauses(text) if "redis" in each.focus.core] == [wanted]


@pytest.mark.parametrize(
    "sentence",
    [
        "Redis is fine, yet I'd rather be on Kafka.", "I like Redis, but take Kafka.",
        "Although Redis works well, Kafka it is.", "If Redis fails, ask Kafka.",
        "While Redis is solid, Kafka is the way to go.",
    ],
)  # fmt: skip
def test_what_is_granted_or_a_condition_is_not_proposed(sentence: str) -> None:
    """A-7: what a proposal only concedes is not what it wants."""
    found = read_clauses(sentence)
    assert any("kafka" in each.focus.core for each in found)
    assert not any("redis" in each.words.core for each in found)


def test_what_is_moved_off_a_thing_is_what_that_was_for() -> None:
    """A-7: what the proposal gives up, and for what purpose."""
    (clause,) = read_clauses("Wean the nightly jobs off Redis")
    assert clause.focus.core == phrase("Redis").core
    assert clause.purpose.core == phrase("the nightly jobs").core


def test_for_how_long_is_no_part_of_the_thing() -> None:
    (clause,) = read_clauses("Remove the scheduler (for now)")
    assert clause.words.core == phrase("scheduler").core


def test_a_name_that_looks_like_a_verb_negates_nothing() -> None:
    """A-7: with a capital among small letters it is a name."""
    assert read_clauses("Parse the answers with Jettison")[0].wanted
    assert read_clauses("Nix becomes mandatory for every build")[0].wanted


def test_a_sentence_that_begins_with_a_place_is_read_as_a_whole() -> None:
    """A-7: "In CI the suite should talk to Redis, …" says what is wanted, and is no lead."""
    clauses = read_clauses("In CI the suite should talk to Redis, otherwise we test nothing.")
    assert clauses[0].wanted and "redis" in clauses[0].words.core


def test_what_a_thing_does_then_is_said_too() -> None:
    """A-7: behind "so that" a thing of that name works; what is denied there says nothing."""
    clauses = read_clauses("Label the server so that Gatekeeper picks it up.")
    assert any("gatekeep" in clause.focus.core for clause in clauses)
    denied = read_clauses("Label the server so that Gatekeeper never sees it.")
    assert not any("gatekeep" in clause.focus.core for clause in denied)


def test_who_throws_something_away_on_a_condition_still_does_the_rest() -> None:
    """A-7: "check it, and throw it away if it is bad" checks it."""
    clauses = read_clauses("Check every upload with Redis, and throw it away if it is bad.")
    assert clauses[0].wanted


def test_what_somebody_asks_is_not_denied_by_what_he_asks() -> None:
    """A-7: "asks X whether it is banned" says no to nothing."""
    (clause,) = read_clauses("The login asks CrowdSec whether the address is banned")
    assert clause.wanted


def test_so_much_nicer_is_no_reason() -> None:
    """A-7: what stands behind "so much" is still said of the thing."""
    (clause,) = read_clauses("The tests would read so much nicer with AssertJ")
    assert "assertj" in clause.words.raw


def test_what_keeps_something_off_is_at_work_and_what_it_keeps_off_is_not_wanted() -> None:
    """A-7: "X rejects the uploads" gives up uploads, and not X."""
    doer, done = read_clauses("ClamAV rejects the infected uploads")
    assert doer.wanted and "clamav" in doer.focus.raw
    assert not done.wanted and "uploads" in done.focus.raw


@pytest.mark.parametrize(
    "sentence", ["No merge before BackstopJS is green", "Nothing ships without BackstopJS reports"]
)
def test_nothing_before_a_thing_wants_the_thing(sentence: str) -> None:
    """A-7: two denials of one thing ask for it."""
    (clause,) = read_clauses(sentence)
    assert clause.wanted
    assert "backstopjs" in clause.words.raw


def test_a_label_names_a_subject_and_says_nothing_of_it() -> None:
    """A-7: "Renovate: merge the patches by hand" neither takes nor refuses Renovate."""
    (clause,) = read_clauses("Renovate: merge all the patches by hand")
    assert "renovate" in clause.purpose.raw
    assert "renovate" not in clause.focus.raw


def test_a_reason_that_nobody_does_something_refuses_nothing() -> None:
    """A-7: likeness to a refusal is none."""
    clauses = read_clauses("Give the repo a description, nobody finds it in the long list")
    assert [each.wanted for each in clauses] == [True]


@pytest.mark.parametrize(
    ("sentence", "thing", "wanted"),
    [
        ("Keep the yes/no counts in the ledger.", "ledger", True),
        ("Add IF NOT EXISTS to the writes of the ledger.", "ledger", True),
        ("Turn the times into a list, nobody but the clerk reads that field.", "list", True),
        ("Answers without a fixed shape go to the ledger.", "ledger", True),
        ("A hook turns down letters that are not stamped.", "stamp", True),
        ("Letters without having a stamp on them are no longer accepted.", "stamp", True),
        ("Pull new keys out of the ledger with the reader.", "reader", True),
        ("Pull the ledger out of production.", "ledger", False),
        ("Get rid of the telegraph and talk to the ledger over the wire.", "ledger", True),
        ("Get rid of the telegraph and talk to the ledger over the wire.", "telegraph", False),
        ("Switch off idle accounts with an hourly clerk.", "clerk", True),
        ("Switch off idle accounts with an hourly clerk.", "account", False),
        ("Clerks keep the sums in the ledger; we take them out of the telegraph.", "ledger", True),
        ("Have axe look at the ledger.", "ledger", True),
        ("Axe the ledger.", "ledger", False),
        ("Teach the clerk to read stamps, not only letters.", "clerk", True),
    ],
)
def test_what_only_tells_which_or_by_what_means_turns_nothing(
    sentence: str, thing: str, wanted: bool
) -> None:
    """A-7: polarity of each clause."""
    assert [each for each, words in said(sentence) if thing in words] == [wanted]


def test_where_something_is_added_is_not_what_it_is_for() -> None:
    """A-7: what the proposal wants, and for what."""
    (clause,) = read_clauses("Add the counter for old letters to the ledger.")
    assert "ledger" in clause.focus.core
    assert "ledger" not in clause.purpose.core


def test_an_order_about_that_thing_is_no_aside() -> None:
    """A-7: who moves "that ledger to" a place puts the place to work."""
    from toolcrib.packs.architecture.alignment.wording.verbs.employing import employs

    assert employs("move that ledger to Basalt", frozenset(("basalt",)))
    assert not employs("thank the clerk that moved to Basalt", frozenset(("basalt",)))


def test_what_is_said_not_to_be_a_thing_is_the_opposite_of_it() -> None:
    """A-7: a relative clause denies a quality, and not what has it."""
    (clause,) = read_clauses("The boat gets a hull that isn't magnetic.")
    assert clause.wanted
    assert {"nonmagnetic"} <= clause.words.raw
    assert "magnetic" not in clause.words.raw


@pytest.mark.parametrize(
    "sentence",
    [
        "Whoever gets to see the map depends on a harbour list",
        "The crates have to pass the harbour list",
    ],
)
def test_what_somebody_gets_to_do_is_no_purpose(sentence: str) -> None:
    """A-7: what follows "get to" and "have to" is said, and not what for."""
    (clause,) = read_clauses(sentence)
    assert "harbour" in clause.focus.raw
    (used,) = read_clauses("Use the map to find the harbour")
    assert "harbour" in used.purpose.raw


@pytest.mark.parametrize("label", ["PR", "feat(hull)", "Idea", "todo"])
def test_the_label_of_a_message_says_nothing(label: str) -> None:
    """A-7: what a message begins with is neither a subject nor a purpose."""
    (clause,) = read_clauses(f"{label}: keep the tar warm with a pot in the hull")
    assert not clause.purpose


def test_a_question_that_somebody_answers_is_a_part_of_what_is_done() -> None:
    """A-7: "find out which crates leak with X" does it with X; a reason behind "which" decides
    nothing.
    """
    (clause,) = read_clauses("Find out which crates leak with Seepage.")
    assert "seepage" in clause.focus.raw
    assert not any("rust" in each.words.raw for each in read_clauses("Use tin which will rust."))


def test_a_clause_that_only_says_what_for_is_none_beside_others() -> None:
    """A-7: "for the mail cart —" chooses nothing; alone it is all that is said."""
    both = read_clauses("For the mail cart — oak wheels we will paint.")
    assert len(both) > len(beside_purposes(both))
    alone = read_clauses("For the mail cart.")
    assert beside_purposes(alone) == alone
