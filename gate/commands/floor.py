"""The floor under the tests of a suite: no lock for a canary that hardly rejects anything, unless it says so."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from fractions import Fraction

from gate.audit.kept import Kept, cache_folder
from gate.audit.rates import rates
from gate.audit.strength import outdated, undisclosed
from gate.audited import Strength
from gate.errors import ConfigError, NotMeasured, Problem
from gate.suite import yaml12
from gate.suite.canary import Canary
from gate.suite.config import GateConfig
from gate.suite.load import Suite


def hold_floor(config: GateConfig, suite: Suite, digests: Mapping[str, str]) -> dict[str, Strength]:
    """Measure how strong the tests are and refuse what is under `min_kill_rate`; nothing is done where that is null.

    Raises ConfigError with every canary that is too weak and does not disclose it, NotMeasured where that could not
    be found out (NoSandbox among them).
    """
    floor = config.policy.min_kill_rate
    if floor is None:
        return {}
    found = rates(suite, digests, Kept(cache_folder(os.environ)), jobs=config.jobs or os.cpu_count() or 1, say=_said)
    by_id = {canary.id: canary for canary in suite.canaries}
    for name, strength in found.items():
        for old in outdated(by_id[name], strength):
            _talk(f"{name}: weak_tests: {old} does not survive any more; take it off the list")
    problems = [
        _problem(config, by_id[name], strength, floor)
        for name, strength in found.items()
        if strength.rate is not None and strength.rate < floor and undisclosed(by_id[name], strength)
    ]
    if problems:
        raise ConfigError(problems)
    lost = [f"{name}: {_lost(by_id[name], strength)}" for name, strength in found.items() if strength.unmeasured]
    if lost:
        raise NotMeasured("\n".join(lost))
    return found


def _said(name: str, strength: Strength) -> None:
    more = f", {strength.unmeasured} not graded" if strength.unmeasured else ""
    _talk(f"{name}: tests reject {strength.killed} of {strength.of} wrong versions of its answer{more}")


def _talk(text: str) -> None:
    print(text, file=sys.stderr)  # noqa: T201  # talk


def _problem(config: GateConfig, canary: Canary, strength: Strength, floor: Fraction) -> Problem:
    document = yaml12.load_file(canary.source, shown=config.shown(canary.source))
    names = json.dumps(list(undisclosed(canary, strength)), ensure_ascii=False)
    rate = f"{strength.killed} of {strength.of} wrong versions of the known answer"
    reason = (
        f"reject only {rate} ({_percent(strength.rate)}, and policy.min_kill_rate in {config.path.name} is "
        f"{_percent(floor)}); add tests that fail on these, or disclose them with a reason in `weak_tests`: {names}"
    )
    return document.problem(("expect", "tests"), reason)


def _percent(share: Fraction | None) -> str:
    return f"{float(100 * (share or 0)):.3g}%"


def _lost(canary: Canary, strength: Strength) -> str:
    what = "the known answer does not pass, or" if not strength.of else f"{strength.unmeasured} of them:"
    return (
        f"the wrong versions of its answer could not be graded ({what} the graders could not work); see "
        f"`gate grade {canary.id} --patch {canary.solution}`"
    )
