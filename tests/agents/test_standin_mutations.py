"""The small changes: each common slip is among them, and each of them is one change that still parses."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.models.standin import jsmutate, pymutate
from gate.models.standin.clues import TestRun, leanings
from gate.models.standin.desk import smallest_edit
from gate.models.standin.mutation import Suspicion, ranked

PYTHON_SLIPS = (
    # the file with the slip, the file as it was meant
    ("def f(a, b):\n    return a < b\n", "def f(a, b):\n    return a <= b\n"),
    ("def f(a, b):\n    return a - b\n", "def f(a, b):\n    return a + b\n"),
    ("def f(a, b):\n    return a - b\n", "def f(a, b):\n    return b - a\n"),
    ("def f(n):\n    return list(range(n))\n", "def f(n):\n    return list(range(n + 1))\n"),
    ("def f(n):\n    return list(range(1, n))\n", "def f(n):\n    return list(range(1, n + 1))\n"),
    ("def f(x):\n    return x[0]\n", "def f(x):\n    return x[-1]\n"),
    ("def f(x, n):\n    return x[:n]\n", "def f(x, n):\n    return x[:n + 1]\n"),
    ("def f(a, b):\n    return a and b\n", "def f(a, b):\n    return a or b\n"),
    ("def f(a):\n    if a:\n        return 1\n", "def f(a):\n    if not (a):\n        return 1\n"),
    ("def f(a):\n    if not a:\n        return 1\n", "def f(a):\n    if a is None:\n        return 1\n"),
    ("def f(x):\n    return sorted(x)\n", "def f(x):\n    return sorted(x, reverse=True)\n"),
    ("def f(x):\n    return min(x)\n", "def f(x):\n    return max(x)\n"),
    ("def f(a):\n    return g(a, 1)\n", "def f(a):\n    return g(1, a)\n"),
    ("def f(x):\n    x += 1\n    total = x\n", "def f(x):\n    x += 1\n    total = x\n    return total\n"),
    ("def f(x, seen=[]):\n    seen.append(x)\n    return seen\n",
     "def f(x, seen=None):\n    if seen is None:\n        seen = []\n    seen.append(x)\n    return seen\n"),
    ("def f(x):\n    t = 0\n    for i in x:\n        t += i\n        return t\n",
     "def f(x):\n    t = 0\n    for i in x:\n        t += i\n    return t\n"),
    ("def f(x, d):\n    return x or d\n", "def f(x, d):\n    return (x if x is not None else d)\n"),
    ("x = True\n", "x = False\n"),
    ("def f(a, b):\n    c = a\n    return c\n", "def f(a, b):\n    c = b\n    return c\n"),
    ("def f(a, b):\n    return a is b\n", "def f(a, b):\n    return a == b\n"),
    ("def f(d):\n    return dict(d)\n", "import copy\ndef f(d):\n    return copy.deepcopy(dict(d))\n"),
    ("d = {'é': 1 < 2}\n", "d = {'é': 1 <= 2}\n"),
    ("def f(a):\r\n    return a > 0\r\n", "def f(a):\r\n    return a >= 0\r\n"),
)  # fmt: skip

JAVASCRIPT_SLIPS = (
    ("const f = (a, b) => a < b;\n", "const f = (a, b) => a <= b;\n"),
    ("const f = (a, b) => a + b;\n", "const f = (a, b) => a - b;\n"),
    ("for (let i = 0; i <= x.length; i++) t += x[i];\n", "for (let i = 0; i < x.length; i++) t += x[i];\n"),
    ("const f = (x) => x.sort();\n", "const f = (x) => x.sort((a, b) => a - b);\n"),
    ("const f = (x) => x.sort(g);\n", "const f = (x) => x.slice().sort(g);\n"),
    ("const f = (a) => a || 1;\n", "const f = (a) => a ?? 1;\n"),
    ("const f = (a) => a === 1;\n", "const f = (a) => a !== 1;\n"),
    ("const f = (a, n) => a.slice(0, n);\n", "const f = (a, n) => a.slice(0, n - 1);\n"),
    ("const f = (a) => Math.floor(a);\n", "const f = (a) => Math.ceil(a);\n"),
    ("function f(a) { if (a) { return 1; } }\n", "function f(a) { if (!(a)) { return 1; } }\n"),
    ("const f = (a, b) => g(a, b);\n", "const f = (a, b) => g(b, a);\n"),
    ("const f = (a) => !a;\n", "const f = (a) => a;\n"),
    ("const f = (a) => parseInt(a);\n", "const f = (a) => parseInt(a, 10);\n"),
    ("const f = (a) => { const b = { ...a }; return b; };\n",
     "const f = (a) => { const b = structuredClone({ ...a }); return b; };\n"),
    ("function f(a) { a.map(g); }\n", "function f(a) { return a.map(g); }\n"),
    ("const f = (x) => x.every(g);\n", "const f = (x) => x.some(g);\n"),
)  # fmt: skip


@pytest.mark.parametrize(("slip", "meant"), PYTHON_SLIPS)
def test_a_python_slip_is_one_change_away(slip: str, meant: str) -> None:
    """The file as it was meant is among the changes of the file with the slip."""
    found = {mutation.applied(slip.encode()).decode() for mutation in pymutate.mutations("m.py", slip)}
    assert meant in found
    assert slip not in found


@pytest.mark.parametrize(("slip", "meant"), JAVASCRIPT_SLIPS)
def test_a_javascript_slip_is_one_change_away(slip: str, meant: str) -> None:
    """The file as it was meant is among the changes of the file with the slip."""
    found = {mutation.applied(slip.encode()).decode() for mutation in jsmutate.mutations("m.js", slip)}
    assert meant in found
    assert slip not in found


def test_changes_of_real_code_are_distinct_and_mostly_parse() -> None:
    """Over real modules every change differs from the file and from the others, and nearly all of them parse."""
    total = parsed = 0
    for module in (pymutate, jsmutate):
        text = Path(str(module.__file__)).read_text("utf-8")
        after = [mutation.applied(text.encode()) for mutation in pymutate.mutations("m.py", text)]
        assert len(set(after)) == len(after) > 100
        assert text.encode() not in after
        for data in after[:: len(after) // 60]:
            total += 1
            parsed += pymutate.parses(data)
    assert parsed / total > 0.9


@pytest.mark.parametrize("text", ["def f(:\n", "", "\0", "x = 1" + "(" * 300, "# only a comment\n"])
def test_a_file_that_is_not_python_has_no_changes(text: str) -> None:
    """What does not parse, or holds nothing, is left alone and does not crash."""
    assert list(pymutate.mutations("m.py", text)) == []


@pytest.mark.parametrize("text", ["function (", "", "// only a comment\n"])
def test_a_file_that_is_not_javascript_has_no_changes(text: str) -> None:
    """The same for JavaScript."""
    assert list(jsmutate.mutations("m.js", text)) == []


def test_the_order_follows_the_suspicion() -> None:
    """A change at a line that a failure names comes before the same kind of change elsewhere."""
    text = "def f(a):\n    return a < 1\n\n\ndef g(a):\n    return a < 1\n"
    found = list(pymutate.mutations("m.py", text))
    for line, name in ((2, "f"), (6, "g")):
        suspicion = Suspicion(frozenset(), {"m.py": (line,)}, {name: 0}, {"m.py": 0})
        assert ranked(found, suspicion)[0].line == line


@given(st.lists(st.sampled_from(["a\n", "b\n", "c\n", "\n", "x = 1\n", "d", "\r\n", "\f", "e\r"])), st.data())
@settings(max_examples=150, deadline=None)
def test_the_smallest_edit_gives_the_new_text(lines: list[str], data: st.DataObject) -> None:
    """For any two texts, `old` occurs once in the first, and replacing it by `new` gives the second."""
    before = "".join(lines)
    after = "".join(data.draw(st.permutations([*lines, "z\n"])))
    if not before or before == after:
        return
    old, new = smallest_edit(before, after)
    assert old
    assert before.find(old) == before.rfind(old)
    assert before.replace(old, new, 1) == after


OUTPUTS = (
    ("$ python -m pytest\nexit code 0\n3 passed", True, None),
    ("$ python -m pytest\nexit code 1\n2 failed, 3 passed in 0.00s", False, 2),
    ("$ python -m pytest\nexit code 1\n1 failed, 1 error in 0.00s", False, 2),
    ("$ node --test\nexit code 1\n# tests 4\n# pass 1\n# fail 3\n", False, 3),
    ("$ a\nexit code 0\nok\n$ b\nexit code 1\nFAILED (failures=1, errors=2)", False, 3),
    ("$ a\nexit code 5\nno tests ran", False, None),
    ("$ a\ndid not end within 20 s\n", False, None),
    ("", False, None),
)


@pytest.mark.parametrize(("text", "passed", "failures"), OUTPUTS)
def test_the_output_of_tests_is_read(text: str, passed: bool, failures: int | None) -> None:
    """Passed only when every command ended with 0; failures as the runner counts them."""
    run = TestRun.of(text)
    assert (run.passed, run.failures) == (passed, failures)


LEANINGS = (
    ("E  assert 3 == 4", "", "boundary"),
    ("E  assert -2 == 2", "", "swap"),
    ("IndexError: list index out of range", "", "index"),
    ("E  assert None == 2", "", "return"),
    ("  3 !== 4", "", "offset"),
    ("", "Entries come in the wrong order.", "order"),
    ("", "Changing one list changes the other too.", "copy"),
)


@pytest.mark.parametrize(("output", "task", "kind"), LEANINGS)
def test_symptoms_speak_for_kinds_of_change(output: str, task: str, kind: str) -> None:
    """What a failure looks like moves the changes that could cause it to the front."""
    assert kind in leanings(output, task)
    assert kind not in leanings("", "")


def test_python_positions_count_bytes() -> None:
    """Names before and after characters of several bytes are found where they are."""
    text = "s = '\u4e2d\u6587'; n = 1 < 2  # \U0001f600\n"
    for mutation in pymutate.mutations("m.py", text):
        ast.parse(mutation.applied(text.encode()))
