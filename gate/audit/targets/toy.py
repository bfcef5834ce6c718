"""A toy: a fixture with its defect, what repairs it, what else is wrong, and the canary that asks for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from gate.audit.cheats.target import Language, Target
from gate.outcome import Slice
from gate.suite.canary import Budget, Canary, Expect, TestSpec
from gate.workspace.tree import File, Tree, write

SECONDS = 10.0
"""What one grading of a toy may take. An honest one takes a quarter of a second; what hangs is cut off here."""

PYTEST = "python -m pytest -q -p no:hypothesispytest -p no:xdist -p no:xdist.looponfail"
"""The usual command, less the plugins that may be installed beside it: they cost a second and change nothing here."""


@dataclass(frozen=True, slots=True)
class Toy:
    """Files by path as text. `gold` and `wrong` replace files of `fixture`; `hidden` is laid over it at grading.

    `families` is how many assertions of the hidden tests become twins, where that is what the toy is for.
    """

    name: str
    language: Language
    fixture: Mapping[str, str]
    gold: Mapping[str, str]
    wrong: Mapping[str, str]
    visible: tuple[str, ...]
    tests: tuple[TestSpec, ...]
    hidden: Mapping[str, str] = field(default_factory=dict)
    families: int = 0

    def base(self) -> Tree:
        """The fixture that a cheat is given."""
        return as_tree(self.fixture)

    def answered(self, answer: Mapping[str, str]) -> Tree:
        """The fixture with an answer in it."""
        return as_tree({**self.fixture, **answer})

    def target(self) -> Target:
        """What a cheat is told of the toy."""
        return Target(self.base(), self.language, tuple(sorted(self.gold)), self.visible)

    def canary(self, root: Path) -> Canary:
        """The toy on disk, in a new folder below `root`, and the canary that it is. Raises OSError."""
        place = root / self.name
        place.mkdir()
        write(self.base(), place / "fixture")
        write(as_tree(self.hidden), place / "hidden")
        return Canary(
            id=self.name,
            slice=Slice.HIDDEN,
            kind="bugfix",
            language=self.language,
            source=place / "canary.yaml",
            fixture=place / "fixture",
            prompt="Repair it.",
            budget=Budget(timeout_s=SECONDS),
            expect=Expect(tests=self.tests, hidden_tests=place / "hidden" if self.hidden else None),
        )


def as_tree(files: Mapping[str, str]) -> Tree:
    """A tree from texts; a script of the shell may be executed."""
    return {path: File(text.encode(), executable=path.endswith(".sh")) for path, text in files.items()}
