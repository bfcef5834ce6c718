"""The columns of the matrix: which grader, of which kind, on which toy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from gate.audit.naive import (
    RUN_NODE,
    RUN_OWN_NODE,
    RUN_OWN_PYTEST,
    RUN_PYTEST,
    AllInJunit,
    AllInTap,
    Naive,
    NoneFailed,
    Runs,
    exit_code,
    passed_in_tap,
    passed_on_stdout,
    reward_in_file,
)
from gate.audit.targets import javascript, python
from gate.audit.targets.styles import NAMES, STYLES
from gate.audit.targets.toy import Toy
from gate.grading.bench import Bench
from gate.grading.grade import Graders, graded
from gate.outcome import UNSCORED, Answer, Check, Grade
from gate.suite.canary import Canary
from gate.workspace.patch import Patch, sha256
from gate.workspace.tree import Tree

_MORE = ("test_total_more", "test_label_more", "test_merged_more", "test_withdraw_more")
_NODE_STYLES = {f"node, {style}": style for style in javascript.STYLES}
_NODE_MORE = ("total more", "label more", "merged more", "withdraw more")


@dataclass(frozen=True, slots=True)
class Grader:
    """A column to be measured."""

    name: str
    kind: str
    toy: Toy
    grade: Graders


@dataclass(slots=True)
class OfOneFile:
    """A grader whose grade is looked at for one test file only, as if the others were not there.

    Whatever is not said of a single test (a session that broke off, a control that came out wrong) counts for each.
    """

    grade: Graders
    path: str
    known: dict[str, Grade]

    def __call__(self, canary: Canary, base: Tree, patch: Patch, answer: Answer, bench: Bench) -> Grade:
        """The grade of that file. A patch is graded once for all files that share `known`."""
        key = sha256(patch)
        if key not in self.known:
            self.known[key] = self.grade(canary, base, patch, answer, bench)
        whole = self.known[key]
        if whole.status in UNSCORED:
            return whole
        checks = tuple(check for check in whole.checks if "::" not in check.name or self._own(check.name))
        own = any(self._own(check.name) for check in checks)
        missing = () if own else (Check(self.path, ok=False, reason="no test of it ran"),)
        return Grade.of((*checks, *missing), graded_by=whole.graded_by, applied=whole.applied)

    def _own(self, name: str) -> bool:
        return name.partition("::")[0] == self.path


def _by_file(graders: Graders, toy: Toy, path: str, files: Mapping[str, str]) -> Iterator[Grader]:
    """A column for each test file of a toy, all of them graded in one session. `files` maps a name to its file's."""
    known: dict[str, Grade] = {}
    for name, file in files.items():
        yield Grader(f"observed ({name})", "structured", toy, OfOneFile(graders, path.format(file), known))


def shipped(graders: Graders = graded) -> tuple[Grader, ...]:
    """The ways in which our own graders work, the strongest first. Others may be handed in, to see that it is said."""
    return (
        Grader("calls (python)", "structured", python.CALLS, graders),
        *_by_file(graders, python.STYLED, "tests/test_{}.py", {"pytest": "more", **{style: style for style in STYLES}}),
        Grader("observed (unittest)", "structured", python.UNITTEST, graders),
        Grader("calls (node)", "structured", javascript.CALLS, graders),
        *_by_file(graders, javascript.STYLED, "test/{}.test.cjs", {"node": "more", **_NODE_STYLES}),
        Grader("vector (pytest)", "vector", python.VECTOR, graders),
        Grader("held (node)", "held", javascript.SENTINELS, graders),
        Grader("exit code (python -m pytest)", "exit-code", python.COMMAND_PYTEST, graders),
        Grader("exit code (python -m unittest)", "exit-code", python.COMMAND_UNITTEST, graders),
        Grader("exit code (plain script)", "exit-code", python.COMMAND_SCRIPT, graders),
        Grader("exit code (bare command)", "exit-code", python.COMMAND_BARE, graders),
        Grader("exit code (script with a clock)", "exit-code", python.COMMAND_CLOCK, graders),
        Grader("exit code (node --test)", "exit-code", javascript.COMMAND_TEST, graders),
        Grader("exit code (node script)", "exit-code", javascript.COMMAND_SCRIPT, graders),
        Grader("exit code (node script with a tolerance)", "exit-code", javascript.COMMAND_NEAR, graders),
        Grader("exit code (node script with a clock)", "exit-code", javascript.COMMAND_CLOCK, graders),
    )


def naive() -> tuple[Grader, ...]:
    """Designs in use elsewhere, on the toys whose tests are ordinary ones."""
    pytest, own_pytest = Runs(RUN_PYTEST), Runs(RUN_OWN_PYTEST, hidden=False)
    node, own_node = Runs(RUN_NODE), Runs(RUN_OWN_NODE, hidden=False)
    toy, script = python.STYLED, javascript.STYLED
    return (
        Grader("naive: own tree", "naive", toy, Naive(pytest, exit_code)),
        Grader('naive: "N passed" on stdout', "naive", toy, Naive(pytest, passed_on_stdout)),
        Grader("naive: JUnit has all ids", "naive", toy, Naive(pytest, AllInJunit(_MORE))),
        Grader("naive: no expected test failed", "naive", toy, Naive(pytest, NoneFailed(_MORE))),
        Grader("naive: own tests", "naive", toy, Naive(own_pytest, exit_code)),
        Grader("naive: own tests (a shared helper)", "naive", toy, Naive(own_pytest, AllInJunit(("test_shared",)))),
        Grader("naive: a file in the tree", "naive", toy, Naive(own_pytest, reward_in_file)),
        *(
            Grader(f"naive: JUnit ({style})", "naive", toy, Naive(pytest, AllInJunit(names)))
            for style, names in NAMES.items()
        ),
        Grader("naive: own tree (node --test)", "naive", script, Naive(node, exit_code)),
        Grader('naive: "# pass N" on stdout (node)', "naive", script, Naive(node, passed_in_tap)),
        Grader("naive: no expected test failed (node)", "naive", script, Naive(node, NoneFailed(_NODE_MORE))),
        *(
            Grader(f"naive: TAP ({style})", "naive", script, Naive(node, AllInTap((style,))))
            for style in javascript.STYLES
        ),
        Grader("naive: own tests (node --run test)", "naive", script, Naive(own_node, exit_code)),
        Grader("naive: a file in the tree (node)", "naive", script, Naive(own_node, reward_in_file)),
    )
