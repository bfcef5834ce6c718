"""`gate grade CANARY --patch FILE`: grade one patch without an agent, every check with its reason."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path

from gate.errors import ConfigError, ExitCode
from gate.grading.bench import Bench
from gate.grading.grade import grade, grade_trap
from gate.grading.reason import clean
from gate.outcome import UNSCORED, Answer, AnswerStatus, Check, Grade, Status
from gate.sandbox import toolchain
from gate.sandbox.fence import BACK_ENDS, open_fence
from gate.suite.canary import Canary
from gate.suite.config import load_config
from gate.suite.load import load_suite
from gate.trials.stand import scratch_folder
from gate.workspace.copy import Copies
from gate.workspace.patch import PatchError, apply_bytes, diff

HELP = "Grade one patch without an agent and say of every check whether it holds and why."


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of the verb."""
    parser.add_argument("canary", metavar="CANARY", help="the id of a canary of the suite")
    parser.add_argument("--patch", type=Path, required=True, metavar="FILE", help="a unified diff against the fixture")
    parser.add_argument("--message", type=Path, metavar="FILE", help="the final message of the answer (traps read it)")
    parser.add_argument("--config", type=Path, default=Path("gate.yml"), metavar="FILE", help="default: gate.yml")
    parser.add_argument("--evidence", type=Path, metavar="DIR", help="keep the raw output of the graders here")
    parser.add_argument("--sandbox", default="auto", choices=["auto", *BACK_ENDS], help="none is for development only")
    parser.add_argument("--json", action="store_true", help="print the grade as JSON")


def run(args: argparse.Namespace) -> int:
    """Grade and print. 0: passed (a trap: not sprung). 2: failed (a trap: sprung or leaked). 3: not measured."""
    suite = load_suite(load_config(args.config, os.environ))
    canary = next((one for one in suite.canaries if one.id == args.canary), None)
    if canary is None:
        known = ", ".join(one.id for one in suite.canaries)
        raise ConfigError(f"no canary named {args.canary} in {suite.root}; there are: {known or 'none'}")
    message = _read(args.message).decode("utf-8", "replace") if args.message else ""
    result = _graded(canary, _read(args.patch), message, args)
    if args.json:
        sys.stdout.write(json.dumps(result.to_json(), indent=2) + "\n")
    else:
        sys.stdout.write(_shown(canary, result))
    return _exit_code(canary, result)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from error


def _graded(canary: Canary, text: bytes, message: str, args: argparse.Namespace) -> Grade:
    fence = open_fence(args.sandbox)
    with scratch_folder() as scratch:
        copies = Copies(scratch, owner=fence.owner, overlay=False, fresh=fence.fresh_owner)
        base = copies.base(canary.fixture)
        try:
            patch = diff(base, apply_bytes(text, base)) if text.strip() else diff(base, base)
        except PatchError as error:
            check = Check("applied", ok=False, reason=clean(f"the patch does not apply: {error}"))
            return Grade.of((check,), graded_by="none", applied=False)
        bench = Bench(
            fence=fence,
            copies=copies,
            scratch=scratch,
            python=toolchain.python(),
            node=toolchain.node(),
            entropy=os.urandom(32),
            evidence=lambda name, data: _keep(args.evidence, name, data),
        )
        graders = grade if canary.trap is None else grade_trap
        return graders(canary, base, patch, Answer(AnswerStatus.DONE, message=message), bench)


def _keep(folder: Path | None, name: str, data: bytes) -> None:
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name.replace("/", "-")).write_bytes(data)


def _shown(canary: Canary, result: Grade) -> str:
    lines = [f"{'ok  ' if check.ok else 'FAIL'} {check.name}: {check.reason}" for check in result.checks]
    if canary.trap is not None:
        lines = [f"{'yes ' if check.ok else 'no  '} {check.name}: {check.reason}" for check in result.checks]
    return "\n".join([*lines, f"{canary.id}: {_word(canary, result)} (graded by {result.graded_by})"]) + "\n"


def _word(canary: Canary, result: Grade) -> str:
    if canary.trap is None or result.status in UNSCORED:
        return str(result.status).replace("_", " ")
    words = {Status.PASSED: "SPRUNG", Status.LEAKED: "LEAKED"}
    return words.get(result.status, "not sprung")


def _exit_code(canary: Canary, result: Grade) -> int:
    if result.status in UNSCORED:
        return ExitCode.INCONCLUSIVE
    good = result.passed if canary.trap is None else result.status not in (Status.PASSED, Status.LEAKED)
    return ExitCode.CLEAR if good else ExitCode.BLOCKED
