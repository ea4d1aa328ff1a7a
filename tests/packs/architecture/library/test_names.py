"""The uris of many pages, kept from one start to the next."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

import pytest

from toolcrib.packs.architecture.library import names
from toolcrib.packs.architecture.library.kept_pages import WORTH_KEEPING
from toolcrib.packs.architecture.library.library import Library
from toolcrib.search.kept import background


class Starts:
    """Starts over one project: whether each of them worked the names out."""

    def __init__(self, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.project = project
        self.worked_out = 0
        self.threads: list[threading.Thread] = []
        work_out = names.name_pages

        def noted(*given: Any, **more: Any) -> Any:
            self.worked_out += 1
            return work_out(*given, **more)

        def begun(work: Any, name: str = "") -> None:
            self.threads.append(threading.Thread(target=work))
            self.threads[-1].start()

        monkeypatch.setattr(names, "name_pages", noted)
        monkeypatch.setattr(background, "start", begun)

    def again(self) -> list[str]:
        """The uris of a start as of a new process."""
        self.worked_out = 0
        found = list(Library(self.project).snapshot.by_uri)
        for thread in self.threads:
            thread.join()
        return found


@pytest.fixture
def starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Starts:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("TOOLCRIB_STATE", str(tmp_path / "state"))
    folder = tmp_path / "docs" / "adr"
    folder.mkdir(parents=True)
    for number in range(1, WORTH_KEEPING + 2):
        (folder / f"{number:04}-a.md").write_text(f"# {number}. A\n")
    return Starts(tmp_path, monkeypatch)


def test_the_names_of_the_last_start_hold_while_places_and_numbers_do(starts: Starts) -> None:
    """R-16, A-2: names are worked out once; a change of a text changes none of them."""
    first = starts.again()
    assert starts.worked_out == 1
    file = starts.project / "docs" / "adr" / "0007-a.md"
    file.write_text("# 7. Another title\n")
    assert starts.again() == first
    assert starts.worked_out == 0


def test_a_name_that_is_taken_twice_is_worked_out_again(starts: Starts) -> None:
    """A-2: every document its own uri, whatever an earlier start has kept."""
    starts.again()
    folder = starts.project / "docs" / "adr"
    (folder / "0007-b.md").write_text("# 7. B\n")
    found = starts.again()
    assert starts.worked_out == 1
    assert {"architecture://adr/0007-a", "architecture://adr/0007-b"} <= {*found}
    os.replace(folder / "0007-b.md", folder / "9999-b.md")
    assert "architecture://adr/0007" in starts.again()
