"""The system-call filter of the Linux fence, assembled as classic BPF without a library.

The kernel hands the filter a `struct seccomp_data`: the call's number at offset 0, the architecture at 4 and six
64-bit arguments from 16 on (seccomp(2)). What the filter does not name is allowed: the walls are the namespaces,
the mounts and the dropped capabilities; this closes what they leave open (sockets that no namespace covers,
new user namespaces, kernel interfaces with a long record of escapes).
"""

from __future__ import annotations

import errno
import platform
import struct
from collections.abc import Iterable
from dataclasses import dataclass

ALLOW = 0x7FFF0000
KILL = 0x80000000
_ERRNO = 0x00050000
REFUSE = _ERRNO | errno.EPERM
ABSENT = _ERRNO | errno.ENOSYS

_LOAD, _JUMP_IF_EQUAL, _JUMP_IF_ANY_BIT, _JUMP_IF_AT_LEAST, _RETURN = 0x20, 0x15, 0x45, 0x35, 0x06
_NUMBER, _ARCH, _ARGUMENTS = 0, 4, 16

_X32 = 0x40000000
"""Set in the number of every x32 call: a second table of the same kernel under the same architecture."""

# CLONE_NEWTIME, NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET.
_NEW_NAMESPACES = 0x00000080 | 0x00020000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x10000000 | 0x20000000 | 0x40000000
_UNIX, _INET, _INET6, _NETLINK = 1, 2, 10, 16
_CLONE3 = 435
_TIOCSTI, _TIOCLINUX = 0x5412, 0x541C

# The number on x86_64, then on aarch64. From 424 on they are the same; -1: the architecture never had the call.
_REFUSED: dict[str, tuple[int, int]] = {
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "pidfd_getfd": (438, 438),
    "kcmp": (312, 272),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "open_by_handle_at": (304, 265),
    "fanotify_init": (300, 262),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "open_tree_attr": (467, 467),
    "setns": (308, 268),
    "unshare": (272, 97),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "reboot": (169, 142),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "acct": (163, 89),
    "iopl": (172, -1),
    "ioperm": (173, -1),
    "syslog": (103, 116),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "adjtimex": (159, 171),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "vhangup": (153, 58),
    "lookup_dcookie": (212, 18),
    "nfsservctl": (180, 42),
    "uselib": (134, -1),
    "modify_ldt": (154, -1),
}


@dataclass(frozen=True, slots=True)
class Machine:
    """What of the filter depends on the processor: the audit architecture and the numbers of the calls we inspect."""

    name: str
    audit_arch: int
    column: int
    clone: int
    ioctl: int
    socket: int
    socketpair: int
    has_x32: bool

    def refused(self) -> list[int]:
        """Numbers that are refused whatever their arguments are, ascending."""
        return sorted(numbers[self.column] for numbers in _REFUSED.values() if numbers[self.column] >= 0)


MACHINES = {
    "x86_64": Machine("x86_64", 0xC000003E, 0, clone=56, ioctl=16, socket=41, socketpair=53, has_x32=True),
    "aarch64": Machine("aarch64", 0xC00000B7, 1, clone=220, ioctl=29, socket=198, socketpair=199, has_x32=False),
}

Instruction = tuple[int, int, int, int]
"""(code, jump if true, jump if false, constant), as in `struct sock_filter`."""


def _argument(index: int) -> Instruction:
    """Load the low half of an argument. The kernel itself reads only 32 bits of those we look at: to compare all 64
    would let a caller slip past with a bit set in the upper half (CVE-2019-10063)."""
    return (_LOAD, 0, 0, _ARGUMENTS + 8 * index)


def _unless_equal(constant: int, verdict: int) -> list[Instruction]:
    return [(_JUMP_IF_EQUAL, 1, 0, constant), (_RETURN, 0, 0, verdict)]


def _if_equal(constant: int, verdict: int) -> list[Instruction]:
    return [(_JUMP_IF_EQUAL, 0, 1, constant), (_RETURN, 0, 0, verdict)]


def _only_for(number: int, body: list[Instruction]) -> list[Instruction]:
    """`body` for one call; it ends with a verdict on every way, so nothing falls out of it."""
    return [(_JUMP_IF_EQUAL, 0, len(body), number), *body]


def _one_of(values: Iterable[int]) -> list[Instruction]:
    allowed = [line for value in values for line in _if_equal(value, ALLOW)]
    return [_argument(0), *allowed, (_RETURN, 0, 0, REFUSE)]


def instructions(machine: Machine) -> list[Instruction]:
    """The whole filter for one machine."""
    program: list[Instruction] = [
        (_LOAD, 0, 0, _ARCH),
        *_unless_equal(machine.audit_arch, KILL),
        (_LOAD, 0, 0, _NUMBER),
    ]
    if machine.has_x32:
        program += [(_JUMP_IF_AT_LEAST, 0, 1, _X32), (_RETURN, 0, 0, ABSENT)]
    for number in machine.refused():
        program += _if_equal(number, REFUSE)
    # clone3 hides its flags behind a pointer; told that it does not exist, a C library falls back to clone.
    program += _if_equal(_CLONE3, ABSENT)
    new_namespace = [
        _argument(0),
        (_JUMP_IF_ANY_BIT, 0, 1, _NEW_NAMESPACES),
        (_RETURN, 0, 0, REFUSE),
        (_RETURN, 0, 0, ALLOW),
    ]
    program += _only_for(machine.clone, new_namespace)
    requests = [_argument(1), *_if_equal(_TIOCSTI, REFUSE), *_if_equal(_TIOCLINUX, REFUSE), (_RETURN, 0, 0, ALLOW)]
    program += _only_for(machine.ioctl, requests)
    # Netlink reaches the own network namespace only; AF_VSOCK and AF_ALG would reach past it.
    route = [_argument(0), (_JUMP_IF_EQUAL, 0, 3, _NETLINK), _argument(2), *_unless_equal(0, REFUSE)]
    program += _only_for(machine.socket, [*route, *_one_of((_UNIX, _INET, _INET6, _NETLINK))])
    program += _only_for(machine.socketpair, _one_of((_UNIX,)))
    return [*program, (_RETURN, 0, 0, ALLOW)]


def assemble(program: Iterable[Instruction]) -> bytes:
    """The bytes that the kernel reads: an array of `struct sock_filter` in the machine's own order."""
    return b"".join(struct.pack("=HBBI", *line) for line in program)


def filter_for(machine: str = "") -> bytes | None:
    """The filter of this machine (or the named one); None where we have no table, which a fence must refuse."""
    known = MACHINES.get(machine or platform.machine())
    return assemble(instructions(known)) if known else None
