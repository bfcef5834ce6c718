"""The answers of a canary against its fixture: they apply, they keep to the rules, and no agent can see them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from gate.errors import ConfigError, Problem
from gate.suite import yaml12
from gate.suite.canary import Canary, RunnerTest
from gate.suite.sheet import EXPLOIT, FIXTURE, GOLDEN, HIDDEN_TESTS, REFERENCE, TWIN, Sheet
from gate.suite.shelf import Shelf
from gate.suite.yaml12 import KeyPath
from gate.workspace.tree import File, Tree

MAX_DIFF = 16 * 1024 * 1024


def problems(sheet: Sheet, canary: Canary, shelf: Shelf) -> list[Problem]:
    """Everything about fixture, goldens, exploit and hidden tests that does not fit together."""
    found = list(_folders(sheet, shelf))
    if not found:
        found += _apart(sheet)
        found += _diffs(sheet, canary, shelf)
        found += _places(sheet, canary, shelf)
    return found


def _folders(sheet: Sheet, shelf: Shelf) -> Iterator[Problem]:
    for key in (FIXTURE, TWIN, HIDDEN_TESTS):
        if key in sheet.paths:
            yield from (sheet.problem(key, flaw) for flaw in shelf.flaws(sheet.paths[key]))


def _apart(sheet: Sheet) -> Iterator[Problem]:
    """What grades an answer must not lie in the folder that the agent gets a copy of."""
    for key, path in sheet.paths.items():
        if key in (FIXTURE, TWIN):
            continue
        for place in (FIXTURE, TWIN):
            if place in sheet.paths and path.is_relative_to(sheet.paths[place]):
                yield sheet.problem(key, "lies inside the fixture, where the agent can read it")
    if HIDDEN_TESTS in sheet.paths and sheet.paths[FIXTURE].is_relative_to(sheet.paths[HIDDEN_TESTS]):
        yield sheet.problem(HIDDEN_TESTS, "holds the fixture, so it would be laid over itself")


def _diffs(sheet: Sheet, canary: Canary, shelf: Shelf) -> Iterator[Problem]:
    fixture = shelf.tree(canary.fixture)
    for key, path in sheet.paths.items():
        if key in (REFERENCE, EXPLOIT) or key[: len(GOLDEN)] == GOLDEN:
            after = applied(path, fixture)
            if isinstance(after, str):
                yield sheet.problem(key, after)
            elif key != EXPLOIT:
                yield from (sheet.problem(key, reason) for reason in _limits(canary, changed(fixture, after)))


def applied(path: Path, fixture: Tree) -> Tree | str:
    """The fixture with a diff applied, or the reason why it does not apply or changes nothing."""
    from gate.workspace.patch import PatchError, apply_bytes

    try:
        after = apply_bytes(yaml12.read_bytes(path, MAX_DIFF), fixture)
    except ConfigError as error:
        return error.problems[0].reason
    except PatchError as error:
        return f"does not apply to the fixture: {error}"
    return after if changed(fixture, after) else "changes nothing"


def changed(before: Tree, after: Tree) -> list[str]:
    """The paths that differ between two trees, sorted."""
    return sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))


def _limits(canary: Canary, paths: list[str]) -> Iterator[str]:
    from gate.workspace.globs import Globs

    forbidden = Globs(canary.expect.forbidden_paths)
    for path in paths:
        if forbidden.matches(path):
            yield f"changes {path}, which `forbidden_paths` forbids"
    if canary.expect.allowed_paths is not None:
        allowed = Globs(canary.expect.allowed_paths)
        for path in paths:
            if not allowed.matches(path):
                yield f"changes {path}, which is outside `allowed_paths`"


def _places(sheet: Sheet, canary: Canary, shelf: Shelf) -> Iterator[Problem]:
    """Paths inside the tree that graders look for: test files and the place of the defect."""
    fixture = shelf.tree(canary.fixture)
    hidden = shelf.tree(canary.expect.hidden_tests) if canary.expect.hidden_tests else {}
    for index, test in enumerate(canary.expect.tests):
        if isinstance(test, RunnerTest):
            for number, path in enumerate(test.paths):
                if not (_stands(path, fixture) or _stands(path, hidden) or _stands(path, _solved(canary, fixture))):
                    key: KeyPath = ("expect", "tests", index, test.runner, "paths", number)
                    yield sheet.problem(key, f"no such test file in the fixture or the hidden tests: `{path}`")
    for index, place in enumerate(canary.expect.locate):
        node = fixture.get(place["path"])
        if not isinstance(node, File):
            yield sheet.problem(("expect", "locate", index, "path"), f"no such file in the fixture: `{place['path']}`")
        elif place["lines"][1] > (length := len(node.data.splitlines())):
            yield sheet.problem(("expect", "locate", index, "lines"), f"{place['path']} has only {length} lines")


def _solved(canary: Canary, fixture: Tree) -> Tree:
    """The fixture with its known answer, which may bring the tests (a canary of kind `tests`)."""
    after = applied(canary.solution, fixture) if canary.solution else fixture
    return fixture if isinstance(after, str) else after


def _stands(path: str, tree: Tree) -> bool:
    folder = path.rstrip("/") + "/"
    return path == "." or path in tree or any(name.startswith(folder) for name in tree)
