"""What the tests of the graders share: a bench on the real fence, and short ways to say a tree and a canary."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gate.grading.bench import Bench, Findings
from gate.outcome import Answer, AnswerStatus, Check, Slice
from gate.sandbox.fence import Fence
from gate.sandbox.toolchain import Toolchain
from gate.suite.canary import Budget, Canary, Expect
from gate.workspace.copy import Copies
from gate.workspace.tree import File, Node

DONE = Answer(AnswerStatus.DONE)


def make_bench(fence: Fence, scratch: Path, python: Toolchain, node: Toolchain | None, seed: str = "") -> Bench:
    """A bench whose drawn names follow from `seed`; evidence goes into a folder of the scratch."""
    kept = scratch / "evidence"
    kept.mkdir(exist_ok=True)

    def evidence(name: str, data: bytes) -> None:
        (kept / name).write_bytes(data)

    copies = Copies(scratch, owner=fence.owner, overlay=False)
    return Bench(fence, copies, scratch, python, node, hashlib.sha256(seed.encode()).digest(), evidence)


def tree(files: Mapping[str, str | bytes]) -> dict[str, Node]:
    """A tree from texts."""
    return {path: File(text.encode() if isinstance(text, str) else text) for path, text in files.items()}


def failing(checks: tuple[Check, ...] | list[Check]) -> dict[str, str]:
    """The checks that do not hold, with their reasons."""
    return {check.name: check.reason for check in checks if not check.ok}


def passes(findings: Findings) -> bool:
    """Every check holds, and there is one that is not only a count."""
    judged = [check for check in findings.checks if not check.name.endswith("forms")]
    return bool(judged) and all(check.ok for check in findings.checks)


def canary(fixture: Path, expect: Expect, **more: Any) -> Canary:
    """A public canary with room to spare."""
    more.setdefault("budget", Budget(timeout_s=30))
    return Canary(
        id="a-canary",
        slice=Slice.PUBLIC,
        kind="bugfix",
        language="python",
        source=fixture / "canary.yaml",
        fixture=fixture,
        prompt="Repair it.",
        expect=expect,
        **more,
    )


def on_disk(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """The files as a folder."""
    for path, text in files.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text.encode() if isinstance(text, str) else text)
    return root
