"""Opening a run: the fence, the interpreters, the agent, the digests, and the record of all of it."""

from __future__ import annotations

import platform
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from gate import __version__
from gate.agents.table import build
from gate.agents.tools import TOOL_NAMES
from gate.commands.settings import Settings
from gate.errors import ConfigError
from gate.sandbox import toolchain
from gate.sandbox.fence import Fence, open_fence
from gate.suite.config import AgentSpec
from gate.suite.load import Suite
from gate.trials.folder import RunFolder
from gate.trials.stand import (
    Stand,
    dataset_commit,
    harness_card,
    make_digests,
    scratch_folder,
    surface_card,
    surface_label,
)
from gate.workspace.copy import Copies
from gate.workspace.patch import Patch, apply_bytes, diff

_SCRATCH = "scratch.path"


@contextmanager
def opened(settings: Settings, folder: RunFolder) -> Iterator[Stand]:
    """Everything that trials share, for as long as the run takes. Raises NoSandbox before any trial.

    The journal's lock has to be held: what another process of the same run works in would be removed.
    """
    fence = open_fence(settings.sandbox)
    _remove_leftover(folder)
    with scratch_folder() as scratch:
        (folder.root / _SCRATCH).write_text(str(scratch), encoding="utf-8")
        try:
            stand = _stand(settings, folder, fence, scratch)
            if settings.resumed:
                _check_same(settings.resumed, stand)
            yield stand
        finally:
            (folder.root / _SCRATCH).unlink(missing_ok=True)


def _remove_leftover(folder: RunFolder) -> None:
    """What a killed run left in the system's temporary folder, by the note that it kept of it."""
    note = folder.root / _SCRATCH
    if note.is_file():
        scratch = Path(note.read_text(encoding="utf-8", errors="replace"))
        # The note came with the folder, from wherever that came: nothing is removed that is not a folder of ours.
        if scratch.name.startswith("cg-") and scratch.parent == Path(tempfile.gettempdir()).resolve():
            shutil.rmtree(scratch, ignore_errors=True)


def _stand(settings: Settings, folder: RunFolder, fence: Fence, scratch: Path) -> Stand:
    config, suite = settings.config, settings.suite
    python, node = toolchain.python(), toolchain.node()
    if node is None and any(canary.language == "javascript" for canary in suite.canaries):
        raise ConfigError(
            "the suite holds JavaScript canaries and there is no node of version 20 or newer; "
            "install one, or `pip install 'canary-ci[node]'`"
        )
    copies = Copies(scratch, owner=fence.owner, overlay=fence.can_overlay, fresh=fence.fresh_owner)
    spec = config.agents[config.agent]
    agent = build(spec, solutions=lambda name: solution(suite, copies, name), base=config.base)
    harness = harness_card(config, suite, fence, settings.plan.seeds)
    card = surface_card(config, suite, fence, settings.plan.seeds, _tools(spec))
    return Stand(
        suite=suite,
        template=settings.template,
        locked={planned.id: planned.canary_sha256 for planned in settings.plan.canaries},
        agent=agent,
        fence=fence,
        copies=copies,
        scratch=scratch,
        python=python,
        node=node,
        digests=make_digests(suite, settings.lock, settings.template, agent, harness, python, node),
        surface=surface_label(card),
        commit=dataset_commit(config.base),
        folder=folder,
    )


def solution(suite: Suite, copies: Copies, name: str) -> Patch | None:
    """The patch that is known to be right for a canary; None where there is none, as for traps."""
    canary = next(canary for canary in suite.canaries if canary.id == name)
    if canary.solution is None or canary.trap is not None:
        return None
    base = copies.base(canary.fixture)
    return diff(base, apply_bytes(canary.solution.read_bytes(), base))


def run_facts(settings: Settings, stand: Stand) -> dict[str, Any]:
    """The first part of `run.json`: what was planned, with what, under which fence."""
    spec = settings.config.agents[settings.config.agent]
    digests = stand.digests
    trusted = settings.trusted
    return {
        "schema": 1,
        "gate": __version__,
        "python": platform.python_version(),
        "platform": f"{platform.system()}-{platform.machine()}",
        "agent": settings.config.agent,
        "selection": {"slices": list(settings.selection.slices), "canaries": list(settings.selection.canaries)},
        "seeds": settings.plan.seeds,
        "plan": [
            {
                "id": planned.id,
                "slice": str(planned.slice),
                "kind": planned.kind,
                "canary_sha256": planned.canary_sha256,
            }
            for planned in settings.plan.canaries
        ],
        "caps": dict(settings.plan.caps),
        "partial": settings.plan.partial,
        "digests": {**digests.measuring(), "prompt": digests.prompt, "agent": digests.agent},
        "dataset_commit": stand.commit,
        "surface": {
            "label": stand.surface,
            **surface_card(settings.config, settings.suite, stand.fence, settings.plan.seeds, _tools(spec)),
        },
        "fence": stand.fence.describe(),
        "audit": settings.audit.to_json(),
        "trust_ref": {"ref": trusted.ref, "commit": trusted.commit} if trusted else None,
    }


def _tools(spec: AgentSpec) -> tuple[str, ...]:
    """What the surface says that an agent has: one that answers by message alone has none."""
    return () if spec.kind == "direct" else spec.tools or TOOL_NAMES


def _check_same(folder: RunFolder, stand: Stand) -> None:
    """A resumed run is the same run, or it is refused: half of one stack and half of another is no measurement."""
    facts = folder.read_run()
    digests = stand.digests
    before = {**facts["digests"], "dataset_commit": facts["dataset_commit"], "surface": facts["surface"].get("label")}
    now: dict[str, str | None] = {"dataset_commit": stand.commit, "surface": stand.surface}
    now |= {**digests.measuring(), "prompt": digests.prompt, "agent": digests.agent}
    differing = [name for name, value in now.items() if before.get(name) != value]
    if differing:
        raise ConfigError(
            f"{folder.root}: {', '.join(differing)} changed since this run was started, so it cannot go on; "
            "start a new run"
        )
