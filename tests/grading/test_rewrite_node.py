"""What a rewritten node test keeps from the process, and what it counts as held because it cannot."""

from __future__ import annotations

import pytest

from gate.grading.bench import Bench
from gate.grading.draw import Draw
from gate.grading.javascript import rewrite_script
from gate.grading.scripts import grade_node
from gate.suite.canary import RunnerTest
from tests.grading.bench import failing, tree

HEAD = """const test = require("node:test");
const assert = require("node:assert");
const { f, g } = require("./code.js");
"""

FORMS = {
    "a literal": ("assert.strictEqual(f(1), 7777);", "observed"),
    "a literal inside": ("assert.deepEqual(f(1), { a: [7777] });", "observed"),
    "a truth": ("assert.ok(f(1));", "observed"),
    "a comparison": ("assert.ok(f(1) < 7777 && f(2) === 'x7777');", "observed"),
    "a distance": ("assert.ok(Math.abs(f(1) - 7777) < 0.5);", "observed"),
    "a distance turned round": ("assert.ok(0.5 >= Math.abs(7777 - f(1)));", "observed"),
    "an exception": ("assert.throws(() => f(1), RangeError);", "observed"),
    "two calls": ("assert.equal(f(1), g(1));", "held"),
    "a computed value": ("assert.equal(f(1), ['a', 'b'].join('-'));", "held"),
    "a value from elsewhere": ("assert.equal(f(1), wanted);", "held"),
    "a list that includes it": ("assert.ok([1, 2].includes(f(1)));", "held"),
    "an answer that includes something": ("assert.ok(f(1).includes('a'));", "held"),
    "a builtin's verdict": ("assert.equal(Number.isInteger(f(1)), true);", "held"),
    "a pattern's verdict": ("assert.ok(/a+/.test(f(1)));", "held"),
    "a distance that must be large": ("assert.ok(Math.abs(f(1) - 5) > 1);", "held"),
    "a distance from elsewhere": ("assert.ok(Math.abs(f(1) - wanted) < 1);", "held"),
    "a branch": ("if (f(1)) assert.equal(f(2), 3);", "held"),
    "a loop over who knows what": ("for (const one of f(1)) assert.equal(one, 3);", "held"),
}


@pytest.mark.parametrize("name", FORMS)
def test_how_an_assertion_is_graded(name: str) -> None:
    """Observed is what leaves nothing of the expected value in the process, and nobody in it to judge."""
    statement, form = FORMS[name]
    source = f'{HEAD}test("a", () => {{ {statement} }});\n'
    made = rewrite_script(source.encode(), "a.test.js", "o", Draw(b"", ""), lambda *_: None)
    assert set(made.counts) == {form}
    assert form == "held" or "7777" not in made.source


@pytest.mark.parametrize(
    ("answer", "right"),
    [("7777.3", True), ("7778", False), ("NaN", False), ("'7777'", True), ("{ valueOf: () => 7777 }", False)],
)
def test_a_distance_is_measured_out_here(answer: str, right: bool, bench: Bench) -> None:
    """Though the code under test replaces Math.abs, and whatever kind of nothing it answers."""
    base = tree({"code.js": f"Math.abs = () => 0;\nexports.f = () => {answer};\n"})
    hidden = tree({"a.test.js": f'{HEAD}test("a", () => {{ assert.ok(Math.abs(f(1) - 7777) < 0.5); }});\n'})
    checks = grade_node([RunnerTest("node", ("a.test.js",))], base, hidden, base, bench, name="t", wall_s=30).checks
    assert (failing(checks) == {}) is right
