"""Rows of our own in the form of each benchmark, with the traps that its data has."""

from __future__ import annotations

import base64
import json
import pickle
import zlib
from typing import Any

Row = dict[str, Any]

_DOUBLES = '''from typing import List


def scaled(numbers: List[int], factor: int) -> List[int]:
    """ Multiply each number by the factor.
    >>> scaled([1, 2], 3)
    [3, 6]
    """
'''

HUMAN_EVAL: Row = {
    "task_id": "HumanEval/900",
    "prompt": _DOUBLES,
    "entry_point": "scaled",
    "canonical_solution": "    return [number * factor for number in numbers]\n",
    "test": "METADATA = {}\n\n\ndef check(candidate):\n"
    "    assert candidate([1, 2], 3) == [3, 6]\n    assert candidate([], 4) == []\n",
}

# The test uses a helper and an import that only the stub has, and the entry point by its own name too.
WITH_HELPER: Row = {
    "task_id": "HumanEval/901",
    "prompt": "import math\n\n\ndef shifted(text):\n    return text[math.floor(1.5):] + text[:1]\n\n\n"
    'def unshifted(text):\n    """ Undo shifted. """\n',
    "entry_point": "unshifted",
    "canonical_solution": "    return text[-1:] + text[:-1]\n",
    "test": "def check(candidate):\n    for word in ('abc', 'xy'):\n        assert candidate(shifted(word)) == word\n"
    "    assert candidate('ab') == unshifted('ab')\n",
}

HUMAN_EVAL_PLUS: Row = {
    "task_id": "HumanEval/902",
    "prompt": 'def halves(x):\n    """ Half of it, and half of that. """\n',
    "entry_point": "halves",
    "canonical_solution": "    return [x / 2, x / 4]\n",
    "test": "import absent_arrays as np\n\n\ndef is_floats(x):\n    return isinstance(x, np.ndarray)\n\n\n"
    "def assertion(out, exp, atol):\n    exact_match = out == exp\n"
    "    if atol == 0 and is_floats(exp):\n        atol = 1e-6\n"
    "    if not exact_match and atol != 0:\n        assert np.allclose(out, exp, rtol=1e-07, atol=atol)\n"
    "    else:\n        assert exact_match\n\n\n"
    "def check(candidate):\n    inputs = [[3], [0.2]]\n    results = [[1.5, 0.75], [0.1, 0.05]]\n"
    "    for i, (inp, exp) in enumerate(zip(inputs, results)):\n        assertion(candidate(*inp), exp, 0)\n",
}

# Its last assertion splats a float: no answer can pass.
UNPASSABLE: Row = {
    "task_id": "HumanEval/32",
    "prompt": 'def find_zero(xs):\n    """ A zero of a + bx. """\n',
    "entry_point": "find_zero",
    "canonical_solution": "    return -xs[0] / xs[1]\n",
    "test": "def _poly(xs, x):\n    return xs[0] + xs[1] * x\n\n\ndef check(candidate):\n    inputs = [[[2, 1]]]\n"
    "    results = [-2.0]\n    for i, (inp, exp) in enumerate(zip(inputs, results)):\n"
    "        assert _poly(*candidate(*inp), inp) <= 0.0001\n",
}

# `declaration` is malformed and nobody may read it.
X_PYTHON: Row = {
    "task_id": "Python/903",
    "prompt": 'def squared(x):\n    """ x times x. """\n',
    "declaration": 'def squared(x):\n "\n',
    "canonical_solution": "    return x * x\n",
    "test": "METADATA = {}\n\n\ndef check(squared):\n    assert squared(3) == 9\n\ncheck(squared)\n",
    "example_test": "def check(squared):\n    assert squared(2) == 5\ncheck(squared)\n",
}

X_JAVASCRIPT: Row = {
    "task_id": "JavaScript/904",
    "prompt": "/* Each number with its square.\n  */\nconst squares = (numbers) => {\n",
    "declaration": "\nconst squares = (numbers) => {\n",
    "canonical_solution": "  return numbers.map((n) => [n, n * n]);\n}\n\n",
    "test": "const testSquares = () => {\n  console.assert(\n"
    "    JSON.stringify(squares([2, 1.5])) === JSON.stringify([[2, 4], [1.5, 2.25]])\n"
    "  )\n  console.assert(squares([]).length === 0)\n}\n\ntestSquares()\n",
    "example_test": "",
}

X_RUST: Row = {**X_JAVASCRIPT, "task_id": "Rust/905"}

# `test` is a blob that wants a module which nobody has; the list is what grades.
MBPP: Row = {
    "task_id": 906,
    "text": "Write a function to add two numbers.\nKeep it short.",
    "code": "def plus(a, b):\r\n  return a + b\r\n",
    "test_setup_code": "",
    "test_list": ["assert plus(2, 3) == 5", "assert plus(-1, 1) == 0"],
    "challenge_test_list": [],
    "test": "import absent_arrays\nassert plus(1, 1) == 3\n",
}

MBPP_SANITIZED: Row = {
    "task_id": 913,
    "prompt": "Write a function to take the root.",
    "code": "import math\ndef root(a):\n    return math.sqrt(a)\n",
    "test_imports": ["import math"],
    "test_list": ["assert math.isclose(root(2), 1.41421, abs_tol=0.001)", "assert root(9) == 3"],
}

MBPP_PLUS: Row = {
    "task_id": 907,
    "prompt": "Write a function to find the shared elements.",
    "code": "def shared(a, b):\n    return tuple(set(a) & set(b))\n",
    "source_file": "Benchmark Questions Verification V2.ipynb",
    "test_imports": [],
    "test_list": ["assert shared((1,), (2,)) == (9,)"],
    "test": HUMAN_EVAL_PLUS["test"].partition("def check")[0]
    + "inputs = [[(3, 4), (5, 4)], [(1,), (2,)]]\nresults = [(4,), ()]\n"
    "for i, (inp, exp) in enumerate(zip(inputs, results)):\n    assertion(set(shared(*inp)), set(exp), 0)\n",
}

# `prompt` is words and no code; the class uses an import of the program.
BIGCODEBENCH: Row = {
    "task_id": "BigCodeBench/908",
    "prompt": "Count the words of a text and give them as a Counter. You should begin with code.",
    "instruct_prompt": "Count the words of a text.",
    "complete_prompt": "not read",
    "code_prompt": "from collections import Counter\n\ndef task_func(text):\n",
    "canonical_solution": "    return Counter(text.split())\n",
    "entry_point": "task_func",
    "test": "import unittest\n\nclass TestCases(unittest.TestCase):\n"
    "    def setUp(self):\n        self.text = 'a b a'\n"
    "    def test_counts(self):\n        self.assertEqual(task_func(self.text), {'a': 2, 'b': 1})\n"
    "    def test_kind(self):\n        self.assertIsInstance(task_func(''), Counter)\n",
    "libs": "['collections']",
}


def packed(cases: list[Row]) -> str:
    """Cases in the packed form of the data."""
    return base64.b64encode(zlib.compress(pickle.dumps(json.dumps(cases)))).decode()


STDIN: Row = {
    "question_id": "abc_909",
    "question_content": "Read a number and print its double.",
    "starter_code": "",
    "public_test_cases": json.dumps([{"input": "4\n", "output": "8\n", "testtype": "stdin"}]),
    "private_test_cases": packed([{"input": "-1", "output": "-2", "testtype": "stdin"}]),
    "metadata": "{}",
    "solution": "print(2 * int(input()))\n",
}

FUNCTIONAL: Row = {
    "question_id": "910",
    "question_content": "Both ends of a list.",
    "starter_code": "class Solution:\n    def ends(self, nums: List[int]) -> List[int]:\n        ",
    "public_test_cases": json.dumps([{"input": "[3, 1, 2]", "output": "[3, 2]", "testtype": "functional"}]),
    "private_test_cases": packed([{"input": "[7]", "output": "[7, 7]", "testtype": "functional"}]),
    "metadata": '{"func_name": "ends"}',
    "solution": "class Solution:\n    def ends(self, nums: List[int]) -> List[int]:\n"
    "        return [nums[0], nums[-1]]\n",
}

AIMO: Row = {"id": 911, "problem": "What is $6 \\times 7$?", "answer": "42"}

TREE = {
    "shop/__init__.py": "",
    "shop/prices.py": "def total(prices):\n    return sum(prices[1:])\n",
    "tests/test_old.py": "from shop.prices import total\n\n\ndef test_nothing():\n    assert total([]) == 0\n",
}

SWE: Row = {
    "instance_id": "us__shop-912",
    "repo": "us/shop",
    "base_commit": "0123456789abcdef0123456789abcdef01234567",
    "problem_statement": "The first price is left out.",
    "patch": "--- a/shop/prices.py\n+++ b/shop/prices.py\n@@ -1,2 +1,2 @@\n"
    " def total(prices):\n-    return sum(prices[1:])\n"
    "+    return sum(prices)\n",
    "test_patch": "--- /dev/null\n+++ b/tests/test_prices.py\n@@ -0,0 +1,5 @@\n+from shop.prices import total\n+\n+\n"
    "+def test_total():\n+    assert total([3, 4]) == 7\n",
    "FAIL_TO_PASS": '["tests/test_prices.py::test_total"]',
    "PASS_TO_PASS": ["tests/test_old.py::test_nothing"],
}

SAMPLES: dict[str, list[Row]] = {
    "human-eval": [HUMAN_EVAL, WITH_HELPER],
    "humaneval-plus": [HUMAN_EVAL_PLUS],
    "humaneval-x": [X_PYTHON, X_JAVASCRIPT],
    "mbpp": [MBPP],
    "mbpp-sanitized": [MBPP_SANITIZED],
    "mbpp-plus": [MBPP_PLUS],
    "bigcodebench": [BIGCODEBENCH],
    "livecodebench-stdin": [STDIN],
    "livecodebench-functional": [FUNCTIONAL],
    "aimo": [AIMO],
    "swe": [SWE],
}
"""Rows of each recipe that can be graded here."""
