"""A pull request may not rewrite its own judge: policy, lock, card and baseline as they are at a trusted commit.

Git runs here in the user's own repository, on what the user committed; never in a copy that an agent touched.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from gate.errors import ConfigError
from gate.policy import Policy
from gate.suite import card as cards
from gate.suite import lock as locks
from gate.suite.config import GateConfig, parse_config
from gate.suite.load import Suite
from gate.suite.repository import Repository
from gate.workspace.globs import Globs


@dataclass(frozen=True, slots=True)
class Trusted:
    """The judge as it was at `commit`, and what the working tree has otherwise.

    `judge` names the parts of the judge that differ; `stack` the changed paths that are neither judge nor suite.
    `baseline` is the file's bytes at that commit, or None where there was none.
    """

    ref: str
    commit: str
    policy: Policy
    baseline: bytes | None
    judge: tuple[str, ...]
    stack: tuple[str, ...]

    @property
    def rewritten(self) -> bool:
        """True when the judge changed together with the stack that it judges."""
        return bool(self.judge and self.stack)


def _judged_fields(config: GateConfig) -> dict[str, object]:
    """Everything in gate.yml that decides; agents are the stack, and jobs change no result."""
    return {
        "policy": config.policy,
        "seeds": config.seeds,
        "suite": config.suite,
        "hidden": config.hidden,
        "baseline": config.baseline,
        "budget_usd": config.budget_usd,
        "prompt_template": config.prompt_template,
        "attempt_cap": config.attempt_cap,
        "stack": config.stack,
    }


def _judge_paths(config: GateConfig, suite: Suite) -> Iterator[Path]:
    """Files and folders that belong to the judge: the suite and all that it names."""
    yield from (config.base / config.path.name, config.suite)
    yield from (path for path in (config.hidden, config.baseline, config.prompt_template) if path)
    for canary in suite.canaries:
        expect = canary.expect
        yield canary.fixture
        yield from (path for path in (*expect.goldens, expect.reference, expect.hidden_tests) if path)
        if canary.trap:
            yield from (path for path in (canary.trap.twin, canary.trap.exploit.patch) if path)


def _stack(changed: set[Path], config: GateConfig, suite: Suite, then: GateConfig | None) -> tuple[str, ...]:
    judge = tuple(_judge_paths(config, suite))
    outside = (path for path in changed if not any(path.is_relative_to(own) for own in judge))
    rest = sorted(os.path.relpath(path, config.base) for path in outside)
    if then is not None and then.stack:
        rest = Globs(then.stack).matching(rest)
    if then is None or (then.agent, then.agents) != (config.agent, config.agents):
        rest = [f"{config.path.name} (agents)", *rest]
    return tuple(rest)


def _differences(
    config: GateConfig, then: GateConfig | None, ref: str, was: Callable[[Path], bytes | None]
) -> Iterator[str]:
    """The parts of the judge that are not what they were; `was` reads a file of the trusted commit."""
    if then is None:
        yield f"{config.path.name}, which is not in {ref}"
    else:
        now, before = _judged_fields(config), _judged_fields(then)
        yield from (f"{config.path.name}: {name}" for name in now if now[name] != before[name])
    watched = {
        "card": config.suite / cards.NAME,
        "lock": config.suite / locks.NAME,
        "baseline": (then or config).baseline,
    }
    for name, path in watched.items():
        if path is not None and was(path) != (path.read_bytes() if path.is_file() else None):
            yield name


def trust(config: GateConfig, suite: Suite, ref: str, environ: Mapping[str, str]) -> Trusted:
    """Read the judge from `ref` and name what differs. Raises ConfigError when `ref` is no commit of the repository."""
    repository = Repository(config.base)
    try:
        commit = repository.commit(ref)
    except ConfigError as error:
        raise ConfigError(
            f"--trust-ref {ref}: {error.message}; a shallow clone has to fetch that commit first "
            "(actions/checkout: fetch-depth: 0)"
        ) from error

    def was(path: Path) -> bytes | None:
        return repository.show(commit, path)

    text = was(config.base / config.path.name)
    then = parse_config(config.base / config.path.name, text, environ) if text is not None else None
    baseline = (then or config).baseline
    return Trusted(
        ref=ref,
        commit=commit,
        policy=(then or config).policy,
        baseline=was(baseline) if baseline else None,
        judge=tuple(_differences(config, then, ref, was)),
        stack=_stack(repository.differing_from(commit), config, suite, then),
    )
