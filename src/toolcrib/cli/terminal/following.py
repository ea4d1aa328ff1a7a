"""`toolcrib trust --follow`: each change is shown and trusted, while a person writes own tools."""

from __future__ import annotations

import time
from collections.abc import Callable

from toolcrib.cli.terminal import console, trusting
from toolcrib.core.errors import ToolcribError
from toolcrib.policy.trust.activity import Activity
from toolcrib.policy.trust.project import Trust

_PAUSE = 0.3
_SETTLE = 0.2
"""Seconds in which a file must not change again: an editor may write it in two steps."""


def follow(trust: Trust, *, yes: bool, pause: Callable[[float], None] = time.sleep) -> int:
    """Trust what is there, then every change, until Ctrl-C."""
    if not trusting.ask(trust, yes=yes):
        return 1
    activity = Activity(trust.identity)
    activity.begin_to_watch()
    console.say("Following: each change is shown and trusted. Ctrl-C ends it.")
    try:
        while True:
            pause(_PAUSE)
            _take(trust, activity, pause)
    except KeyboardInterrupt:
        console.say("No longer following: a further change waits for `toolcrib trust`.")
        return 0
    finally:
        activity.end_watch()


def _take(trust: Trust, activity: Activity, pause: Callable[[float], None]) -> None:
    """Trust a change, if there is one and it holds still."""
    try:
        trust.refresh()
        if trust.state == "trusted":
            return
        seen = trust.verdict.present.content
        pause(_SETTLE)
        trust.refresh()
        if trust.verdict.present.content.digest != seen.digest:
            return
        trusting.show(trust)
        if activity.recent():
            # A tool could have written it: whoever follows has to say so.
            console.say("This changed while a call of this repository ran, or just after.")
            if not console.confirm("Trust this?", assume_yes=False):
                _wait_for_another(trust, pause)
                return
        trusting.keep(trust, seen)
        console.say(f"Trusted: {', '.join(file.path for file in seen.files)}")
    except ToolcribError as error:  # a file that is half written, or not ours: the next one counts
        console.complain(error, as_json=False)
        _wait_for_another(trust, pause)


def _wait_for_another(trust: Trust, pause: Callable[[float], None]) -> None:
    """Say no more about this content."""
    refused = _digest(trust)
    while _digest(trust) == refused:
        pause(_PAUSE)


def _digest(trust: Trust) -> str | None:
    try:
        trust.refresh()
        return trust.verdict.present.content.digest
    except ToolcribError:
        return None
