"""A pull request may not rewrite its own judge: policy, lock, card, stamp and baseline as they are at a trusted commit.

Git runs here in the user's own repository, on what the user committed; never in a copy that an agent touched.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from gate.audited import Stamp
from gate.errors import ConfigError
from gate.policy import Policy
from gate.suite import card as cards
from gate.suite import lock as locks
from gate.suite import stamp as stamps
from gate.suite.config import GateConfig, parse_config
from gate.suite.ground import Ground
from gate.suite.load import Suite
from gate.suite.repository import Repository
from gate.workspace.globs import Globs


@dataclass(frozen=True, slots=True)
class Trusted:
    """The judge as it was at `commit`, and what the working tree has otherwise.

    `judge` names the parts of the judge that differ; `stack` the changed paths that are neither judge nor suite.
    `baseline` is the file's bytes at that commit; None where it names none, or (`baseline_lost`) does not hold it.
    `stamp` is that of the last audit at that commit, None where there was none.
    """

    ref: str
    commit: str
    policy: Policy
    baseline: bytes | None
    baseline_lost: bool
    stamp: Stamp | None
    judge: tuple[str, ...]
    stack: tuple[str, ...]

    @property
    def rewritten(self) -> bool:
        """True when the judge changed together with the stack that it judges."""
        return bool(self.judge and self.stack)

    @property
    def judge_alone(self) -> bool:
        """True when nothing but the judge changed: then it is on its way to be reviewed, and judges no new stack."""
        return bool(self.judge) and not self.stack


@dataclass(frozen=True, slots=True)
class _Case:
    """A working tree and the commit that it is held against; `then` is gate.yml as it was, None where there was none.

    `file` is gate.yml itself, wherever a symlink to it lies.
    """

    config: GateConfig
    then: GateConfig | None
    file: Path
    ground: Ground

    def shown(self, path: Path) -> str:
        return os.path.relpath(path, self.config.base)

    def differs(self, path: Path) -> bool:
        return self.ground.was(path) != (path.read_bytes() if path.is_file() else None)


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


def _prompts(config: GateConfig | None) -> set[Path]:
    """The system prompts of the agents. They are the stack whatever else names them, or git ignores."""
    agents = config.agents.values() if config is not None else ()
    return {agent.system_prompt for agent in agents if agent.system_prompt is not None}


def _stack(case: _Case) -> tuple[str, ...]:
    config, then = case.config, case.then
    names = sorted(case.shown(path) for path in case.ground.outside_the_judge())
    if then is not None and then.stack:
        names = Globs(then.stack).matching(names)
    prompts = {case.shown(path) for path in _prompts(config) | _prompts(then) if case.differs(path)}
    names = sorted({*names, *prompts})
    if then is None or (then.agent, then.agents) != (config.agent, config.agents):
        names = [f"{config.path.name} (agents)", *names]
    return tuple(names)


def _differences(case: _Case, ref: str) -> Iterator[str]:
    """The parts of the judge that are not what they were."""
    config, then = case.config, case.then
    if then is None:
        yield f"{config.path.name}, which is not in {ref}"
    else:
        now, before = _judged_fields(config), _judged_fields(then)
        yield from (f"{config.path.name}: {name}" for name in now if now[name] != before[name])
    watched = {
        "card": config.suite / cards.NAME,
        "lock": config.suite / locks.NAME,
        "stamp of the audit": config.suite / stamps.NAME,
        "baseline": (then or config).baseline,
    }
    yield from (name for name, path in watched.items() if path is not None and case.differs(path))
    yield from (f"the link {case.shown(link)}" for link in case.ground.links_to_the_judge())


def _then(file: Path, text: bytes | None, ref: str, environ: Mapping[str, str]) -> GateConfig | None:
    if text is None:
        return None
    try:
        return parse_config(file, text, environ)
    except ConfigError as error:
        raise ConfigError(
            f"--trust-ref {ref}: {file.name} as it is in that commit cannot be used with this working tree:\n"
            f"{error.message}"
        ) from error


def trust(config: GateConfig, suite: Suite, ref: str, environ: Mapping[str, str]) -> Trusted:
    """Read the judge from `ref` and name what differs. `config` is gate.yml as written, without the command line.

    Raises ConfigError when `ref` is no commit of the repository, when gate.yml there does not fit the working tree, or
    when the way to gate.yml leads through a link that changed: then nobody can tell which file was the policy.
    """
    repository = Repository(config.base)
    try:
        commit = repository.commit(ref)
    except ConfigError as error:
        raise ConfigError(
            f"--trust-ref {ref}: {error.message}; a shallow clone has to fetch that commit first "
            "(actions/checkout: fetch-depth: 0)"
        ) from error
    file = config.path.resolve()
    text = repository.show(commit, file)
    then = _then(file, text, ref, environ)
    ground = Ground.of(repository, commit, config, then, suite)
    turned = [link for link in ground.links if file.is_relative_to(link.resolve())]
    if turned:
        raise ConfigError(f"--trust-ref {ref}: {config.path} lies behind {turned[0]}, a link that is not as in {ref}")
    case = _Case(config, then, file, ground)
    named = (then or config).baseline
    baseline = repository.show(commit, named) if named else None
    place = (then or config).suite / stamps.NAME
    stamp = repository.show(commit, place)
    return Trusted(
        ref=ref,
        commit=commit,
        policy=(then or config).policy,
        baseline=baseline,
        baseline_lost=then is not None and named is not None and baseline is None,
        stamp=stamps.from_bytes(stamp, Path(f"{case.shown(place)} at {ref}")) if stamp is not None else None,
        judge=tuple(_differences(case, ref)),
        stack=_stack(case),
    )
