"""Real git over folders of our own making, deaf to whatever is configured on the machine."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from gate.workspace.tree import Tree, write

CLEAN = {
    "PATH": os.environ["PATH"],
    "HOME": "/nonexistent",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "a",
    "GIT_AUTHOR_EMAIL": "a@example.com",
    "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@example.com",
    "LC_ALL": "C",
}
OPTIONS = ["-c", "core.protectNTFS=false", "-c", "core.protectHFS=false", "-c", "core.fsync=none", "-c", "gc.auto=0"]


def git(folder: Path, *arguments: str, stdin: bytes = b"", check: bool = True) -> subprocess.CompletedProcess[bytes]:
    """Run git in a folder; its output is bytes."""
    environment = {**CLEAN, "GIT_CEILING_DIRECTORIES": str(folder.parent)}
    done = subprocess.run(
        ["git", *OPTIONS, *arguments],
        cwd=folder,
        env=environment,
        input=stdin,
        capture_output=True,
        check=False,
    )
    if check and done.returncode:
        raise AssertionError(f"git {arguments}: {done.stderr.decode(errors='replace')}")
    return done


def diff_of(folder: Path, before: Tree, after: Tree, *options: str) -> bytes:
    """What `git diff` prints between two trees, by way of two commits in a new repository under `folder`."""
    store = folder / "store"
    git(folder, "init", "-q", "--bare", "--template=", str(store))
    ids = []
    for number, tree in enumerate((before, after)):
        work = folder / f"work{number}"
        write(tree, work)
        place = [f"--git-dir={store}", f"--work-tree={work}"]
        (store / "index").unlink(missing_ok=True)
        git(work, *place, "add", "-A", "-f", ".")
        ids.append(git(work, *place, "write-tree").stdout.decode().strip())
    return git(store, "diff", *options, *ids).stdout
