"""The filter of system calls, run by an interpreter of its instructions."""

from __future__ import annotations

import errno
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolcrib.running.sandbox.seccomp import (
    AF_INET,
    AF_NETLINK,
    AF_UNIX,
    MACHINES,
    SELF,
    Architecture,
    FilterRules,
    assemble,
)

ALLOWED = 0x7FFF0000
REFUSED = 0x00050000 | errno.EPERM
STREAM, PACKETS = 1, 5


def run(program: bytes, machine: Architecture, number: int, *arguments: int, arch: int = 0) -> int:
    """What the kernel would answer: a plain interpreter of the few instructions that are used."""
    padded = [argument & 2**64 - 1 for argument in (*arguments, 0, 0, 0, 0, 0, 0)][:6]
    data = struct.pack("=IIQ6Q", number, arch or machine.audit, 0, *padded)
    instructions = list(struct.iter_unpack("=HBBI", program))
    accumulator, at = 0, 0
    while True:
        code, true, false, value = instructions[at]
        at += 1
        if code == 0x20:
            (accumulator,) = struct.unpack_from("=I", data, value)
        elif code == 0x54:
            accumulator &= value
        elif code == 0x06:
            return int(value)
        else:
            tests = {
                0x15: accumulator == value,
                0x45: bool(accumulator & value),
                0x35: accumulator >= value,
            }
            at += true if tests[code] else false


@pytest.fixture(params=sorted(MACHINES))
def machine(request: pytest.FixtureRequest) -> Architecture:
    return MACHINES[request.param]


def answer(machine: Architecture, rules: FilterRules, name: str, *arguments: int) -> int:
    return run(assemble(machine, rules), machine, machine.calls[name], *arguments)


@pytest.mark.parametrize(
    "name",
    ["ptrace", "process_vm_readv", "process_vm_writev", "io_uring_setup", "bpf", "keyctl",
     "perf_event_open", "userfaultfd", "mount", "setns", "pidfd_getfd"],
)  # fmt: skip
def test_calls_into_other_processes_and_the_kernel_are_refused(
    machine: Architecture, name: str
) -> None:
    """T-13: ptrace, process_vm_*, io_uring, bpf, perf, keyctl, userfaultfd: EPERM."""
    assert answer(machine, FilterRules(), name, 1, 2, 3) == REFUSED


def test_calls_of_another_architecture_are_refused(machine: Architecture) -> None:
    """T-13: foreign-architecture calls: EPERM, whatever their number means there."""
    program = assemble(machine, FilterRules())
    other = next(each for each in MACHINES.values() if each is not machine)
    for arch in (other.audit, 0x40000003, 0x40000028):
        assert run(program, machine, 1, arch=arch) == REFUSED


def test_the_second_table_of_x86_64_is_refused() -> None:
    """T-13: x32 numbers are another architecture by another name."""
    machine = MACHINES["x86_64"]
    assert run(assemble(machine, FilterRules()), machine, 0x40000000 | 41, AF_INET, 1) == REFUSED


@given(family=st.integers(0, 255), kind=st.integers(0, 15), protocol=st.integers(0, 300))
def test_only_families_that_are_named_make_sockets(family: int, kind: int, protocol: int) -> None:
    """T-10, T-13: every other family fails: also vsock, packet, bluetooth."""
    machine = MACHINES["x86_64"]
    rules = FilterRules(families=(AF_INET, AF_NETLINK))
    expected = ALLOWED if family in (AF_INET, AF_NETLINK) else REFUSED
    assert answer(machine, rules, "socket", family, kind, protocol) == expected


@given(
    kind=st.integers(0, 15),
    flags=st.sampled_from([0, 0o4000, 0o2000000]),
    protocol=st.integers(0, 300),
)
def test_held_to_tcp_only_plain_streams_pass(kind: int, flags: int, protocol: int) -> None:
    """T-10: on landlock TCP alone: MPTCP, SCTP, UDP and raw would get past its rules."""
    machine = MACHINES["x86_64"]
    rules = FilterRules(families=(AF_INET,), only_tcp=True)
    allowed = kind == 1 and protocol in (0, 6)
    found = answer(machine, rules, "socket", AF_INET, kind | flags, protocol)
    assert found == (ALLOWED if allowed else REFUSED)


def test_held_to_tcp_no_data_is_sent_with_the_connection(machine: Architecture) -> None:
    """T-10: TCP fast open connects without a call that Landlock sees."""
    rules = FilterRules(families=(AF_INET,), only_tcp=True)
    assert answer(machine, rules, "sendto", 3, 0, 0, 0x20000000) == REFUSED
    assert answer(machine, rules, "sendto", 3, 0, 0, 0x4000) == ALLOWED
    assert answer(machine, FilterRules(), "sendto", 3, 0, 0, 0x20000000) == ALLOWED


@pytest.mark.parametrize("flags", [0, 0o4000, 0o2000000])
def test_a_pair_of_streams_is_always_to_be_had(machine: Architecture, flags: int) -> None:
    """T-13: `socketpair` works: it leads nowhere but to oneself."""
    for kind in (STREAM, PACKETS):
        found = answer(machine, FilterRules(), "socketpair", AF_UNIX, kind | flags)
        assert found == ALLOWED


@given(family=st.integers(0, 60), kind=st.integers(0, 15))
def test_a_pair_that_could_send_elsewhere_is_refused(family: int, kind: int) -> None:
    """T-13: an end of a pair of datagram sockets sends to any address that it names."""
    for machine in MACHINES.values():
        leads_nowhere = family == AF_UNIX and kind in (STREAM, PACKETS)
        found = answer(machine, FilterRules(), "socketpair", family, kind)
        assert found == (ALLOWED if leads_nowhere else REFUSED)


def test_with_sockets_granted_any_pair_is_to_be_had(machine: Architecture) -> None:
    """T-13: who may make such a socket anyway may have two of them."""
    assert answer(machine, FilterRules((AF_UNIX,)), "socketpair", AF_UNIX, 2) == ALLOWED


@given(family=st.integers(0, 60), kind=st.integers(0, 15))
def test_a_deaf_socket_is_a_stream_of_this_machine(family: int, kind: int) -> None:
    """T-13: no datagrams, which carry their address with them, and no other family."""
    for machine in MACHINES.values():
        found = answer(machine, FilterRules(deaf=True), "socket", family, kind | 0o2000000)
        assert found == (ALLOWED if (family, kind) == (AF_UNIX, STREAM) else REFUSED)


@pytest.mark.parametrize("name", ["connect", "accept", "accept4"])
def test_by_a_deaf_socket_nobody_is_met(machine: Architecture, name: str) -> None:
    """T-13: it may be listened on, and nothing more; other commands talk as before."""
    assert answer(machine, FilterRules(deaf=True), name, 3, 4, 5) == REFUSED
    assert answer(machine, FilterRules(), name, 3, 4, 5) == ALLOWED


@given(pid=st.integers(-(2**31), 2**31 - 1))
def test_signals_reach_everybody_but_the_supervisor(pid: int) -> None:
    """FAULTS: a command cannot kill or stop its supervisor, and all others as before."""
    machine = MACHINES["aarch64"]
    rules = FilterRules(protected=(SELF, -1, 4711))
    kept = pid in (SELF, -1, 4711)
    for name in ("kill", "tgkill", "pidfd_open", "prlimit64"):
        assert answer(machine, rules, name, pid, 9) == (REFUSED if kept else ALLOWED)


@pytest.mark.parametrize("name", ["clone", "unshare"])
def test_no_new_namespaces(machine: Architecture, name: str) -> None:
    """T-13: rights in a namespace of its own are the way to most holes of a kernel."""
    assert answer(machine, FilterRules(), name, 0x10000000 | 17) == REFUSED
    assert answer(machine, FilterRules(), name, 17) == ALLOWED


def test_clone3_is_said_to_be_unknown(machine: Architecture) -> None:
    """T-13: its flags cannot be seen; programs then use `clone`."""
    assert answer(machine, FilterRules(), "clone3") == 0x00050000 | errno.ENOSYS


@given(number=st.integers(0, 600))
def test_what_is_not_named_is_allowed(number: int) -> None:
    """C-10: ordinary programs work as before."""
    for machine in MACHINES.values():
        if number not in machine.calls.values():
            assert run(assemble(machine, FilterRules()), machine, number, 1, 2, 3) == ALLOWED


@pytest.mark.skipif(__import__("platform").machine() not in MACHINES, reason="no filter here")
def test_the_numbers_are_those_of_this_machine() -> None:
    """T-13: raw BPF for the machine at hand: the kernel's own header agrees, where it is there."""
    import platform
    import re
    from pathlib import Path

    header = Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h")
    if platform.machine() != "x86_64" or not header.exists():
        pytest.skip("no header to compare with")
    named = dict(re.findall(r"#define __NR_(\w+) (\d+)", header.read_text()))
    calls = MACHINES["x86_64"].calls
    wrong = {name for name, number in calls.items() if int(named.get(name, number)) != number}
    assert not wrong
