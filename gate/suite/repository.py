"""The user's own repository, asked by git what a change touched. Never run in a copy that an agent has written to."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from gate.errors import ConfigError


class Repository:
    """The repository around a folder. Nothing of the caller's `GIT_*` environment reaches git."""

    def __init__(self, base: Path) -> None:
        self._base = base
        self._top = Path(self._git("rev-parse", "--show-toplevel").rstrip("\n"))

    def changed_since(self, ref: str) -> set[Path]:
        """Absolute paths that this change touched: the working tree against the merge base with `ref`.

        New files count once git knows them; files that it does not know count where they are not ignored.
        Raises ConfigError where `ref` is no commit or shares no history with HEAD.
        """
        return self.differing_from(self._git("merge-base", self.commit(ref), "HEAD").strip())

    def differing_from(self, commit: str) -> set[Path]:
        """Absolute paths in which the working tree, new files included, differs from one commit.

        What a configuration may hide is asked for: `diff.relative` would leave out what lies outside this folder, and
        `ignore` in .gitmodules, which the change itself can edit, what lies in a submodule.
        """
        complete = ("--no-renames", "--no-relative", "--ignore-submodules=none", "--no-ext-diff", "--no-textconv")
        diff = self._git("diff", "--name-only", *complete, "-z", commit, "--")
        new = self._git("ls-files", "--others", "--exclude-standard", "--full-name", "-z", ":/")
        return {self._top / name for name in (diff + new).split("\0") if name}

    def commit(self, ref: str) -> str:
        """The full name of the commit that `ref` stands for. Raises ConfigError where it is none."""
        return self._git("rev-parse", "--verify", "--end-of-options", f"{ref}^{{commit}}").strip()

    def show(self, commit: str, path: Path) -> bytes | None:
        """A file of the working tree as it was at `commit`; None where no file was there."""
        if not path.is_relative_to(self._top):
            return None
        name = path.relative_to(self._top).as_posix()
        listed = self._git("ls-tree", "-z", "--full-tree", commit, "--", name)
        return self._bytes("cat-file", "blob", f"{commit}:{name}") if listed.split(" ")[1:2] == ["blob"] else None

    def _git(self, *arguments: str) -> str:
        return os.fsdecode(self._bytes(*arguments))

    def _bytes(self, *arguments: str) -> bytes:
        environ = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR") if name in os.environ}
        environ |= {"LC_ALL": "C.UTF-8", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"}
        command = ["git", "-C", str(self._base), "-c", "core.fsmonitor=false", *arguments]
        try:
            done = subprocess.run(command, env=environ, capture_output=True, check=False)
        except FileNotFoundError as error:
            raise ConfigError("git is not installed, and what changed can only be read from git") from error
        if done.returncode:
            why = done.stderr.decode(errors="replace").strip() or "no common history; fetch more of it"
            raise ConfigError(f"git {arguments[0]} in {self._base} failed: {why}")
        return done.stdout
