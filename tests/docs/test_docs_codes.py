"""The table of codes in docs/verdict.md, against the code that gives them and against a sweep of judgements."""

from __future__ import annotations

import ast
import random
from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction

from gate.audited import AuditState
from gate.outcome import Slice, Status
from gate.policy import Baseline, BaselineEntry, Plan, Planned, Policy
from gate.verdict.judge import judge
from gate.verdict.ruling import Answer
from gate.verdict.tally import Row, Surface, Tally
from tests.docs.pages import ROOT, code, tables

PAGE = ROOT / "docs/verdict.md"
SOURCES = [*sorted((ROOT / "gate/verdict").glob("*.py")), *sorted((ROOT / "gate/commands").glob("*.py"))]
# Codes that are put together: what the fixed part is, and what may follow it.
BUILT = {"no-": ("public", "hidden"), "exploit-": ("spring", "hold")}
SAID = (Answer.BLOCKED, Answer.OPEN, Answer.NOTED)
CASES = 6000


def documented() -> dict[str, set[str]]:
    """The answers of each code, by the table."""
    rows = list(tables(PAGE, first="code", under="Codes"))
    found = {code(row["code"])[0]: set(row["answers"].split(", ")) for row in rows}
    assert len(found) == len(rows), "a code stands twice in the table"
    return found


def codes_in(tree: ast.Module) -> Iterator[str]:
    """Every code that a module gives to a Ruling or a Finding. A way to write one that is not known here fails."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    for function in functions:
        for call in calls_of(function, {"Ruling", "Finding"}):
            yield from values(call.args[0], function, tree)


def calls_of(node: ast.AST, names: set[str]) -> Iterator[ast.Call]:
    """The calls of functions with these names below a node."""
    for part in ast.walk(node):
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id in names:
            yield part


def values(node: ast.expr, function: ast.FunctionDef, tree: ast.Module) -> Iterator[str]:
    """What an expression in the place of a code can be: a literal, a built one, or what the callers pass."""
    match node:
        case ast.Constant(value=str() as text):
            yield text
        case ast.JoinedStr(values=[ast.Constant(value=str() as start), ast.FormattedValue()]):
            yield from (start + end for end in BUILT[start])
        case ast.BinOp(left=ast.Constant(value=str() as start), op=ast.Add()):
            yield from (start + end for end in BUILT[start])
        case ast.Name(id=parameter):
            place = [argument.arg for argument in function.args.args].index(parameter)
            for call in calls_of(tree, {function.name}):
                yield from values(call.args[place], function, tree)
        case ast.Attribute(value=ast.Name(id="self"), attr="code"):
            return
        case _:
            raise AssertionError(f"line {node.lineno}: {ast.unparse(node)} is not read as a code here")


def test_the_table_has_every_code_and_no_other() -> None:
    """The codes of the table are those that stand in the sources of verdict and commands."""
    given = {found for path in SOURCES for found in codes_in(ast.parse(path.read_text(encoding="utf-8")))}
    assert len(given) > 30
    assert documented().keys() == given


def surface(rng: random.Random) -> Surface:
    """Mostly one surface; sometimes one digest of it is another, or tests ran without a fence."""
    usual = Surface("local", "p", "c", "s", "g", "h", "a", None)
    return rng.choices(
        [usual, usual._replace(tool_surface="local/unsandboxed"), usual._replace(card_sha256="other")], [60, 1, 1]
    )[0]


def rows(rng: random.Random, plan: Plan, seeds: int) -> Iterator[Row]:
    """Rows for most canaries of a plan: passed, failed, unscored, leaked or missing; sometimes a stranger."""
    kinds = [Status.PASSED, Status.FAILED, Status.ERROR, Status.LEAKED, None]
    for planned in plan.canaries:
        weights = rng.choice([[6, 3, 1, 1, 1], [1, 0, 0, 0, 0], [0, 1, 0, 0, 0], [1, 1, 0, 0, 0]])
        digest = planned.canary_sha256 if rng.random() < 0.99 else "other"
        for seed in range(seeds + rng.choice([0, 0, 2])):
            status = rng.choices(kinds, weights)[0]
            if status is not None:
                passed = status is Status.PASSED
                yield Row(planned.id, planned.slice, passed, surface(rng), seed, status, digest)
    if rng.random() < 0.02:
        yield Row("stranger", Slice.PUBLIC, True, surface(rng), 0, Status.PASSED, "d")


def baseline(rng: random.Random, plan: Plan) -> Baseline | None:
    """No baseline, or one that knows most canaries and was mostly measured in the same way."""
    if rng.random() < 0.3:
        return None
    entries = {
        planned.id: BaselineEntry(planned.slice, rng.random() < 0.7, rng.choices(["d", "old"], [5, 1])[0])
        for planned in plan.canaries
        if rng.random() < 0.9
    }
    measuring = {"suite": rng.choices(["s", "t"], [9, 1])[0], "card": "c", "grader": "g", "harness": "h"}
    return Baseline(measuring, {"prompt": "p", "agent": rng.choice("ab")}, 1, entries)


def policy(rng: random.Random) -> Policy:
    """Thresholds of every sort."""
    return Policy(
        fail_under=rng.choice([None, Fraction(1, 2), Fraction(1)]),
        min_lower=rng.choice([None, Fraction(1, 10), Fraction(1, 2)]),
        score_drop=rng.choice([Fraction(0), Fraction(1, 2)]),
        gap_limit=rng.choice([Fraction(0), Fraction(1, 4)]),
        min_slice=rng.choice([1, 2, 20]),
        headline=rng.random() < 0.5,
        max_unscored=rng.choice([Fraction(0), Fraction(1)]),
        confirm_seeds=rng.choice([0, 2]),
    )


def plan_of(rng: random.Random, seeds: int) -> Plan:
    """A few canaries of each slice, or none; sometimes a part of the suite, sometimes one known to be unpassable."""
    sizes = {Slice.PUBLIC: rng.randrange(4), Slice.HIDDEN: rng.randrange(4), Slice.CANARY: rng.randrange(3)}
    canaries = tuple(
        Planned(f"{part}-{number}", part, "bugfix", "d") for part, size in sizes.items() for number in range(size)
    )
    partial = "only slice public" if rng.random() < 0.2 else None
    return Plan(canaries, seeds, partial, None, {"public-0": "no answer"} if rng.random() < 0.2 else {})


def test_the_table_has_the_answers_that_judgements_give() -> None:
    """Over thousands of cases, each code of a rule has come out in exactly the ways that the table lists."""
    rng = random.Random(20261129)
    seen: dict[str, set[str]] = defaultdict(set)
    for _ in range(CASES):
        seeds = rng.choice([1, 3])
        plan = plan_of(rng, seeds)
        tally = Tally(seeds)
        for row in rows(rng, plan, seeds):
            assert tally.add(row) is None
        audit = rng.choice([None, AuditState(stamped=True), AuditState(stamped=False), AuditState(True, ("graders",))])
        known = plan if rng.random() < 0.8 else None
        verdict = judge(tally, policy(rng), known, baseline(rng, plan), audit=audit)
        for ruling in verdict.rulings:
            if ruling.answer in SAID:
                seen[ruling.code].add(str(ruling.answer))
        for finding in verdict.broken:
            seen[finding.code].add("broken")
    table = documented()
    assert {name: table.get(name) for name in seen} == dict(seen)
    of_commands = table.keys() - seen.keys()
    assert of_commands == {
        "baseline-surface",
        "no-baseline",
        "policy-changed-with-stack",
        "judge-changed-alone",
        "trust-ref",
        "exploit-spring",
        "exploit-hold",
        "exploit-unscored",
        "exploits",
        "suite",
    }
