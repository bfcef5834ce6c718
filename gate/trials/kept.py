"""Which rows a resumed run may go on from: its own, planned, once each, and backed by the evidence beside them.

A row on disk is a claim. A run that is resumed publishes it as its own, so each is held against the plan and the
stack of this run and against the grade that its trial left. Somebody who rewrites both can still lie, as anybody can
who may write to the folder; a row that was lost, pasted or edited cannot pass unseen.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from gate.errors import ConfigError, Problem
from gate.outcome import Outcome, Slice
from gate.policy import Plan, Planned
from gate.trials.journal import Journal
from gate.trials.stand import Stand

_GRADED = ("passed", "status", "graded_by", "applied", "located")


def check_kept(journal: Journal, plan: Plan, confirm_seeds: int, stand: Stand) -> None:
    """Raise ConfigError with every row that is not this run's."""
    planned = {entry.id: entry for entry in plan.canaries}
    seen: set[tuple[str, int]] = set()
    problems = []
    for number, row in enumerate(journal.rows, 1):
        found = list(_not_planned(row, planned, plan.seeds, confirm_seeds))
        if not found:
            found = [*_not_ours(row, stand), *_not_proven(row, stand)]
            if (row.id, row.seed) in seen:
                found.append(("seed", "this trial has a row already; a trial counts once"))
            seen.add((row.id, row.seed))
        problems += [Problem(str(journal.path), number, key, reason) for key, reason in found]
    if problems:
        raise ConfigError(problems)


Wrong = tuple[str, str]
"""A key of a row, and what is wrong with it."""


def _not_planned(row: Outcome, planned: dict[str, Planned], seeds: int, confirm_seeds: int) -> Iterator[Wrong]:
    entry = planned.get(str(row.id))  # a row on disk may hold anything
    if entry is None:
        yield "id", f"{row.id!r} is not in the plan of this run"
        return
    for key in ("slice", "kind", "canary_sha256"):
        if getattr(row, key) != getattr(entry, key):
            yield key, f"{row.id} has another {key} in the plan of this run"
    most = seeds if entry.slice is Slice.CANARY else seeds + confirm_seeds
    if type(row.seed) is not int or not 0 <= row.seed < most:
        yield "seed", f"{row.seed!r} is no seed of this run, which has 0 to {most - 1}"


def _not_ours(row: Outcome, stand: Stand) -> Iterator[Wrong]:
    ours = {
        "agent": stand.agent.name,
        "tool_surface": stand.surface,
        "dataset_commit": stand.commit,
        "digests": stand.digests,
        "trial": f"trials/{row.id}/{row.seed}",
    }
    for key, value in ours.items():
        if getattr(row, key) != value:
            yield key, f"{row.id} was not measured by this run: it has another value of {key}"


def _not_proven(row: Outcome, stand: Stand) -> Iterator[Wrong]:
    """The grade that the trial left, and the row: one was written from the other."""
    path = stand.folder.root / "trials" / row.id / str(row.seed) / "grade.json"
    try:
        grade = json.loads(path.read_bytes())
        wrong = [key for key in _GRADED if grade[key] != getattr(row, key)]
        reasons = [f"{check['name']}: {check['reason']}" for check in grade["checks"] if not check["ok"]]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        yield "trial", f"{row.id} has no evidence: {path} is missing or is no grade"
        return
    wrong += ["reasons"] if reasons != list(row.reasons) else []
    for key in wrong:
        yield key, f"{row.id} contradicts its evidence {path}; one of the two was edited"
