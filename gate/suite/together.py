"""Answers that changed in the same change as the agent stack: whoever moves both can make any agent pass."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gate.suite.canary import Canary
from gate.suite.config import GateConfig
from gate.suite.load import Suite


@dataclass(frozen=True, slots=True)
class Together:
    """What one change touched on both sides. `answers` reads `what it is: path`; paths are relative to `base`."""

    answers: tuple[str, ...]
    stack: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.answers and self.stack)


def together(config: GateConfig, suite: Suite, changed: set[Path]) -> Together:
    """Sort the absolute paths of a change into answers of the suite and files of the agent stack (globs `stack`)."""
    from gate.workspace.globs import Globs

    names = {_relative(path, config.base): path for path in changed}
    answers = sorted({f"{what}: {name}" for name, path in names.items() for what in _roles(path, suite)})
    return Together(tuple(answers), tuple(sorted(Globs(config.stack).matching(names))))


def _roles(path: Path, suite: Suite) -> Iterator[str]:
    for canary in suite.canaries:
        for what, place in _answers(canary):
            if path == place or path.is_relative_to(place):
                yield f"{what} of {canary.id}"


def _answers(canary: Canary) -> Iterator[tuple[str, Path]]:
    yield from (("golden", path) for path in canary.expect.goldens)
    if canary.expect.reference:
        yield "reference", canary.expect.reference
    if canary.expect.hidden_tests:
        yield "hidden test", canary.expect.hidden_tests
    if canary.trap and canary.trap.exploit.patch:
        yield "exploit", canary.trap.exploit.patch


def _relative(path: Path, base: Path) -> str:
    return path.relative_to(base).as_posix() if path.is_relative_to(base) else path.as_posix().lstrip("/")
