"""Everything that the trials of one run share: the suite, the agent, the fence, and what is hashed of them."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gate.agents.base import Agent
from gate.grading.bench import Bench
from gate.grading.grade import Graders, graded, grader_digest
from gate.outcome import Digests
from gate.sandbox.fence import Fence
from gate.sandbox.toolchain import Toolchain
from gate.suite.config import GateConfig
from gate.suite.load import Suite
from gate.suite.template import prompt_sha256
from gate.trials.folder import Evidence, RunFolder
from gate.workspace.copy import Copies

UNSANDBOXED = "unsandboxed"


def sha256_of(value: Mapping[str, Any]) -> str:
    """Hex sha256 of a JSON value in one canonical form."""
    return hashlib.sha256(json.dumps(value, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Stand:
    """What a trial needs besides its canary. Shared by all workers, never written after it is set up."""

    suite: Suite
    template: str
    locked: Mapping[str, str]
    agent: Agent
    fence: Fence
    copies: Copies
    scratch: Path
    python: Toolchain
    node: Toolchain | None
    digests: Digests
    surface: str
    commit: str | None
    folder: RunFolder
    entropy: Callable[[int], bytes] = os.urandom
    graders: Graders = graded

    def bench(self, evidence: Evidence) -> Bench:
        """What the graders of one trial work with; the names they draw are new each time."""
        return Bench(
            fence=self.fence,
            copies=self.copies,
            scratch=self.scratch,
            python=self.python,
            node=self.node,
            entropy=self.entropy(32),
            evidence=lambda name, data: evidence.put(f"raw/{name}", data),
        )


def harness_card(config: GateConfig, suite: Suite, fence: Fence, seeds: int) -> dict[str, Any]:
    """The measuring side of the surface: what must be the same for two runs to be compared."""
    return {
        "fence": fence.name,
        "network": "off",
        "tests_ran": "local",
        "seeds": seeds,
        "attempt_cap": suite.card.attempt_cap,
        "max_usd": config.budget_usd,
    }


def surface_card(config: GateConfig, suite: Suite, fence: Fence, seeds: int, tools: tuple[str, ...]) -> dict[str, Any]:
    """The tool-surface card of seed 002, step 3: everything that moves a pass rate besides the weights."""
    return {
        **harness_card(config, suite, fence, seeds),
        "access_label": config.surface.get("access_label", ""),
        "access_date": config.surface.get("access_date", ""),
        "tools": list(tools),
        "temperature": suite.card.temperature,
        "context_limit": config.surface.get("context_limit", ""),
    }


def surface_label(card: Mapping[str, Any]) -> str:
    """The surface as rows carry it: a label that people can read, and a short digest of the whole card."""
    fence = UNSANDBOXED if card["fence"] == "none" else card["fence"]
    return f"local/{fence}/net-off/{sha256_of(card)[:12]}"


def make_digests(
    suite: Suite,
    lock: Mapping[str, Any],
    template: str,
    agent: Agent,
    harness: Mapping[str, Any],
    python: Toolchain,
    node: Toolchain | None,
) -> Digests:
    """Hash both sides of a comparison: what measures, and what is measured."""
    return Digests(
        suite=lock["suite"],
        card=suite.card.sha256,
        grader=grader_digest(python, node),
        harness=sha256_of(harness),
        prompt=prompt_sha256(template, suite.card.data),
        agent=agent.digest,
    )


def dataset_commit(base: Path) -> str | None:
    """The commit of the user's repository that holds the suite, or None outside a repository."""
    clean = {
        "PATH": os.environ.get("PATH", os.defpath),
        "GIT_TERMINAL_PROMPT": "0",
        "HOME": os.environ.get("HOME", "/"),
    }
    try:
        found = subprocess.run(
            ["git", "-C", str(base), "rev-parse", "HEAD"],  # noqa: S607  # the user's own git, in the user's own repository
            capture_output=True,
            text=True,
            check=False,
            env=clean,
        )
    except FileNotFoundError:
        return None
    return found.stdout.strip() if found.returncode == 0 else None


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A neutral folder for throwaway copies, gone when the run is. Nothing in its name tells what is measured."""
    root = Path(tempfile.mkdtemp(prefix="cg-")).resolve()
    # The uid that runs inside the fence has to reach its copy, and must not be able to list the others.
    root.chmod(0o711)
    try:
        yield root
    finally:
        shutil.rmtree(root, ignore_errors=True)
