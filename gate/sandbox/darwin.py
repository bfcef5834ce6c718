"""The two system calls of macOS that a Seatbelt fence asks: is a process sandboxed, and which processes are there."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from pathlib import Path

_PATH_FILTER = 1
_NO_REPORT = 0x40000000
_BY_REAL_UID = 5


def is_sandboxed(pid: int) -> bool:
    """Whether a profile is on the process (sandbox_check of libsystem_sandbox, undocumented, used by Homebrew)."""
    return bool(ctypes.CDLL(None).sandbox_check(ctypes.c_int(pid), None, ctypes.c_int(0)) == 1)


def may_write(pid: int, path: Path) -> bool:
    """What the process's own profile says about writing the path; nothing is written."""
    check = ctypes.CDLL(None).sandbox_check
    name, filter_kind = ctypes.c_char_p(b"file-write-data"), ctypes.c_int(_PATH_FILTER | _NO_REPORT)
    return bool(check(ctypes.c_int(pid), name, filter_kind, ctypes.c_char_p(os.fsencode(path))) == 0)


def own_processes() -> set[int]:
    """Every process of this user (proc_listpids of libproc)."""
    library = ctypes.CDLL("/usr/lib/libproc.dylib")
    uid = ctypes.c_uint32(os.getuid())
    room = 4096 + library.proc_listpids(_BY_REAL_UID, uid, None, 0)
    buffer = (ctypes.c_int * (room // ctypes.sizeof(ctypes.c_int)))()
    filled = library.proc_listpids(_BY_REAL_UID, uid, buffer, ctypes.sizeof(buffer))
    return {pid for pid in buffer[: max(0, filled) // ctypes.sizeof(ctypes.c_int)] if pid > 0}


def members(tmp: Path) -> Callable[[], set[int]]:
    """Lists the processes whose profile grants this private folder and not the one beside it: those of one run,
    whatever session they fled to, since a profile cannot be shed and no two runs share a folder."""

    def find() -> set[int]:
        inside, beside = tmp / "member", tmp.parent / "member"
        candidates = (pid for pid in own_processes() if pid != os.getpid() and is_sandboxed(pid))
        return {pid for pid in candidates if may_write(pid, inside) and not may_write(pid, beside)}

    return find
