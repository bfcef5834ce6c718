"""Which tests an agent may run, as commands. What shipped with the fix is not among them."""

from __future__ import annotations

from gate.sandbox.toolchain import Toolchain
from gate.suite.canary import Canary, CommandTest, RunnerTest
from gate.workspace.tree import Tree

Argv = tuple[str, ...]


def _lies_in(path: str, tree: Tree) -> bool:
    folder = path.rstrip("/") + "/"
    return path in tree or path in {"", "."} or any(name.startswith(folder) for name in tree)


def visible_tests(canary: Canary, tree: Tree, python: Toolchain, node: Toolchain | None) -> tuple[Argv, ...] | None:
    """The commands of `run_tests` for one canary, or None where no test is the agent's to run."""
    if canary.expect.tests_visible == "none":
        return None
    commands: list[Argv] = []
    for spec in canary.expect.tests:
        if isinstance(spec, CommandTest):
            commands.append(("/bin/sh", "-c", spec.command))
        elif isinstance(spec, RunnerTest):
            paths = [path for path in spec.paths if _lies_in(path, tree)]
            if not paths:
                continue
            if spec.runner == "pytest":
                # As they are graded: what happens to be installed beside pytest takes no part, and costs no time.
                options = ("-m", "pytest", "-q", "--disable-plugin-autoload", "-p", "no:cacheprovider", "--color=no")
                commands.append((str(python.executable), *options, *paths))
            elif node is not None:
                commands.append((str(node.executable), "--test", "--test-reporter=tap", *paths))
    return tuple(commands) or None
