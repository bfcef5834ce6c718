"""`gate check`: gate rows that already exist, by seed 002's policy unless a gate.yml or an option says otherwise."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from gate.audited import NEVER_AUDITED, AuditState
from gate.commands.options import at_least, share
from gate.errors import ConfigError
from gate.outcome import Slice
from gate.policy import Plan, Planned, Policy
from gate.report import colour, terminal
from gate.report.text import encodable
from gate.verdict import baseline as baselines
from gate.verdict.feasibility import check_policy
from gate.verdict.judge import Verdict, judge
from gate.verdict.rows import read_rows
from gate.verdict.ruling import Finding
from gate.verdict.tally import Tally

HELP = "Gate outcome rows that already exist: slices, gap, traps, the verdict, and its exit code."

_SHARES = ("fail_under", "min_lower", "score_drop", "gap_limit", "max_unscored")
_COUNTS = ("min_slice", "confirm_seeds")


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of the verb."""
    parser.add_argument("outcomes", type=Path, metavar="OUTCOMES", help="the rows, one JSON object a line")
    parser.add_argument("--json", action="store_true", help="print the report object instead of the report")
    parser.add_argument("--config", type=Path, metavar="GATE_YML", help="take the policy from this gate.yml")
    parser.add_argument("--baseline", type=Path, metavar="FILE", help="compare canary by canary with this baseline")
    parser.add_argument(
        "--seeds",
        type=at_least(1),
        metavar="N",
        help="planned seeds; rows of higher seeds only confirm losses (default: what run.json beside the rows says)",
    )
    shares = parser.add_argument_group("thresholds (shares of canaries, compared exactly)")
    shares.add_argument("--gap-limit", type=share, metavar="SHARE", help="largest public minus hidden rate (0.25)")
    shares.add_argument("--fail-under", type=share, metavar="SHARE", help="least rate of each slice (none)")
    shares.add_argument("--min-lower", type=share, metavar="SHARE", help="least Wilson lower bound (none)")
    shares.add_argument("--score-drop", type=share, metavar="SHARE", help="largest drop against the baseline (0.05)")
    shares.add_argument("--max-unscored", type=share, metavar="SHARE", help="most canaries without a result (0)")
    shares.add_argument("--min-slice", type=at_least(1), metavar="N", help="fewest canaries for a headline (20)")
    shares.add_argument("--confirm-seeds", type=at_least(0), metavar="N", help="reruns that confirm a loss (2)")
    shares.add_argument(
        "--no-headline",
        action="store_true",
        help="slice size and a missing hidden slice become notes, and no rate is published",
    )


def run(args: argparse.Namespace) -> int:
    """Judge the rows and print the report. Returns the verdict's exit code; raises ConfigError for bad input."""
    policy = _policy(args)
    known = _Known.beside(args.outcomes)
    tally = read_rows(args.outcomes, args.seeds or known.seeds)
    check_policy(policy, _plan_of(tally, known.caps), str(args.config or "gate check"))
    verdict = _judge(tally, policy, args.baseline, known)
    if args.json:
        report = verdict.to_json({"outcomes": str(args.outcomes)})
        sys.stdout.write(json.dumps(report, indent=2) + "\n")
        return verdict.exit_code
    text = terminal.show(verdict, title=str(args.outcomes), colour=colour.wanted(sys.stdout, os.environ))
    sys.stdout.write(encodable(text, sys.stdout.encoding))
    return verdict.exit_code


@dataclass(frozen=True, slots=True)
class _Known:
    """What the run says that the rows lie in; rows by themselves know none of it.

    With `seeds` its confirming reruns are not counted as planned ones. `audit` is what held when it ran.
    """

    seeds: int | None = None
    audit: AuditState | None = None
    caps: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def beside(cls, outcomes: Path) -> _Known:
        """Read `run.json`. Raises ConfigError where it is one of ours and was spoilt: it would soften the verdict."""
        path = outcomes.parent / "run.json"
        try:
            facts = json.loads(path.read_bytes())
        except (OSError, ValueError, RecursionError):
            return cls()
        if not isinstance(facts, dict) or facts.get("schema") != 1:
            return cls()
        seeds, caps = facts.get("seeds"), facts.get("caps", {})
        try:
            # A run that says nothing of it is of a version that knew no audit, and so was never audited.
            audit = AuditState.from_json(facts["audit"]) if "audit" in facts else NEVER_AUDITED
        except (KeyError, TypeError, ValueError) as error:
            raise ConfigError.at(path, 0, "audit", "is not what `gate run` writes there") from error
        if not isinstance(caps, dict) or not all(isinstance(reason, str) for reason in caps.values()):
            raise ConfigError.at(path, 0, "caps", "is not what `gate run` writes there")
        return cls(seeds if type(seeds) is int and seeds > 0 else None, audit, caps)


def _policy(args: argparse.Namespace) -> Policy:
    policy = Policy()
    if args.config is not None:
        from gate.suite.config import load_config

        policy = load_config(args.config, os.environ).policy
    given = {name: getattr(args, name) for name in (*_SHARES, *_COUNTS) if getattr(args, name) is not None}
    if args.no_headline:
        given["headline"] = False
    return replace(policy, **given)


def _plan_of(tally: Tally, caps: Mapping[str, str]) -> Plan:
    """The rows read as a plan: only to see whether a threshold is out of their reach."""
    canaries = (Planned(name, record.slice, "", "") for name, record in tally.records.items())
    return Plan(tuple(canary for canary in canaries if canary.slice is not Slice.CANARY), tally.seeds or 1, caps=caps)


def _judge(tally: Tally, policy: Policy, path: Path | None, known: _Known) -> Verdict:
    if path is None:
        return judge(tally, policy, audit=known.audit, caps=known.caps)
    baseline = baselines.pick(baselines.read(path), tally)
    if baseline is not None:
        return judge(tally, policy, baseline=baseline, audit=known.audit, caps=known.caps)
    text = f"{path} has no section for the harness surface of these rows; write one with `gate run --write-baseline`"
    return judge(tally, policy, reasons=[Finding("no-baseline", text)], audit=known.audit, caps=known.caps)
