"""What a command sees and writes: hidden files, protected files, caches, devices."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.rungs import RUNGS, Rung, sandbox_on, tool
from toolcrib.running.runtime import Runtime
from toolcrib.running.sandbox import places
from toolcrib.running.sandbox.profile import Access

SECRET = "very-secret-content"
SIDECAR = Path(places.__file__).parents[2] / "packs" / "climax" / "configs" / "posix.meta.json"
DOTENV = tuple(json.loads(SIDECAR.read_text())["access"][0]["hides"])
"""What the bundled tools hide of a repository."""


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home folder with keys in it, where no command may write."""
    folder = Path.home() / f".toolcrib-test-{os.getpid()}"
    for path in (".ssh/id_ed25519", ".ssh/known_hosts", ".aws/credentials", ".config/gh/hosts.yml",
                 ".claude.json", ".codex/auth.json", ".bash_history", ".local/share/fish/history",
                 ".netrc", ".npmrc", ".mozilla/cookies", ".cargo/credentials.toml"):  # fmt: skip
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(SECRET)
    (folder / ".gitconfig").write_text("[user]\nname = me\n")
    monkeypatch.setenv("HOME", str(folder))
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


@pytest.fixture(params=RUNGS)
def rung(request: pytest.FixtureRequest, home: Path, project: Path) -> Rung:
    return Rung(sandbox_on(request.param, project), project)


READ_ALL = "find ~ -type f -exec cat {} + 2>/dev/null | grep -c " + SECRET


def test_keys_histories_and_tokens_are_hidden(rung: Rung) -> None:
    """T-12: opening fails or gives nothing, and what is not hidden can be read."""
    assert rung.run(READ_ALL).stdout == "0\n"
    assert "name = me" in rung.run("cat ~/.gitconfig").stdout
    assert rung.run("true").sandbox.reads == "hidden"


def test_every_place_of_the_list_is_hidden(rung: Rung, home: Path) -> None:
    """T-12: the whole list, whichever of them are there."""
    for pattern in places.HIDDEN:
        if pattern.startswith("~"):
            path = home / pattern[2:].replace("*", "x")
            if not path.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(SECRET)
    assert rung.run(READ_ALL).stdout == "0\n"


def test_links_are_followed_before_masking(rung: Rung, home: Path) -> None:
    """T-12: `~/.ssh` may be a link, and so may the files in a hidden folder."""
    elsewhere = home / "dotfiles"
    shutil.move(home / ".ssh", elsewhere / "ssh")
    (home / ".ssh").symlink_to(elsewhere / "ssh")
    shutil.move(home / ".aws" / "credentials", elsewhere / "aws")
    (home / ".aws" / "credentials").symlink_to(elsewhere / "aws")
    shutil.move(home / ".netrc", elsewhere / "netrc")
    (home / ".netrc").symlink_to(elsewhere / "netrc")
    assert rung.run(READ_ALL).stdout == "0\n"


def test_a_grant_opens_exactly_its_path(rung: Rung) -> None:
    """T-12: what is named, and nothing beside it."""
    access = Access(reads=("~/.ssh/known_hosts", "~/.config/gh"))
    outcome = rung.run(
        "cat ~/.ssh/known_hosts ~/.config/gh/hosts.yml; cat ~/.ssh/id_ed25519", access
    )
    assert outcome.stdout == SECRET * 2
    assert outcome.exit_code != 0


def test_a_file_that_appears_between_calls_is_hidden(rung: Rung, home: Path) -> None:
    """T-12: also in a sandbox that is kept, and when it was written anew."""
    (home / ".netrc").unlink()

    async def body(runtime: object) -> list[str]:
        from support.rungs import tool
        from toolcrib.running.runtime import Runtime

        assert isinstance(runtime, Runtime)
        found = []
        for text in ("", SECRET + " one", SECRET + " two"):
            if text:
                new = home / "new"
                new.write_text(text)
                new.rename(home / ".netrc")
            found.append((await runtime.run(tool("cat ~/.netrc"), {})).stdout)
        return found

    assert rung.session(body, Access()) == ["", "", ""]


def test_settings_can_hide_more(home: Path, project: Path) -> None:
    """T-12: `[climax] hidden`."""
    (home / "private").mkdir()
    (home / "private" / "diary").write_text(SECRET)
    (project / "internal").write_text(SECRET)
    for name in RUNGS:
        rung = Rung(sandbox_on(name, project, (), ("~/private", "internal")), project)
        assert rung.run("cat ~/private/diary internal").stdout == ""


def test_dotenv_files_are_hidden_for_tools_that_read_everything(rung: Rung) -> None:
    """T-12: `.env` and `.env.*`, not the examples."""
    inner = rung.project / "service"
    inner.mkdir()
    for path in (".env", ".env.local", "service/.env.production"):
        (rung.project / path).write_text(SECRET)
    for path in (".env.example", ".env.sample", ".env.template", "plain"):
        (rung.project / path).write_text("harmless\n")
    access = Access(hides=DOTENV)
    script = "cat .env .env.local service/.env.production 2>/dev/null; cat .env.*e plain"
    outcome = rung.run(script, access)
    assert outcome.stdout == "harmless\n" * 4, outcome.text()


def test_a_dotenv_file_that_appears_anywhere_is_hidden(rung: Rung) -> None:
    """T-12: also deep in the repository, and in folders of other people's code."""
    inner, others = rung.project / "one" / "two", rung.project / "node_modules" / "x"
    inner.mkdir(parents=True)
    others.mkdir(parents=True)
    (others / ".env").write_text(SECRET)
    access = Access(hides=DOTENV)

    async def body(runtime: Runtime) -> list[str]:
        script = "cat one/two/.env node_modules/x/.env 2>/dev/null; echo end"
        before = await runtime.run(tool(script), {})
        (inner / ".env").write_text(SECRET)
        after = await runtime.run(tool(script), {})
        return [before.stdout, after.stdout]

    assert rung.session(body, access) == ["end\n", "end\n"]


def test_state_cache_and_config_of_toolcrib_are_closed(
    rung: Rung, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T-12, T-14: wherever they lie, also in the repository."""
    state = rung.project / "state"
    (state / "trust").mkdir(parents=True)
    (state / "trust" / "record").write_text(SECRET)
    monkeypatch.setenv("TOOLCRIB_STATE", str(state))
    outcome = rung.run(f"cat {state}/trust/record; echo forged > {state}/trust/other")
    assert SECRET not in outcome.stdout
    if rung.sandbox.level == "bubblewrap":
        assert not (state / "trust" / "other").exists()


@pytest.fixture
def guarded(request: pytest.FixtureRequest, home: Path, project: Path) -> Rung:
    """A repository with protected files, on bubblewrap."""
    os.system(f"git init -q {project}")
    (project / ".mcp.json").write_text("{}")
    (project / ".vscode").mkdir()
    (project / ".vscode" / "settings.json").write_text("{}")
    (project / "toolcrib.toml").write_text("")
    acting = [str(project / "toolcrib.toml"), str(project / "climax" / "policy.yaml")]
    return Rung(sandbox_on("bubblewrap", project, acting=lambda: acting), project)


@pytest.mark.parametrize(
    "path",
    [".mcp.json", ".vscode/settings.json", "toolcrib.toml", ".git/config", ".git/hooks/pre-commit",
     ".git/info/attributes"],
)  # fmt: skip
def test_protected_files_are_read_only(guarded: Rung, path: str) -> None:
    """T-14: also against rename, removal, chmod and a link."""
    outcome = guarded.run(
        f"echo x > {path}; rm -f {path}; mv {path} gone; ln -sf /etc/passwd {path}; "
        f"echo new > other && mv other {path}; chmod 777 {path}; cp other {path}"
    )
    file = guarded.project / path
    before = "{}" if path.endswith("json") else None
    assert not file.is_symlink()
    if before is not None:
        assert file.read_text() == before
    if path == ".git/hooks/pre-commit":
        assert not file.exists(), outcome.text()


def test_the_rest_of_a_repository_can_be_written(guarded: Rung) -> None:
    """T-14: the opposite: git itself works, and so does every other file."""
    script = "echo x > a && git add a && git -c user.name=n -c user.email=e commit -qm m && git log"
    assert guarded.run(script).exit_code == 0


@pytest.mark.parametrize(
    "path", [".envrc", ".cursor/mcp.json", ".husky/pre-commit", "climax/policy.yaml"]
)
def test_a_protected_file_that_appears_is_moved_away(guarded: Rung, path: str) -> None:
    """T-14: it is in the state folder before the answer, which says so; nothing empty is left."""
    outcome = guarded.run(f"mkdir -p $(dirname {path}); echo planted > {path}")
    assert not (guarded.project / path).exists()
    assert any("appeared during the call and was moved to" in note for note in outcome.notes)
    taken = Path(os.environ["TOOLCRIB_STATE"]) / "taken"
    assert any(file.read_text() == "planted\n" for file in taken.rglob("*") if file.is_file())


def test_a_git_folder_made_anew_does_not_keep_its_hooks(guarded: Rung) -> None:
    """T-14: a command may rename the folder above; what it makes in its place is taken away."""
    outcome = guarded.run("mv .git old; mkdir -p .git/hooks; echo evil > .git/hooks/pre-commit")
    assert not (guarded.project / ".git" / "hooks" / "pre-commit").exists(), outcome.text()


def test_what_lies_behind_a_planted_link_is_left_alone(guarded: Rung, home: Path) -> None:
    """T-14: a link is taken away, not what it leads to."""
    (home / "other").mkdir()
    (home / "other" / "mcp.json").write_text("mine")
    guarded.run(f"rm -rf .cursor; ln -s {home}/other .cursor")
    assert (home / "other" / "mcp.json").read_text() == "mine"
    assert not (guarded.project / ".cursor").is_symlink()


def test_tools_of_git_change_the_work_tree_but_no_hooks(guarded: Rung) -> None:
    """T-14: free of the first groups, but for hooks."""
    access = Access(changes_work_tree=True)
    outcome = guarded.run(
        "git config remote.o.url x && echo '{\"a\":1}' > .mcp.json && echo x > .envrc; "
        "echo evil > .git/hooks/pre-commit",
        access,
    )
    assert "url = x" in (guarded.project / ".git" / "config").read_text(), outcome.text()
    assert (guarded.project / ".mcp.json").read_text() == '{"a":1}\n'
    assert (guarded.project / ".envrc").exists()
    assert not (guarded.project / ".git" / "hooks" / "pre-commit").exists()


def test_programs_of_the_server_are_not_found_in_the_repository(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T-14: `.venv/bin/bwrap` in the repository is never started by the server."""
    fake = project / ".venv" / "bin"
    fake.mkdir(parents=True)
    for folder in (fake, project):
        (folder / "bwrap").write_text("#!/bin/sh\ntouch /tmp/toolcrib-was-here\n")
        (folder / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", f"{fake}:{project}:.:{os.environ['PATH']}")
    from toolcrib.running.sandbox.ladder import Sandbox

    found = Sandbox("auto", project).layout.own_program("bwrap")
    assert found is None or not found.startswith(str(project))
    linked = project.parent / "link"
    linked.symlink_to(project)
    monkeypatch.setenv("PATH", str(linked))
    assert Sandbox("auto", project).layout.own_program("bwrap") is None


def test_the_environment_that_toolcrib_runs_from_is_protected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T-14: a `.venv` in the repository from which toolcrib runs cannot be written."""
    project = tmp_path / "project"
    (project / ".venv" / "bin").mkdir(parents=True)
    (project / ".venv" / "bin" / "x").write_text("mine")
    monkeypatch.setattr(sys, "prefix", str(project / ".venv"))
    rung = Rung(sandbox_on("bubblewrap", project), project)
    rung.run("echo evil > .venv/bin/x; echo evil > .venv/bin/bwrap; mv .venv old")
    assert (project / ".venv" / "bin" / "x").read_text() == "mine"
    assert not (project / ".venv" / "bin" / "bwrap").exists()


def test_what_lies_above_the_environment_cannot_be_renamed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T-14: nor another one put in its place."""
    project = tmp_path / "project"
    (project / "deep" / "er" / "venv").mkdir(parents=True)
    monkeypatch.setattr(sys, "prefix", str(project / "deep" / "er" / "venv"))
    rung = Rung(sandbox_on("bubblewrap", project), project)
    rung.run("echo mine > deep/er/file; mv deep old; mv deep/er deep/old; mkdir -p deep/er/venv/x")
    assert (project / "deep" / "er" / "file").exists() and not (project / "old").exists()
    assert not (project / "deep" / "er" / "venv" / "x").exists()


def test_all_of_the_package_is_protected() -> None:
    """T-14: the package is `toolcrib`, not the part of it that looks."""
    import toolcrib

    assert os.path.realpath(Path(toolcrib.__file__).parent) in places.own_environment()


FORGED = "mkdir -p ~/{0}/toolcrib; echo forged > ~/{0}/toolcrib/config.toml"


@pytest.mark.parametrize("there", [True, False])
def test_in_a_home_folder_that_is_the_project_nobody_speaks_for_the_person(
    home: Path, monkeypatch: pytest.MonkeyPatch, there: bool
) -> None:
    """T-14: state, cache and config below the project, there or not, also by renaming."""
    for name in ("TOOLCRIB_STATE", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    folders = (".config", ".local/state", ".cache")
    if there:
        for folder in folders:
            (home / folder / "toolcrib").mkdir(parents=True)
    for name in ("bubblewrap", "single"):
        rung = Rung(sandbox_on(name, home), home)
        for folder in folders:
            rung.run(f"mv ~/{folder.split('/')[0]} ~/old; {FORGED.format(folder)}")
            assert not (home / folder / "toolcrib" / "config.toml").exists(), (name, folder)


def test_variables_that_are_not_used_hide_nothing_else(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T-12: a relative XDG folder is ignored, so the one at home is what is hidden."""
    monkeypatch.delenv("TOOLCRIB_STATE", raising=False)
    for name in ("XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, "relative")
    expected = [f"{home}/{name}/toolcrib" for name in (".local/state", ".cache", ".config")]
    assert places.own_folders() == expected


def test_a_file_that_the_server_writes_itself_cannot_be_written(
    project: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T-14: the record of calls, also where it lies in the repository."""
    (project / "logs").mkdir()
    for name in ("audit", "audit.1"):
        (project / "logs" / name).write_text("line\n")
    monkeypatch.setattr(places, "KEPT", {str(project / "logs" / "audit"): None})
    for name in ("bubblewrap", "single"):
        rung = Rung(sandbox_on(name, project), project)
        rung.run("echo x > logs/audit; rm -f logs/audit.1; mv logs old; mkdir logs; touch logs/x")
        assert (project / "logs" / "audit").read_text() == "line\n"
        assert (project / "logs" / "audit.1").exists() and not (project / "old").exists()


def test_caches_of_package_programs_are_private(rung: Rung, home: Path) -> None:
    """T-14: per set of grants; the person's are never written."""
    (home / ".npm").mkdir()
    script = 'echo "$npm_config_cache $PIP_CACHE_DIR $CARGO_HOME"; touch ~/.npm/x ~/.cache/x; '
    script += 'mkdir -p "$npm_config_cache" && echo kept > "$npm_config_cache/y"'
    first, second = rung.run_all([script, 'cat "$npm_config_cache/y"'])
    other = rung.run('cat "$npm_config_cache/y"; echo "$npm_config_cache"', Access(env=("X",)))
    assert second.stdout == "kept\n", first.text() + second.text()
    assert "kept" not in other.stdout
    assert first.stdout.split()[0] != other.stdout.strip()
    assert not (home / ".npm" / "x").exists()


def test_devices_are_those_that_programs_need(rung: Rung) -> None:
    """T-13: the rest of /dev cannot be written, and nothing be put beside it."""
    script = "echo x > /dev/null && head -c 4 /dev/urandom | wc -c; touch /dev/shm/x; rm /dev/shm/x"
    outcome = rung.run(f"{script}; echo x > /dev/kmsg; echo x > /dev/new-file")
    assert outcome.stdout == "4\n"
    assert outcome.stderr.count("/dev/") == 2, outcome.text()


@pytest.mark.parametrize("rung", ["bubblewrap", "single"], indirect=True)
def test_nothing_outside_changes_its_mode_or_time(rung: Rung, home: Path) -> None:
    """T-14: chmod, utime and xattr outside: blocked on bubblewrap."""
    file = home / ".gitconfig"
    before = file.stat()
    rung.run("cd; chmod 777 .gitconfig; touch -d 2001-01-01 .gitconfig; chown 1 .gitconfig")
    after = file.stat()
    assert (before.st_mode, before.st_mtime_ns) == (after.st_mode, after.st_mtime_ns)


def test_a_project_that_is_replaced_is_noticed(rung: Rung, tmp_path: Path) -> None:
    """FAULTS: never the old folder's content."""
    from support.rungs import tool

    (rung.project / "file").write_text("old\n")

    async def body(runtime: Runtime) -> list[str]:
        found = [(await runtime.run(tool("cat file"), {})).stdout]
        rung.project.rename(tmp_path / "away")
        rung.project.mkdir()
        (rung.project / "file").write_text("new\n")
        found.append((await runtime.run(tool("cat file; echo more > made"), {})).stdout)
        return found

    assert rung.session(body, Access()) == ["old\n", "new\n"]
    assert (rung.project / "made").exists()


def test_a_failed_call_names_the_grant_that_is_missing(rung: Rung) -> None:
    """T-11: when the program's own words show the path or the host."""
    outcome = rung.run("cat ~/.ssh/id_ed25519 >/dev/null && cat ~/.ssh/nothing")
    assert any(note.startswith("hidden: ~/.ssh/") for note in outcome.notes), outcome.text()
    outcome = rung.run("echo 'curl: (6) Could not resolve host: example.com' >&2; exit 6")
    assert any("example.com" in note and "network: none" in note for note in outcome.notes)
    outcome = rung.run("echo 'Could not resolve host: example.com'; cat ~/.gitconfig")
    assert outcome.notes == ()


def test_a_linked_worktree_can_commit(home: Path, project: Path) -> None:
    """T-14: the real git folder of a worktree is written, but for its hooks and config."""
    worktree = project.parent / "tree"
    git = "git -c user.name=n -c user.email=e"
    commit = f"{git} commit -q --allow-empty -m 1"
    assert (
        os.system(f"cd {project} && git init -q && {commit} && git worktree add -q {worktree}") == 0
    )
    rung = Rung(sandbox_on("bubblewrap", worktree), worktree)
    hook = f"{project}/.git/hooks/pre-commit"
    script = f"echo x > a && git add a && {git} commit -qm m && git log --oneline | wc -l"
    outcome = rung.run(f"{script}; echo evil > {hook}")
    assert outcome.stdout == "2\n", outcome.text()
    assert not (project / ".git" / "hooks" / "pre-commit").exists()


def test_a_git_file_that_names_any_folder_opens_nothing(home: Path, project: Path) -> None:
    """T-14: a hostile `.git` file makes no folder of the person writable."""
    target = home / "target"
    (target / "worktrees" / "x").mkdir(parents=True)
    (project / ".git").write_text(f"gitdir: {project.parent}/fake\n")
    fake = project.parent / "fake"
    fake.mkdir()
    (fake / "commondir").write_text(f"{target}\n")
    (fake / "gitdir").write_text(f"{project}/.git\n")
    assert places.linked_git_folder(str(project)) is None
