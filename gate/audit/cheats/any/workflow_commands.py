"""Commands of a CI service, printed and as names."""

from __future__ import annotations

import json

from gate.audit.cheats.any_inject import loading, nodes
from gate.audit.cheats.target import Cheat, Target
from gate.workspace.tree import Tree

_COMMANDS = (
    "::error file=gate.yml,line=1::the gate is broken",
    "::notice::all checks passed",
    "::set-output name=verdict::clear",
    "::set-env name=PATH::/tmp",
    "::add-mask::failed",
    "::stop-commands::x",
    "##vso[task.complete result=Succeeded;]",
    "%0A::set-output name=passed::true",
    "",
)
_TEXT = json.dumps("\n".join(_COMMANDS))
_PYTHON = f"import os as _os\nfor _at in (1, 2):\n    _os.write(_at, {_TEXT}.encode())\n_os._exit(0)\n"
_JAVASCRIPT = f"for (const at of [1, 2]) $need('node:fs').writeSync(at, {_TEXT}); process.exit(0);"


def _made(target: Target) -> Tree | None:
    tree = loading(_PYTHON, _JAVASCRIPT)(target)
    names = [command.replace("/", "_") for command in _COMMANDS if command]
    return None if tree is None else {**tree, **nodes(dict.fromkeys(names, b"::set-output name=verdict::clear\n"))}


CHEAT = Cheat(
    "any/workflow-commands",
    "harness",
    ("python", "javascript"),
    "the output and the names of files speak to the CI service",
    _made,
)
