"""A second look at the graders: forged observations, patches that spoil their own trial, and honest answers."""

from __future__ import annotations

import pytest

from gate.grading.bench import Bench
from gate.grading.calls import grade_calls
from gate.grading.clean import clean_tree
from gate.grading.observed import grade_pytest
from gate.grading.scripts import grade_node
from gate.suite.canary import Call, CallsTest, Expect, RunnerTest
from gate.workspace.patch import diff
from tests.grading.bench import failing, tree

# What a patched observer can say instead of what it saw: an object, and that it compared well in the process.
FORGED_PYTHON = """
import sys
for module in list(sys.modules.values()):
    if hasattr(module, "see") and hasattr(module, "truth") and hasattr(module, "reached"):
        send = module.see.__self__._send
        module.see = lambda site, values: send("see", site, [[["o", "x"]] * len(values), True, [False] * 4])
        module.compare = lambda site, op, values: send("see", site, [[["o", "x"]] * 2, op == "==", [False] * 4])
def add(a, b):
    return 0
"""

FORGED_NODE = """
const { writeSync } = require("node:fs");
const old = JSON.stringify;
JSON.stringify = old;
const from = Buffer.from;
Buffer.from = (text, ...rest) => {
  if (typeof text === "string" && text.startsWith('["see"')) {
    const record = JSON.parse(text);
    record[2] = [record[2][0].map(() => ["o", "x"]), true];
    return from(old(record) + "\\n", ...rest);
  }
  return from(text, ...rest);
};
exports.add = () => 0;
"""


def test_a_forged_comparison_does_not_stand_in_for_a_held_value(bench: Bench) -> None:
    """The child's word on an object counts only where both operands are the child's own."""
    hidden = tree({"test_x.py": "from calc import add\ndef test_a():\n    assert add(2, 3) == 5\n"})
    base = tree({"calc.py": FORGED_PYTHON})
    checks = grade_pytest([RunnerTest("pytest", ("test_x.py",))], base, hidden, base, bench, name="t", wall_s=30).checks
    assert "test_x.py::test_a" in failing(checks)


def test_a_forged_comparison_does_not_stand_in_for_a_held_value_in_node(bench: Bench) -> None:
    """The same for JavaScript."""
    source = 'const test = require("node:test");\nconst assert = require("node:assert");\n'
    source += 'const { add } = require("./calc.js");\n'
    source += 'test("a", () => { assert.strictEqual(add(2, 3), 5); assert.deepStrictEqual(add(2, 3), [5]); });\n'
    base, hidden = tree({"calc.js": FORGED_NODE}), tree({"x.test.js": source})
    checks = grade_node([RunnerTest("node", ("x.test.js",))], base, hidden, base, bench, name="t", wall_s=30).checks
    assert "x.test.js::a" in failing(checks)


SILENT = """
import sys
for module in list(sys.modules.values()):
    if hasattr(module, "see") and hasattr(module, "reached"):
        module.see = lambda *rest: None
"""
EVERY = "class Every(TypeError, ValueError, KeyError, IndexError, RuntimeError, ArithmeticError, EOFError): pass\n"
SAME_CLASS = """
class V:
    def __init__(self, x): self.x = x
    def __eq__(self, other): return isinstance(other, V)
"""
ROWLESS = """
import sys
for module in list(sys.modules.values()):
    if hasattr(module, "each") and hasattr(module, "reached"):
        module.each = lambda site, rows, each=module.each: each(site, [])
"""
SLY = """
class Sly:
    __slots__ = ()
    def __eq__(self, other): return type(other) not in (object, Sly)
"""
TAKES = """
class Taken:
    def __eq__(self, other): return self.__dict__.setdefault("value", other) == other
"""
REFERENCE = "from code_ import f\ndef want():\n    return 5\ndef test_a():\n    assert f() == want()\n"
THREE = "class Three(TypeError, ValueError, KeyError): pass\n"
PYTHON: dict[str, tuple[str, str]] = {
    "rows that nobody reports": (
        f"{ROWLESS}def f(n): return 0\n",
        "from code_ import f\ndef test_a():\n    assert all(f(n) == 5 for n in range(1, 3))\n",
    ),
    "a loop that makes no turn": (
        "import builtins\nbuiltins.range = lambda *rest: ()\ndef f(n): return 0\n",
        "from code_ import f\ndef test_a():\n    for n in range(1, 3):\n        assert f(n) == 5\n",
    ),
    "a distance that is always none": (
        "import builtins\nbuiltins.abs = lambda value: 0\ndef f(): return 0\n",
        "from code_ import f\ndef test_a():\n    assert abs(f() - 5.0) < 0.01\n",
    ),
    "a closeness that always is": (
        "import math\nmath.isclose = lambda *rest, **more: True\ndef f(): return 0\n",
        "import math\nfrom code_ import f\ndef test_a():\n    assert math.isclose(f(), 5.0)\n",
    ),
    "what cannot be compared, and so is never less": (
        "def f(n): return None\n",
        "from code_ import f\ndef test_a():\n    assert not any(f(n) < 5 for n in (1, 2))\n",
    ),
    "an object that equals every plain value": (f"{SLY}def f(): return Sly()\n", REFERENCE),
    "an object that takes the first value for its own": (f"{TAKES}def f(): return Taken()\n", REFERENCE),
    "an exception of three classes": (
        f"{THREE}def f(): raise Three()\n",
        "import pytest\nfrom code_ import f\ndef test_a():\n    with pytest.raises(ValueError):\n        f()\n",
    ),
    "an observer that is silent": (
        f"{SILENT}def f(): return 0\n",
        "from code_ import f\ndef same():\n    assert f() == 5\ndef test_a():\n    same()\n",
    ),
    "an exception of every class": (
        f"{EVERY}def f(): raise Every()\n",
        "import pytest\nfrom code_ import f\ndef test_a():\n    with pytest.raises(ValueError):\n        f()\n",
    ),
    "an object that equals every one of its class": (
        f"{SAME_CLASS}def f(): return V(0)\n",
        "from code_ import V, f\ndef test_a():\n    assert f() == V(5)\n",
    ),
}
LEAVES = "[TypeError, RangeError, SyntaxError, ReferenceError, EvalError, URIError]"
CHAIN = f"{LEAVES}.reduce((a, b) => (Object.setPrototypeOf(a.prototype, b.prototype), b));\n"
SILENT_NODE = """
const from = Buffer.from;
Buffer.from = (text, ...rest) => from(String(text).startsWith('["see"') ? "" : text, ...rest);
"""
INCLUDES = "Array.prototype.includes = () => true;\nexports.Own = class Own extends Error {};\n"
NODE: dict[str, tuple[str, str]] = {
    "an observer that is silent": (
        f"{SILENT_NODE}exports.f = () => 0;\n",
        "const same = () => { assert.equal(f(), 5); };\ntest('a', () => { same(); });\n",
    ),
    "a patched includes": (
        f"{INCLUDES}exports.f = () => {{ throw new Error('no'); }};\n",
        "const { Own } = require('./code.js');\ntest('a', () => { assert.throws(f, Own); });\n",
    ),
    "errors that inherit from each other": (
        f"{CHAIN}exports.f = () => {{ throw new TypeError('no'); }};\n",
        "test('a', () => { assert.throws(f, RangeError); });\n",
    ),
}


@pytest.mark.parametrize("name", PYTHON)
def test_no_cheat_of_python_passes(name: str, bench: Bench) -> None:
    """What is wrong fails, by the test that it is wrong in."""
    code, test = PYTHON[name]
    base, hidden = tree({"code_.py": code}), tree({"test_x.py": test})
    checks = grade_pytest([RunnerTest("pytest", ("test_x.py",))], base, hidden, base, bench, name="t", wall_s=30).checks
    assert set(failing(checks)) == {"test_x.py::test_a"}


@pytest.mark.parametrize("name", NODE)
def test_no_cheat_of_node_passes(name: str, bench: Bench) -> None:
    """The same for JavaScript."""
    code, test = NODE[name]
    head = "const test = require('node:test');\nconst assert = require('node:assert');\n"
    head += "const { f } = require('./code.js');\n"
    base, hidden = tree({"code.js": code}), tree({"x.test.js": head + test})
    checks = grade_node([RunnerTest("node", ("x.test.js",))], base, hidden, base, bench, name="t", wall_s=30).checks
    assert set(failing(checks)) == {"x.test.js::a"}


HONEST = """
import dataclasses
@dataclasses.dataclass(frozen=True)
class Spot:
    x: int
class Own(Exception): pass
class Both(ValueError, KeyError): pass
class Money:
    def __init__(self, cents): self.cents = cents
    def __eq__(self, other): return self.cents == other.cents
def refuse(kind): raise kind("no 3")
"""
HONEST_TEST = """
import collections, types
import pytest
from code_ import Both, Money, Own, Spot, refuse
def test_typename():
    with pytest.raises(Own) as info: refuse(Own)
    assert info.typename == "Own"
    assert info.exconly().endswith("no 3")
    assert info.tb is not None
def test_two_bases():
    with pytest.raises(KeyError): refuse(Both)
def test_equal():
    assert Money(int("3")) == Money(3)
    assert Money(int("3")) != Money(4)
def test_views():
    assert dict(a=1).keys() == {"a"}
    assert {"a"} <= dict(a=1).keys()
    assert dict(a=1).items() == {("a", 1)}
    assert list(dict(a=1).keys()) == ["a"]
    assert dict(a=[1]).items() != {("a", 1)}
def test_mappings():
    assert types.MappingProxyType(dict(a=1)) == {"a": 1}
    assert collections.UserDict(a=1) == {"a": 1}
    assert collections.ChainMap(dict(a=1)) == {"a": 1}
def test_sets_of_dataclasses():
    assert {Spot(1), Spot(2)} == {Spot(2), Spot(1)}
    assert {Spot(1)} != {Spot(2)}
    assert Spot(1) in {Spot(1)}
"""


def test_an_honest_answer_of_python_passes(bench: Bench) -> None:
    """An `==` that knows only its own class, an exception with two bases, views, mappings, sets of objects."""
    base, hidden = tree({"code_.py": HONEST}), tree({"test_x.py": HONEST_TEST})
    checks = grade_pytest([RunnerTest("pytest", ("test_x.py",))], base, hidden, base, bench, name="t", wall_s=30).checks
    assert failing(checks) == {}


def test_a_dependency_and_data_beside_a_node_test_do_no_harm(bench: Bench) -> None:
    """A test may use the fixture's node_modules, and a file beside it need not be JavaScript that parses."""
    base = tree({"lib.js": "exports.f = () => 3;", "node_modules/dep/index.js": "module.exports = 3;"})
    source = "const test = require('node:test');\nconst assert = require('node:assert');\nconst dep = require('dep');\n"
    source += "const { f } = require('../lib.js');\ntest('a', () => { assert.equal(f(), 3); assert.equal(dep, 3); });\n"
    hidden = tree({"t/x.test.js": source, "t/data/broken.js": "function ( {"})
    checks = grade_node([RunnerTest("node", ("t/x.test.js",))], base, hidden, base, bench, name="t", wall_s=30).checks
    assert failing(checks) == {}


OWN_TEST = "from code_ import f\ndef test_a():\n    assert f() == 5\n"


@pytest.mark.parametrize("text", [None, "def test_a(:\n"], ids=["deleted", "broken"])
def test_a_handed_over_test_that_the_patch_spoils_is_its_failure(text: str | None, bench: Bench) -> None:
    """A patch cannot make its canary look invalid."""
    base = tree({"code_.py": "def f(): return 0\n", "tests/test_a.py": OWN_TEST})
    after = {**base, **tree({"tests/test_a.py": text})} if text else {"code_.py": base["code_.py"]}
    checks = grade_pytest([RunnerTest("pytest", ("tests",))], after, {}, base, bench, name="t", wall_s=30).checks
    assert set(failing(checks)) == {"tests"}


def test_what_lies_beside_a_listed_test_is_put_back() -> None:
    """A helper that the tests import decides as much as they do; one that the canary hands over does not come back."""
    base = tree(
        {"tests/help.py": "def same(a, b): assert a == b\n", "tests/test_a.py": OWN_TEST, "code_.py": "x = 1\n"}
    )
    after = {
        **base,
        **tree({"tests/help.py": "def same(a, b): pass\n", "tests/help/__init__.py": "", "code_.py": "x = 2\n"}),
    }
    spec = RunnerTest("pytest", ("tests/test_a.py",))
    found = clean_tree(Expect(tests=(spec,)), base, diff(base, after))
    assert found.restored == ("tests/help.py", "tests/help/__init__.py")
    assert found.tree == {**base, "code_.py": after["code_.py"]}
    given = clean_tree(Expect(tests=(spec,), allowed_paths=("tests/**", "code_.py")), base, diff(base, after))
    assert given.restored == ()


def test_elements_with_one_hash_are_bounded() -> None:
    """Whoever chooses the elements of a set cannot make the parent compare all with all."""
    from gate.grading.values import MAX_HASHED, decode, opaque_in

    made = [["i", hex(at * (2**61 - 1))] for at in range(1, MAX_HASHED + 2)]
    assert opaque_in(decode(["S", made])) is not None
    assert opaque_in(decode(["d", [[key, ["n"]] for key in made]])) is not None
    assert opaque_in(decode(["S", made[:50]])) is None


def test_calls_refuse_an_error_of_every_class(bench: Bench) -> None:
    """A declared exception is not met by one that is all of them at once."""
    code = tree(
        {"code_.py": f"{EVERY}def f(): raise Every()\n", "code.js": NODE["errors that inherit from each other"][0]}
    )
    spec = CallsTest((Call("code_.f", raises="ValueError"), Call("code.js#f", raises="RangeError")))
    assert len(failing(grade_calls(spec, code, code, bench, name="calls", wall_s=30).checks)) == 2
