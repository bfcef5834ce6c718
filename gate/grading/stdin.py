"""Programs that read standard input and print: run once for each case, compared out here.

What is expected never enters the fence. Each case has a process and a copy of its own, so that nothing one run leaves
behind can help or hurt the next. What a cheat can still do: hold a table of answers for inputs that it could guess.
"""

from __future__ import annotations

import time
from pathlib import Path, PurePosixPath

from gate.grading.bench import Bench, Findings, NotGraded, Stage, UnusableTest, held, staged
from gate.grading.reason import clean, shown
from gate.outcome import Check
from gate.sandbox.fence import Completed
from gate.sandbox.policy import Limits, Policy
from gate.sandbox.toolchain import Toolchain
from gate.suite.canary import StdinTest
from gate.workspace.tree import File, Tree

SCRIPTS = (".js", ".mjs", ".cjs")


def grade_stdin(spec: StdinTest, tree: Tree, bench: Bench, *, name: str, wall_s: float) -> Findings:
    """Run the program over the clean tree, once for each case; all cases together have `wall_s` seconds.

    Raises NotGraded when the sandbox did not start it, UnusableTest when there is no case.
    """
    if not spec.cases:
        raise UnusableTest("the list of cases is empty")
    forms = frozenset({"stdin"})
    if not isinstance(tree.get(spec.program), File):
        return Findings((Check(f"{name}: {spec.program}", ok=False, reason="there is no such program"),), forms)
    checks = []
    until = time.monotonic() + wall_s
    for number, (given, wanted) in enumerate(spec.cases, 1):
        left = until - time.monotonic()
        reason = "timeout" if left <= 0 else _case(spec.program, given, wanted, tree, bench, f"{name}-{number}", left)
        checks.append(Check(f"{name}: case {number}", reason is None, reason or "as expected"))
    return Findings(tuple(checks), forms)


def _case(program: str, given: str, wanted: str, tree: Tree, bench: Bench, label: str, wall_s: float) -> str | None:
    """None when the output is as it must be, else the reason: what was printed, never what was expected."""
    with staged(bench, tree, label) as stage:
        completed = _run(program, given, stage, wall_s)
        bench.evidence(f"{label}.stdout", completed.stdout)
        bench.evidence(f"{label}.stderr", completed.stderr)
        hide = stage.hidden()
    if completed.timed_out:
        return "timeout"
    if completed.exit_code != 0:
        last = completed.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
        return clean(f"exit code {completed.exit_code}{': ' if last else ''}{last}", hide=hide)
    if completed.truncated:
        return "printed more than is kept"
    printed = completed.stdout.decode("utf-8", "surrogateescape")
    return None if lines(printed) == lines(wanted) else clean(f"printed {shown(printed)}", hide=hide)


def _run(program: str, given: str, stage: Stage, wall_s: float) -> Completed:
    toolchain, options = _interpreter(program, stage.bench)
    policy = Policy(copy=stage.repo, readable=toolchain.readable, limits=Limits(wall_s=wall_s))
    argv = [str(toolchain.executable), *options, str(Path(stage.repo, *PurePosixPath(program).parts))]
    completed = stage.bench.fence.run(policy, argv, stdin=given.encode("utf-8", "surrogateescape"))
    return held(completed, "the program")


def _interpreter(program: str, bench: Bench) -> tuple[Toolchain, tuple[str, ...]]:
    if not program.endswith(SCRIPTS):
        return bench.python, ("-s", "-B")
    if bench.node is None:
        raise NotGraded("there is no node on this machine: install the extra canary-ci[node]")
    return bench.node, ()


def lines(text: str) -> list[str]:
    """Output as it is compared: blanks at the end of lines and empty lines at the end do not count."""
    return [line.rstrip() for line in text.rstrip().split("\n")]
