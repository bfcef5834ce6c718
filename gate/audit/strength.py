"""How strong the tests of a canary are: wrong versions of its known answer are graded, and each should be rejected.

Every version is graded as a trial is. A golden that is compared rejects all of them by itself and would say nothing of
the tests, so where a canary has tests, its golden's check is left out of the count. The answer itself is graded first:
where it does not pass, a rejection means nothing. Some more versions tell of single tests whether they can fail at all:
the answer with every function emptied, which hardly any test should survive, and a rename that keeps the old name.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace

from gate.audited import Strength
from gate.outcome import Answer, AnswerStatus, Grade, Status
from gate.proof.mutants import Mutant, aliased, hollow, mutants
from gate.suite.canary import Canary
from gate.trials.stand import Stand
from gate.trials.trial import judge
from gate.workspace.patch import apply_bytes, diff, to_bytes
from gate.workspace.tree import File, Tree

FIXTURE = "the fixture as it is"
_HOLLOW = ("nothing", "something")
_RULES = frozenset({"applied", "restored", "paths", "budget", "tools", "golden", "copy", "measured", "tests"})
_DONE = Answer(AnswerStatus.DONE)
_SLOWEST_S = 5.0
_SLOWER = 10.0


@dataclass(frozen=True, slots=True)
class _Bench:
    """One canary on a stand, and how long its tests may take: a wrong version that never ends is as good as failed."""

    canary: Canary
    stand: Stand
    base: Tree

    def grade(self, name: str, tree: Tree) -> Grade:
        evidence = self.stand.folder.evidence("strength", self.canary.id, name)
        patch = diff(self.base, tree)
        grade = judge(self.canary, patch, _DONE, self.stand, evidence)
        evidence.put("patch.diff", to_bytes(patch))
        evidence.put("grade.json", json.dumps(grade.to_json(), indent=2).encode() + b"\n")
        return grade

    def within(self, seconds: float) -> _Bench:
        """The same with a deadline that the known answer keeps by far."""
        limit = min(self.canary.budget.timeout_s, _SLOWEST_S + _SLOWER * seconds)
        return replace(self, canary=replace(self.canary, budget=replace(self.canary.budget, timeout_s=limit)))


def strength(canary: Canary, stand: Stand, *, jobs: int = 1) -> Strength | None:
    """Grade every wrong version of a canary's known answer, `jobs` at a time.

    None where nothing can be said: a trap, a canary without a known answer, one whose answer is known not to pass.
    All versions are unmeasured where the answer does not pass, since a rejection then means nothing. Raises what
    ends a run.
    """
    if canary.trap or canary.solution is None or canary.known_unpassable:
        return None
    base = stand.copies.base(canary.fixture)
    golden = apply_bytes(canary.solution.read_bytes(), base)
    found = mutants(base, golden)
    bench = _Bench(canary, stand, base)
    started = time.monotonic()
    control = bench.grade("reference", golden)
    if not _passes(control, canary):
        return Strength(0, (), found.equivalent, len(found.versions) + 1)
    bench = bench.within(time.monotonic() - started)
    wrong = list(_wrong(found.versions, base, golden))
    controls = list(_controls(base, golden)) if canary.expect.tests else []
    grades = _all(bench, [*(version.tree for version in wrong), *controls], jobs)
    return _counted(canary, wrong, control, grades, found.equivalent)


def _wrong(versions: Sequence[Mutant], base: Tree, golden: Tree) -> Iterator[Mutant]:
    """The versions, and the fixture among them, touched where the answer changes it: an empty patch is never run."""
    touched = _touched(base, golden)
    if all(version.tree != base for version in versions):
        yield Mutant(FIXTURE, touched, dropped=True)
    for version in versions:
        yield replace(version, tree=touched) if version.tree == base else version


def _controls(base: Tree, golden: Tree) -> Iterator[Tree]:
    """Versions that say of single tests whether they can fail, and nothing of the tests together."""
    yield from (hollow(golden, value) for value in _HOLLOW)
    alias = aliased(base, golden)
    if alias is not None:
        yield alias


def _touched(base: Tree, golden: Tree) -> Tree:
    """The fixture with an empty line at the end of a file that the answer changes, so that its path is allowed."""
    paths = diff(base, golden).paths()
    for path in paths:
        node = base.get(path)
        if isinstance(node, File) and b"\0" not in node.data:
            ending = b"\n" if node.data.endswith(b"\n") or not node.data else b"\n\n"
            return {**base, path: replace(node, data=node.data + ending)}
    return {**base, **{path: File(b"") for path in paths[:1] if path not in base}}


def _all(bench: _Bench, trees: Sequence[Tree], jobs: int) -> list[Grade]:
    names = [f"{number:02d}" for number in range(1, len(trees) + 1)]
    if jobs == 1:
        return [bench.grade(name, tree) for name, tree in zip(names, trees, strict=True)]
    with ThreadPoolExecutor(max_workers=jobs, thread_name_prefix="mutant") as pool:
        futures = [pool.submit(bench.grade, name, tree) for name, tree in zip(names, trees, strict=True)]
        try:
            wait(futures, return_when=FIRST_EXCEPTION)
        finally:
            if any(not future.done() or future.exception() for future in futures):
                bench.stand.fence.cancel()
                pool.shutdown(wait=True, cancel_futures=True)
    return [future.result() for future in futures]


def _passes(grade: Grade, canary: Canary) -> bool | None:
    """Whether a grade passes by its tests; by all of it where there are none. None where nothing was measured."""
    if grade.status not in (Status.PASSED, Status.FAILED):
        return None
    if grade.passed or not canary.expect.tests:
        return grade.passed
    checks = [check for check in grade.checks if check.name != "golden"]
    return grade.status is Status.FAILED and len(checks) < len(grade.checks) and all(check.ok for check in checks)


def _counted(
    canary: Canary, wrong: Sequence[Mutant], control: Grade, grades: Sequence[Grade], equivalent: int
) -> Strength:
    killed = unmeasured = 0
    survivors = []
    for version, grade in zip(wrong, grades, strict=False):
        passed = _passes(grade, canary)
        if passed is None:
            unmeasured += 1
        elif canary.expect.goldens and grade.passed:
            equivalent += 1  # it is one of the goldens, or as good as one by the canary's own word
        elif passed:
            survivors.append(version.name)
        else:
            killed += 1
    failed = {check.name for grade in grades for check in grade.checks if not check.ok}
    never = tuple(name for name in _tests(control) if name not in failed)
    return Strength(killed, tuple(survivors), equivalent, unmeasured, never)


def _tests(grade: Grade) -> Iterator[str]:
    """The checks of a grade that are tests."""
    for check in grade.checks:
        if check.name not in _RULES and not check.name.endswith(": forms"):
            yield check.name


def outdated(canary: Canary, found: Strength) -> tuple[str, ...]:
    """The survivors that a canary discloses and that do not survive any more."""
    disclosed = canary.weak_tests.survivors if canary.weak_tests else ()
    return tuple(name for name in disclosed if name not in found.survivors)


def undisclosed(canary: Canary, found: Strength) -> tuple[str, ...]:
    """The survivors that a canary does not disclose."""
    disclosed = canary.weak_tests.survivors if canary.weak_tests else ()
    return tuple(name for name in found.survivors if name not in disclosed)
