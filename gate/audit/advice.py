"""What to write instead of a bare command, whose exit code any code under test can set."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable

from gate.grading.layout import PATTERNS
from gate.suite.canary import Canary, CommandTest
from gate.workspace.tree import File, Tree

CALLS = {
    "python": "- calls: [{call: package.module.function, args: [...], returns: ...}]",
    "javascript": "- calls: [{call: 'path/to/file.js#export', args: [...], returns: ...}]",
    "other": "no structured form is known for this language: whoever controls the exit code controls the grade",
}
_SCRIPTS = ("npm", "pnpm", "yarn")


def advice(canary: Canary, base: Tree) -> str:
    """The structured forms of a canary's commands, as lines for its YAML file; without a command, calls.

    For a language that has none, a sentence that says so.
    """
    commands = [spec.command for spec in canary.expect.tests if isinstance(spec, CommandTest)]
    if not commands:
        return CALLS[canary.language]
    return "; ".join(dict.fromkeys(_proposal(command, base) or CALLS[canary.language] for command in commands))


def _proposal(command: str, base: Tree) -> str:
    """The runner's form of a command; empty where there is none."""
    words = _words(_script(command, base))
    if "pytest" in words or "unittest" in words or any(word.endswith("/pytest") for word in words):
        return _runner("pytest", words, base)
    if any(word == "node" or word.endswith("/node") for word in words) and "--test" in words:
        return _runner("node", words, base)
    return ""


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:
        return command.split()


def _script(command: str, base: Tree) -> str:
    """The command behind `npm test` and its like, if the fixture's package.json says one."""
    words = _words(command)
    if not words or words[0] not in _SCRIPTS:
        return command
    name = next((word for word in words[1:] if word not in ("run", "run-script") and not word.startswith("-")), "test")
    node = base.get("package.json")
    try:
        scripts = json.loads(node.data)["scripts"] if isinstance(node, File) else {}
        return str(scripts.get({"t": "test"}.get(name, name), command))
    except (ValueError, KeyError, TypeError, AttributeError):
        return command


def _runner(runner: str, words: Iterable[str], base: Tree) -> str:
    given = [word.rstrip("/") for word in words if word != "." and _stands(word.rstrip("/"), base)]
    found = given or sorted({path.rpartition("/")[0] or path for path in base if PATTERNS[runner](path)})
    return f"- {runner}: {{paths: [{', '.join(found)}]}}" if found else ""


def _stands(path: str, base: Tree) -> bool:
    return path in base or any(name.startswith(f"{path}/") for name in base)
