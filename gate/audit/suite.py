"""The audit of a suite: every canary, each one only if nothing that it follows from has been audited before."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import replace
from typing import Any

from gate.audit.canary import audit_canary
from gate.audit.digest import house_digest
from gate.audit.kept import Kept
from gate.audited import AuditVerdict, CanaryAudit, Handed, Strength
from gate.grading.grade import grader_digest
from gate.suite.canary import Canary
from gate.trials.plan import longest_first
from gate.trials.stand import Stand

KEPT = frozenset({AuditVerdict.PASS, AuditVerdict.EXEMPT})
"""What is remembered. A broken or unverified canary is looked at again each time."""


def audit_suite(
    canaries: Sequence[Canary],
    stand: Stand,
    digests: Mapping[str, str],
    *,
    jobs: int,
    kept: Kept | None,
    ended: Callable[[CanaryAudit], None],
) -> tuple[CanaryAudit, ...]:
    """Audit canaries, `jobs` at a time. `digests` has the lock's digest of each; `kept` None remembers nothing.

    Raises what ends a run: a fence that does not hold, an interrupt.
    """
    house = house_digest() + grader_digest(stand.python, stand.node) + stand.fence.name
    keys = {name: hashlib.sha256(f"canary {digest} {house}".encode()).hexdigest() for name, digest in digests.items()}

    known = {canary.id: _remembered(canary.id, keys[canary.id], kept) for canary in canaries}
    new = [canary for canary in canaries if known[canary.id] is None]
    # Few canaries leave workers without work: those go into each of them.
    inner = max(1, jobs // max(1, len(new)))
    stopped = threading.Event()

    def one(canary: Canary) -> CanaryAudit:
        found = audit_canary(canary, stand, jobs=inner)
        if stopped.is_set():
            # What was killed on the way looks rejected: it is neither told nor remembered.
            return found
        if kept and found.verdict in KEPT:
            kept.put(keys[canary.id], remembered(found))
        ended(found)
        return found

    before = [found for found in known.values() if found is not None]
    for found in before:
        ended(found)
    with ThreadPoolExecutor(max_workers=jobs, thread_name_prefix="audit") as pool:
        futures = [pool.submit(one, canary) for canary in longest_first(new)]
        try:
            wait(futures, return_when=FIRST_EXCEPTION)
        finally:
            if any(not future.done() or future.exception() for future in futures):
                stopped.set()
                stand.fence.cancel()
                pool.shutdown(wait=True, cancel_futures=True)
    return tuple(sorted([*before, *(future.result() for future in futures)], key=lambda found: found.id))


def _remembered(name: str, key: str, kept: Kept | None) -> CanaryAudit | None:
    data = kept.get(key) if kept else None
    found = None if data is None else restored(data)
    return found if found is not None and found.id == name else None


def remembered(found: CanaryAudit) -> dict[str, Any]:
    """An audit as it is kept between runs."""
    return {
        **found.to_json(),
        "handed": [[one.answer, one.shape, one.passed, one.reason, one.failed_to_measure] for one in found.handed],
        "strength": None if found.strength is None else found.strength.to_json(),
        "seconds": found.seconds,
    }


def restored(data: Mapping[str, Any]) -> CanaryAudit | None:
    """The same, read back; None where it is not one of ours."""
    try:
        found = CanaryAudit(
            id=str(data["id"]),
            slice=str(data["slice"]),
            verdict=AuditVerdict(data["verdict"]),
            graded_by=str(data["graded_by"]),
            handed=tuple(Handed(*one) for one in data["handed"]),
            let_through=tuple(data["let_through"]),
            cheats=int(data["cheats"]),
            strength=None if data["strength"] is None else Strength.from_json(data["strength"]),
            flaws=tuple(data["flaws"]),
            notes=tuple(data["notes"]),
            advice=str(data["advice"]),
            missing=tuple(data["missing"]),
            cap=data["cap"],
            seconds=float(data["seconds"]),
        )
    except (KeyError, TypeError, ValueError):
        return None
    return replace(found, cached=True)
