"""C-9: real programs, asked in a sandbox, become configs that pass validation and run."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys

import pytest
import yaml

from toolcrib.cli import main
from toolcrib.core.errors import UsageError
from toolcrib.packs.climax.config.config import load_config
from toolcrib.packs.climax.importer.ask import Printed, asking
from toolcrib.packs.climax.importer.emit import GLUED
from toolcrib.packs.climax.importer.explore import FROM_LIST, NO_HELP
from toolcrib.packs.climax.importer.program import import_program
from toolcrib.running.arguments import validate_arguments
from toolcrib.running.command import build_command

TEN_MOST_USED = (
    "status", "add", "commit", "log", "diff", "branch", "checkout", "merge", "push", "pull",
)  # fmt: skip


def needs(program):
    return pytest.mark.skipif(shutil.which(program) is None, reason=f"{program} is not installed")


def loaded(result, tmp_path):
    file = tmp_path / "imported.yaml"
    file.write_text(result.yaml_text)
    config, warnings = load_config(file)
    assert warnings == []
    return {tool.name: tool for tool in config.tools}, config


def flags(tool):
    return {arg.effective_flag.rstrip("=") for arg in tool.args if arg.is_flag}


def program_of(pages):
    """A program that only prints: what it answers to each command line."""

    async def ask(argv):
        text = pages.get(" ".join(argv))
        return Printed(text) if text is not None else Printed("", "unknown command", 1)

    return ask


class TestRealPrograms:
    @needs("tar")
    def test_tar_comes_out_whole(self, tmp_path):
        """C-9: GNU style, with types, optional values and a warning about programs."""
        result = import_program("tar")
        tools, config = loaded(result, tmp_path)
        assert config.command == "tar"
        args = {arg.name: arg for arg in tools["tar"].args}
        assert args["strip_components"].type == "integer"
        assert args["directory"].flag == "--directory="
        assert args["checkpoint"].type == "boolean"
        assert args["checkpoint_value"].flag == "--checkpoint="
        printed = subprocess.run(["tar", "--help"], capture_output=True, text=True).stdout
        long = {
            word.split("=")[0].split("[")[0].rstrip(",")
            for line in printed.splitlines()
            for word in line[:40].split()
            if line.lstrip().startswith("-") and word.startswith("--")
        }
        assert len(long) > 100
        assert len(long & flags(tools["tar"])) / len(long) >= 0.9
        assert "--checkpoint-action" in result.report.text()

    @needs("du")
    def test_an_imported_tool_runs(self, tmp_path):
        """C-9: what comes out can be called."""
        tools, config = loaded(import_program("du"), tmp_path)
        values = validate_arguments(tools["du"].args, {"max_depth": 0, "bytes": True, "file": "."})
        argv = build_command(config, tools["du"], values).argv
        done = subprocess.run(argv, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0
        assert done.stdout.endswith(".\n")

    def test_words_can_name_a_program(self, tmp_path):
        """C-9: `python -m pip` is a program as well."""
        result = import_program(f"{sys.executable} -m pip", only=["index"])
        tools, config = loaded(result, tmp_path)
        assert config.name == "pip"
        assert {"pip", "pip_index_versions"} <= set(tools)
        (package,) = [arg for arg in tools["pip_index_versions"].args if arg.positional]
        assert package.required

    @needs("docker")
    def test_docker_is_followed_two_levels_down(self, tmp_path):
        """C-9: cobra style, client only."""
        tools, _ = loaded(import_program("docker", only=["container", "ps"]), tmp_path)
        assert {"docker_ps", "docker_container_ls", "docker_container_logs"} <= set(tools)
        assert {"--tail", "--since", "--timestamps"} <= flags(tools["docker_container_logs"])

    @needs("cargo")
    def test_cargo_lists_all_its_commands(self, tmp_path):
        """C-9: clap style; `--list` names the commands that the help leaves out."""
        result = import_program("cargo", only=["build", "metadata"])
        tools, _ = loaded(result, tmp_path)
        if "cargo_build" not in tools:
            pytest.skip("no toolchain is chosen for cargo")
        assert {"--release", "--features", "--message-format"} <= flags(tools["cargo_build"])
        assert "cargo_metadata" in tools

    @needs("npm")
    def test_npm_takes_values_from_its_synopsis(self, tmp_path):
        """C-9: npm prints values only in brackets above its list."""
        tools, _ = loaded(import_program("npm", only=["install"]), tmp_path)
        args = {arg.name: arg for arg in tools["npm_install"].args}
        assert "dev" in args["omit"].enum

    @needs("rsync")
    def test_rsync_keeps_short_flags_in_its_descriptions(self, tmp_path):
        """C-9: an agent that knows `-a` finds it."""
        tools, _ = loaded(import_program("rsync"), tmp_path)
        args = {arg.name: arg for arg in tools["rsync"].args}
        assert args["archive"].description.endswith("(-a)")

    @needs("ffmpeg")
    def test_ffmpeg_has_single_dashes(self, tmp_path):
        """C-9: long options with one dash."""
        tools, _ = loaded(import_program("ffmpeg"), tmp_path)
        assert {"-i", "-vcodec", "-frames"} <= flags(tools["ffmpeg"])

    @needs("gh")
    def test_gh_knows_the_states_of_a_pull_request(self, tmp_path):
        """C-9, C-13: enums from descriptions; a default stays in the description."""
        tools, _ = loaded(import_program("gh", only=["pr"]), tmp_path)
        args = {arg.name: arg for arg in tools["gh_pr_list"].args}
        assert args["state"].enum == ("open", "closed", "merged", "all")
        assert args["limit"].default is None
        assert "default 30" in args["limit"].description

    @needs("man")
    def test_a_manual_page_will_do(self, tmp_path):
        """C-9: the man page as a source."""
        try:
            tools, _ = loaded(import_program("tar", source="man"), tmp_path)
        except UsageError:
            pytest.skip("there is no manual page of tar")
        assert {"--create", "--extract", "--file"} <= flags(tools["tar"])

    def test_a_completion_file_will_do(self, tmp_path):
        """C-9: a completion file as a source."""
        try:
            tools, _ = loaded(import_program("lsblk", source="completion"), tmp_path)
        except UsageError:
            pytest.skip("there is no completion for lsblk")
        assert {"--all", "--bytes"} <= flags(tools["lsblk"])


@pytest.fixture(scope="module")
def git_config(tmp_path_factory):
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    folder = tmp_path_factory.mktemp("git")
    return loaded(import_program("git", only=[*TEN_MOST_USED, "stash"], depth=2), folder)


class TestGit:
    """C-9: the ten most used subcommands of git run through an imported config."""

    @pytest.fixture
    def git(self, git_config, tmp_path):
        tools, config = git_config
        home = {"HOME": str(tmp_path), "PATH": os.environ["PATH"], "GIT_EDITOR": "true"}

        def run(name, /, **values):
            tool = tools[f"git_{name}"]
            built = build_command(config, tool, validate_arguments(tool.args, values))
            done = subprocess.run(
                built.argv, cwd=tmp_path / "work", env=home, capture_output=True, text=True
            )
            assert done.returncode == 0, (built.argv, done.stderr)
            return done.stdout

        for words in (
            ["init", "-q", "--bare", "-b", "main", "bare"],
            ["clone", "-q", "bare", "work"],
            ["-C", "work", "checkout", "-q", "-B", "main"],
            ["-C", "work", "config", "user.email", "ada@example.org"],
            ["-C", "work", "config", "user.name", "Ada"],
        ):
            subprocess.run(["git", *words], cwd=tmp_path, env=home, check=True, capture_output=True)
        return run

    def test_the_ten_most_used_subcommands_run(self, git, tmp_path):
        """C-9: from an empty clone to a merged and pushed history."""
        (tmp_path / "work/a.txt").write_text("one\n")
        assert "?? a.txt" in git("status", short=True)
        git("add", pathspec="a.txt")
        git("commit", message="-first", quiet=True)
        git("push", repository="origin", refspec="main", quiet=True)
        assert "main" in git("branch", list=True)
        git("checkout", b="work")
        (tmp_path / "work/a.txt").write_text("two\n")
        assert "+two" in git("diff", unified=0)
        git("commit", all=True, message="Second")
        git("checkout", branch="main")
        git("merge", ff_only=True, commit_arg="work")
        assert "-first" in git("log", oneline=True, max_count=5)
        git("pull", repository="origin", refspec="main", ff_only=True)

    def test_the_manual_adds_what_the_short_help_leaves_out(self, git_config):
        """C-9: `git log --help` is the manual, and both are read."""
        tools, _ = git_config
        if "--max-count" not in flags(tools["git_log"]):
            pytest.skip("git's manual pages are not installed")
        assert {"--oneline", "--graph", "--author", "--quiet"} <= flags(tools["git_log"])

    def test_subcommands_that_only_usage_names_are_found(self, git_config):
        """C-9: `git stash push` has no list, only usage lines."""
        tools, _ = git_config
        assert {"git_stash_push", "git_stash_list", "git_stash"} <= set(tools)


ROOT = "Usage: pot COMMAND\n\nCommands:\n  fire  Fire it\n  ghost  Not there\n"
FIRE = "Usage: pot fire [OPTIONS] POT\n\nOptions:\n  --hot  Very\n"


class TestExploring:
    def test_subcommands_are_followed_to_a_depth(self, tmp_path):
        """C-9: recursion through subcommands."""
        ask = program_of({"pot --help": ROOT, "pot fire --help": FIRE})
        tools, _ = loaded(import_program("pot", depth=1, runner=ask), tmp_path)
        assert list(tools) == ["pot_fire", "pot_ghost"]
        assert [arg.name for arg in tools["pot_fire"].args] == ["pot", "hot"]
        shallow = import_program("pot", depth=0, runner=ask)
        assert "larger --depth" in shallow.report.text()

    def test_what_has_no_help_is_taken_as_the_list_has_it_and_reported(self, tmp_path):
        """C-9, C-13: sub-commands however they are listed; it says what it could not tell."""
        root = ROOT.replace("  ghost  Not there\n", "  ghost [-f] NAME...  Not there\n  nobody\n")
        ask = program_of({"pot --help": root, "pot fire --help": FIRE})
        result = import_program("pot", runner=ask)
        tools, _ = loaded(result, tmp_path)
        assert list(tools) == ["pot_fire", "pot_ghost"]
        name, force = tools["pot_ghost"].args
        assert (name.name, name.type, name.positional, name.required) == (
            "name",
            "array",
            True,
            True,
        )
        assert (force.flag, force.type) == ("-f", "boolean")
        assert result.report.grouped()[FROM_LIST] == ["pot ghost"]
        assert result.report.grouped()[NO_HELP] == ["pot nobody"]
        assert f"#   - {NO_HELP}: pot nobody" in result.yaml_text

    def test_short_help_and_the_help_subcommand_are_tried(self, tmp_path):
        """C-9: not every program knows `--help` everywhere."""
        ask = program_of({"pot --help": ROOT, "pot fire -h": FIRE, "pot help ghost": FIRE})
        tools, _ = loaded(import_program("pot", runner=ask), tmp_path)
        assert set(tools) == {"pot_fire", "pot_ghost"}

    def test_a_command_that_only_the_usage_names_is_called_as_the_usage_has_it(self, tmp_path):
        """C-13: `pot status` takes nothing, and `pot blame [REV] PATH` what stands behind it."""
        text = "Usage: pot status\n   or: pot blame [options] [rev] [--] path\n"
        tools, _ = loaded(import_program("pot", runner=program_of({"pot --help": text})), tmp_path)
        assert list(tools) == ["pot_status", "pot_blame"]
        assert tools["pot_status"].args == ()
        assert [(arg.name, arg.required) for arg in tools["pot_blame"].args] == [
            ("rev", False),
            ("path", True),
        ]

    @pytest.mark.parametrize("words", ["help commands", "help -a"])
    def test_a_help_that_points_to_the_list_of_all_commands_is_followed(self, tmp_path, words):
        """C-13: `pot help commands  list all commands`, a list without a heading."""
        root = f"Basic commands:\n  pot fire  fire it\n\n  pot {words}  list all commands\n"
        listed = "".join(f"{name}        Do {name} at once.\n" for name in "abcdef")
        ask = program_of({"pot --help": root, f"pot {words}": f"fire     Fire it.\n{listed}"})
        tools, _ = loaded(import_program("pot", runner=ask), tmp_path)
        assert set(tools) == {"pot_fire", *(f"pot_{name}" for name in "abcdef")}

    @pytest.mark.parametrize(
        ("hint", "words"),
        [
            ('Use "--longhelp" or "man pot" for complete list of options.', "--longhelp"),
            (
                "  --help[=TAG]  Print it. Possible Values: #basic, #all Default: #basic",
                "--help=#all",
            ),
        ],
    )
    def test_a_help_that_names_the_way_to_all_of_it_is_followed(self, tmp_path, hint, words):
        """C-13: what stands in the longer help is an option, too."""
        short = f"Usage: pot [options]\n\nOptions:\n  --hot  Very\n{hint}\n"
        long = "Usage: pot [options]\n\nOptions:\n  --hot  Very\n  --cold  Not\n  --dry  Dry\n"
        ask = program_of({"pot --help": short, f"pot {words}": long})
        tools, _ = loaded(import_program("pot", runner=ask), tmp_path)
        assert {"--hot", "--cold", "--dry"} <= flags(tools["pot"])

    def test_a_value_that_has_to_stick_to_its_option_is_a_switch_or_is_told(self, tmp_path):
        """C-10, C-13: a short flag is two words, so `-ao{a|s}` is `-aoa` and `-aos`."""
        text = "Usage: pot [options]\n  -ao{a|s} : overwrite\n  -o{pot} : there\n  -m[N] : level\n"
        result = import_program("pot", runner=program_of({"pot --help": text}))
        tools, config = loaded(result, tmp_path)
        assert {"-aoa", "-aos", "-m", "-o"} == flags(tools["pot"])
        assert result.report.grouped()[GLUED] == ["pot -o"]
        values = validate_arguments(tools["pot"].args, {"aos": True, "m": True})
        assert build_command(config, tools["pot"], values).argv == ("pot", "-aos", "-m")

    def test_a_page_about_several_subcommands_is_cut_up(self, tmp_path):
        """C-9: `pip cache dir --help` prints the page of `pip cache`."""
        page = (
            "Usage:\n  pot fire low\n  pot fire high <degrees>\n\n"
            "Subcommands:\n\n  - low: A low fire\n  - high: A high one\n\n"
            "Options:\n  --hot  Very\n"
        )
        pages = dict.fromkeys(
            ["pot fire --help", "pot fire low --help", "pot fire high --help"], page
        )
        ask = program_of({"pot --help": ROOT, **pages})
        tools, _ = loaded(import_program("pot", runner=ask), tmp_path)
        assert list(tools) == ["pot_fire_low", "pot_fire_high", "pot_ghost"]
        assert tools["pot_fire_low"].description == "A low fire"
        assert [arg.name for arg in tools["pot_fire_low"].args] == ["hot"]
        assert [arg.name for arg in tools["pot_fire_high"].args] == ["degrees", "hot"]

    def test_a_program_that_repeats_itself_does_not_go_on_for_ever(self, tmp_path):
        """FAULTS: a subcommand that prints the program's own page is what the list says of it."""

        async def parrot(argv):
            return Printed(ROOT)

        tools, _ = loaded(import_program("pot", depth=5, runner=parrot), tmp_path)
        assert list(tools) == ["pot_fire", "pot_ghost"]

    def test_a_program_with_endless_subcommands_is_bounded(self):
        """FAULTS: the number of commands is limited, and the report says so."""

        async def endless(argv):
            listed = "\n".join(f"  c{len(argv)}x{n}  about" for n in range(8))
            return Printed(f"Usage: pot {' '.join(argv[1:-1])} COMMAND\n\nCommands:\n{listed}\n")

        result = import_program("pot", depth=5, runner=endless)
        assert "has more commands than" in result.report.text()

    def test_a_dispatcher_tells_which_options_belong_before_a_subcommand(self):
        """C-2: a config puts options behind the subcommand, and the report says so."""
        root = ROOT + "\nOptions:\n  -C DIR  go there first\n"
        ask = program_of({"pot --help": root, "pot fire --help": FIRE})
        report = import_program("pot", runner=ask).report
        assert any("before a subcommand" in reason for reason in report.grouped())

    def test_nothing_understood_is_still_a_config(self, tmp_path):
        """C-9: the result passes `validate` whatever was printed."""

        async def mute(argv):
            return Printed("beep", "", 0, found=argv[0] == "pot")

        result = import_program("pot", runner=mute)
        tools, _ = loaded(result, tmp_path)
        assert list(tools) == ["pot"]
        assert "nothing was understood" in result.report.text()

    def test_a_name_cannot_break_out_of_a_comment(self, tmp_path):
        """FAULTS: what goes into the config's comments stays there."""

        async def ask(argv):
            return Printed("Usage: pot [--hot]")

        tools, config = loaded(import_program("'x\u2028y\rtools: []\nz'", runner=ask), tmp_path)
        assert len(tools) == 1
        assert config.base == ("x\u2028y\rtools: []\nz",)

    def test_an_unknown_program_is_an_error_with_a_next_step(self):
        """C-9: bad input."""
        with pytest.raises(UsageError, match="nothing to be read") as raised:
            import_program("no-such-program-anywhere")
        assert raised.value.next
        with pytest.raises(UsageError, match="--from help"):
            import_program("no-such-program-anywhere", source="man")
        with pytest.raises(UsageError, match="names no program"):
            import_program("--help")
        with pytest.raises(UsageError, match="not a command line"):
            import_program("'open quote")
        with pytest.raises(UsageError, match="from 0 to 5"):
            import_program("git", depth=9)


class TestAsking:
    def test_a_program_that_waits_for_input_gets_none(self, tmp_path):
        """FAULTS, child processes: stdin is empty, so that a question ends at once."""
        script = tmp_path / "asks"
        script.write_text("#!/bin/sh\nread answer || echo 'Usage: asks [--loud]'\n")
        script.chmod(0o755)
        tools, _ = loaded(import_program(str(script)), tmp_path)
        assert flags(tools["asks"]) == {"--loud"}

    @needs("bwrap")
    def test_it_can_write_nowhere_but_in_a_folder_of_its_own(self):
        """C-9: the help is asked for in a sandbox."""

        async def ask_twice():
            async with asking() as (ask, _):
                missing = await ask(("no-such-program-anywhere",))
                probe = "touch $HOME/.toolcrib-import-probe || echo refused; pwd; touch here && ls"
                return missing, await ask(("sh", "-c", probe))

        missing, printed = asyncio.run(ask_twice())
        assert not missing.found
        assert not os.path.exists(os.path.expanduser("~/.toolcrib-import-probe"))
        assert printed.stdout.startswith("refused")
        assert "toolcrib-import-" in printed.stdout
        assert "here" in printed.stdout


class TestCommand:
    @needs("du")
    def test_import_writes_a_file_that_validates(self, tmp_path, capsys, monkeypatch):
        """C-11: `import` prints, `-o FILE` writes; the result passes `validate`."""
        monkeypatch.chdir(tmp_path)
        assert main(["climax", "import", "du", "-o", "du.yaml"]) == 0
        assert "du: 1 tool with" in capsys.readouterr().out
        assert main(["climax", "validate", "./du.yaml"]) == 0

    @needs("du")
    def test_import_prints_yaml(self, capsys):
        """C-11: without `-o` the config goes to stdout."""
        assert main(["climax", "import", "du"]) == 0
        assert yaml.safe_load(capsys.readouterr().out)["command"] == "du"

    def test_a_wrong_name_is_wrong_usage(self, capsys):
        """C-11: exit 2 for wrong usage."""
        assert main(["climax", "import", "no-such-program-anywhere"]) == 2
        assert "nothing to be read" in capsys.readouterr().err
