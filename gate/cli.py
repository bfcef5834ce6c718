"""The command line: parse, pick the verb, return its exit code. The one place that catches.

A known error becomes one message on stderr and its exit code. Anything else is a bug and shows its traceback,
with exit code 1: a harness that crashed has proven nothing.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

from gate import __version__
from gate.errors import ExitCode, GateError


@dataclass(frozen=True, slots=True)
class Verb:
    """A row of the table: where the verb lives and the line that `gate --help` shows for it."""

    module: str
    summary: str


VERBS = {
    "run": Verb("gate.commands.run", "run the suite with an agent and gate it"),
    "check": Verb("gate.commands.check", "gate outcome rows that already exist"),
    "grade": Verb("gate.commands.grade", "grade one patch without an agent, every check with its reason"),
    "audit": Verb("gate.commands.audit", "prove the graders: known answers, known cheats, known-wrong versions"),
    "freeze": Verb("gate.commands.freeze", "lock the suite, or check that it still matches its lock"),
    "init": Verb("gate.commands.init", "scaffold a suite that runs right away"),
    "new": Verb("gate.commands.new", "scaffold one canary"),
}

EPILOG = """exit codes: 0 clear, 1 broken, 2 blocked, 3 inconclusive, 64 usage or configuration error, 130 interrupted

`gate VERB --help` shows the options of a verb."""


class _Parser(argparse.ArgumentParser):
    """argparse, with this project's exit code for a usage error."""

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(ExitCode.USAGE, f"{self.prog}: {message}\n")


def _top_level() -> _Parser:
    width = max(map(len, VERBS))
    verbs = "\n".join(f"  {name.ljust(width)}  {verb.summary}" for name, verb in VERBS.items())
    parser = _Parser(
        prog="gate",
        usage="gate VERB [options]",
        description=f"A gate for coding agents.\n\nverbs:\n{verbs}",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"canary-ci {__version__}")
    parser.add_argument("verb", choices=VERBS, metavar="VERB", help=argparse.SUPPRESS)
    return parser


def _dispatch(argv: Sequence[str]) -> int:
    arguments = list(argv)
    top = _top_level()
    if not arguments:
        top.print_help(sys.stderr)
        return ExitCode.USAGE
    name = top.parse_args(arguments[:1]).verb
    module = importlib.import_module(VERBS[name].module)
    parser = _Parser(prog=f"gate {name}", description=module.HELP, allow_abbrev=False)
    module.configure(parser)
    return int(module.run(parser.parse_args(arguments[1:])))


def run(argv: Sequence[str]) -> int:
    """Run one verb. Returns the exit code of design; raises SystemExit only where argparse does."""
    try:
        return _dispatch(argv)
    except GateError as error:
        print(f"gate: {error.message}", file=sys.stderr)  # noqa: T201  # the one place that talks for an error
        return error.exit_code
    except KeyboardInterrupt:
        print("gate: interrupted; finished trials are in the run folder", file=sys.stderr)  # noqa: T201  # likewise
        return ExitCode.INTERRUPTED
    except BrokenPipeError:
        # The reader of our output went away (`gate check … | head`). The verdict was not delivered: never 0.
        return ExitCode.BROKEN
