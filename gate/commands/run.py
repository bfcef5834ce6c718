"""`gate run`: the suite, an agent, a verdict."""

from __future__ import annotations

import argparse
import json
import os
import shlex
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from gate.commands.opening import opened, run_facts
from gate.commands.options import at_least, dollars, share
from gate.commands.settings import Settings, settle
from gate.commands.stamping import stamp_now
from gate.commands.stopping import stoppable
from gate.errors import ConfigError, HarnessBroken, NotMeasured
from gate.outcome import Outcome, Slice
from gate.policy import Baseline
from gate.report import terminal
from gate.report.colour import wanted
from gate.report.progress import Progress
from gate.report.text import encodable, plain
from gate.sandbox.fence import BACK_ENDS
from gate.suite.canary import Canary
from gate.trials.exploits import ExploitResult
from gate.trials.folder import RunFolder, write_whole
from gate.trials.journal import Journal
from gate.trials.kept import check_kept
from gate.trials.run import Crew
from gate.trials.stand import Stand
from gate.verdict import baseline as baselines
from gate.verdict.drop import newly_failing
from gate.verdict.judge import Verdict, judge
from gate.verdict.ruling import Finding
from gate.verdict.tally import Tally

HELP = "Run the suite with an agent, grade every answer by execution, and gate the result."


_STALE = frozenset({"baseline-surface", "baseline-differs", "baseline-gap", "score-drop"})
"""Reasons for an inconclusive verdict that a new baseline is the answer to."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of this verb."""
    parser.add_argument("--config", type=Path, metavar="FILE", help="default: gate.yml")
    parser.add_argument("--agent", metavar="NAME", help="an agent of gate.yml, or oracle, null, stand-in")
    parser.add_argument(
        "--slice", action="append", default=[], choices=list(Slice), help="only this slice (repeatable)"
    )
    parser.add_argument("--canary", action="append", default=[], metavar="ID", help="only this canary (repeatable)")
    parser.add_argument(
        "--seeds", type=at_least(1), metavar="N", help="trials of each canary; a strict majority decides"
    )
    parser.add_argument("--jobs", type=at_least(1), metavar="N", help="workers; default: one per CPU")
    parser.add_argument("--budget-usd", type=dollars, metavar="X", help="dollars for the whole run")
    parser.add_argument("--baseline", type=Path, metavar="FILE", help="compare with this baseline")
    parser.add_argument("--write-baseline", action="store_true", help="write this run into the baseline file")
    parser.add_argument("--fail-under", type=share, metavar="SHARE", help="smallest rate of public and of hidden")
    parser.add_argument(
        "--trust-ref",
        metavar="REF",
        help="judge by policy and baseline of this commit, and name what else of the judge differs",
    )
    parser.add_argument("--resume", type=Path, metavar="RUN", help="go on with the run in this folder")
    parser.add_argument(
        "--out", type=Path, default=Path("runs"), metavar="DIR", help="where run folders go; default: runs"
    )
    parser.add_argument("--sandbox", choices=["auto", *BACK_ENDS], help="default: auto; none is for development only")
    parser.add_argument("--json", action="store_true", help="print the report object on stdout")
    parser.add_argument("--quiet", action="store_true", help="no progress lines")


def run(args: argparse.Namespace) -> int:
    """Run, judge, report. Returns the exit code of the verdict."""
    settings = settle(args, os.environ)
    folder = settings.folder(args, datetime.now(UTC))
    with stoppable(), Journal.open(folder.journal) as journal, opened(settings, folder) as stand:
        check_kept(journal, settings.plan, settings.policy.confirm_seeds, stand)
        settings = settings.opened(stand.digests.harness, stamp_now(settings.locked, stand.python, stand.node))
        return _measure(args, settings, stand, journal)


def _measure(args: argparse.Namespace, settings: Settings, stand: Stand, journal: Journal) -> int:
    folder = stand.folder
    facts = run_facts(settings, stand)
    folder.write_asked(settings.asked.to_json())
    folder.write_run({**facts, "state": "running"})
    show = Progress(sys.stderr, len(settings.plan.canaries) * settings.plan.seeds, os.environ)
    state = "interrupted"
    exploits: list[ExploitResult] = []
    try:
        crew = Crew(stand, journal, settings.jobs, _nothing if args.quiet else show.ended, settings.config.budget_usd)
        exploits = crew.run(settings.plan, settings.suite.canaries)
        _confirm(crew, settings)
        state = "finished"
    finally:
        # In this order, since each of them can fail where the disk is full or nobody reads what we say any more.
        try:
            folder.write_run({**facts, "state": state, "exploits": [result.to_json() for result in exploits]})
        finally:
            show.close()
            if state != "finished":
                print(f"gate: {_how_to_resume(folder)}", file=sys.stderr)  # noqa: T201  # said before the error is
    verdict = _judge(settings, Tally.of(journal.rows, settings.plan.seeds), exploits)
    _report(args, settings, stand, verdict, exploits)
    if args.write_baseline:
        _write_baseline(settings, stand, verdict)
    return verdict.exit_code


def _nothing(_outcome: Outcome) -> None:
    """What `--quiet` shows of a trial."""


def _how_to_resume(folder: RunFolder) -> str:
    return f"finished trials are kept; go on with: gate run --resume {shlex.quote(str(folder.root))}"


def _confirm(crew: Crew, settings: Settings) -> None:
    """Rerun what looks lost against the baseline before it may block (design, "Score drop")."""
    baseline, plan, policy = settings.baseline, settings.plan, settings.policy
    if baseline is None or not policy.confirm_seeds:
        return
    lost = set(newly_failing(Tally.of(crew.journal.rows, plan.seeds), plan, policy, baseline))
    doubtful: list[Canary] = [canary for canary in settings.suite.canaries if canary.id in lost]
    crew.confirm(doubtful, range(plan.seeds + policy.confirm_seeds))


def _exploit_findings(results: list[ExploitResult]) -> tuple[list[Finding], list[Finding]]:
    """What the exploits break, and what of them could not be measured."""
    broken = [
        Finding("exploit-" + result.must, f"trap {result.id} ({result.where}): {result.reason}")
        for result in results
        if result.ok is False
    ]
    unmeasured = [
        Finding(
            "exploit-unscored", f"trap {result.id} ({result.where}): its exploit could not be graded: {result.reason}"
        )
        for result in results
        if result.ok is None
    ]
    return broken, unmeasured


def _judge(settings: Settings, tally: Tally, exploits: list[ExploitResult]) -> Verdict:
    broken, unmeasured = _exploit_findings(exploits)
    return judge(
        tally,
        settings.policy,
        settings.plan,
        settings.baseline,
        blockers=settings.blockers,
        notes=[*settings.notes, *_exploit_note(exploits)],
        reasons=[*settings.reasons, *unmeasured],
        broken=broken,
        audit=settings.audit,
    )


def _exploit_note(results: list[ExploitResult]) -> list[Finding]:
    good = sum(result.ok is True for result in results)
    if not results:
        return []
    return [Finding("exploits", f"{good} of {len(results)} known exploits of the traps came out as they must")]


def _report(
    args: argparse.Namespace, settings: Settings, stand: Stand, verdict: Verdict, exploits: list[ExploitResult]
) -> None:
    more: dict[str, Any] = {
        "folder": str(stand.folder.root),
        "agent": stand.agent.name,
        "dataset_commit": stand.commit,
        "exploits": [result.to_json() for result in exploits],
    }
    report = verdict.to_json(more)
    stand.folder.write_report(report)
    if args.json:
        print(json.dumps(report, indent=2))  # noqa: T201  # the machine output of this verb
        return
    title = f"{stand.agent.name} on {settings.suite.card.dataset_id}"
    text = terminal.show(verdict, title=title, colour=wanted(sys.stdout, os.environ))
    sys.stdout.write(encodable(f"{text}evidence  {plain(_short(stand.folder.root))}\n", sys.stdout.encoding))


def _short(path: Path) -> str:
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def _write_baseline(settings: Settings, stand: Stand, verdict: Verdict) -> None:
    """Write this run as the section of its harness surface. Raises where the run is not fit to be compared with."""
    path = settings.baseline_path
    if path is None:
        raise ConfigError("--write-baseline needs a file")
    if verdict.broken:
        raise HarnessBroken("no baseline is written from a broken run")
    if not verdict.valid or any(reason.code not in _STALE for reason in verdict.reasons):
        raise NotMeasured("no baseline is written from a run that did not measure every canary")
    section: Baseline = baselines.section(verdict.case.tally, settings.plan, stand.digests)
    known = baselines.read(path) if path.exists() else {}
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, baselines.to_bytes(baselines.with_section(known, section)))
    print(f"gate: wrote {_short(path)}", file=sys.stderr)  # noqa: T201  # says what changed in the repository
