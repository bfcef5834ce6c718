"""Could it pass for the wrong reason? Every cheat against the observed tests and the declared calls of JavaScript."""

from __future__ import annotations

import pytest

from gate.grading.bench import Bench
from gate.grading.calls import grade_calls
from gate.grading.clean import clean_tree
from gate.grading.scripts import grade_node
from gate.suite.canary import Call, CallsTest, Expect, RunnerTest
from gate.workspace.patch import diff
from gate.workspace.tree import Node
from tests.grading.bench import failing, passes, tree
from tests.grading.node_cheats import CHEATS, REFACTORED, WRONG

OBSERVED = """
import test, { describe, it } from "node:test";
import assert from "node:assert/strict";
import { add } from "../lib/calc.js";

test("small", () => {
  assert.equal(add(2, 3), 5);
});
describe("group", () => {
  it("larger", () => {
    assert.deepEqual({ sum: [add(20, 22)] }, { sum: [42] });
  });
  it("refuses", () => {
    assert.throws(() => add("a", 1), TypeError);
    assert.equal(add(1, 6), 7);
  });
});
"""

TRUTHS = """
const test = require("node:test");
const { ok } = require("node:assert");
test("truths", async () => {
  const { isSum } = await import("../lib/calc.js");
  ok(isSum(2, 3, 5));
  ok(!isSum(2, 3, 6) && isSum(1, 1, 2));
});
"""

SEEN = """
import test from "node:test";
import assert from "node:assert";
import { add } from "../lib/calc.js";
test("seen", () => { assert.strictEqual(add(2, 3), 5); assert.strictEqual(add(20, 22), 42); });
"""

HIDDEN = tree({"h/o.test.js": OBSERVED, "h/t.test.cjs": TRUTHS})
BASE = tree({"lib/calc.js": WRONG, "test/seen.test.js": SEEN, "package.json": '{"type": "module"}'})
SPECS = [RunnerTest("node", ("h",)), RunnerTest("node", ("test",))]
CALLS = CallsTest(
    (
        Call("lib/calc.js#add", (2, 3), has_returns=True, returns=5),
        Call("lib/calc.js#add", (20, 22), has_returns=True, returns=42),
        Call("lib/calc.js#add", ("a", 1), raises="TypeError"),
        Call("lib/calc.js#isSum", (2, 3, 6), has_returns=True, returns=False),
        Call("lib/calc.js#isSum", (2, 3, 5), has_returns=True, returns=True),
    )
)
COLUMNS = ("h/o.test.js", "h/t.test.cjs", "test/seen.test.js")


def _patched(files: dict[str, str]) -> dict[str, Node]:
    return dict(clean_tree(Expect(tests=tuple(SPECS)), BASE, diff(BASE, {**BASE, **tree(files)})).tree)


@pytest.mark.parametrize("name", CHEATS)
def test_no_cheat_passes(name: str, bench: Bench) -> None:
    """A cheat fails in every test file by itself, and as declared calls."""
    clean = _patched(CHEATS[name])
    wrong = failing(grade_node(SPECS, clean, HIDDEN, BASE, bench, name="node", wall_s=3).checks)
    assert "tests" in wrong or {check.partition("::")[0] for check in wrong} == set(COLUMNS)
    assert not passes(grade_calls(CALLS, clean, BASE, bench, name="calls", wall_s=3))


@pytest.mark.parametrize("name", REFACTORED)
def test_every_honest_answer_passes(name: str, bench: Bench) -> None:
    """What adds, adds, however it is written."""
    clean = _patched(REFACTORED[name])
    findings = grade_node(SPECS, clean, HIDDEN, BASE, bench, name="node", wall_s=30)
    assert failing(findings.checks) == {}
    assert {check.name for check in findings.checks} >= {"h/o.test.js::group > larger", "h/t.test.cjs::truths"}
    assert failing(grade_calls(CALLS, clean, BASE, bench, name="calls", wall_s=30).checks) == {}
