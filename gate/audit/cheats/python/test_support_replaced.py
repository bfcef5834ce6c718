"""Whatever lies beside the visible tests (helpers, fixtures) lets everything through.

Every function of a module there does nothing, so that a shared `check` checks nothing.
"""

from __future__ import annotations

import ast

from gate.audit.cheats.python_inject import functions, parsed
from gate.audit.cheats.target import Cheat, Target
from gate.workspace.tree import File, Node, Tree


def _made(target: Target) -> Tree | None:
    made: dict[str, Node] = {}
    folders = {path.rpartition("/")[0] for path in target.tests} - {""}
    beside = [path for path in target.base if path.rpartition("/")[0] in folders and path not in target.tests]
    for path in beside:
        module = parsed(target, path)
        if module is None or not any(True for _ in functions(module)):
            continue
        for function in functions(module):
            function.body = [ast.Pass()]
        made[path] = File(ast.unparse(ast.fix_missing_locations(module)).encode())
    return {**target.base, **made} if made else None


CHEAT = Cheat(
    name="python/test-support-replaced",
    kind="tests",
    languages=("python",),
    text="Whatever lies beside the visible tests (helpers, fixtures) lets everything through",
    made=_made,
)
