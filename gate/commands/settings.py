"""What a run is made of, settled before anything runs: configuration, command line, trusted commit, lock and plan."""

from __future__ import annotations

import argparse
import dataclasses
import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from gate.audited import NEVER_AUDITED, AuditState, Stamp
from gate.commands import asked as asks
from gate.commands.asked import Asked
from gate.errors import ConfigError, NotMeasured
from gate.policy import Baseline, Plan, Policy
from gate.suite import lock as locks
from gate.suite import stamp as stamps
from gate.suite.config import GateConfig, load_config
from gate.suite.load import Suite, load_suite
from gate.suite.template import load_template
from gate.suite.trusted import Trusted, trust
from gate.trials.folder import RunFolder
from gate.trials.plan import Selection, make_plan
from gate.verdict import baseline as baselines
from gate.verdict.feasibility import check_policy
from gate.verdict.ruling import Finding


@dataclass(frozen=True, slots=True)
class Settings:
    """A run before its first trial. `blockers`, `reasons` and `notes` are what is known against it already.

    `lock` is computed from what is present, `locked` as it lies in the suite: with a hidden slice that is absent here.
    `stamp` is that of the last audit; whether it holds (`audit`) is known once the interpreters are.
    """

    asked: Asked
    config: GateConfig
    suite: Suite
    template: str
    lock: Mapping[str, Any]
    locked: Mapping[str, Any]
    stamp: Stamp | None
    policy: Policy
    plan: Plan
    selection: Selection
    jobs: int
    sandbox: str
    baseline_path: Path | None
    baseline_sections: Mapping[str, Baseline]
    baseline: Baseline | None
    trusted: Trusted | None
    blockers: tuple[Finding, ...]
    reasons: tuple[Finding, ...]
    notes: tuple[Finding, ...]
    resumed: RunFolder | None
    audit: AuditState = NEVER_AUDITED

    def folder(self, args: argparse.Namespace, now: datetime) -> RunFolder:
        """The folder of a resumed run, or a new one."""
        return self.resumed or RunFolder.create(args.out.resolve(), self.config.agent, now)

    def opened(self, harness: str, now: Stamp) -> Settings:
        """The same run with what is known once the fence is open: the baseline section of its harness surface, and
        whether the stamp of the last audit holds; `now` is what one made at this moment would be.
        """
        audit = stamps.state(self.stamp, now, audit=False)
        section = self.baseline_sections.get(harness)
        if section is not None or not self.baseline_sections:
            return dataclasses.replace(self, baseline=section, audit=audit)
        text = f"{self.baseline_path} has no section for this harness surface, so nothing was compared with it"
        return dataclasses.replace(self, reasons=(*self.reasons, Finding("baseline-surface", text)), audit=audit)


def settle(args: argparse.Namespace, environ: Mapping[str, str]) -> Settings:
    """Read and check everything. Raises ConfigError with all that is wrong, NotMeasured when nothing is selected."""
    resumed = RunFolder.existing(args.resume) if args.resume else None
    asked = asks.asked(args, resumed)
    written = load_config(asked.config, environ)
    config = _narrowed(written, asked)
    suite = load_suite(config)
    template = load_template(config.prompt_template)
    problems = locks.check(suite, template)
    if suite.card.attempt_cap != 1:
        reason = "this version makes one attempt in a trial; set it to 1, or the bound would be decoration"
        problems.append(suite.card.problem(("attempt_cap",), reason))
    if problems:
        raise ConfigError(problems)
    trusted = trust(written, suite, asked.trust_ref, environ) if asked.trust_ref else None
    policy = trusted.policy if trusted else config.policy
    if asked.fail_under is not None:
        policy = dataclasses.replace(policy, fail_under=asked.fail_under)
    lock = locks.compute(suite, template)
    stamp = _stamp(suite, trusted)
    selection = Selection(asked.slices, asked.canaries)
    plan = make_plan(suite, selection, config.seeds, locks.canary_digests(lock))
    if not plan.canaries:
        raise NotMeasured("nothing is selected, so nothing was measured; see --slice and --canary")
    check_policy(policy, plan, str(config.path))
    path = asked.baseline or config.baseline
    if args.write_baseline:
        _check_writable(path, plan)
    return Settings(
        asked=dataclasses.replace(asked, agent=config.agent, seeds=config.seeds),
        config=config,
        suite=suite,
        template=template,
        lock=lock,
        locked=locks.read(suite.root / locks.NAME),
        stamp=stamp,
        policy=policy,
        plan=plan,
        selection=selection,
        jobs=args.jobs or config.jobs or os.cpu_count() or 1,
        sandbox=asked.sandbox or "auto",
        baseline_path=path,
        baseline_sections=_sections(path, trusted, writing=args.write_baseline),
        baseline=None,
        trusted=trusted,
        blockers=_blockers(trusted),
        reasons=_reasons(trusted),
        notes=(*(Finding("suite", note) for note in suite.notes), *_notes(trusted)),
        resumed=resumed,
    )


def _stamp(suite: Suite, trusted: Trusted | None) -> Stamp | None:
    """The stamp as it is at the trusted commit, so that no change brings its own along with the stack.

    Where only the judge changed, there is no new stack to be let through, and the stamp is reviewed with the rest.
    """
    if trusted is not None and not trusted.judge_alone:
        return trusted.stamp
    return stamps.read(suite.root / stamps.NAME)


def _check_writable(path: Path | None, plan: Plan) -> None:
    """Say before the first trial what would be said after the last one."""
    if path is None:
        raise ConfigError("--write-baseline needs a file: set `baseline` in gate.yml or give --baseline")
    if plan.partial is not None:
        raise NotMeasured(f"a baseline needs the whole suite, and this run has {plan.partial}")


def _narrowed(config: GateConfig, asked: Asked) -> GateConfig:
    """gate.yml with what the command line sets otherwise."""
    if asked.agent:
        if asked.agent not in config.agents:
            known = ", ".join(sorted(config.agents))
            raise ConfigError(f"no agent named {asked.agent} in {config.path}; there are: {known}")
        config = dataclasses.replace(config, agent=asked.agent)
    if asked.seeds:
        config = dataclasses.replace(config, seeds=asked.seeds)
    if asked.budget_usd is not None:
        config = dataclasses.replace(config, budget_usd=asked.budget_usd)
    return config


def _sections(path: Path | None, trusted: Trusted | None, *, writing: bool) -> Mapping[str, Baseline]:
    if trusted is not None:
        name = f"{path} at {trusted.ref}"
        return baselines.from_bytes(trusted.baseline, name) if trusted.baseline is not None else {}
    if path is None or (writing and not path.exists()):
        return {}
    return baselines.read(path)


def _blockers(trusted: Trusted | None) -> tuple[Finding, ...]:
    if trusted is None or not trusted.rewritten:
        return ()
    text = (
        f"the judge changed together with what it judges: {', '.join(trusted.judge)} differ from {trusted.ref}, "
        f"and so does {_few(trusted.stack)}; merge the judge's change on its own first"
    )
    return (Finding("policy-changed-with-stack", text),)


def _reasons(trusted: Trusted | None) -> tuple[Finding, ...]:
    if trusted is None or not trusted.baseline_lost:
        return ()
    text = (
        f"gate.yml of {trusted.ref} names a baseline which that commit does not hold, so nothing was compared with it"
    )
    return (Finding("no-baseline", text),)


def _few(names: tuple[str, ...], most: int = 5) -> str:
    shown = ", ".join(names[:most])
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown


def _notes(trusted: Trusted | None) -> tuple[Finding, ...]:
    if trusted is None:
        return ()
    at = f"{trusted.ref} ({trusted.commit[:12]})"
    read = f"judged by the policy, stamp and baseline of {at}; lock and card compared with it"
    notes = [Finding("trust-ref", read)]
    if trusted.judge_alone:
        notes.append(Finding("judge-changed-alone", f"only the judge changed: {', '.join(trusted.judge)}"))
    return tuple(notes)
