"""What every back end does once a tree is up: see it to its end, talk to it, or cut it short."""

from __future__ import annotations

import subprocess
from abc import ABC, abstractmethod
from collections.abc import Sequence

from gate.sandbox.fence import Completed, Session
from gate.sandbox.policy import Policy
from gate.sandbox.process import Conversation, Grip, Up, supervise


class Supervised(ABC):
    """The part of a `Fence` that does not depend on the walls. Between runs it knows only what is up."""

    def __init__(self) -> None:
        self._up = Up()

    @abstractmethod
    def _launch(self, policy: Policy, argv: Sequence[str]) -> tuple[subprocess.Popen[bytes], Grip]:
        """Put the command behind the walls, waiting for its first line, with a hold on its tree."""

    def run(self, policy: Policy, argv: Sequence[str], *, stdin: bytes = b"") -> Completed:
        """See `Fence.run`."""
        process, grip = self._launch(policy, argv)
        return supervise(process, grip, policy.limits, stdin, self._up)

    def start(self, policy: Policy, argv: Sequence[str]) -> Session:
        """See `Fence.start`."""
        process, grip = self._launch(policy, argv)
        return Conversation(process, grip, policy.limits, self._up)

    def cancel(self) -> None:
        """See `Fence.cancel`."""
        self._up.cancel()
