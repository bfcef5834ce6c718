"""Rows with a real repository: the gold patch against the tree at its commit, graded by that repository's own tests."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gate.audit.benchmarks.recipe import BadField, Row, RowProblem, SetAside, Task
from gate.suite.canary import RunnerTest
from gate.workspace.names import decode
from gate.workspace.patch import PatchError, apply_bytes, diff
from gate.workspace.tree import File, Node, Symlink, Tree, read

REPOSITORIES = "repos"
_NAME = re.compile(r"[\w.-]+(/[\w.-]+)?")
_COMMIT = re.compile(r"[0-9a-f]{7,64}")
_CLEAN = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
_NOT_STAGED = (
    "rows whose repository does not lie under repos/, by the instance's name or the repository's with __ for /"
)


def test_ids(value: Any) -> tuple[str, ...]:
    """A list of test ids, or its JSON. Raises BadField."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            raise BadField("is neither a list nor the JSON of one") from None
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise BadField("is not a list of test ids")
    return tuple(value)


def repository_task(row: Row) -> Task:
    """The repository at its commit; the hidden tests are the files that `test_patch` leaves changed."""
    failing, passing = row["FAIL_TO_PASS"], row["PASS_TO_PASS"]
    if not failing:
        raise RowProblem("`FAIL_TO_PASS` is empty, so nothing shows that a patch does anything")
    if any("::" not in test for test in (*failing, *passing)):
        raise SetAside("rows whose tests are named by another runner than pytest")
    base = _tree_of(row)
    hidden_changes = diff(base, _patched(base, row["test_patch"], "test_patch"))
    hidden = {change.path: change.after for change in hidden_changes.changes if change.after is not None}
    golden = _patched(base, row["patch"], "patch")
    if golden == base:
        raise RowProblem("`patch` changes nothing")
    paths = tuple(dict.fromkeys(test.partition("::")[0] for test in (*failing, *passing)))
    absent = [path for path in paths if path not in hidden and path not in base]
    if absent:
        raise RowProblem(f"the test file {absent[0]} is neither in the tree nor in `test_patch`")
    return Task(
        prompt=row["problem_statement"],
        language="python",
        base=base,
        golden=golden,
        wrong=_touched(base, golden),
        tests=(RunnerTest("pytest", paths, failing, passing),),
        hidden=hidden,
    )


def _patched(base: Tree, text: str, field: str) -> dict[str, Node]:
    try:
        return apply_bytes(text.encode(), base)
    except PatchError as error:
        raise RowProblem(f"`{field}` does not apply at base_commit: {error}") from error


def _touched(base: Tree, golden: Tree) -> dict[str, Node]:
    """The files of the right answer touched without changing what they do: a comment at the end, or an empty file."""
    made = dict(base)
    for change in diff(base, golden).changes:
        if change.path.endswith(".py") and (change.before is None or isinstance(change.before, File)):
            before = change.before.data if isinstance(change.before, File) else b""
            made[change.path] = File((before if not before or before.endswith(b"\n") else before + b"\n") + b"# seen\n")
    if made == base:
        made["seen.txt"] = File(b"seen\n")
    return made


def _tree_of(row: Row) -> Tree:
    """The fixture. Raises SetAside where it is not staged, RowProblem where it cannot be read."""
    commit, names = row["base_commit"], (row["instance_id"], row["repo"].replace("/", "__"))
    if not all(_NAME.fullmatch(name) for name in names) or any(".." in name for name in names):
        raise RowProblem("`instance_id` or `repo` is no name of a repository")
    if not _COMMIT.fullmatch(commit):
        raise RowProblem("`base_commit` is no commit")
    root = None if row.folder is None else row.folder / REPOSITORIES
    place = next((root / name for name in names if root and (root / name).is_dir()), None)
    if place is None:
        raise SetAside(_NOT_STAGED)
    if (place / ".git").is_dir():
        return dict(_committed(place / ".git", commit))
    reading = read(place)
    if not reading.whole:
        raise RowProblem(f"its folder cannot be read whole: {reading.oddities[0]}")
    return reading.tree


def _committed(repository: Path, commit: str) -> Iterator[tuple[str, Node]]:
    """The files of a commit as they are stored: no attribute, filter, hook or setting of the clone has a say.

    Submodules are empty folders there, and so they are left out.
    """
    listed = _git(repository, b"", "ls-tree", "-r", "-z", "--full-tree", f"{commit}^{{commit}}")
    entries = []
    for line in listed.split(b"\0")[:-1]:
        about, _, path = line.partition(b"\t")
        mode, kind, blob = about.split(b" ")
        if kind == b"blob":
            entries.append((mode, blob, decode(path)))
    blobs = _git(repository, b"".join(blob + b"\n" for _, blob, _ in entries), "cat-file", "--batch")
    at = 0
    for mode, blob, where in entries:
        end = blobs.index(b"\n", at)
        head = blobs[at:end].split(b" ")
        if len(head) != 3 or head[0] != blob:
            raise RowProblem(f"the clone lacks the contents of {where}")
        data = blobs[end + 1 : end + 1 + int(head[2])]
        at = end + 2 + int(head[2])
        yield where, Symlink(decode(data)) if mode == b"120000" else File(data, executable=mode == b"100755")


def _git(repository: Path, stdin: bytes, *arguments: str) -> bytes:
    command = ["git", "-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}", *arguments]
    environ = {**_CLEAN, "PATH": os.environ.get("PATH", os.defpath), "GIT_DIR": str(repository)}
    try:
        done = subprocess.run(command, env=environ, input=stdin, capture_output=True, check=False, cwd=repository)
    except FileNotFoundError as error:
        raise RowProblem("git is not installed, so the tree at base_commit cannot be read") from error
    if done.returncode:
        why = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        raise RowProblem(f"the clone does not give the tree at base_commit: {why}")
    return done.stdout
