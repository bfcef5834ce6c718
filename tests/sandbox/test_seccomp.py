"""The filter of the Linux fence, run over system calls by an interpreter of its own."""

from __future__ import annotations

import errno
import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.sandbox.seccomp import ABSENT, ALLOW, KILL, MACHINES, REFUSE, assemble, filter_for, instructions
from tests.sandbox.bpf import verdict

X86_64, AARCH64, I386, ARM = 0xC000003E, 0xC00000B7, 0x40000003, 0x40000028
ARCH = {"x86_64": X86_64, "aarch64": AARCH64}
UPPER_HALF = 0xDEADBEEF << 32

# (name, number on x86_64, number on aarch64, arguments); the numbers are the kernel's own tables.
REFUSED = [
    ("ptrace", 101, 117, ()),
    ("process_vm_readv", 310, 270, ()),
    ("keyctl", 250, 219, ()),
    ("bpf", 321, 280, ()),
    ("perf_event_open", 298, 241, ()),
    ("userfaultfd", 323, 282, ()),
    ("io_uring_setup", 425, 425, ()),
    ("io_uring_enter", 426, 426, ()),
    ("mount", 165, 40, ()),
    ("umount2", 166, 39, ()),
    ("move_mount", 429, 429, ()),
    ("fsopen", 430, 430, ()),
    ("pivot_root", 155, 41, ()),
    ("chroot", 161, 51, ()),
    ("setns", 308, 268, ()),
    ("unshare(0)", 272, 97, (0,)),
    ("unshare(NEWUSER)", 272, 97, (0x10000000,)),
    ("open_by_handle_at", 304, 265, ()),
    ("pidfd_getfd", 438, 438, ()),
    ("clone(NEWUSER)", 56, 220, (0x10000000 | 17,)),
    ("clone(NEWNS)", 56, 220, (0x00020000,)),
    ("clone(NEWNET)", 56, 220, (0x40000000,)),
    ("clone(NEWPID)", 56, 220, (0x20000000,)),
    ("clone(NEWIPC)", 56, 220, (0x08000000,)),
    ("clone(NEWUTS)", 56, 220, (0x04000000,)),
    ("clone(NEWCGROUP)", 56, 220, (0x02000000,)),
    ("ioctl(TIOCSTI)", 16, 29, (0, 0x5412)),
    ("ioctl(TIOCLINUX)", 16, 29, (0, 0x541C)),
    ("ioctl(TIOCSTI) with the upper half set", 16, 29, (0, 0x5412 | UPPER_HALF)),
    ("socket(AF_VSOCK)", 41, 198, (40, 1, 0)),
    ("socket(AF_VSOCK) with the upper half set", 41, 198, (40 | UPPER_HALF, 1, 0)),
    ("socket(AF_ALG)", 41, 198, (38, 5, 0)),
    ("socket(AF_PACKET)", 41, 198, (17, 3, 0)),
    ("socket(AF_BLUETOOTH)", 41, 198, (31, 1, 0)),
    ("socket(AF_NETLINK, audit)", 41, 198, (16, 3, 9)),
    ("socket(AF_NETLINK, netfilter)", 41, 198, (16, 3, 12)),
    ("socketpair(AF_INET)", 53, 199, (2, 1, 0)),
]
ALLOWED = [
    ("read", 0, 63, ()),
    ("openat", 257, 56, ()),
    ("execve", 59, 221, ()),
    ("fork by clone", 56, 220, (17,)),
    ("a thread by clone", 56, 220, (0x3D0F00,)),
    ("setresuid, which the uid drop needs", 117, 147, ()),
    ("prctl", 157, 167, ()),
    ("ioctl(TCGETS)", 16, 29, (0, 0x5401)),
    ("ioctl(FIONREAD)", 16, 29, (0, 0x541B)),
    ("socket(AF_UNIX)", 41, 198, (1, 1, 0)),
    ("socket(AF_INET)", 41, 198, (2, 1, 0)),
    ("socket(AF_INET, MPTCP), which the own network namespace holds", 41, 198, (2, 1, 262)),
    ("socket(AF_INET6)", 41, 198, (10, 2, 17)),
    ("socket(AF_NETLINK, route)", 41, 198, (16, 3, 0)),
    ("socketpair(AF_UNIX)", 53, 199, (1, 1, 0)),
]


def _on(machine: str, x86: int, arm: int, arguments: tuple[int, ...]) -> int:
    program = filter_for(machine)
    assert program is not None
    return verdict(program, arch=ARCH[machine], number=x86 if machine == "x86_64" else arm, arguments=arguments)


@pytest.mark.parametrize("machine", ARCH)
@pytest.mark.parametrize(("name", "x86", "arm", "arguments"), REFUSED)
def test_what_leads_past_the_walls_is_refused(
    machine: str, name: str, x86: int, arm: int, arguments: tuple[int, ...]
) -> None:
    """Every call that reaches past namespaces, mounts and capabilities ends with EPERM."""
    assert _on(machine, x86, arm, arguments) == REFUSE, name


@pytest.mark.parametrize("machine", ARCH)
@pytest.mark.parametrize(("name", "x86", "arm", "arguments"), ALLOWED)
def test_what_programs_need_is_allowed(machine: str, name: str, x86: int, arm: int, arguments: tuple[int, ...]) -> None:
    """Nothing that an interpreter, a test runner or the fence's own set-up needs is refused."""
    assert _on(machine, x86, arm, arguments) == ALLOW, name


@pytest.mark.parametrize("machine", ARCH)
def test_clone3_does_not_exist(machine: str) -> None:
    """clone3 hides its flags in memory, so it is absent (ENOSYS), which makes C libraries fall back to clone."""
    assert _on(machine, 435, 435, ()) == ABSENT == 0x00050000 | errno.ENOSYS


@settings(max_examples=60, deadline=None)
@given(number=st.integers(0, 600))
def test_x32_calls_do_not_exist(number: int) -> None:
    """The x32 table, the same kernel under shifted numbers, is absent as a whole."""
    assert _on("x86_64", number | 0x40000000, 0, ()) == ABSENT


@settings(max_examples=60, deadline=None)
@given(number=st.integers(0, 0xFFFFFFFF), arch=st.sampled_from([I386, ARM, 0]))
def test_another_architecture_is_killed(number: int, arch: int) -> None:
    """A call through another architecture's table has other numbers: the process is killed, whatever it asks."""
    for machine in MACHINES:
        program = filter_for(machine)
        assert program is not None
        assert verdict(program, arch=arch, number=number) == KILL


@settings(max_examples=200, deadline=None)
@given(flags=st.integers(0, 0xFFFFFFFFFFFFFFFF))
def test_clone_is_refused_exactly_for_a_new_namespace(flags: int) -> None:
    """clone is refused if and only if one of the eight CLONE_NEW flags is set."""
    namespaces = 0x00000080 | 0x00020000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x10000000 | 0x20000000 | 0x40000000
    wanted = REFUSE if flags & namespaces else ALLOW
    assert _on("x86_64", 56, 0, (flags,)) == wanted
    assert _on("aarch64", 0, 220, (flags,)) == wanted


@pytest.mark.parametrize("machine", MACHINES)
def test_the_program_is_one_the_kernel_takes(machine: str) -> None:
    """At most 4096 lines, every jump lands inside, every way ends in a return."""
    lines = instructions(MACHINES[machine])
    assert len(lines) <= 4096
    for at, (code, if_true, if_false, _) in enumerate(lines):
        if code in (0x15, 0x35, 0x45):
            assert at + 1 + max(if_true, if_false) < len(lines)
    assert lines[-1] == (0x06, 0, 0, ALLOW)
    assert assemble(lines) == b"".join(struct.pack("=HBBI", *line) for line in lines)


def test_an_unknown_machine_has_no_filter() -> None:
    """No table, no filter: the fence refuses instead of guessing numbers."""
    assert filter_for("riscv64") is None
