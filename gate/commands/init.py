"""`gate init`: scaffold a suite that runs right away, and say what to do with it."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from gate.errors import ConfigError, ExitCode
from gate.suite import lock as locks
from gate.suite import scaffold
from gate.suite.config import load_config
from gate.suite.load import load_suite
from gate.suite.template import load_template

HELP = "Write gate.yml and a small suite (one public canary, one hidden, one trap) that `gate run` can run at once."


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this verb."""
    parser.add_argument("folder", metavar="DIR", nargs="?", type=Path, default=Path(), help="where (default: here)")


def run(args: argparse.Namespace) -> int:
    """Write the scaffold and its lock. Raises ConfigError, before anything is written, where a file is in the way."""
    files = scaffold.files()
    taken = [name for name in sorted({*files, f"canaries/{locks.NAME}"}) if os.path.lexists(args.folder / name)]
    if taken:
        raise ConfigError(f"{args.folder}: nothing was written, because these exist already: {', '.join(taken)}")
    for name, data in files.items():
        path = args.folder / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("xb") as file:
                file.write(data)
        except OSError as error:
            raise ConfigError(f"{path}: cannot be written: {error.strerror}") from error
    config = load_config(args.folder / "gate.yml", {})
    suite = load_suite(config)
    locks.write(suite.root / locks.NAME, locks.compute(suite, load_template(config.prompt_template)))
    print(scaffold.next_steps(args.folder, len(suite.canaries)), file=sys.stderr)  # noqa: T201  # talk
    return ExitCode.CLEAR
