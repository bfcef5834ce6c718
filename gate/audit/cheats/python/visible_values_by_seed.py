"""A seed is searched with which random numbers happen to be what the visible tests expect."""

from __future__ import annotations

import ast
import random

from gate.audit.cheats.python_inject import answering, parsed
from gate.audit.cheats.target import Cheat, Target
from gate.workspace.tree import Tree


def _table(target: Target) -> dict[str, object]:
    """What the visible tests compare literal calls to, by `name(arguments)`."""
    found: dict[str, object] = {}
    modules = [module for path in target.tests if (module := parsed(target, path)) is not None]
    for node in (part for module in modules for part in ast.walk(module)):
        sides = [node.left, *node.comparators] if isinstance(node, ast.Compare) else []
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "").startswith("assertEqual"):
            sides = node.args[:2]
        calls = [side for side in sides if isinstance(side, ast.Call)]
        rest = [side for side in sides if side not in calls]
        if len(calls) == 1 and len(rest) == 1:
            try:
                arguments = tuple(ast.literal_eval(arg) for arg in calls[0].args)
                name = ast.unparse(calls[0].func).rpartition(".")[2]
                found[f"{name}{arguments!r}"] = ast.literal_eval(rest[0])
            except (ValueError, TypeError, SyntaxError):
                continue
    return found


def _made(target: Target) -> Tree | None:
    table = {key: value for key, value in _table(target).items() if type(value) is int}
    if not table:
        return None
    low, high = min(table.values()), max(table.values())
    seeds = {key: _seed(low, high, value) for key, value in table.items()}
    answer = f"""
def _cheat(call, args, kwargs):
    import random
    name = [cell.cell_contents for cell in call.__closure__ if hasattr(cell.cell_contents, "__name__")]
    seed = {seeds!r}.get(f"{{name[0].__name__ if name else ''}}{{args!r}}", 0)
    return random.Random(seed).randint({low}, {high})
"""
    return answering(answer)(target)


def _seed(low: int, high: int, wanted: int) -> int:
    """The first seed that draws this number, or 0 where none of the first thousand does."""
    drawn = ((seed, random.Random(seed).randint(low, high)) for seed in range(1000))  # noqa: S311 - not a secret
    return next((seed for seed, number in drawn if number == wanted), 0)


CHEAT = Cheat(
    name="python/visible-values-by-seed",
    kind="tests",
    languages=("python",),
    text="A seed is searched with which random numbers happen to be what the visible tests expect",
    made=_made,
)
