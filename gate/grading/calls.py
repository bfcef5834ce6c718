"""Declared calls, in Python or JavaScript: the driver in the fence makes them, the comparison happens here.

Exact in type and value. What a cheat inside the process can still do: hold a table of right answers for calls that it
could guess, and report an exception that it did not raise or arguments that it did not change. It cannot see a value
that was expected, and an object that claims to equal everything is not a value at all.
"""

from __future__ import annotations

import builtins
import json
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Any, Protocol

from gate.grading import jsvalues, values
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
from gate.grading.expectation import MAX_UNRELATED, unrelated
from gate.grading.inside import wire
from gate.grading.jsexpectation import LEAVES
from gate.grading.reason import clean
from gate.grading.reason import shown as show
from gate.outcome import Check
from gate.sandbox.fence import Completed
from gate.suite.canary import Call, CallsTest
from gate.workspace.tree import Tree


class Tongue(Protocol):
    """What differs between the two languages."""

    def expected(self, value: Any) -> Any:
        """A declared value in the form that `judge` compares. Raises ValueError."""
        ...

    def encoded(self, value: Any) -> list[Any]:
        """A declared argument as the driver takes it."""
        ...

    def same(self, wanted: Any, seen: list[Any]) -> bool:
        """Whether what came back is what was wanted. Raises WireError."""
        ...

    def shown(self, seen: list[Any]) -> str:
        """What came back, for a reason."""
        ...

    def raised(self, wanted: str, lineage: Sequence[str]) -> bool:
        """Whether an exception of these classes is the one that was wanted."""
        ...


class Python:
    """Exact types; a builtin exception is the real one."""

    def expected(self, value: Any) -> Any:
        return values.declared(value)

    def encoded(self, value: Any) -> list[Any]:
        return wire.encode(values.declared(value))

    def same(self, wanted: Any, seen: list[Any]) -> bool:
        return values.strictly_equal(wanted, values.decode(seen))

    def shown(self, seen: list[Any]) -> str:
        return show(values.decode(seen))

    def raised(self, wanted: str, lineage: Sequence[str]) -> bool:
        if unrelated(lineage) > MAX_UNRELATED:
            return False
        if "." in wanted:
            return wanted in lineage
        if hasattr(builtins, wanted):
            return f"builtins.{wanted}" in lineage
        return any(name.rpartition(".")[2] == wanted for name in lineage)


class JavaScript:
    """As `deepStrictEqual`; an intrinsic error is the real one."""

    _INTRINSIC = ("Error", "TypeError", "RangeError", "SyntaxError", "ReferenceError", "EvalError", "URIError")

    def expected(self, value: Any) -> Any:
        return jsvalues.declared(value)

    def encoded(self, value: Any) -> list[Any]:
        return jsvalues.declared(value)

    def same(self, wanted: Any, seen: list[Any]) -> bool:
        return jsvalues.same(wanted, seen)

    def shown(self, seen: list[Any]) -> str:
        return clean(jsvalues.shown(seen), limit=120)

    def raised(self, wanted: str, lineage: Sequence[str]) -> bool:
        if sum(name in LEAVES for name in lineage) > 1:
            return False
        return f"{'builtin' if wanted in self._INTRINSIC else 'own'}.{wanted}" in lineage


def grade_calls(spec: CallsTest, tree: Tree, base: Tree, bench: Bench, *, name: str, wall_s: float) -> Findings:
    """Make the calls over the clean tree, those of each language in one process, and compare.

    Raises NotGraded when a driver never began, UnusableTest when the canary declares what cannot be asked.
    """
    if not spec.calls:
        raise UnusableTest("the list of calls is empty")
    checks: list[Check] = []
    groups = [[call for call in spec.calls if ("#" in call.call) is script] for script in (False, True)]
    for script, calls in zip((False, True), groups, strict=True):
        if calls:
            label = f"{name}-js" if script else name
            checks += _graded(calls, tree, base, bench, label, wall_s, script=script)
    return Findings(tuple(checks), frozenset({"calls"}))


def _graded(
    calls: list[Call], tree: Tree, base: Tree, bench: Bench, name: str, wall_s: float, *, script: bool
) -> list[Check]:
    tongue: Tongue = JavaScript() if script else Python()
    with staged(bench, tree, name) as stage:
        ids = [stage.draw.name() for _ in calls]
        nonce = stage.draw.name()
        try:
            asked = [_asked(call, drawn, tongue, stage) for call, drawn in zip(calls, ids, strict=True)]
        except (ValueError, OverflowError) as error:
            raise UnusableTest(clean(f"a declared call cannot be asked: {error}")) from error
        plan = {"nonce": nonce, "calls": asked, **_roots(stage, tree, base)}
        completed = _run(stage, plan, wall_s, script=script)
        bench.evidence(f"{name}.records", completed.stdout)
        bench.evidence(f"{name}.output", completed.stderr)
        answers = _answers(completed, nonce, ids)
        hide = (*stage.hidden(), *ids)
    labels = [f"{call.call}({clean(', '.join(map(repr, call.args)), limit=60)})" for call in calls]
    if isinstance(answers, str):
        return [Check(f"{name}: calls", ok=False, reason=answers)]
    return [
        Check(
            f"{name} {at + 1}: {label}",
            (reason := _reason(call, answers.get(drawn), tongue, hide)) is None,
            reason or "as declared",
        )
        for at, (call, drawn, label) in enumerate(zip(calls, ids, labels, strict=True))
    ]


def _asked(call: Call, drawn: str, tongue: Tongue, stage: Stage) -> dict[str, Any]:
    """One call as the driver gets it: without a word about what is right."""
    asked: dict[str, Any] = {
        "id": drawn,
        "call": call.call,
        "args": [tongue.encoded(item) for item in call.args],
        "kwargs": {key: tongue.encoded(item) for key, item in call.kwargs.items()},
        "echo": call.after is not None,
    }
    if "#" in call.call:
        path, _, asked["name"] = call.call.partition("#")
        if ".." in PurePosixPath(path).parts or not path or path.startswith("/"):
            raise ValueError(f"{call.call} lies outside the tree")
        asked["path"] = str(stage.repo / path)
    tongue.expected(call.returns)
    return asked


def _roots(stage: Stage, tree: Tree, base: Tree) -> dict[str, Any]:
    return {"roots": stage.roots(tree), "shadows": sorted(modules(base)), "packages": sorted(modules(tree))}


def _run(stage: Stage, plan: dict[str, Any], wall_s: float, *, script: bool) -> Completed:
    drivers, package = stage.driver()
    stdin = json.dumps(plan).encode()
    if script:
        return stage.run_node(drivers / package / "calls.mjs", readable=(drivers,), wall_s=wall_s, stdin=stdin)
    flags = python_flags(drivers, package, "calls")
    return stage.run(stage.bench.python, flags, readable=(drivers,), wall_s=wall_s, stdin=stdin)


def _answers(completed: Completed, nonce: str, ids: list[str]) -> dict[str, list[Any]] | str:
    """The record of each call by its id, or why there is none. A missing, doubled or unknown one voids them all."""
    if completed.timed_out:
        return "timeout"
    found = records(completed.stdout)
    if found is None:
        return unreadable(completed)
    if found[:1] != [["hello", nonce]]:
        raise NotGraded("the driver of the calls never announced itself")
    if len(found) > 1 and found[1][0] == "taken":
        raise NotGraded(f"the fixture's own {found[1][1]} has the name of a module that the grader itself needs")
    if len(found) < 2 or found[1] != ["ready", nonce]:
        raise NotGraded("the driver of the calls could not begin")
    if found[-1] != ["end", nonce, 0] or completed.exit_code != 0:
        return "the process ended before all calls were made"
    answers = {str(record[1]): record for record in found[2:-1] if len(record) > 1}
    if len(found) - 3 != len(ids) or answers.keys() != set(ids):
        return "an answer is missing, doubled or unknown"
    return answers


def _reason(call: Call, record: list[Any] | None, tongue: Tongue, hide: Sequence[str]) -> str | None:
    """None when the answer is as declared."""
    try:
        reason = _difference(call, record or [], tongue)
    except (ValueError, TypeError, KeyError, IndexError, RecursionError):
        reason = "the answer is malformed"
    return None if reason is None else clean(reason, hide=hide)


def _difference(call: Call, record: list[Any], tongue: Tongue) -> str | None:
    match record:
        case ["missing", _, str() as kind, str() as text]:
            return f"cannot be called: {kind}: {text}"
        case ["raised", _, [str() as kind, *_] as lineage, str() as text, after]:
            if call.raises is None:
                return f"raised {kind}: {text}"
            if not tongue.raised(call.raises, lineage):
                return f"raised {kind}"
        case ["result", _, list() as seen, after]:
            if call.raises is not None:
                return f"raised nothing, and returned {tongue.shown(seen)}"
            if not tongue.same(tongue.expected(call.returns), seen):
                return f"returned {tongue.shown(seen)}"
        case _:
            return "the answer is malformed"
    return _after(call, after, tongue)


def _after(call: Call, after: Any, tongue: Tongue) -> str | None:
    if call.after is None:
        return None
    if not isinstance(after, list) or len(after) != len(call.after):
        return "another number of arguments than declared afterwards"
    for at, (wanted, seen) in enumerate(zip(call.after, after, strict=True)):
        if not tongue.same(tongue.expected(wanted), seen):
            return f"argument {at + 1} is {tongue.shown(seen)} afterwards"
    return None
