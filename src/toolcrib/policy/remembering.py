"""Whether the policies of a project let approvals be remembered."""

from __future__ import annotations

from toolcrib.core.errors import ToolcribError
from toolcrib.policy.layers import ORGANISATION, PERSON
from toolcrib.policy.reader import parse_policy
from toolcrib.policy.trust.acting import POLICY
from toolcrib.policy.trust.project import Trust


def may_remember(trust: Trust) -> bool:
    """True unless a policy says `remember: false`, or cannot be read."""
    for layer in trust.person.layers((ORGANISATION, PERSON)):
        if layer.policy is None or not layer.policy.remember:
            return False
    for file in trust.verdict.present.content.files:
        if file.kind == POLICY:
            try:
                if not parse_policy(file.data, file.path).remember:
                    return False
            except ToolcribError:
                return False
    return True
