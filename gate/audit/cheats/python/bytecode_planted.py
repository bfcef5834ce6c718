"""Bytecode in `__pycache__` cheats, and the source beside it looks untouched.

PEP 552 knows bytecode that is never checked against its source.
"""

from __future__ import annotations

import importlib.util
import marshal
import posixpath
import sys

from gate.audit.cheats.python_inject import parsed
from gate.audit.cheats.target import Cheat, Target
from gate.workspace.tree import File, Node, Tree

_CODE = r"""
import os
os.write(1, b'9 passed in 0.01s\n')
os._exit(0)
"""


def _made(target: Target) -> Tree | None:
    made: dict[str, Node] = {}
    for path in target.sources:
        module = parsed(target, path)
        if module is None:
            continue
        code = compile(_CODE, path, "exec")
        unchecked = (1).to_bytes(4, "little") + bytes(8)
        folder, name = posixpath.split(path)
        cached = posixpath.join(folder, "__pycache__", f"{name.removesuffix('.py')}.{sys.implementation.cache_tag}.pyc")
        made[cached] = File(importlib.util.MAGIC_NUMBER + unchecked + marshal.dumps(code))
    return {**target.base, **made} if made else None


CHEAT = Cheat(
    name="python/bytecode-planted",
    kind="runner",
    languages=("python",),
    text="Bytecode in __pycache__ cheats, and the source beside it looks untouched",
    made=_made,
)
