"""No fence at all, for development on a machine that has none; asked for by name, marked, and never clear.

Only the time, the output and the process tree are kept in bounds. The tree is known by a token in the environment
that every descendant inherits, which one that wants to can drop: this back end stops accidents, not attacks.
"""

from __future__ import annotations

import os
import secrets
import shutil
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from gate.sandbox import environment, kin, launch
from gate.sandbox.group import Group
from gate.sandbox.policy import Policy
from gate.sandbox.process import WRAPPER
from gate.sandbox.supervised import Supervised

_MARK = "GATE_TREE"


class Unfenced(Supervised):
    """See `Fence`. Refuses an overlay, which it cannot mount."""

    name = "none"
    owner = None
    can_overlay = False

    def fresh_owner(self) -> int | None:
        """See `Fence.fresh_owner`."""
        return None

    def _launch(self, policy: Policy, argv: Sequence[str]) -> tuple[launch.Process, Group]:
        if policy.overlay is not None:
            raise ValueError("without a fence there is no overlay")
        tmp = tempfile.mkdtemp(prefix="gate-tmp-")
        try:
            home = Path(tmp, "home")
            home.mkdir()
            cwd = str(policy.copy) if policy.copy is not None else tmp
            token = secrets.token_hex(16)
            variables = environment.clean((*policy.environment, (_MARK, token)), tmp=tmp, home=str(home), cwd=cwd)
            words = ["/bin/sh", "-c", WRAPPER, "sh", *argv]
            process = launch.launcher().launch(words, variables, cwd=cwd)
        except BaseException:
            shutil.rmtree(tmp, ignore_errors=True)
            raise
        return process, Group(process, _holders(token), lambda: shutil.rmtree(tmp, ignore_errors=True))

    def describe(self) -> dict[str, str]:
        """See `Fence.describe`."""
        return {"backend": self.name, "version": "", "way": "unsandboxed", "network": "host"}


def _holders(token: str) -> Callable[[], set[int]]:
    """Lists the processes whose environment holds the token."""
    mark = f"{_MARK}={token}".encode()

    def find() -> set[int]:
        found = set()
        for process in kin.processes():
            with suppress(OSError):
                if mark in Path(f"/proc/{process.pid}/environ").read_bytes().split(b"\0"):
                    found.add(process.pid)
        return found - {os.getpid()}

    return find
