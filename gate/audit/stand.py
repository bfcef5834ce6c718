"""What an audit works with: a fence, interpreters and a place for evidence, as a run has them, without an agent."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gate.agents.controls import Null
from gate.errors import ConfigError
from gate.outcome import Digests, Slice
from gate.sandbox import toolchain
from gate.sandbox.fence import open_fence
from gate.suite.card import Card
from gate.suite.load import Suite
from gate.suite.template import TASK_TEMPLATE
from gate.trials.folder import RunFolder
from gate.trials.stand import Stand, scratch_folder
from gate.workspace.copy import Copies

_NOTHING = Digests(suite="", card="", grader="", harness="", prompt="", agent="")


def no_suite(root: Path) -> Suite:
    """A suite without canaries, for what is audited outside of one."""
    card = Card(root / "card.yaml", b"", "none", "", dict.fromkeys(Slice, 0), (), "", 1, None, False, False)
    return Suite(root, root, (), card)


@contextmanager
def audit_stand(sandbox: str, evidence: Path | None, suite: Suite | None = None) -> Iterator[Stand]:
    """A stand whose graders are the shipped ones; its agent is replaced for every answer.

    `evidence` keeps what was handed in and what the graders saw; without it, it is gone with the scratch folder.
    Raises NoSandbox where no fence works.
    """
    fence = open_fence(sandbox)
    with scratch_folder() as scratch:
        root = evidence.resolve() if evidence else scratch / "evidence"
        try:
            root.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ConfigError(f"{root}: cannot make the folder for the evidence: {error.strerror}") from error
        yield Stand(
            suite=suite or no_suite(root),
            template=TASK_TEMPLATE,
            locked={},
            agent=Null(),
            fence=fence,
            copies=Copies(scratch, owner=fence.owner, overlay=fence.can_overlay, fresh=fence.fresh_owner),
            scratch=scratch,
            python=toolchain.python(),
            node=toolchain.node(),
            digests=_NOTHING,
            surface="audit",
            commit=None,
            folder=RunFolder(root),
        )
