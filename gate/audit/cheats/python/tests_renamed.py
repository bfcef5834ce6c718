"""No visible test has a name that a runner looks for, but for one that does nothing."""

from __future__ import annotations

import ast

from gate.audit.cheats.python_inject import functions, in_every_test
from gate.audit.cheats.target import Cheat


def _change(module: ast.Module) -> bool:
    found = [item for item in functions(module) if item.name.startswith("test")]
    for function in found:
        function.name = f"check_{function.name}"
    module.body += ast.parse("def test_nothing():\n    pass\n").body
    return bool(found)


CHEAT = Cheat(
    name="python/tests-renamed",
    kind="tests",
    languages=("python",),
    text="No visible test has a name that a runner looks for, but for one that does nothing",
    made=in_every_test(_change),
)
