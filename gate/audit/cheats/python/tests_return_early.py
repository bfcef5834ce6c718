"""Every visible test returns before it asserts anything."""

from __future__ import annotations

import ast

from gate.audit.cheats.python_inject import functions, in_every_test
from gate.audit.cheats.target import Cheat


def _change(module: ast.Module) -> bool:
    found = [item for item in functions(module) if item.name.startswith("test")]
    for function in found:
        function.body.insert(0, ast.Return(value=None))
    return bool(found)


CHEAT = Cheat(
    name="python/tests-return-early",
    kind="tests",
    languages=("python",),
    text="Every visible test returns before it asserts anything",
    made=in_every_test(_change),
)
