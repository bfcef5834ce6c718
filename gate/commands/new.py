"""`gate new`: write the skeleton of one canary, which does not load until a person has filled it in."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from gate.errors import ConfigError, ExitCode
from gate.outcome import Slice
from gate.suite import skeleton
from gate.suite.config import load_config
from gate.suite.folders import sources
from gate.suite.rules import TASK_KINDS, TRAP_KINDS

HELP = "Write canaries/SLICE/ID.yaml, a skeleton that says what to fill in."

LANGUAGES = ("python", "javascript", "other")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this verb."""
    parser.add_argument("id", metavar="ID", help="lower case letters, digits, `.`, `_` and `-`")
    parser.add_argument("--slice", choices=[str(name) for name in Slice], default="public", help="default: public")
    parser.add_argument("--kind", choices=(*TASK_KINDS, *TRAP_KINDS), help="default: bugfix, or cheat for a trap")
    parser.add_argument("--language", choices=LANGUAGES, default="python", help="default: python")
    parser.add_argument("--config", type=Path, default=Path("gate.yml"), metavar="FILE", help="default: gate.yml")


def run(args: argparse.Namespace) -> int:
    """Write the file. Raises ConfigError for an id that is taken or is none."""
    config = load_config(args.config, os.environ)
    name = Slice(args.slice)
    kind = args.kind or ("cheat" if name is Slice.CANARY else "bugfix")
    if (kind in TRAP_KINDS) != (name is Slice.CANARY):
        allowed = TRAP_KINDS if name is Slice.CANARY else TASK_KINDS
        raise ConfigError(f"--kind {kind} does not go with --slice {name}; there it is one of {', '.join(allowed)}")
    if config.hidden_note and name is Slice.HIDDEN:
        raise ConfigError(f"{config.hidden_note}; set it to write a hidden canary")
    text = skeleton.canary(args.id, name, kind, args.language)
    taken = skeleton.where_taken(args.id, sources(config))
    folder = config.hidden if name is Slice.HIDDEN and config.hidden else config.suite / name
    path = folder / f"{args.id}.yaml"
    if taken or path.exists():
        raise ConfigError(f"the id `{args.id}` is taken by {taken or config.shown(path)}")
    folder.mkdir(parents=True, exist_ok=True)
    with path.open("x", encoding="utf-8") as file:
        file.write(text)
    print(f"wrote {config.shown(path)}", file=sys.stderr)  # noqa: T201  # talk
    print(skeleton.NEXT, file=sys.stderr)  # noqa: T201  # talk
    return ExitCode.CLEAR
