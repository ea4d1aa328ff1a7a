"""Which earlier versions of a repository allowed more than the one that is trusted now."""

from __future__ import annotations

from collections.abc import Iterable

from toolcrib.core.errors import ToolcribError
from toolcrib.policy.model import DENY_ALL, Policy
from toolcrib.policy.reader import parse_policy
from toolcrib.policy.trust.acting import POLICY
from toolcrib.policy.trust.records import TrustRecord


def looser_records(now: TrustRecord, records: Iterable[TrustRecord]) -> list[str]:
    """The digests of records whose policy lets something be called that the present one does not.

    Where nothing has a policy, nothing is stricter or looser.
    """
    present = policy_in(now)
    if present is None:
        return []
    return [
        record.digest
        for record in records
        if record.digest != now.digest and allows_more(policy_in(record), present)
    ]


def allows_more(one: Policy | None, other: Policy) -> bool:
    """Whether `one` may let a call pass that `other` refuses; no policy lets everything pass."""
    if one is None:
        return not _allows_everything(other)
    names = {*one.tools, *other.tools, *one.deny, *other.deny, ""}
    return any(_more(one, other, name) for name in names)


def policy_in(record: TrustRecord) -> Policy | None:
    """The policy of a trusted content; one that cannot be read forbids everything."""
    for path, entry in record.files.items():
        if entry.kind == POLICY:
            try:
                return parse_policy(record.copy(path) or b"", path)
            except ToolcribError:
                return DENY_ALL
    return None


def _more(one: Policy, other: Policy, name: str) -> bool:
    mine, theirs = one.decide(name), other.decide(name)
    if mine is None:
        return False
    if theirs is None:
        return True
    # A rule that only the other one has, or that is worded otherwise, may let less pass.
    return any(mine.args.get(arg) != rule for arg, rule in theirs.args.items())


def _allows_everything(policy: Policy) -> bool:
    unrestricted = not any(rules.args for rules in policy.tools.values())
    return policy.enabled_by_default and not policy.deny and unrestricted
