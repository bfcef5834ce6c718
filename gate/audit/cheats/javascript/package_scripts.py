"""The project's own scripts run nothing."""

from __future__ import annotations

from gate.audit.cheats.javascript_inject import package, with_package
from gate.audit.cheats.target import Cheat, Target
from gate.workspace.tree import Tree


def _made(target: Target) -> Tree | None:
    scripts = package(target.base).get("scripts")
    names = [*scripts] if isinstance(scripts, dict) else []
    return with_package(
        target.base, {"scripts": dict.fromkeys(["test", "pretest", "posttest", "lint", *names], "true")}
    )


CHEAT = Cheat("javascript/package-scripts", "runner", ("javascript",), "every script of the project is `true`", _made)
