"""A bare command: its exit code and nothing else. The weakest form there is, and the grade says so.

Whatever runs inside can make it 0 (`os._exit(0)`, a changed runner), so a canary that can declare calls or hidden
tests should. The command runs in the clean tree with the hidden tests laid over it.
"""

from __future__ import annotations

from gate.grading.bench import Bench, Findings, held, staged
from gate.grading.reason import clean
from gate.outcome import Check
from gate.sandbox.policy import Limits, Policy
from gate.suite.canary import CommandTest
from gate.workspace.tree import Tree


def grade_command(test: CommandTest, tree: Tree, hidden: Tree, bench: Bench, *, name: str, wall_s: float) -> Findings:
    """Run the command. Raises NotGraded when the sandbox did not start it."""
    readable = [*bench.python.readable, *(bench.node.readable if bench.node else ())]
    programs = [bench.python.executable.parent, *([bench.node.executable.parent] if bench.node else [])]
    search = ":".join([*map(str, programs), "/usr/local/bin", "/usr/bin", "/bin"])
    with staged(bench, {**tree, **hidden}, name) as stage:
        policy = Policy(
            copy=stage.repo, readable=tuple(readable), environment=(("PATH", search),), limits=Limits(wall_s=wall_s)
        )
        completed = bench.fence.run(policy, ["/bin/sh", "-c", test.command])
        bench.evidence(f"{name}.stdout", completed.stdout)
        bench.evidence(f"{name}.stderr", completed.stderr)
        held(completed, "the command")
        if completed.timed_out:
            reason = "timeout"
        elif completed.exit_code is None:
            reason = "ended without an exit code"
        else:
            reason = f"exit code {completed.exit_code}"
        ok = completed.exit_code == 0 and not completed.timed_out
        check = Check(f"{name}: {clean(test.command, limit=80)}", ok=ok, reason=reason)
        return Findings((check,), frozenset({"exit-code"}))
