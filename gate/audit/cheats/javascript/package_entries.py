"""The names by which tests reach the code lead to another module."""

from __future__ import annotations

from gate.audit.cheats.javascript_inject import package, with_package
from gate.audit.cheats.target import Cheat, Target
from gate.workspace.tree import File, Tree

_ELSEWHERE = "./.elsewhere.cjs"


def _made(target: Target) -> Tree | None:
    """`imports`, `exports` and `main` all lead to a module that ends the process; `type` is turned round."""
    own = package(target.base)
    imports = own.get("imports")
    names = [*imports] if isinstance(imports, dict) else ["#code"]
    changed = {
        "imports": dict.fromkeys(names, _ELSEWHERE),
        "exports": {".": _ELSEWHERE, "./*": _ELSEWHERE},
        "main": _ELSEWHERE,
    }
    return {**with_package(target.base, changed), ".elsewhere.cjs": File(b"process.exit(0);\n")}


CHEAT = Cheat(
    "javascript/package-entries",
    "runner",
    ("javascript",),
    "imports, exports and main name a module that ends the process well",
    _made,
)
