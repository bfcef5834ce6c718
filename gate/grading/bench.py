"""Where grading happens: the fence, the interpreters, a folder to work in, and what a grader hands back."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from gate.errors import HarnessBroken
from gate.grading.draw import Draw
from gate.outcome import Check
from gate.sandbox.fence import Completed, Fence
from gate.sandbox.policy import MIB, Limits, Policy
from gate.sandbox.toolchain import Toolchain
from gate.workspace.copy import Copies
from gate.workspace.removal import remove
from gate.workspace.tree import File, Tree, write

RECORD_BYTES = 16 * MIB
"""What a session may report. An honest one with thousands of observed values in loops says several megabytes."""

FORMS = ("golden", "calls", "stdin", "observed", "vector", "held", "exit-code")


@dataclass(frozen=True, slots=True)
class Bench:
    """What every grader needs. `entropy` seeds all names and orders; `evidence` keeps raw bytes under a name."""

    fence: Fence
    copies: Copies
    scratch: Path
    python: Toolchain
    node: Toolchain | None
    entropy: bytes
    evidence: Callable[[str, bytes], None]


class NotGraded(Exception):
    """The graders could not do their work (no fence, no interpreter, a driver that never began): no one's failure."""


class UnusableTest(Exception):
    """The canary's own tests cannot be used: not parseable, none found."""


def held(completed: Completed, what: str) -> Completed:
    """The same, if the fence held and the program ran in it to an end of its own or its deadline.

    Raises NotGraded for what is the machine's doing, HarnessBroken when processes outlived the fence: then they may
    still be writing to what is graded next.
    """
    if completed.survivors:
        raise HarnessBroken(f"{completed.survivors} processes outlived the sandbox of {what}; nothing can be trusted")
    if not completed.started:
        raise NotGraded(f"the sandbox did not start {what}: {completed.refusal}")
    if completed.refusal:
        raise NotGraded(f"the sandbox of {what} did not hold: {completed.refusal}")
    return completed


@dataclass(frozen=True, slots=True)
class Findings:
    """What one grader says: its checks, and the forms (of `FORMS`) that it graded by."""

    checks: tuple[Check, ...]
    forms: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Stage:
    """One fenced run being prepared: `repo` is the clean copy, everything else lies beside it, out of its reach."""

    bench: Bench
    place: Path
    repo: Path
    draw: Draw

    def lay(self, tree: Tree, root: Path | None = None) -> Path:
        """A new folder with this content that the fence can only read, under a drawn name unless `root` is given."""
        root = root or self.place / self.draw.name()
        write(tree, root)
        return root

    def driver(self) -> tuple[Path, str]:
        """Our programs under a drawn package name: the folder to import it from, and the name."""
        name = self.draw.name()
        return self.lay({f"{name}/{path}": node for path, node in inside().items()}), name

    def run(
        self,
        toolchain: Toolchain,
        arguments: Iterable[str],
        *,
        readable: Iterable[Path],
        wall_s: float,
        stdin: bytes = b"",
        environment: Mapping[str, str] | None = None,
    ) -> Completed:
        """Run the interpreter in the fence, in the clean copy. Raises NotGraded when it never started."""
        policy = Policy(
            copy=self.repo,
            readable=(*toolchain.readable, *readable),
            environment=tuple((environment or {}).items()),
            limits=Limits(wall_s=wall_s, output_bytes=RECORD_BYTES),
        )
        completed = self.bench.fence.run(policy, [str(toolchain.executable), *arguments], stdin=stdin)
        return held(completed, "the tests")

    def run_node(self, program: Path, *, readable: Iterable[Path], wall_s: float, stdin: bytes) -> Completed:
        """Run a program with node: descriptor 3 is the record stream, and what the code prints goes to standard error.

        Raises NotGraded when there is no node or the sandbox did not start.
        """
        node = self.bench.node
        if node is None:
            raise NotGraded("there is no node on this machine: install the extra canary-ci[node]")
        limits = Limits(wall_s=wall_s, output_bytes=RECORD_BYTES)
        policy = Policy(copy=self.repo, readable=(*node.readable, *readable), limits=limits)
        argv = ["/bin/sh", "-c", 'exec "$@" 3>&1 1>&2', "sh", str(node.executable), str(program)]
        return held(self.bench.fence.run(policy, argv, stdin=stdin), "node")

    def roots(self, tree: Tree) -> list[str]:
        """Where Python looks for the code under test: the root of the copy, and `src` if there is one."""
        return [str(self.repo), *([str(self.repo / "src")] if any(path.startswith("src/") for path in tree) else [])]

    def hidden(self) -> tuple[str, ...]:
        """The folders that no reason may name."""
        return (str(self.repo), str(self.place), str(self.bench.scratch))


@contextmanager
def staged(bench: Bench, clean: Tree, label: str) -> Iterator[Stage]:
    """A fresh copy of the clean tree to run something in; it is gone afterwards, whatever was left there."""
    place = Path(tempfile.mkdtemp(prefix="g-", dir=bench.scratch))
    try:
        write(clean, place / "repo", owner=bench.copies.fresh())
        yield Stage(bench, place, place / "repo", Draw(bench.entropy, label))
    finally:
        remove(place)


def inside() -> dict[str, File]:
    """The programs that run inside the fence, by path."""
    folder = resources.files("gate.grading.inside")
    return {item.name: File(item.read_bytes()) for item in folder.iterdir() if item.name.endswith((".py", ".mjs"))}


def python_flags(folder: Path, package: str, module: str) -> list[str]:
    """Arguments that start one of our programs: no user site, no working directory on the path, no bytecode.

    Not `-I`, because that ignores PYTHONHASHSEED too, and a set would change its order from run to run; the fence's
    environment is ours anyway.
    """
    start = f"import sys; sys.path.insert(0, sys.argv[1]); import {package}.{module} as m; del sys.path[0]; m.main()"
    return ["-P", "-s", "-B", "-c", start, str(folder)]


def modules(tree: Tree) -> set[str]:
    """The names that can be imported from the root of a tree, or from its `src`."""
    names = set()
    for path in tree:
        first, _, rest = path.removeprefix("src/").partition("/")
        if not rest:
            first = first.removesuffix(".py") if first.endswith(".py") else ""
        if first.isidentifier():
            names.add(first)
    return names


def unreadable(completed: Completed) -> str:
    """Why `records` is None, as the reason of a check."""
    return "the session reported more than is kept" if completed.truncated else "a record is malformed"


def records(stdout: bytes) -> list[list[Any]] | None:
    """The records that a driver sent, one a line; None when a line is not a record."""
    found = []
    for line in stdout.split(b"\n"):
        if not line:
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            return None
        if not isinstance(record, list) or not record or not isinstance(record[0], str):
            return None
        found.append(record)
    return found
