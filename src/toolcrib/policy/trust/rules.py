"""The rules of trust and confinement, one short text each, for `toolcrib explain T-1`."""

from __future__ import annotations

RULES = {
    1: "Before anybody has trusted a repository it is served with its documents, prompts, "
    "rules and search, and with the read-only tools of bundled configs that it names, "
    "in a sandbox. Its own modules, configs and servers, and settings that can do "
    "something, are withheld.",
    2: "Acting files are the settings but for harmless keys, the modules of [custom] with "
    "what they import, own configs, the policy, and what other packs declare. They "
    "count by what they say. `toolcrib trust --list` prints them.",
    3: "What was trusted is recorded in your state folder by content, for the real path of"
    " the project. A file that another user could have written is never trusted by a "
    "record.",
    4: "A change waits. What is still as it was trusted goes on; a module stays as it was "
    "loaded; settings keep their trusted values. A record that is made or revoked "
    "counts within 2 s.",
    5: "A call must be allowed by every policy: the organisation's, yours, the "
    "repository's as it was trusted and as it is. A policy that is broken, or not in "
    "use, refuses everything. `toolcrib policy explain TOOL` shows the line of each.",
    6: "`toolcrib trust` shows what is new in words and as a diff, and asks. What was "
    "shown is what is trusted. Exit 1: no, changed meanwhile, another owner; 2: no "
    "terminal; 3: an agent's shell.",
    7: "What `init`, `install` and `climax import -o` write for a person at a terminal is "
    "trusted, if all else was. `[trust] paths` of your own config.toml trusts what lies"
    " there at a start.",
    8: "Without a person: TOOLCRIB_TRUST=<digest> or --trust <digest> trusts that content "
    "alone; TOOLCRIB_TRUST=all everything, and says so. What a command line names is "
    "trusted as it is.",
    9: "What is withheld is told once per session, in the answer to a call of a withheld "
    'tool (error_type "untrusted"), and as a number in climax_search.',
    10: "A command reaches no network unless it is granted: hosts by name, `public` or `full`.",
    11: "Grants stand in [climax.access.CONFIG] or [climax.access.CONFIG.TOOL], of the "
    "repository (trusted) or of your own config.toml. `toolcrib climax access` prints "
    "what holds.",
    12: "Commands do not see keys, tokens, browser profiles, histories, toolcrib's own "
    "state, and what [climax] hidden adds; a grant opens exactly its path.",
    13: "Sockets of this machine are out of reach unless they are granted, and so are "
    "system calls that look into other processes.",
    14: "Files that other programs act upon are read-only for commands; whatever way one is"
    " changed all the same, T-4 and T-5 hold.",
    15: "All of this costs a call no more than release 0.1 took, and a start at most 2 ms.",
    16: '`_meta["toolcrib/sandbox"]` and `doctor` say what truly held; `required` refuses '
    "where any of it cannot be had.",
    17: "A config names a secret (`secret:github`); your own config.toml says where it is.",
    18: "Secrets are replaced in everything that leaves a call. It is a net, not a wall.",
    19: "`[climax] approve` has a person asked before a call changes or destroys something:"
    " by the client's form, or by `toolcrib approve ID`, after which the same call "
    "passes once.",
    20: "`toolcrib approve --always TOOL arg=pattern` remembers an answer; `*` does not "
    "match `/`, and a changed definition of the tool ends it. `remember: false` in a "
    "policy forbids it.",
    21: "The record of calls says for each: the trusted digest, the layers that decided, "
    "the approval, the grants, and the hosts reached and refused.",
    22: "`docs/trust.md` says what is asked of you, when and why; `docs/security.md` what "
    "is not defended.",
}
