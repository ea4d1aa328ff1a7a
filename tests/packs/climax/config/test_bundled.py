"""The configs that come with toolcrib: complete, well described, hardened, and really working."""

from __future__ import annotations

import http.server
import json
import os
import shutil
import subprocess
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolcrib.core.errors import InvalidArguments
from toolcrib.core.tool import Annotations
from toolcrib.packs.climax.config.annotations import annotations_for
from toolcrib.packs.climax.config.config import BUNDLED, bundled_names, load_configs
from toolcrib.running.arguments import validate_arguments
from toolcrib.running.command import build_command
from toolcrib.running.environment import child_environment

CONFIGS = load_configs(bundled_names(), BUNDLED, strict=True).configs
TOOLS = {tool.name: (config, tool) for config in CONFIGS for tool in config.tools}
PREFIX = {"ripgrep": "rg"}


def command(name, /, **values):
    config, tool = TOOLS[name]
    return build_command(config, tool, validate_arguments(tool.args, values))


def run(name, cwd, /, **values):
    """Run a tool of a bundled config for real, or skip where its program is missing."""
    config, _ = TOOLS[name]
    built = command(name, **values)
    for word in built.argv[:1] if config.name != "posix" else (built.argv[0], built.argv[3]):
        if shutil.which(word) is None:
            pytest.skip(f"{word} is not installed")
    return subprocess.run(
        built.argv,
        input=built.stdin or "",
        capture_output=True,
        text=True,
        cwd=cwd,
        env=child_environment(config.env),
        timeout=60,
    )


@pytest.fixture
def repository(tmp_path):
    folder = tmp_path / "repository"
    folder.mkdir()
    assert run("git_init", folder).returncode == 0
    for key, value in (("user.name", "Ada"), ("user.email", "ada@example.org")):
        subprocess.run(["git", "config", key, value], cwd=folder, check=True)
    (folder / "a.txt").write_text("hello\nworld\n")
    assert run("git_add", folder, path="a.txt").returncode == 0
    assert run("git_commit", folder, message="First").returncode == 0
    return folder


class TestDescribed:
    def test_at_least_150_tools_are_bundled_for_the_promised_programs(self):
        """C-8: bare names find bundled configs: git, docker, gh and a POSIX set at least."""
        assert set(bundled_names()) >= {
            "git", "docker", "gh", "kubectl", "npm", "pip", "curl", "jq", "ripgrep", "posix",
        }  # fmt: skip
        assert len(TOOLS) == sum(len(config.tools) for config in CONFIGS) >= 150

    def test_each_name_begins_with_its_program(self):
        """C-3: a name in two configs is an error, so each carries its program's name."""
        for config in CONFIGS:
            prefix = PREFIX.get(config.name, config.name) + "_"
            assert all(tool.name.startswith(prefix) for tool in config.tools)

    def test_every_tool_and_argument_is_described_in_few_words(self):
        """C-8: written with care: an agent reads what it does, and a search answer stays small."""
        for config, tool in TOOLS.values():
            assert config.description
            assert config.category
            assert config.tags
            assert 10 <= len(tool.description) <= 120, tool.name
            assert tool.description[0].isupper(), tool.name
            assert tool.description.endswith("."), tool.name
            for arg in tool.args:
                assert 1 <= len(arg.description) <= 60, (tool.name, arg.name)

    def test_ten_tools_described_fit_in_2500_tokens(self):
        """C-4: ten results of a search, in the worst case, stay small (4 characters a token)."""
        sizes = sorted(
            len(json.dumps([tool.name, tool.description, list(config.tags), tool.input_schema()]))
            for config, tool in TOOLS.values()
        )
        assert sum(sizes[-10:]) < 2500 * 4

    def test_each_tool_is_said_to_read_to_change_or_to_destroy(self):
        """C-10: read-only ones are marked by the config's own sidecar, not by a new key."""
        for config in CONFIGS:
            lists = json.loads((BUNDLED / f"{config.name}.meta.json").read_text())
            sorted_in = lists["read_only"] + lists["changes"] + lists["destructive"]
            assert sorted(sorted_in) == sorted(tool.name for tool in config.tools)
            assert set(lists["open_world"]) <= set(sorted_in)

    def test_annotations_are_found_by_path_and_by_the_name_that_messages_show(self):
        """C-10: `readOnlyHint` is told truthfully."""
        by_path = annotations_for(BUNDLED / "git.yaml", "git_status")
        assert by_path == annotations_for("git (bundled)", "git_status")
        assert by_path == Annotations(True, False, True, False)
        assert annotations_for("git (bundled)", "git_push") == Annotations(False, True, None, True)
        assert annotations_for("git (bundled)", "git_commit").read_only is False

    def test_nothing_is_claimed_of_configs_that_are_not_ours(self, tmp_path):
        """C-10: a file of the user's that is named like ours does not inherit its marks."""
        assert annotations_for(tmp_path / "git.yaml", "git_status") == Annotations()
        assert annotations_for("../configs/git (bundled)", "git_status") == Annotations()
        tagged = annotations_for(tmp_path / "git.yaml", "git_status", ["read-only"])
        assert tagged.read_only is True


class TestRunning:
    """C-8: a tool of each config runs for real, where its program is installed."""

    def test_git_goes_from_an_empty_folder_to_a_history(self, repository):
        (repository / "b.txt").write_text("b\n")
        (repository / "-c.txt").write_text("c\n")
        assert "?? b.txt" in run("git_status", repository).stdout
        run("git_add_many", repository, paths="b.txt\n-c.txt\n")
        assert "-c.txt" in run("git_diff_staged", repository, stat=True).stdout
        assert run("git_commit", repository, message="-m begins with a dash").returncode == 0
        shown = run("git_log", repository, format="oneline", count=1, rev="HEAD").stdout
        assert "-m begins with a dash" in shown
        assert run("git_log", repository, path="a.txt", format="oneline").stdout.count("\n") == 1
        assert "hello" in run("git_show_file", repository, object="HEAD~1:a.txt").stdout
        assert "Ada" in run("git_blame", repository, path="a.txt", lines="1,1").stdout
        assert "a.txt:1:hello" in run("git_grep", repository, pattern="hel+o").stdout

    def test_git_branches_merge_and_go_back(self, repository):
        assert run("git_switch_create", repository, branch="work").returncode == 0
        (repository / "a.txt").write_text("changed\n")
        assert run("git_commit", repository, message="Change", all=True).returncode == 0
        assert run("git_switch", repository, branch="main").returncode == 0
        assert "a.txt" in run("git_diff_names", repository, range="main..work").stdout
        assert run("git_merge", repository, branch="work", ff_only=True).returncode == 0
        assert run("git_revert", repository, rev="HEAD").returncode == 0
        assert (repository / "a.txt").read_text() == "hello\nworld\n"
        assert run("git_reset_hard", repository, rev="HEAD~1").returncode == 0
        assert run("git_branch_delete", repository, name="work").returncode == 0

    def test_git_clones_pushes_and_fetches_a_local_remote(self, repository, tmp_path):
        bare = tmp_path / "bare"
        subprocess.run(["git", "init", "-q", "--bare", bare], check=True)
        assert run("git_remote_add", repository, name="origin", url=str(bare)).returncode == 0
        assert run("git_push", repository, branch="main").returncode == 0
        assert "refs/heads/main" in run("git_ls_remote", repository).stdout
        assert run("git_clone", tmp_path, url=str(bare), folder="copy", branch="main")
        assert run("git_pull", tmp_path / "copy").returncode == 0

    def test_the_posix_set_reads_filters_and_writes(self, tmp_path):
        assert run("posix_write", tmp_path, path="f.txt", text="b,2\na,1\n").returncode == 0
        assert run("posix_cat", tmp_path, path="f.txt").stdout == "b,2\na,1\n"
        assert run("posix_sort", tmp_path, path="f.txt").stdout == "a,1\nb,2\n"
        assert run("posix_sort", tmp_path, text="10\n9\n", numeric=True).stdout == "9\n10\n"
        assert run("posix_cut", tmp_path, path="f.txt", fields="2").stdout == "2\n1\n"
        assert run("posix_grep", tmp_path, pattern="^a").stdout.endswith("f.txt:2:a,1\n")
        assert run("posix_find", tmp_path, name="*.txt").stdout == "./f.txt\n"
        assert run("posix_tar_create", tmp_path, archive="x.tar.gz", path="f.txt").returncode == 0
        assert "f.txt" in run("posix_tar_list", tmp_path, archive="x.tar.gz").stdout
        assert run("posix_rm", tmp_path, path="f.txt").returncode == 0

    def test_jq_answers_questions_to_json(self, tmp_path):
        (tmp_path / "x.json").write_text('{"items": [{"id": 1}, {"id": "b"}]}')
        raw = run("jq_file", tmp_path, filter=".items[].id", file="x.json", raw=True)
        assert raw.stdout == "1\nb\n"
        paths = run("jq_paths", tmp_path, file="x.json").stdout
        assert paths == "items.[].id number\nitems.[].id string\n"
        assert json.loads(run("jq_keys", tmp_path, file="x.json").stdout) == ["items"]

    def test_ripgrep_finds_text_and_files(self, tmp_path):
        (tmp_path / "x.py").write_text("def f():\n    return -1\n")
        assert run("rg_search", tmp_path, pattern="de[f]").stdout == "./x.py:1:def f():\n"
        assert "return -1" in run("rg_literal", tmp_path, text="-1").stdout
        assert run("rg_files", tmp_path, glob="*.py").stdout == "./x.py\n"

    def test_pip_lists_what_is_installed(self, tmp_path):
        listed = json.loads(run("pip_list", tmp_path, format="json").stdout)
        assert "pip" in {each["name"] for each in listed}

    def test_npm_runs_a_script_of_the_project(self, tmp_path):
        (tmp_path / "package.json").write_text('{"name": "x", "scripts": {"hi": "echo hello"}}')
        assert "hello" in run("npm_run", tmp_path, script="hi").stdout

    def test_docker_shows_the_client(self, tmp_path):
        shown = run("docker_contexts", tmp_path)
        assert shown.returncode == 0
        assert "default" in shown.stdout

    def test_kubectl_shows_the_client(self, tmp_path):
        shown = run("kubectl_version", tmp_path, client_only=True, output="json")
        assert "clientVersion" in json.loads(shown.stdout)

    def test_gh_fails_fast_without_an_account(self, tmp_path, monkeypatch):
        monkeypatch.setenv("HOME", str(tmp_path))
        shown = run("gh_pr_list", tmp_path, repo="owner/name")
        assert shown.returncode != 0
        assert "gh auth login" in shown.stderr


class Echo(http.server.BaseHTTPRequestHandler):
    """Answers with what it was sent."""

    def do_GET(self):
        self._answer(self.headers.get("Accept", ""))

    def do_POST(self):
        self._answer(self.rfile.read(int(self.headers["Content-Length"])).decode())

    def _answer(self, text):
        self.send_response(200)
        self.send_header("Content-Length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *args):
        """Keep the test's output clean."""


@pytest.fixture
def address():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Echo)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()
    thread.join()


class TestCurl:
    def test_it_gets_and_posts(self, address, tmp_path):
        """C-8: curl's tools work on a real server."""
        got = run("curl_get", tmp_path, url=address, accept="Accept: text/plain")
        assert got.stdout == "text/plain"
        assert run("curl_status", tmp_path, url=address).stdout == "200\n"

    def test_a_body_that_names_a_file_is_sent_as_text(self, address, tmp_path):
        """C-10: `@file` is data, never the content of a file."""
        (tmp_path / "secret").write_text("secret")
        assert run("curl_post_json", tmp_path, url=address, body="@secret").stdout == "@secret"

    def test_files_and_other_protocols_are_refused(self, tmp_path):
        """FAULTS, argument injection: nothing but HTTP is spoken."""
        (tmp_path / "secret").write_text("secret")
        for url in (f"file://{tmp_path}/secret", "gopher://127.0.0.1/", "dict://127.0.0.1/"):
            refused = run("curl_get", tmp_path, url=url)
            assert refused.returncode != 0
            assert "secret" not in refused.stdout

    def test_a_header_can_not_read_a_file(self):
        """C-10: headers come from a list, because curl reads `@file` there."""
        with pytest.raises(InvalidArguments, match="must be one of"):
            command("curl_get", url="http://x", accept="@/etc/passwd")


PROGRAM_RUNNERS = {
    "sh", "bash", "env", "xargs", "sed", "awk", "python", "python3", "perl", "ssh", "sudo", "eval",
}  # fmt: skip
PROGRAM_OPTIONS = (
    "-exec", "-execdir", "-ok", "-delete", "-fprint", "--compress-program", "--checkpoint-action",
    "--open-files-in-pager", "--pre", "--hostname-bin", "--search-zip", "--use-compress-program",
    "--to-command", "--rsh", "--config", "-K", "-o", "-O", "-T", "--upload-file", "--form", "-F",
    "--exec", "--ext-diff", "--textconv", "--template-file", "--script-shell",
)  # fmt: skip


class TestInjection:
    """FAULTS, argument injection: a value that begins with `-` never becomes an option."""

    def test_no_tool_takes_a_program_or_a_script(self):
        for config, tool in TOOLS.values():
            words = (*config.base, *tool.words)
            assert not PROGRAM_RUNNERS & set(words), tool.name
            valued = [arg for arg in tool.args if arg.is_flag and arg.type != "boolean"]
            flags = {arg.effective_flag.rstrip("=") for arg in valued}
            assert not flags & set(PROGRAM_OPTIONS), tool.name

    @pytest.mark.parametrize(
        ("tool", "values"),
        [
            ("git_log", {"rev": "--output=F"}),
            ("git_log", {"path": "--output=F"}),
            ("git_diff", {"rev": "--output=F"}),
            ("git_show", {"rev": "--output=F"}),
            ("git_grep", {"pattern": "-Otouch F;"}),
            ("git_grep", {"pattern": "x", "path": "-Otouch F;"}),
            ("git_ls_remote", {"remote": "--upload-pack=touch F"}),
            ("git_clone", {"url": "--upload-pack=touch F"}),
            ("git_fetch", {"remote": "--upload-pack=touch F"}),
            ("git_rebase", {"onto": "--exec=touch F"}),
            ("posix_sort", {"path": "--output=F"}),
            ("posix_sort", {"path": "--compress-program=F"}),
            ("posix_sort", {"key": "--compress-program=F"}),
            ("posix_tar_create", {"archive": "x", "path": "--checkpoint-action=exec=touch F"}),
            ("posix_find", {"path": "-exec"}),
            ("posix_find", {"name": "-exec"}),
            ("posix_cp", {"source": "--suffix=x", "target": "y"}),
            ("jq_file", {"filter": "--from-file", "file": "x"}),
        ],
    )
    def test_a_dashed_value_is_refused_before_anything_runs(self, tool, values):
        with pytest.raises(InvalidArguments, match="must not begin with '-'"):
            command(tool, **values)

    def test_a_dashed_value_of_curl_stays_one_unknown_word(self, tmp_path):
        assert command("curl_get", url="-oF").argv[-1] == "--url=-oF"
        assert run("curl_get", tmp_path, url="-oF").returncode != 0
        assert not (tmp_path / "F").exists()

    def test_a_remote_helper_does_not_run(self, repository):
        marker = repository / "F"
        for name in ("git_ls_remote", "git_fetch"):
            assert run(name, repository, remote=f"ext::sh -c touch% {marker}").returncode != 0
        assert run("git_clone", repository, url=f"ext::sh -c touch% {marker}").returncode != 0
        assert not marker.exists()

    def test_tar_does_not_ask_another_machine(self, tmp_path):
        answer = run("posix_tar_list", tmp_path, archive="localhost:archive.tar")
        assert "No such file" in answer.stderr

    @given(st.data())
    @settings(max_examples=150, deadline=None)
    def test_whatever_the_value_every_tool_keeps_its_shape(self, data):
        """C-10: each value is refused, one whole word, or the end of `--flag=value`."""
        config, tool = TOOLS[data.draw(st.sampled_from(sorted(TOOLS)))]
        loose = [arg for arg in tool.args if arg.type == "string" and not arg.enum]
        hostile = st.one_of(
            st.sampled_from(["--output=F", "-oF", "--", "-", "", "a b", "$(id)", "`id`", "\n-x"]),
            st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])),
        )
        values: dict[str, object] = {arg.name: data.draw(hostile) for arg in loose}
        several = st.lists(hostile, min_size=1, max_size=3)
        values |= {arg.name: data.draw(several) for arg in tool.args if arg.type == "array"}
        fixed = (*config.base, *tool.words)
        try:
            argv = build_command(config, tool, values).argv
        except InvalidArguments:
            return
        ended = fixed[-1] == "--"
        fixed = fixed[:-1] if ended else fixed
        assert argv[: len(fixed)] == fixed
        assert not ended or "--" in argv
        flags = {"--"} | {arg.effective_flag for arg in tool.args if arg.is_flag}
        for word in argv[len(fixed) :]:
            if word.startswith("-") and word != "-":
                known = word in flags or any(
                    word.startswith(flag if flag.endswith("=") else flag + "=") for flag in flags
                )
                assert known, (tool.name, word)


READING = {
    "git_log_search": {"text": "hello"},
    "git_file_history": {"path": "a.txt"},
    "git_show_file": {"object": "HEAD:a.txt"},
    "git_diff_names": {"range": "HEAD~1..HEAD"},
    "git_blame": {"path": "a.txt"},
    "git_grep": {"pattern": "hello"},
    "git_ls_tree": {"rev": "HEAD"},
    "git_merge_base": {"a": "HEAD", "b": "HEAD"},
    "git_rev_parse": {"rev": "HEAD"},
    "git_check_ignore": {"path": "a.txt"},
    "git_config_get": {"key": "user.name"},
}


class TestHostileRepository:
    """FAULTS: a `.git/config` that names programs makes no reading tool execute them."""

    @pytest.fixture
    def hostile(self, repository, tmp_path):
        marker = tmp_path / "executed"
        trap = tmp_path / "trap"
        trap.write_text(f'#!/bin/sh\necho "$0 $*" >> {marker}\nexit 1\n')
        trap.chmod(0o755)
        hooks = repository / "hooks"
        hooks.mkdir()
        for hook in ("pre-commit", "post-index-change", "post-checkout", "reference-transaction"):
            (hooks / hook).write_text(trap.read_text())
            (hooks / hook).chmod(0o755)
        (repository / ".gitattributes").write_text("*.txt diff=evil\n")
        self._signed_commit(repository)
        (repository / "a.txt").write_text("hello\nchanged\n")
        subprocess.run(["git", "stash", "-q"], cwd=repository, check=True)
        (repository / "a.txt").write_text("hello\nagain\n")
        settings = {
            "core.fsmonitor": trap, "core.pager": trap, "core.editor": trap, "core.askPass": trap,
            "core.sshCommand": trap, "core.hooksPath": hooks, "diff.external": trap,
            "diff.evil.textconv": trap, "diff.evil.command": trap, "gpg.program": trap,
            "log.showSignature": "true", "format.pretty": "%G?", "remote.origin.url": repository,
            "remote.origin.uploadpack": trap, "protocol.ext.allow": "always",
            "credential.helper": f"!{trap}", "pager.log": trap,
        }  # fmt: skip
        for key, value in settings.items():
            subprocess.run(["git", "config", key, str(value)], cwd=repository, check=True)
        return repository, marker

    @staticmethod
    def _signed_commit(repository):
        """A second commit, with a signature that git would hand to `gpg.program`."""

        def git(*words, text=""):
            done = subprocess.run(
                ["git", *words], cwd=repository, input=text, capture_output=True, text=True
            )
            return done.stdout.strip()

        git("add", ".gitattributes")
        tree = git("write-tree")
        person = "Ada <ada@example.org> 1700000000 +0000"
        signature = "-----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----"
        text = (
            f"tree {tree}\nparent {git('rev-parse', 'HEAD')}\nauthor {person}\n"
            f"committer {person}\ngpgsig {signature}\n\nSecond\n"
        )
        git("reset", "-q", git("hash-object", "-t", "commit", "-w", "--stdin", text=text))

    def test_the_trap_works_on_a_plain_git(self, hostile):
        """The control: without our flags these settings do execute."""
        repository, marker = hostile
        subprocess.run(["git", "status"], cwd=repository, capture_output=True)
        assert marker.exists()

    def test_no_reading_tool_executes_anything(self, hostile):
        repository, marker = hostile
        reading = json.loads((BUNDLED / "git.meta.json").read_text())["read_only"]
        for name in reading:
            shown = run(name, repository, **READING.get(name, {}))
            assert not marker.exists(), (name, marker.read_text())
            assert shown.returncode == 0 or name == "git_check_ignore", (name, shown.stderr)

    def test_several_files_are_staged_and_unstaged_at_once(self, repository):
        """C-12: `git add a b`, one value for each."""
        for name in ("b.txt", "c d.txt"):
            (repository / name).write_text("new\n")
        added = run("git_add", repository, path=["b.txt", "c d.txt"])
        assert added.stdout.splitlines() == ["add 'b.txt'", "add 'c d.txt'"]
        assert run("git_unstage", repository, path=["b.txt", "c d.txt"]).returncode == 0
        assert not run("git_diff_staged", repository).stdout

    def test_staging_and_committing_run_no_hook(self, hostile):
        repository, marker = hostile
        assert run("git_add", repository, path="a.txt").returncode == 0
        assert run("git_commit", repository, message="Second").returncode == 0
        assert not marker.exists()

    def test_a_reading_tool_leaves_the_repository_as_it_was(self, repository):
        """C-10: what is marked read-only does not even refresh the index."""
        before = Path(repository, ".git/index").stat().st_mtime_ns
        os.utime(repository / "a.txt")
        assert run("git_status", repository).returncode == 0
        assert Path(repository, ".git/index").stat().st_mtime_ns == before
