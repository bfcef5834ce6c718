"""Running a part of a test as an ordinary user, also where the tests run as root."""

from __future__ import annotations

import os
import pickle
import tempfile
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from gate.workspace.removal import remove

R = TypeVar("R")

USER = 65533


def as_user(work: Callable[[Path], R]) -> R:
    """Call `work` with a fresh folder, in a child process without any privilege, and give back what it returned.

    What it needs must be imported already: the interpreter may lie where that user cannot read.
    """
    ours, theirs = os.pipe()
    with warnings.catch_warnings():
        # The child runs a few system calls and ends; no lock of another thread is in its way.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        os.close(ours)
        _answer(work, theirs)
    os.close(theirs)
    with open(ours, "rb") as pipe:  # noqa: PTH123  # a descriptor, not a path
        done, value = pickle.loads(pipe.read())  # noqa: S301  # written by our own child
    os.waitpid(child, 0)
    assert done, value
    result: R = value
    return result


def _answer(work: Callable[[Path], R], pipe: int) -> None:
    folder = None
    try:
        if os.geteuid() == 0:
            os.setgroups([])
            os.setresgid(USER, USER, USER)
            os.setresuid(USER, USER, USER)
        folder = Path(tempfile.mkdtemp(prefix="canary-test-", dir="/tmp"))
        answer: tuple[bool, object] = (True, work(folder))
    except BaseException:  # noqa: BLE001  # a child must never come back into the test runner
        answer = (False, traceback.format_exc())
    try:
        if folder is not None:
            remove(folder)
        os.write(pipe, pickle.dumps(answer))
    finally:
        os._exit(0)
