"""`gate freeze`: write the lock of the suite, or check that the suite still matches it.

Freezing measures how strong the tests of each canary are and refuses those under the policy's floor; checking does not.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path

from gate.errors import ConfigError, ExitCode
from gate.suite import lock as locks
from gate.suite.config import GateConfig, load_config
from gate.suite.load import Suite, load_suite
from gate.suite.repository import Repository
from gate.suite.template import load_template
from gate.suite.together import Together, together

HELP = "Write canaries/lock.json: the sha256 of the card, the prompt template and every part of every canary."


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of this verb."""
    parser.add_argument("--config", type=Path, default=Path("gate.yml"), metavar="FILE", help="default: gate.yml")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 64 where suite and lock differ")
    parser.add_argument("--ref", help="with --check: exit 2 where an answer changed with the agent stack since REF")
    parser.add_argument("--json", action="store_true", help="print what was found as JSON")


def run(args: argparse.Namespace) -> int:
    """Freeze, or check. Returns 0, 64 for a lock that does not match, 2 for an answer that moved with the stack."""
    if args.ref and not args.check:
        raise ConfigError("--ref goes with --check")
    config = load_config(args.config, os.environ)
    if args.ref and not config.stack:
        raise ConfigError.at(args.config, 0, "stack", "--ref needs the globs of the agent stack, such as [prompts/**]")
    suite = load_suite(config)
    template = load_template(config.prompt_template)
    if not args.check:
        return _freeze(config, suite, template, as_json=args.json)
    both = together(config, suite, Repository(config.base).changed_since(args.ref)) if args.ref else Together((), ())
    return _check(config, suite, template, both, as_json=args.json)


def _freeze(config: GateConfig, suite: Suite, template: str, *, as_json: bool) -> int:
    from gate.commands.floor import hold_floor  # the graders behind it are nothing that --check needs

    if suite.notes:
        raise ConfigError(f"{suite.notes[0]}; a lock without it would not match where it is present")
    lock = locks.compute(suite, template)
    hold_floor(config, suite, locks.canary_digests(lock))
    path = suite.root / locks.NAME
    locks.write(path, lock)
    shown = config.shown(path)
    if as_json:
        print(json.dumps({"lock": str(shown), "suite": lock["suite"], "canaries": len(suite.canaries)}))  # noqa: T201  # the verb's output
    print(f"froze {len(suite.canaries)} canaries as {lock['suite'][:12]} in {shown}", file=sys.stderr)  # noqa: T201  # talk
    return ExitCode.CLEAR


def _check(config: GateConfig, suite: Suite, template: str, both: Together, *, as_json: bool) -> int:
    problems = locks.check(suite, template)
    moved = both.answers if both else ()
    code = ExitCode.USAGE if problems else ExitCode.BLOCKED if moved else ExitCode.CLEAR
    if as_json:
        found = {"problems": [str(problem) for problem in problems], "changed_with_stack": list(moved)}
        print(json.dumps({"exit_code": int(code), **found}))  # noqa: T201  # the verb's output
    stack = ", ".join(both.stack)
    blamed = [f"{answer}: changed together with the agent stack ({stack})" for answer in moved]
    for line in (*suite.notes, *problems, *blamed):
        print(line, file=sys.stderr)  # noqa: T201  # talk
    if code is ExitCode.CLEAR:
        print(f"{config.path}: {len(suite.canaries)} canaries match their lock", file=sys.stderr)  # noqa: T201  # talk
    return code
