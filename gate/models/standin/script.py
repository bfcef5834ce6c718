"""The stand-in's day: read the task, check that what it speaks of exists, then rename, repair, or decline."""

from __future__ import annotations

from gate.models.standin.desk import Desk, OutOfBudget, Script
from gate.models.standin.rename import rename
from gate.models.standin.repair import repair
from gate.models.standin.understand import Wish, understand

UNKNOWN = (
    "I am the stand-in, a program that renames and that repairs by small changes. I did not understand this task as "
    "either, so I changed nothing."
)


def _missing(wish: Wish, names: list[str]) -> list[str]:
    """Files that the task speaks of and that are nowhere, neither as a path nor as the end of one."""
    return [path for path in wish.paths if not any(f"/{name}".endswith(f"/{path.lstrip('./')}") for name in names)]


def work(desk: Desk, prompt: str) -> Script[str]:
    """The whole of a task; returns the closing message."""
    wish = understand(prompt)
    try:
        names: list[str] = []
        if wish.paths or wish.kind != "rename":
            names = yield from desk.names()
            missing = _missing(wish, names) if desk.saw_all else []
            if missing:
                return f"The task speaks of {', '.join(missing)}, which does not exist here. I changed nothing."
        if wish.kind == "rename":
            return (yield from rename(desk, wish))
        if wish.kind == "repair":
            return (yield from repair(desk, wish, names))
        yield from _look_around(desk, wish, names)
    except OutOfBudget:
        return "The budget ended before anything could be done. I changed nothing."
    return UNKNOWN


def _look_around(desk: Desk, wish: Wish, names: list[str]) -> Script[None]:
    named = [name for path in wish.paths for name in names if f"/{name}".endswith(f"/{path}")]
    readme = [name for name in names if name.lower().startswith("readme")]
    yield from desk.read([*named, *readme][:4])
