"""`gate check`: gate rows that already exist, by seed 002's policy unless a gate.yml or an option says otherwise."""

from __future__ import annotations

import argparse
import json
import os
import sys
from dataclasses import replace
from pathlib import Path

from gate.commands.options import at_least, share
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
    tally = read_rows(args.outcomes, args.seeds or _planned_seeds(args.outcomes))
    check_policy(policy, _plan_of(tally), str(args.config or "gate check"))
    verdict = _judge(tally, policy, args.baseline)
    if args.json:
        report = verdict.to_json({"outcomes": str(args.outcomes)})
        sys.stdout.write(json.dumps(report, indent=2) + "\n")
        return verdict.exit_code
    text = terminal.show(verdict, title=str(args.outcomes), colour=colour.wanted(sys.stdout, os.environ))
    sys.stdout.write(encodable(text, sys.stdout.encoding))
    return verdict.exit_code


def _planned_seeds(outcomes: Path) -> int | None:
    """The seeds of the run that the rows lie in, so that its confirming reruns are not counted as planned ones."""
    try:
        facts = json.loads((outcomes.parent / "run.json").read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    seeds = facts.get("seeds") if isinstance(facts, dict) and facts.get("schema") == 1 else None
    return seeds if type(seeds) is int and seeds > 0 else None


def _policy(args: argparse.Namespace) -> Policy:
    policy = Policy()
    if args.config is not None:
        from gate.suite.config import load_config

        policy = load_config(args.config, os.environ).policy
    given = {name: getattr(args, name) for name in (*_SHARES, *_COUNTS) if getattr(args, name) is not None}
    if args.no_headline:
        given["headline"] = False
    return replace(policy, **given)


def _plan_of(tally: Tally) -> Plan:
    """The rows read as a plan: only to see whether a threshold is out of their reach."""
    canaries = (Planned(name, record.slice, "", "") for name, record in tally.records.items())
    return Plan(tuple(canary for canary in canaries if canary.slice is not Slice.CANARY), tally.seeds or 1)


def _judge(tally: Tally, policy: Policy, path: Path | None) -> Verdict:
    if path is None:
        return judge(tally, policy)
    baseline = baselines.pick(baselines.read(path), tally)
    if baseline is not None:
        return judge(tally, policy, baseline=baseline)
    text = f"{path} has no section for the harness surface of these rows; write one with `gate run --write-baseline`"
    return judge(tally, policy, reasons=[Finding("no-baseline", text)])
