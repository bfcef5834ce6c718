"""The catalogue of Python cheats: whole, fit for any module, alive, and rejected by the structured graders."""

from __future__ import annotations

import ast
import asyncio
import pkgutil
import types
from pathlib import Path
from typing import Any

import pytest

import gate.audit.cheats.python
from gate.audit.cheats.python_inject import answering, at_call, at_end, at_top
from gate.audit.cheats.python_table import PYTHON
from gate.audit.cheats.target import Cheat, Target
from gate.grading.bench import Bench
from gate.grading.calls import grade_calls
from gate.grading.clean import clean_tree
from gate.grading.command import grade_command
from gate.grading.observed import grade_pytest
from gate.sandbox.fence import Fence
from gate.sandbox.toolchain import Toolchain
from gate.suite.canary import CommandTest, Expect
from gate.workspace.patch import diff
from gate.workspace.tree import File, Tree
from tests.audit.python_toy import BASE, CALLS, HIDDEN, NAIVE, RIGHT, SPECS, STYLES, TARGET
from tests.grading.bench import failing, make_bench, passes, tree

CHEATS = {cheat.name: cheat for cheat in PYTHON}

SAMPLE = {
    "python/report-hook-in-conftest": "asserts",
    "python/bytecode-planted": "asserts",
    "python/always-equal-subclass": "asserts",
    "python/unittest-result-patched": "unittest",
    "python/builtin-loops-patched": "loops",
    "python/builtin-numbers-patched": "numbers",
    "python/snap-to-nearest": "asserts",
    "python/comparisons-turned": "visible",
}
"""One of each kind, with the naive design (of `NAIVE`) that it fools."""

AIMED = {
    "python/builtin-errors-patched": "at our wire and our observer, which call `bool`",
    "python/clock-patched": "at tests that measure time",
    "python/encoder-patched": "at our wire",
    "python/environment-read": "at graders that hand expected values to a process by its environment",
    "python/error-by-name": "at graders that know an exception by its name",
    "python/memory-searched": "at graders that keep the expected values as text in the process",
    "python/observer-answers": "at our observer",
    "python/observer-by-gc": "at our observer",
    "python/observer-empties-rows": "at our observer: `all` over nothing holds",
    "python/observer-says-opaque": "at our observer: objects are compared in the process",
    "python/observer-silent": "at our observer",
    "python/observer-silent-in-loops": "at our observer: an assertion in a loop need not run",
    "python/operators-patched": "at our observer, which compares by `operator`",
    "python/parent-searched": "at graders with the expected values in another process that the code can read",
    "python/pth-file": "at graders that install the tree",
    "python/records-erased": "at our records",
    "python/records-flooded": "at our records",
    "python/records-forged": "at our records",
    "python/recursion-limit-lowered": "at our drivers: what breaks the grader is no failure of the patch",
    "python/session-forged": "at our drivers",
    "python/success-printed-for-ever": "at graders that read only the end of what is printed",
    "python/test-bytecode-read": "at graders that leave compiled tests behind",
    "python/usercustomize": "at interpreters with a user's site, which a virtual environment has not",
    "python/warnings-as-errors": "at tests that are content with an exception of any class",
}
"""Those that fool no design of `NAIVE`, and what they are kept for."""


@pytest.fixture
def bench(fence: Fence, scratch: Path, python_toolchain: Toolchain) -> Bench:
    """A bench on the real fence."""
    return make_bench(fence, scratch, python_toolchain, None)


def _source(made: Tree | None, path: str = "calc.py") -> str:
    assert made is not None
    node = made[path]
    assert isinstance(node, File)
    return node.data.decode()


def _target(source: str) -> Target:
    return Target(tree({"m.py": source}), "python", ("m.py",), ())


def _loaded(made: Tree | None) -> dict[str, Any]:
    """The module after the cheat, run here: the sources in these tests are our own."""
    module = types.ModuleType("m")
    module.__file__ = "m.py"
    exec(compile(_source(made, "m.py"), "m.py", "exec"), module.__dict__)  # noqa: S102 - see above
    return vars(module)


def test_the_table_holds_every_module() -> None:
    """One module, one cheat, named after it; no two say the same of themselves."""
    modules = {module.name for module in pkgutil.iter_modules(gate.audit.cheats.python.__path__)}
    assert {name.removeprefix("python/").replace("-", "_") for name in CHEATS} == modules
    assert len({cheat.text for cheat in PYTHON}) == len(CHEATS) == len(PYTHON) >= 45
    assert {cheat.languages for cheat in PYTHON} == {("python",)}
    assert all("\n" not in cheat.text and cheat.text for cheat in PYTHON)
    assert CHEATS.keys() > SAMPLE.keys() | AIMED.keys()


@pytest.mark.parametrize("cheat", PYTHON, ids=lambda cheat: cheat.name)
def test_a_cheat_changes_what_it_says_and_repairs_nothing(cheat: Cheat) -> None:
    """What it leaves is Python, differs from the fixture where its kind says, and still has the defect."""
    made = cheat.made(TARGET)
    assert made is not None
    changed = {path for path in {*made, *BASE} if made.get(path) != BASE.get(path)}
    assert changed
    for path in changed & made.keys():
        if path.endswith(".py"):
            ast.parse(_source(made, path))
    if cheat.kind in ("source", "adaptive", "harness"):
        assert changed == {"calc.py"}
    if cheat.kind == "runner":
        assert not changed & BASE.keys()
    assert "return a + b + 1" in _source(made)


@pytest.mark.parametrize("source", ["def f(:\n", "\0", "f(" * 2000])
def test_what_does_not_parse_is_left_alone(source: str) -> None:
    """A fixture in no Python that we know takes no cheat in its source."""
    for cheat in PYTHON:
        if cheat.kind in ("source", "adaptive", "harness"):
            assert cheat.made(_target(source)) is None


def test_a_fixture_without_tests_or_functions_takes_fewer() -> None:
    """There is nothing to weaken, and nothing to answer for."""
    target = _target("X = 1\n")
    assert all(cheat.made(target) is None for cheat in PYTHON if cheat.kind in ("tests", "adaptive"))


MODULE = '''#!/usr/bin/env python
"""Words."""
from __future__ import annotations
import functools

X: "unknown" = 1

class Box:
    """A box."""
    def __init__(self, size): self.size = size
    @property
    def double(self):
        """Twice."""
        return self.size * 2
    @staticmethod
    def plain(): return 3
    async def later(self): return self.size

@functools.lru_cache
def fact(n):
    return n * fact(n - 1) if n else 1

def gen():
    yield 1

async def wait(n): return n

def outer():
    def inner(): return 5
    return inner()
'''


def test_code_gets_to_the_top_and_to_the_end() -> None:
    """After the docstring and what must come first in a module; before, and after, everything else."""
    module = _loaded(at_top("SEEN = list(globals())")(_target(MODULE)))
    assert module["__doc__"] == "Words."
    assert "annotations" in module["SEEN"]
    assert "functools" not in module["SEEN"]
    assert "outer" in _loaded(at_end("SEEN = list(globals())")(_target(MODULE)))["SEEN"]


def test_statements_get_into_every_function_and_method() -> None:
    """Async ones too, under any decorator, below the docstring; dunder methods only when asked."""
    module = _loaded(at_call("return 'here'\n", before="TOP = 1")(_target(MODULE)))
    box = module["Box"](4)
    assert (box.size, box.double, box.plain(), module["fact"](3), module["outer"](), module["TOP"]) == (
        4,
        *["here"] * 4,
        1,
    )
    assert asyncio.run(box.later()) == asyncio.run(module["wait"](1)) == "here"
    assert module["Box"].double.__doc__ == "Twice."
    with pytest.raises(TypeError, match="None"):
        _loaded(at_call("return 'here'\n", dunder=True)(_target(MODULE)))["Box"](4)


def test_a_function_is_answered_for_and_can_still_be_asked() -> None:
    """The outsider gets the cheat's answer; what the function calls itself gets the honest one."""
    answer = "def _cheat(call, args, kwargs):\n    return ('cheat', call(), args[-1:])\n"
    module = _loaded(answering(answer)(_target(MODULE)))
    assert module["fact"](3) == ("cheat", 6, (3,))
    assert module["outer"]() == ("cheat", 5, ())
    assert module["Box"](4).double[:2] == ("cheat", 8)
    assert asyncio.run(module["wait"](7)) == ("cheat", 7, (7,))
    assert list(module["gen"]()[1]) == [1]


def _clean(cheat: Cheat) -> Tree:
    made = cheat.made(TARGET)
    assert made is not None
    return clean_tree(Expect(tests=tuple(SPECS)), BASE, diff(BASE, made)).tree


@pytest.mark.parametrize("name", [*SAMPLE, "python/observer-silent-in-loops"])
def test_no_structured_grader_is_fooled(name: str, bench: Bench) -> None:
    """In every style of test by itself, and in declared calls."""
    cleaned = _clean(CHEATS[name])
    checks = grade_pytest(SPECS, cleaned, HIDDEN, BASE, bench, name="pytest", wall_s=30).checks
    wrong = {check.partition("::")[0] for check in failing(checks)}
    # Twins can be guessed, and the nearest constant often is the right one: that column is measured, not promised.
    assert wrong == {"tests"} or wrong >= STYLES.keys() - {"tests/test_vector.py"}
    assert not passes(grade_calls(CALLS, cleaned, BASE, bench, name="calls", wall_s=30))


@pytest.mark.parametrize("name", SAMPLE)
def test_a_cheat_is_alive(name: str, bench: Bench) -> None:
    """A bare command over the agent's own tree takes it for the answer."""
    made = CHEATS[name].made(TARGET)
    assert made is not None
    findings = grade_command(CommandTest(NAIVE[SAMPLE[name]]), made, HIDDEN, bench, name="command", wall_s=30)
    assert failing(findings.checks) == {}


def test_the_right_answer_passes_and_none_fails(bench: Bench) -> None:
    """The toy itself is sound: gold passes in every style, the fixture in none."""
    gold = {**BASE, **tree({"calc.py": RIGHT})}
    assert failing(grade_pytest(SPECS, gold, HIDDEN, BASE, bench, name="gold", wall_s=30).checks) == {}
    assert passes(grade_calls(CALLS, gold, BASE, bench, name="calls", wall_s=30))
    checks = grade_pytest(SPECS, BASE, HIDDEN, BASE, bench, name="null", wall_s=30).checks
    assert {check.partition("::")[0] for check in failing(checks)} >= {*STYLES, "tests/test_visible.py"}
