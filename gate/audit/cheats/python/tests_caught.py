"""Every visible test catches what it asserts."""

from __future__ import annotations

import ast

from gate.audit.cheats.python_inject import functions, in_every_test
from gate.audit.cheats.target import Cheat


def _change(module: ast.Module) -> bool:
    found = [item for item in functions(module) if item.name.startswith("test")]
    for function in found:
        caught = ast.parse("try:\n    pass\nexcept BaseException:\n    pass\n").body[0]
        if isinstance(caught, ast.Try):
            caught.body = function.body
        function.body = [caught]
    return bool(found)


CHEAT = Cheat(
    name="python/tests-caught",
    kind="tests",
    languages=("python",),
    text="Every visible test catches what it asserts",
    made=in_every_test(_change),
)
