"""Python tests under pytest: rewritten, laid outside the tree, run in one fenced session, judged out here.

What a cheat inside the process can still do: return right answers that it did not compute (a table for calls that it
could guess), report an exception that it did not raise, and lie about assertions that are counted as held. It cannot
learn an expected value that was taken out, end the session early, skip, or make a failing control pass unnoticed.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from gate.grading.bench import (
    Bench,
    Findings,
    NotGraded,
    Stage,
    UnusableTest,
    modules,
    python_flags,
    records,
    staged,
    unreadable,
)
from gate.grading.judging import Tampered, check_sentinels, items_of, python_label, verdicts
from gate.grading.layout import Laid, Sources, checks_of_specs, collect, forms_of, summary, without
from gate.grading.pyconfig import kept_settings
from gate.grading.reason import clean
from gate.grading.rewrite import UnreadableTest, rewrite
from gate.outcome import Check
from gate.sandbox.fence import Completed
from gate.suite.canary import RunnerTest
from gate.workspace.tree import File, Tree


def grade_pytest(
    specs: Sequence[RunnerTest],
    tree: Tree,
    hidden: Tree,
    base: Tree,
    bench: Bench,
    *,
    name: str,
    wall_s: float,
    golden: Tree | None = None,
) -> Findings:
    """Run the listed test files of all specs over the clean tree, in one session.

    `golden` is the clean tree of a known answer, by which twins that cannot fail are told from an answer that cheats.

    Raises NotGraded when the session never began, UnusableTest when the canary's own tests cannot be read or found.
    """
    sources = collect(specs, hidden, tree, base)
    if not sources.tests:
        return Findings((Check("tests", ok=False, reason="the tests are gone"),), frozenset({"observed"}))
    laid, checks = _judged(sources, specs, tree, hidden, base, bench, name, wall_s)
    forms = [summary(laid, name)]
    if golden is not None and any(not check.ok for check in checks) and laid.counts["vector"]:
        loose = _loose_twins(sources, specs, golden, hidden, base, bench, name, wall_s)
        if loose:
            laid, checks = _judged(sources, specs, tree, hidden, base, bench, name, wall_s, loose)
            reason = f"{len(loose)} twins do not fail on the known answer either and were dropped"
            forms.append(Check(f"{name}: twins", ok=True, reason=reason))
    return Findings((*checks, *forms), forms_of(laid))


def _loose_twins(
    sources: Sources,
    specs: Sequence[RunnerTest],
    golden: Tree,
    hidden: Tree,
    base: Tree,
    bench: Bench,
    name: str,
    wall_s: float,
) -> frozenset[str]:
    """The drawn ids of twins with a wrong constant that hold with the known answer as well: they tell nothing.

    The same entropy and label draw the same ids. Only the known answer decides here, never the answer that is graded.
    """
    own = collect(specs, hidden, golden, base)
    if own != sources:
        return frozenset()
    laid, _ = _judged(own, specs, golden, hidden, base, replace(bench, evidence=_nowhere), name, wall_s)
    return frozenset(laid.loose)


def _nowhere(_name: str, _data: bytes) -> None:
    """The evidence of the known answer is not that of the answer."""


def _judged(
    sources: Sources,
    specs: Sequence[RunnerTest],
    tree: Tree,
    hidden: Tree,
    base: Tree,
    bench: Bench,
    name: str,
    wall_s: float,
    loose: frozenset[str] = frozenset(),
) -> tuple[Laid, list[Check]]:
    # The copy is without the originals: they hold the expected values, and nothing in the copy needs them.
    with staged(bench, without(tree, sources), name) as stage:
        laid, observer, nonce = Laid(python_label, dict(sources.folder)), stage.draw.name(), stage.draw.name()
        try:
            for path, source in sources.tests.items():
                laid.replace(path)
                made = rewrite(source, path, observer, stage.draw)
                laid.add(f"{path.rpartition('/')[0]}/test_{stage.draw.name()}.py".lstrip("/"), made)
        except UnreadableTest as error:
            if laid.foreign(base, hidden, tree):
                return laid, [Check("tests", ok=False, reason=clean(str(error)))]
            raise UnusableTest(clean(str(error))) from error
        laid.drop(loose)
        completed = _session(stage, laid, observer, nonce, tree, base, wall_s)
        bench.evidence(f"{name}.records", completed.stdout)
        bench.evidence(f"{name}.output", completed.stderr)
        return laid, _judge(completed, nonce, laid, specs, sources, (*stage.hidden(), *laid.drawn()))


def _session(stage: Stage, laid: Laid, observer: str, nonce: str, tree: Tree, base: Tree, wall_s: float) -> Completed:
    # pytest reads a configuration file only if its name ends in .ini; another one is ignored without a word.
    settings = f"{stage.draw.name()}.ini"
    folder = stage.lay({**laid.folder, settings: File(kept_settings(base))})
    drivers, package = stage.driver()
    plan = {
        "nonce": nonce,
        "observer": observer,
        "roots": stage.roots(tree),
        "shadows": sorted(modules(base)),
        "packages": sorted(modules(tree)),
        "arguments": [
            *("-c", str(folder / settings), "--rootdir", str(folder), "--confcutdir", str(folder)),
            *("-p", "no:cacheprovider", "-p", "no:doctest", "--assert=plain", "--tb=short", "-q"),
            *(str(folder / path) for path in laid.files),
        ],
    }
    return stage.run(
        stage.bench.python,
        python_flags(drivers, package, "session"),
        readable=(folder, drivers),
        wall_s=wall_s,
        stdin=json.dumps(plan).encode(),
        environment={"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
    )


def _judge(
    completed: Completed,
    nonce: str,
    laid: Laid,
    specs: Sequence[RunnerTest],
    sources: Sources,
    hide: tuple[str, ...],
) -> list[Check]:
    if completed.timed_out:
        return [Check("tests", ok=False, reason="timeout")]
    found = records(completed.stdout)
    if found is None:
        return [Check("tests", ok=False, reason=unreadable(completed))]
    if found[:1] != [["hello", nonce]]:
        raise NotGraded("the test driver never announced itself")
    if len(found) > 1 and found[1][0] == "taken":
        raise NotGraded(f"the fixture's own {found[1][1]} has the name of a module that the grader itself needs")
    if found[1:2] != [["ready", nonce]]:
        raise NotGraded("the test runner could not be loaded")
    problem = next((record for record in found if record[0] == "collect"), None)
    if problem is not None:
        text = str(problem[-1])
        return [Check("tests", ok=False, reason=clean(f"the tests could not be collected: {text}", hide=hide))]
    # The sentinel that must fail makes pytest end with 1; nothing else is an honest end.
    if found[-1] != ["end", nonce, 1] or completed.exit_code != 1:
        return [Check("tests", ok=False, reason="the session did not run to its end")]
    try:
        items = items_of(found[2:-1], laid.table())
        laid.note_loose(items)
        check_sentinels(items, laid.table())
        return checks_of_specs(verdicts(items, laid.table(), hide), specs, sources.listed)
    except Tampered as error:
        return [Check("tests", ok=False, reason=str(error))]
