"""Which tests are the agent's to run, and that it sees them run as they are graded."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from pathlib import Path

import pytest

from gate.sandbox.toolchain import Toolchain
from gate.suite.canary import Canary, CommandTest, RunnerTest, TestSpec, TestsVisible
from gate.trials.visible import visible_tests
from gate.workspace.tree import File
from tests.suite.desk import Desk

PYTHON = Toolchain(Path(sys.executable), (), "")
NODE = Toolchain(Path("/opt/node"), (), "")
TREE = {"calc.py": File(b""), "tests/test_own.py": File(b"def test_own():\n    assert True\n")}


def canary(tmp_path: Path, visible: TestsVisible, *tests: TestSpec) -> Canary:
    """A canary with these tests, of which this much is the agent's."""
    task = Desk.laid(tmp_path / "desk").load().canaries[0]
    return dataclasses.replace(task, expect=dataclasses.replace(task.expect, tests=tests, tests_visible=visible))


@pytest.mark.parametrize(
    ("visible", "spec", "commands"),
    [
        ("none", CommandTest("make check"), None),
        ("all", CommandTest("make check"), [("/bin/sh", "-c", "make check")]),
        ("some", CommandTest("make check"), [("/bin/sh", "-c", "make check")]),
        ("all", RunnerTest("node", ("tests",)), [("/opt/node", "--test", "--test-reporter=tap", "tests")]),
        ("all", RunnerTest("pytest", ("tests/test_late.py",)), None),
        ("all", RunnerTest("node", ("test",)), None),
    ],
)
def test_what_lies_in_the_fixture_may_be_run(
    tmp_path: Path, visible: TestsVisible, spec: TestSpec, commands: list[tuple[str, ...]] | None
) -> None:
    """Listed commands and test files that the agent has before it; with `none`, and where nothing is left, no tool."""
    found = visible_tests(canary(tmp_path, visible, spec), TREE, PYTHON, NODE)
    assert found == (None if commands is None else tuple(commands))


def test_of_several_files_only_those_that_are_there(tmp_path: Path) -> None:
    """A file that ships with the hidden tests is left out of the command, and its name with it."""
    spec = RunnerTest("pytest", ("tests/test_late.py", "tests/test_own.py"))
    found = visible_tests(canary(tmp_path, "some", spec), TREE, PYTHON, NODE)
    assert found is not None
    assert found[0][-1] == "tests/test_own.py"
    assert not any("late" in word for word in found[0])


def test_plugins_that_happen_to_be_installed_take_no_part(tmp_path: Path) -> None:
    """A test that needs one fails for the agent as it will in grading; the same file passes with plugins loaded."""
    test = "def test_plugin(pytestconfig):\n    assert pytestconfig.pluginmanager.hasplugin('hypothesispytest')\n"
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_own.py").write_text(test)
    found = visible_tests(canary(tmp_path, "all", RunnerTest("pytest", ("tests",))), TREE, PYTHON, NODE)
    assert found is not None
    with_plugins = [word for word in found[0] if word != "--disable-plugin-autoload"]
    assert _code(list(found[0]), tmp_path) == 1
    assert _code(with_plugins, tmp_path) == 0


def _code(argv: list[str], folder: Path) -> int:
    return subprocess.run(argv, cwd=folder, capture_output=True, check=False, timeout=120).returncode
