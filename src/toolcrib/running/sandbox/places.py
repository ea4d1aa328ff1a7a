"""What commands do not see, and what they may not write: lists of paths, and what is there of them.

Every path that is handed out is real, that is with all links followed: a mask on a link would be
none.
"""

# ruff: noqa: PTH100, PTH113, PTH110, PTH116, PTH112, PTH117, PTH118, PTH119, PTH120, PTH208

from __future__ import annotations

import fnmatch
import os
import shutil
import sys
import time
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import toolcrib
from toolcrib.core.errors import ConfigError
from toolcrib.core.support import folders
from toolcrib.files.private import KEPT

HIDDEN = (
    "~/.ssh", "~/.gnupg", "~/.aws", "~/.azure", "~/.kube", "~/.docker",
    "~/.config/gcloud", "~/.config/gh", "~/.config/op", "~/.config/hub",
    "~/.netrc", "~/.git-credentials", "~/.config/git/credentials", "~/.npmrc", "~/.pypirc",
    "~/.cargo/credentials*", "~/.vault-token", "~/.terraform.d", "~/.password-store",
    "~/.local/share/keyrings",
    # Profiles of browsers.
    "~/.mozilla", "~/.config/google-chrome", "~/.config/chromium", "~/.config/BraveSoftware",
    "~/.config/microsoft-edge", "~/snap/firefox", "~/.thunderbird",
    # Histories of shells and interpreters.
    "~/.*_history", "~/.lesshst", "~/.viminfo", "~/.local/share/fish",
    # What clients of models keep for themselves.
    "~/.claude*", "~/.config/Claude", "~/.codex/auth.json", "~/.codex/history.jsonl",
    "~/.gemini/oauth_creds.json", "~/.gemini/google_accounts.json", "~/.qwen/oauth_creds.json",
    "~/.config/github-copilot", "~/.local/share/opencode/auth.json", "~/.config/goose",
    "~/.cursor/mcp.json", "~/.config/Cursor", "~/.codeium", "~/.continue",
    "/etc/shadow*", "/etc/gshadow*",
)  # fmt: skip
"""Hidden from every command; a grant opens exactly its path."""
PROTECTED = (
    ".mcp.json", ".cursor", ".vscode", ".claude", ".codex", ".gemini", ".zed", ".idea", ".envrc",
    ".husky",
)  # fmt: skip
"""Files of a repository that other programs act upon."""
_GIT = ("hooks", "config", "info")
_OTHERS = frozenset(("node_modules", ".venv", "venv", "__pycache__", "target"))
_MOST_FOLDERS = 5000
_MOST_LINKS = 64
_CLOCK_STEP = 0.02


def expanded(patterns: Iterable[str], home: str | None) -> list[str]:
    """The paths that are there of some patterns; `~` is the home folder, `*` any part of a name."""
    found: list[str] = []
    for pattern in patterns:
        path = _at_home(pattern, home)
        if path is None:
            continue
        folder, name = os.path.split(path)
        if "*" in name:
            found += [f"{folder}/{each}" for each in _names(folder) if fnmatch.fnmatch(each, name)]
        elif os.path.lexists(path):
            found.append(path)
    return found


def parents(patterns: Iterable[str], home: str | None) -> list[str]:
    """The folders in which something that matches the patterns would appear, as far as they are."""
    found: dict[str, None] = {}
    for pattern in patterns:
        path = _at_home(pattern, home)
        while path and path != "/":
            path = os.path.dirname(path)
            if os.path.isdir(path):
                found[path] = None
                break
    return list(found)


def real(paths: Iterable[str | os.PathLike[str]]) -> list[str]:
    """Paths with all links followed, each once; what is not there is left out."""
    every = dict.fromkeys(map(os.path.realpath, paths))
    return [path for path in every if os.path.exists(path)]


def with_linked(paths: Iterable[str]) -> list[str]:
    """Real paths, and what links in these folders lead to: `~/.aws/credentials` may be one."""
    found: list[str] = []
    for path in real(paths):
        found.append(path)
        if os.path.isdir(path):
            links = [entry for entry in _entries(path) if entry.is_symlink()][:_MOST_LINKS]
            found += [os.path.realpath(link.path) for link in links if os.path.isfile(link.path)]
    return list(dict.fromkeys(found))


def inside(path: str, places: Iterable[str]) -> bool:
    """Whether a path is one of these places or lies below one."""
    return any(path == place or path.startswith(place.rstrip("/") + "/") for place in places)


def stamps(folders: Iterable[str]) -> list[object]:
    """The state of folders: equal as long as nothing has come, gone or been replaced in them.

    While a folder changes, its state is never equal to another one: within one step of the clock it
    could have changed again.
    """
    now = time.time()
    found: list[object] = []
    for folder in folders:
        try:
            state = os.stat(folder)
        except OSError:
            found.append(None)
            continue
        found.append((state.st_dev, state.st_ino, state.st_mtime_ns))
        if now - state.st_mtime < _CLOCK_STEP:
            found.append(object())
    return found


def named_in_project(project: str, patterns: Sequence[str]) -> tuple[list[str], list[str]]:
    """Files of a repository whose names match, and the folders in which they were looked for.

    The nearest folders come first, those of other people's code last; there is a most of them.
    """
    found: list[str] = []
    folders: list[str] = []
    near, far = deque([project] if patterns else []), deque[str]()
    while (near or far) and len(folders) < _MOST_FOLDERS:
        folder = near.popleft() if near else far.popleft()
        folders.append(folder)
        for entry in _entries(folder):
            if _matches(entry.name, patterns):
                found.append(entry.path)
            elif entry.name != ".git" and entry.is_dir(follow_symlinks=False):
                (far if entry.name in _OTHERS else near).append(entry.path)
    return found, folders


def _matches(name: str, patterns: Sequence[str]) -> bool:
    if any(fnmatch.fnmatch(name, pattern[1:]) for pattern in patterns if pattern[0] == "!"):
        return False
    return any(fnmatch.fnmatch(name, pattern) for pattern in patterns if pattern[0] != "!")


@dataclass(frozen=True, slots=True)
class GitFolder:
    """Where git keeps what belongs to a checkout: its own folder, and the one that all share."""

    own: str
    shared: str

    def acting(self) -> list[str]:
        """What git acts upon by itself; hooks come first."""
        places = [f"{self.shared}/{name}" for name in _GIT]
        return [*places, f"{self.own}/config.worktree"]


def git_folder(project: str) -> GitFolder | None:
    """The real git folder of a checkout, also of a linked worktree or a submodule."""
    path = f"{project}/.git"
    if os.path.isdir(path):
        return GitFolder(os.path.realpath(path), os.path.realpath(path))
    try:
        with open(path, encoding="utf-8") as file:  # noqa: PTH123
            text = file.read(4096)
    except (OSError, UnicodeError):
        return None
    if not text.startswith("gitdir:"):
        return None
    own = os.path.realpath(os.path.join(project, text[7:].strip()))
    try:
        with open(f"{own}/commondir", encoding="utf-8") as file:  # noqa: PTH123
            shared = os.path.realpath(os.path.join(own, file.read(4096).strip()))
    except (OSError, UnicodeError):
        shared = own
    return GitFolder(own, shared)


def linked_git_folder(project: str) -> GitFolder | None:
    """The git folder outside of a linked worktree, if that folder knows the worktree as its own."""
    git = git_folder(project)
    if git is None or inside(git.own, [project]):
        return None
    if os.path.dirname(git.own) != f"{git.shared}/worktrees":
        return None  # a file could name any folder
    try:
        with open(f"{git.own}/gitdir", encoding="utf-8") as file:  # noqa: PTH123
            back = os.path.realpath(file.read(4096).strip())
    except (OSError, UnicodeError):
        return None
    return git if back == os.path.realpath(f"{project}/.git") else None


def own_environment() -> list[str]:
    """What toolcrib itself runs from: no command may change it."""
    package = os.path.dirname(os.path.abspath(toolcrib.__file__))
    launcher = [sys.argv[0]] if os.path.isabs(sys.argv[0] or "") else []
    return real([sys.prefix, sys.base_prefix, package, sys.executable, *launcher])


def own_folders() -> list[str]:
    """Where toolcrib keeps state, cache and the person's settings; what has no place is left out.

    The state comes first.
    """
    found: list[str] = []
    for folder in (folders.state_folder, folders.cache_folder, folders.config_folder):
        try:
            found.append(str(folder() or ""))
        except ConfigError:
            continue
    return [folder for folder in found if folder]


def own_files() -> list[str]:
    """Files that this process writes for itself, and older ones that they were renamed to."""
    return expanded([name for path in KEPT for name in (path, f"{path}.*")], None)


def between(path: str, places: Iterable[str]) -> list[str]:
    """The folders on the way to a path from those of the places that it lies below."""
    found: dict[str, None] = {}
    for place in places:
        folder = os.path.dirname(path)
        while folder != place and inside(folder, [place]):
            found[folder] = None
            folder = os.path.dirname(folder)
    return list(found)


def temporary_folders(environment: Mapping[str, str]) -> list[str]:
    """Where every program may write what it needs for a while."""
    named = environment.get("TMPDIR")
    return ["/tmp", "/var/tmp", *([named] if named else [])]  # noqa: S108


def outside_path(
    project: str | os.PathLike[str],
    writable: Iterable[str] = (),
    environment: Mapping[str, str] | None = None,
) -> str:
    """The search path for programs that toolcrib itself starts, outside of any sandbox.

    Without folders that are relative, and without those below the repository or another place
    where a command may write: it could have put a program there.
    """
    environment = os.environ if environment is None else environment
    refused = _refused(project, writable, environment)
    folders = environment.get("PATH", os.defpath).split(os.pathsep)
    return os.pathsep.join(
        folder for folder in folders if os.path.isabs(folder) and not _is_in(folder, refused)
    )


def outside_program(
    name: str,
    project: str | os.PathLike[str],
    writable: Sequence[str] = (),
    environment: Mapping[str, str] | None = None,
) -> str | None:
    """The path of a program that toolcrib itself starts, found as `outside_path` says.

    A link to such a place is not followed to it either.
    """
    environment = os.environ if environment is None else environment
    refused = _refused(project, writable, environment)
    folders = outside_path(project, writable, environment).split(os.pathsep)
    if os.path.dirname(name):
        folders = [os.path.dirname(name)] if os.path.isabs(name) else []
    for folder in folders:
        path = shutil.which(os.path.basename(name), path=folder) if folder else None
        if path and not _is_in(path, refused):
            return path
    return None


def _refused(
    project: str | os.PathLike[str], writable: Iterable[str], environment: Mapping[str, str]
) -> list[str]:
    return [*real([project, *temporary_folders(environment)]), *writable]


def _is_in(path: str, refused: Sequence[str]) -> bool:
    return any(inside(each, refused) for each in (os.path.normpath(path), os.path.realpath(path)))


def live_sockets() -> list[str]:
    """Paths of all Unix sockets that are bound on this machine, as the kernel knows them."""
    try:
        with open("/proc/net/unix", encoding="utf-8", errors="surrogateescape") as file:  # noqa: PTH123
            lines = file.read().splitlines()[1:]
    except OSError:
        return []
    paths = (line.split(None, 7)[7] for line in lines if line.count("/") and len(line.split()) > 7)
    return sorted({path for path in paths if path.startswith("/")})


def _at_home(path: str, home: str | None) -> str | None:
    if path == "~" or path.startswith("~/"):
        return home + path[1:] if home else None
    return path


def _names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []
