"""The ranking's promises, whatever the collection."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolcrib.discovery.tool_fields import tool_index, tool_item
from toolcrib.search.candidates import Asked, IndexedDocument, does
from toolcrib.search.index import Hits, Index
from toolcrib.search.ranking import TOOLS


def test_an_exact_name_comes_first(crib, keys):
    """C-4: exact names rank first."""
    assert keys(crib, "git_log")[0] == "git_log"
    assert keys(crib, "GIT LOG")[0] == "git_log"
    assert keys(crib, "docker-ps")[0] == "docker_ps"


def test_a_part_of_a_name_comes_before_words_elsewhere(crib, keys):
    """C-4: substring matches rank first; `git_log` has the word in its description."""
    assert sorted(keys(crib, "commit")[:2]) == ["docker_commit", "git_commit"]
    assert keys(crib, "commit")[2] == "git_log"
    assert keys(crib, "ommi")[:2] == ["docker_commit", "git_commit"]
    assert keys(crib, "branch_li")[0] == "git_branch_list"


def test_whole_words_of_a_name_come_before_parts_of_words(keys):
    """C-4: among substring matches, the one that is a word is the likelier."""
    index = Index({"name": 1.0}, semantic=False)
    for name in ("address_lookup", "user_add", "readdress"):
        index.add(name, {"name": name})
    assert keys(index, "add") == ["user_add", "address_lookup", "readdress"]


def test_filters_are_anded_whatever_their_case(crib, keys):
    """C-4: filters are ANDed."""
    assert keys(crib, "commit", where={"cli": "GIT"})[:2] == ["git_commit", "git_log"]
    assert all("git" in key for key in keys(crib, "list commit", where={"cli": "GIT"}))
    assert keys(crib, "commit", where={"cli": "git", "category": "Dev"})[0] == "git_commit"
    assert keys(crib, "commit", where={"cli": "git", "category": "ops"}) == []
    assert keys(crib, "", where={"cli": "nobody"}) == []


def test_an_unknown_facet_lets_nothing_through(crib, keys):
    """C-4: a filter that cannot be met is no filter less."""
    assert keys(crib, "commit", where={"colour": "red"}) == []


def test_words_count_in_any_order_and_form(crib, keys):
    """C-4: words in any order, word forms."""
    assert keys(crib, "containers listing")[0] == "docker_ps"
    assert keys(crib, "listed container")[0] == "docker_ps"


def test_camel_case_is_split(crib, keys):
    """C-4: identifiers are words written together."""
    assert keys(crib, "list files")[0] == "listFiles"
    assert keys(crib, "files list", limit=1) == ["listFiles"]


def test_other_words_for_the_same_thing_are_found(crib, keys):
    """C-4: meaning; nothing in the tool says `remove` or `picture`."""
    assert keys(crib, "remove a picture")[0] == "docker_rmi"
    assert keys(crib, "directory contents")[0] == "listFiles"


def test_an_empty_query_gives_all_that_pass_sorted_by_key(crib):
    """C-4: filters alone are a search too."""
    found = crib.search("  ", where={"cli": "docker"})
    assert [hit.key for hit in found.hits] == ["docker_commit", "docker_ps", "docker_rmi"]
    assert found.total == 3
    assert crib.search("", limit=2).total == len(crib)


def test_total_counts_before_the_cut(crib):
    """A-5: `total_matches` counts before the cut."""
    assert crib.search("containers", limit=1).total == len(crib.search("containers").hits) == 3
    assert len(crib.search("containers", limit=1).hits) == 1
    assert crib.search("commit", limit=0).hits == []


def test_no_match_is_an_empty_answer_that_has_near_names(crib):
    """C-4: no match, an empty list; C-5: the nearest names."""
    assert crib.search("xylophone qwzx") == Hits([], 0)
    assert crib.nearest("git_comit")[0] == "git_commit"
    assert crib.nearest("dockerps", limit=1) == ["docker_ps"]
    assert crib.nearest("§§§") == []


def test_a_replaced_document_is_found_by_its_new_words_alone(crib, keys):
    crib.add("tar_create", {"name": "tar_create", "description": "Bundle things"})
    assert keys(crib, "archive", where={"cli": "posix"}) == []
    assert keys(crib, "bundle") == ["tar_create"]
    assert len(crib) == 8


def test_a_removed_document_is_gone_and_removing_it_again_is_no_matter(crib, keys):
    crib.remove("git_log")
    crib.remove("git_log")
    assert "git_log" not in crib
    assert "git_log" not in keys(crib, "git_log")


def test_a_boost_lifts_among_equals(keys):
    index = Index({"name": 1.0, "text": 1.0}, semantic=False)
    for key, boost in (("a", 1.0), ("b", 1.5)):
        index.add(key, {"name": f"tool {key}", "text": "restart the service"}, boost=boost)
    assert keys(index, "restart service") == ["b", "a"]


def test_ties_are_settled_by_key(keys):
    index = Index({"name": 1.0, "text": 1.0}, semantic=False)
    for key in ("c", "a", "b"):
        index.add(key, {"name": key * 3, "text": "the very same words"})
    assert keys(index, "same words") == ["a", "b", "c"]


def test_repeats_of_a_name_stand_behind_other_answers(keys):
    index = Index({"name": 2.0, "text": 1.0}, semantic=False)
    for number in range(4):
        text = f"Forecast of the weather, form {number}"
        index.add(f"weather|{number}", {"name": "get_weather", "text": text})
    index.add("climate", {"name": "climate_report", "text": "Weather of a year and its forecast"})
    assert "climate" in keys(index, "forecast of the weather")[:3]


def test_of_two_commands_the_plainer_is_the_likelier_and_of_two_names_neither(keys):
    """A path that goes on is held against a command; a name of many words is just a name."""
    index = tool_index(semantic=False)
    for name in ("box_image_list", "box_image_list_remote_cached"):
        index.add_all([tool_item(name, "Show all pictures", cli="box")])
    assert keys(index, "show pictures")[0] == "box_image_list"
    for name, how in (("fetch_all_the_stored_photos", "big"), ("zoom_photos", "new")):
        index.add_all([tool_item(name, f"Draw {how} shapes", cli="api")])
    first, second = index.search("draw shapes").hits
    assert (first.key, first.score) == ("fetch_all_the_stored_photos", second.score)


def test_a_program_itself_is_one_step_however_many_words_its_name_has(keys):
    """C-4: what has no path is no likelier than a program, and the length of a name is none."""
    index = tool_index(semantic=False)
    programs = (
        ("draw", "draw", "red"),
        ("ink_pen_holder", "InkPenHolder", "blue"),
        ("zoom", "", "green"),
    )
    for name, cli, ink in programs:
        index.add_all([tool_item(name, f"Paint round {ink} shapes", cli=cli)])
    assert len({hit.score for hit in index.search("round shapes").hits}) == 1
    index.add_all([tool_item("draw_again", "Paint round grey shapes", cli="draw")])
    assert keys(index, "round shapes")[-1] == "draw_again"


def test_an_explained_result_says_why(crib):
    """Answers that help: what matched, where, and for which word of the query."""
    (hit, *_) = crib.search("remove images", explain=True).hits
    assert hit.key == "docker_rmi"
    assert hit.why is not None
    assert hit.why["words"]["images"] == {"in": ["description"]}
    assert hit.why["words"]["delete"] == {"in": ["description"], "for": "remove"}
    (exact, *_) = crib.search("git_log", explain=True).hits
    assert exact.why is not None and exact.why["name"] == "exact"
    assert crib.search("git_log").hits[0].why is None


def test_scores_fall_from_first_to_last(crib):
    scores = [hit.score for hit in crib.search("list all commits in a branch").hits]
    assert scores == sorted(scores, reverse=True)


def test_an_unknown_field_is_refused_by_name(crib):
    with pytest.raises(ValueError, match="titel"):
        crib.add("x", {"titel": "x"})
    with pytest.raises(ValueError, match="field"):
        Index({})


def test_a_search_while_others_write_sees_one_state(crib):
    """FAULTS: a search while an index changes is answered from what is there."""
    errors: list[BaseException] = []

    def write() -> None:
        try:
            for number in range(150):
                fields = {"name": f"job {number}", "description": "runs nightly"}
                crib.add(f"job_{number % 20}", fields)
                crib.remove(f"job_{(number + 7) % 20}")
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=write) for _ in range(3)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        for hit in crib.search("nightly job", limit=50).hits:
            assert hit.key.startswith("job_")
    assert not errors


@given(st.text(max_size=300))
def test_any_text_is_a_query(text):
    """FAULTS: hostile text is data."""
    index = Index({"name": 1.0, "text": 1.0}, semantic=False)
    index.add("ключ", {"name": "ключ", "text": "zażółć gęślą \u202e jaźń \x00 \ud800"})
    index.add("plain", {"name": "plain", "text": "nothing to see"})
    found = index.search(text, explain=True)
    assert len(found.hits) <= found.total <= 2


@given(st.text(max_size=60), st.text(max_size=200))
def test_any_document_is_found_by_its_own_name(name, text):
    """C-4: an exact name ranks first, whatever it is made of."""
    index = Index({"name": 1.0, "text": 1.0}, semantic=False)
    index.add("it", {"name": name, "text": text})
    index.add("other", {"name": "quite another thing", "text": text})
    if name.strip():
        assert index.search(name).hits[0].key == "it"


def test_a_huge_query_is_answered(crib, keys):
    """FAULTS: a limit on what one question may cost."""
    query = "delete images " + "zzz " * 100_000
    assert keys(crib, query)[0] == "docker_rmi"
    many = " ".join(f"word{number}" for number in range(2_000))
    assert keys(crib, f"{many} containers")[0] in ("docker_ps", "docker_commit")


def _tool(name: str, opening: str) -> IndexedDocument:
    words = tuple(name.split())
    return IndexedDocument(name, name, words, True, opening, 0, 1.0, (("cli", words[0]),))


def test_a_tool_whose_verb_is_another_one_is_the_less_likely():
    """C-4: among commands about one thing the verb decides; a tool without one is in between."""
    asked = Asked(("quickly", "delet", "branch"), "", frozenset({"delet", "remov"}))
    right, silent, wrong = (
        does(_tool("box branch rm", "remov"), asked, TOOLS),
        does(_tool("box branch", "work"), asked, TOOLS),
        does(_tool("box branch ls", "list"), asked, TOOLS),
    )
    assert right > silent > wrong


def test_a_query_without_a_verb_prefers_none():
    """C-4: nothing is held against a tool that the query does not speak of."""
    asked = Asked(("branch",), "", frozenset())
    assert does(_tool("box x", "list"), asked, TOOLS) == does(_tool("box y", "work"), asked, TOOLS)


def test_a_command_that_is_passed_on_stands_before_its_wrapper():
    """C-4: `git log` is what is meant, not the way to it through another program."""
    index = tool_index(semantic=False)
    for name, cli in (("aaa_git_log", "aaa"), ("git_log", "git"), ("git_show", "git")):
        index.add_all([tool_item(name, f"Show the history by {name}", cli=cli)])
    found = [hit.key for hit in index.search("look at the history of commits").hits]
    assert found.index("git_log") < found.index("aaa_git_log")


def test_an_option_that_says_what_is_wanted_decides_between_equals(keys):
    """C-4: words side by side in one argument, not spread over several."""
    index = tool_index(semantic=False)
    for cli, options in (
        ("aa", ["--tree Show a tree", "--peer For a peer", "--all Dependencies of all"]),
        ("bb", ["--tree Show a tree", "--peer Peer dependencies", "--all All of them"]),
    ):
        index.add_all([tool_item(f"{cli}_ls", f"List what {cli} has", cli=cli, arguments=options)])
    assert keys(index, "which peer dependencies are there")[0] == "bb_ls"


def test_the_same_command_of_another_program_leaves_room_for_others(keys):
    """C-4: of two programs with the same commands, one is enough among the first."""
    index = tool_index(semantic=False)
    long = "Download remote refs, and what else there is to know of them"
    for cli in ("git", "hub"):
        for command, text in (("push", "Update remote refs"), ("fetch", long)):
            index.add_all([tool_item(f"{cli}_{command}", text, cli=cli)])
    first = keys(index, "remote refs")[:2]
    assert {name.partition("_")[2] for name in first} == {"push", "fetch"}


def test_of_a_group_and_its_commands_one_of_these_is_meant(keys):
    """C-4: a deed is done by a command, not by the name that leads it."""
    index = tool_index(semantic=False)
    for name, text in (
        ("box_net_io", "Manage rules for traffic"),
        ("box_net_io_set", "Something else entirely"),
        ("box_net_up", "Manage rules for traffic!"),
    ):
        index.add_all([tool_item(name, text, cli="box")])
    assert keys(index, "manage the rules")[0] == "box_net_up"


EVERYDAY = [
    ("maps", "get_directions", "Get directions from one place to another, by car or on foot."),
    ("trains", "find_connections", "Find connections by train between two stations."),
    ("calendar", "create_event", "Create an event in the calendar and invite guests."),
    ("anki", "create_note", "Create a note in a deck of flash cards."),
    ("weather", "get_forecast", "Get the weather forecast for a city: rain and wind."),
    ("hotels", "search_hotels", "Search hotels to book a room in a city."),
    ("bible", "get_verse", "Get the text of a verse of the Bible."),
    ("music", "play_music", "Play a song, an album or a playlist."),
    ("kitchen", "find_recipes", "Find recipes for the ingredients at hand."),
    ("docker", "list_containers", "List the containers of this machine."),
]


@pytest.fixture
def everyday():
    """Tools of daily life, without the extra."""
    index = tool_index(semantic=False)
    index.add_all([tool_item(name, text, cli=cli) for cli, name, text in EVERYDAY])
    return index


def test_a_word_by_chance_in_a_long_question_does_not_outweigh_its_meaning(everyday, keys):
    """C-4: `car` is all that the question shares with a tool, and not what it asks for."""
    asked = "Our car is broken, so which railway lines bring my aunt here on Sunday?"
    assert keys(everyday, asked)[:2] == ["find_connections", "get_directions"]


def test_words_that_tell_more_than_chance_decide_in_a_long_question(everyday, keys):
    """C-4: words first, then meaning: what several words of a tool say is no chance."""
    asked = "We missed the railway home, so get us directions from this place to the next by car"
    assert keys(everyday, asked)[0] == "get_directions"


def test_a_sentence_of_common_words_is_found_by_its_meaning(everyday, keys):
    """C-4, C-14: a sentence may share meaning alone; keywords, and talk, mean what they say."""
    assert keys(everyday, "how does the gospel end") == ["get_verse"]
    assert keys(everyday, "gospel end") == keys(everyday, "how does the thing work") == []


def test_a_sentence_whose_words_are_found_is_not_padded(everyday, keys):
    """C-14: a result that shares no word is not in the answer to words that are all there."""
    assert keys(everyday, "which are the guests to invite") == ["create_event"]
