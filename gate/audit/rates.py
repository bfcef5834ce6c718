"""The strength of every canary of a suite: measured once for each state of a canary and of what grades it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import resources
from typing import Any, Protocol

from gate.audit.digest import house_digest
from gate.audit.stand import audit_stand
from gate.audit.strength import strength
from gate.audited import Strength
from gate.grading.grade import grader_digest
from gate.sandbox import toolchain
from gate.suite.canary import Canary
from gate.suite.load import Suite


class Store(Protocol):
    """Where results are kept; `gate.audit.kept` has one on disk."""

    def get(self, key: str) -> dict[str, Any] | None:
        """What was put under a key, or None."""
        ...

    def put(self, key: str, value: Mapping[str, Any]) -> None:
        """Keep a value, or not."""
        ...


def measurable(canary: Canary) -> bool:
    """Whether there is a known answer to spoil, and tests that could see it."""
    answered = canary.solution is not None and canary.trap is None and canary.known_unpassable is None
    return answered and bool(canary.expect.tests)


def rates(
    suite: Suite,
    digests: Mapping[str, str],
    store: Store,
    *,
    jobs: int,
    say: Callable[[str, Strength], None],
    sandbox: str = "auto",
) -> dict[str, Strength]:
    """The strength of every canary of which it can be said, by id. `digests` has the lock's digest of each.

    What the store does not know is measured, and `say` is told of it as it ends. Raises NoSandbox where something is
    to be measured and no fence works.
    """
    keys = dict(_keys([canary for canary in suite.canaries if measurable(canary)], digests))
    found = {name: known for name, key in keys.items() if (known := _known(store, key)) is not None}
    missing = [canary for canary in suite.canaries if canary.id in keys.keys() - found.keys()]
    if missing:
        with audit_stand(sandbox, None, suite) as stand:
            for canary in missing:
                measured = strength(canary, stand, jobs=jobs)
                if measured is None:
                    continue
                found[canary.id] = measured
                if not measured.unmeasured:
                    store.put(keys[canary.id], measured.to_json())
                say(canary.id, measured)
    return {name: found[name] for name in sorted(found)}


def _keys(canaries: Sequence[Canary], digests: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Everything that a strength follows from, by the id of the canary."""
    if not canaries:
        return
    ours = hashlib.sha256((resources.files("gate.audit") / "strength.py").read_bytes()).hexdigest()
    house = f"{house_digest(('proof',))} {ours} {grader_digest(toolchain.python(), toolchain.node())}"
    for canary in canaries:
        yield canary.id, f"strength {digests[canary.id]} {house}"


def _known(store: Store, key: str) -> Strength | None:
    value = store.get(key)
    try:
        found = Strength.from_json(value) if value is not None else None
    except (KeyError, TypeError, ValueError):
        return None
    # What somebody else wrote there may be of any shape; comparing it with itself read back shows that.
    return found if found is not None and not found.unmeasured and found.to_json() == value else None
