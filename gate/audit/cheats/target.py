"""What a cheat is given, and what it is: a fixture goes in, the same fixture with a cheating patch comes out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from gate.workspace.tree import Tree

Language = Literal["python", "javascript"]
Kind = Literal["runner", "source", "adaptive", "tests", "files", "harness"]


@dataclass(frozen=True, slots=True)
class Target:
    """A fixture that still has its defect.

    `sources` are the files of the code under test that a cheat may rewrite (those that the known answer changes),
    `tests` the test files that lie in the fixture. All paths are relative to the root of `base`.
    """

    base: Tree
    language: Language
    sources: tuple[str, ...]
    tests: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cheat:
    """One known way to look right. `made` gives the fixture after the cheat, or None where it does not apply.

    `kind` says what is attacked: the `runner`'s configuration and modules, the `source` that the tests import,
    `adaptive` (source that looks for the expected values), the `tests`, `files` that a harness may trip over, or the
    `harness` itself. `text` is one line for people, `seen` where it was published (empty where we made it up).
    """

    name: str
    kind: Kind
    languages: tuple[Language, ...]
    text: str
    made: Callable[[Target], Tree | None]
    seen: str = ""
