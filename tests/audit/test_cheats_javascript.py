"""The cheats in JavaScript and those of any language: they change what they are given, and what they write is code."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gate.audit.cheats.any_table import ANY
from gate.audit.cheats.javascript import dependency_agrees
from gate.audit.cheats.javascript_inject import answering, at_call, at_top
from gate.audit.cheats.javascript_reader import reading
from gate.audit.cheats.javascript_table import JAVASCRIPT
from gate.audit.cheats.target import Cheat, Target
from gate.audit.targets import javascript, python
from gate.audit.targets.toy import as_tree
from gate.grading.bench import Bench
from gate.grading.calls import grade_calls
from gate.grading.clean import clean_tree
from gate.grading.jssource import parse
from gate.sandbox.fence import Fence
from gate.sandbox.toolchain import Toolchain
from gate.suite.canary import Call, CallsTest, Expect
from gate.workspace.patch import diff
from gate.workspace.tree import File, Tree
from tests.grading.bench import failing, make_bench, tree

TOYS = {"module": javascript.CALLS, "commonjs": javascript.OBSERVED}


@pytest.fixture
def bench(fence: Fence, scratch: Path, python_toolchain: Toolchain, node_toolchain: Toolchain) -> Bench:
    """A bench on the real fence."""
    return make_bench(fence, scratch, python_toolchain, node_toolchain)


def test_there_are_enough_of_them() -> None:
    """Eighteen in JavaScript and fourteen of any language, at the least."""
    assert len(JAVASCRIPT) >= 18
    assert len(ANY) >= 14
    assert all(cheat.languages == ("javascript",) for cheat in JAVASCRIPT)


@pytest.mark.parametrize("toy", TOYS)
@pytest.mark.parametrize("cheat", [*JAVASCRIPT, *ANY], ids=lambda cheat: cheat.name)
def test_a_cheat_changes_a_fixture_of_either_kind(cheat: Cheat, toy: str) -> None:
    """It applies to ES modules and to CommonJS, and the sources that it leaves behind are JavaScript."""
    target = TOYS[toy].target()
    made = cheat.made(target)
    assert made is not None
    assert made != target.base
    for path in target.sources:
        node = made[path]
        if isinstance(node, File):
            parse(node.data, path)


@pytest.mark.parametrize("cheat", ANY, ids=lambda cheat: cheat.name)
def test_a_cheat_of_any_language_changes_python_too(cheat: Cheat) -> None:
    """The Python it writes compiles."""
    target = python.CALLS.target()
    made = cheat.made(target)
    assert made is not None
    assert made != target.base
    node = made["shop.py"]
    if isinstance(node, File):
        compile(node.data, "shop.py", "exec")


def _made(files: dict[str, str], make: Callable[[Target], Tree | None], *sources: str) -> Tree | None:
    return make(Target(as_tree(files), "javascript", sources, ()))


ODD = """#!/usr/bin/env node
"use strict";
// a comment
const twice = (n) => n * 2;
const pair = async (n) => ({ n });
class Box {
  constructor(n) { this.n = n; }
  get() { return this.n; }
  *each() { yield this.n; }
}
exports.twice = twice;
exports.pair = pair;
exports.box = function (n) { return new Box(n).get(); };
"""


def test_what_is_put_around_functions_leaves_them_as_they_were(bench: Bench) -> None:
    """So a cheat is rejected for what it does, and not because the injected code does not even run."""
    calls = CallsTest(
        (
            Call("lib/odd.js#twice", (4,), has_returns=True, returns=8),
            Call("lib/odd.js#pair", (4,), has_returns=True, returns={"n": 4}),
            Call("lib/odd.js#box", (4,), has_returns=True, returns=4),
        )
    )
    ways = {
        "around": answering(
            lambda function: f"return {function.parameters[0] if function.parameters else 0}, $inner();"
        ),
        "at the head": at_call("$count += 1;", "let $count = 0;"),
        "at the top": at_top('if (typeof $need("node:fs").readFileSync !== "function" || !$self) process.exit(1);'),
    }
    for way in ways.values():
        made = _made({"lib/odd.js": ODD}, way, "lib/odd.js")
        assert made is not None
        assert failing(grade_calls(calls, made, made, bench, name="calls", wall_s=30).checks) == {}


def test_what_is_no_javascript_is_left_alone() -> None:
    """A source that does not parse, or is none of ours, makes a cheat inapplicable and not wrong."""
    assert _made({"lib/a.js": "function ( {"}, at_top("1;"), "lib/a.js") is None
    assert _made({"lib/a.ts": "let a: number = 1"}, at_top("1;"), "lib/a.ts") is None
    assert _made({"lib/a.js": "exports.a = 1;"}, at_call("return 1;"), "lib/a.js") is None


def test_an_adaptive_cheat_finds_what_it_is_compared_with(bench: Bench) -> None:
    """It is alive: beside a caller that holds the values, the wrong function answers right."""
    caller = "// a check: the call and what it is compared with\nconst { f } = require('./f.js');\n"
    caller += "exports.check = () => { const same = (a, b) => a === b; return same(f(3), 42) && same(f(2), 'x'); };\n"
    files = {"f.js": "exports.f = (n) => n;\n", "check.js": caller}
    wanted = CallsTest((Call("check.js#check", (), has_returns=True, returns=True),))
    made = _made(files, reading("all[0]"), "f.js")
    assert made is not None
    assert failing(grade_calls(wanted, made, made, bench, name="calls", wall_s=30).checks) == {}
    base = as_tree(files)
    assert failing(grade_calls(wanted, base, base, bench, name="calls", wall_s=30).checks) != {}


def test_records_that_are_none_fail_the_patch_that_wrote_them(bench: Bench) -> None:
    """A patch cannot make its own trial look like an error of the machine."""
    base = tree({"a.js": "require('node:fs').writeSync(3, 'no record\\n'); exports.f = () => 1;\n"})
    wanted = CallsTest((Call("a.js#f", (), has_returns=True, returns=1),))
    checks = grade_calls(wanted, base, base, bench, name="calls", wall_s=30).checks
    assert failing(checks) == {"calls-js: calls": "a record is malformed"}


def test_an_installed_library_is_put_back() -> None:
    """The assertion library in node_modules is not the patch's to change."""
    toy = javascript.OBSERVED
    base, made = toy.base(), dependency_agrees.CHEAT.made(toy.target())
    assert made is not None
    found = clean_tree(Expect(tests=toy.tests), base, diff(base, made))
    assert found.tree == base
    assert found.restored == ("node_modules/agree/index.js",)
