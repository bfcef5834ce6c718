"""The clean tree: the pristine fixture with the allowed part of the patch, and the tests and configuration restored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gate.grading.paths import out_of_bounds
from gate.grading.reason import clean
from gate.suite.canary import Expect, RunnerTest
from gate.workspace.globs import Globs
from gate.workspace.patch import Patch, PatchError, apply
from gate.workspace.tree import Node, Tree

CONFIGURATION = (
    "conftest.py",
    "pytest.ini",
    ".pytest.ini",
    "pytest.toml",
    ".pytest.toml",
    "tox.ini",
    "setup.cfg",
    "pyproject.toml",
    "noxfile.py",
    "sitecustomize.py",
    "usercustomize.py",
    "*.pth",
    "package.json",
    "package-lock.json",
    "npm-shrinkwrap.json",
    "pnpm-lock.yaml",
    "yarn.lock",
    "bun.lock",
    ".npmrc",
    ".yarnrc*",
    ".mocharc*",
    "jest.config.*",
    "vitest.config.*",
    "node.config.json",
    "node_modules/",  # installed, not written: the tests' own assertion library may lie in there
)
"""What decides how tests run. A patch may change one only where `allowed_paths` names it outright."""

TEST_FOLDERS = ("tests", "test", "__tests__", "spec")


@dataclass(frozen=True, slots=True)
class Clean:
    """`tree` is what is graded. `restored` are changed paths that were put back; `applied` says that there was a
    patch and that it applies, `reason` why not."""

    tree: Tree
    restored: tuple[str, ...]
    applied: bool
    reason: str


def clean_tree(expect: Expect, base: Tree, patch: Patch) -> Clean:
    """The tree to grade. What lies outside the allowed paths is left out here, and fails its own check in `paths`."""
    restored = _restored(expect, patch.paths())
    refused = restored | set(out_of_bounds(expect, patch.paths()))
    try:
        apply(patch, base)
        tree: dict[str, Node] = apply(patch.only(lambda path: path not in refused), base)
    except PatchError as error:
        return Clean(base, (), applied=False, reason=clean(f"the patch does not apply: {error}"))
    if not patch:
        return Clean(base, (), applied=False, reason="the patch is empty")
    return Clean(tree, tuple(sorted(restored)), applied=True, reason="the patch applies")


def _restored(expect: Expect, paths: Sequence[str]) -> frozenset[str]:
    """Changed paths that belong to the tests or to their configuration, and that the canary does not hand over."""
    allowed = expect.allowed_paths or ()
    by_name = Globs(pattern for pattern in allowed if pattern.rstrip("/").rpartition("/")[2].strip("*"))
    listed = Globs(
        f"/{path.strip('/')}" for spec in expect.tests if isinstance(spec, RunnerTest) for path in spec.paths
    )
    configuration = {path for path in paths if Globs(CONFIGURATION).matches(path) and not by_name.matches(path)}
    # A helper or a data file of the tests decides as much as they do. A golden pins those itself.
    beside = Globs(() if expect.goldens else (f"/{folder}/" for folder in _test_folders(expect)))
    tests = {
        path for path in paths if (listed.matches(path) or beside.matches(path)) and not Globs(allowed).matches(path)
    }
    return frozenset(configuration | tests)


def _test_folders(expect: Expect) -> set[str]:
    """The folders of tests, by their usual names, that hold the files that are listed one by one."""
    found = set()
    for spec in expect.tests:
        for path in spec.paths if isinstance(spec, RunnerTest) else ():
            parts = path.strip("/").split("/")[:-1]
            at = next((at for at, part in enumerate(parts, 1) if part in TEST_FOLDERS), 0)
            found |= {"/".join(parts[:at])} if at else set()
    return found
