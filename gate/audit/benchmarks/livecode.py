"""Rows of contest problems: programs that read and print, or a method of a class; never one graded as the other.

The data carries no reference programs: `solution` has to be added to the rows by whoever stages them.
"""

from __future__ import annotations

import ast
import base64
import json
import pickletools
import zlib
from typing import Any

from gate.audit.benchmarks.pytests import PROGRAM, as_comment, lines_of, python_task
from gate.audit.benchmarks.recipe import BadField, Row, RowProblem, SetAside, Task, any_text
from gate.suite.canary import StdinTest
from gate.workspace.tree import File

MAX_UNPACKED = 256 << 20
_CASE = ("input", "output", "testtype")
STDIN, FUNCTIONAL = "stdin", "functional"

PRELUDE = """\
import bisect, collections, functools, heapq, itertools, math, random, re, string, sys
from bisect import bisect_left, bisect_right, insort
from collections import Counter, OrderedDict, defaultdict, deque
from functools import cache, lru_cache, reduce
from heapq import heapify, heappop, heappush
from itertools import accumulate, combinations, permutations, product
from math import comb, gcd, inf, lcm, sqrt
from typing import Dict, List, Optional, Set, Tuple

"""
"""What the starter code of a contest site may take for granted. It is the head of the stub, so an agent sees it."""


def cases(value: Any) -> list[dict[str, str]]:
    """The cases of a field: a list, its JSON, or its JSON in a packed form. Raises BadField."""
    if isinstance(value, str):
        value = _unpacked(value)
    if not isinstance(value, list):
        raise BadField("is not a list of cases")
    for case in value:
        if not isinstance(case, dict) or not all(isinstance(case.get(key), str) for key in _CASE):
            raise BadField("holds a case without input, output and testtype")
        for key in _CASE:
            any_text(case[key])
    return value


def _unpacked(value: str) -> Any:
    """JSON as it is, or packed: base64 of zlib of a pickled text. The pickle is read as a text and never loaded."""
    try:
        return json.loads(value)
    except ValueError:
        pass
    try:
        unpacker = zlib.decompressobj()
        data = unpacker.decompress(base64.b64decode(value, validate=True), MAX_UNPACKED)
        # What is larger than any list of cases ends early, and is no whole pickle then.
        return json.loads(_pickled_text(data))
    except (ValueError, zlib.error, RecursionError) as error:
        raise BadField("is neither JSON nor packed JSON") from error


def _pickled_text(data: bytes) -> str:
    """The text in a pickle of one text. Raises ValueError for a pickle of anything else."""
    found = []
    for opcode, argument, _ in pickletools.genops(data):
        if "UNICODE" in opcode.name:
            found.append(argument)
        elif opcode.name not in ("PROTO", "FRAME", "MEMOIZE", "BINPUT", "LONG_BINPUT", "PUT", "STOP"):
            raise ValueError(f"a pickle with {opcode.name}")
    if len(found) != 1 or not isinstance(found[0], str):
        raise ValueError("not a pickle of one text")
    return found[0]


def metadata(value: Any) -> dict[str, Any]:
    """An object, or its JSON; blank means nothing is said. Raises BadField."""
    if value in (None, ""):
        return {}
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            raise BadField("is not the JSON of an object") from None
    if not isinstance(value, dict):
        raise BadField("is not an object")
    return value


def _kind(row: Row, wanted: str) -> list[dict[str, str]]:
    """All cases of a row of the wanted kind. Raises SetAside for the other kind, RowProblem where the row is both."""
    every = [*row["public_test_cases"], *(row["private_test_cases"] or [])]
    kinds = {case["testtype"] for case in every}
    if not every:
        raise RowProblem("has no test case")
    if len(kinds) > 1 or not kinds <= {STDIN, FUNCTIONAL}:
        raise RowProblem(f"its cases are of the kinds {', '.join(sorted(kinds))}")
    # Neither sign alone is believed: graded by the wrong one, no answer would ever pass.
    method = "func_name" in row["metadata"]
    starts = bool(row["starter_code"].strip())
    if not (method is starts is (kinds == {FUNCTIONAL})):
        signs = f"{'a' if method else 'no'} func_name, {'some' if starts else 'no'} starter code"
        raise RowProblem(f"is mislabelled: {min(kinds)} cases, {signs}; a method is never graded as a program")
    if kinds != {wanted}:
        raise SetAside(f"{min(kinds)} tasks belong to livecodebench-{min(kinds)}")
    return every


def _solution(row: Row) -> str:
    found = row["solution"]
    if found is None:
        raise SetAside(
            "rows without `solution`: the data ships no reference programs, so add accepted ones of your own"
        )
    return str(found)


def stdin_task(row: Row) -> Task:
    """A program that reads standard input; the answer that does nothing prints nothing."""
    every = _kind(row, STDIN)
    if all(not case["output"].strip() for case in every):
        raise RowProblem("no case expects any output, so an empty program passes")
    stub = as_comment(row["question_content"])
    answer = lines_of(stub + _solution(row))
    return Task(
        prompt=row["question_content"],
        language="python",
        base={PROGRAM: File(stub.encode())},
        golden={PROGRAM: File(answer.encode())},
        wrong={PROGRAM: File(f"{stub}import sys\n\nsys.stdin.read()\n".encode())},
        tests=(StdinTest(PROGRAM, tuple((case["input"], case["output"]) for case in every)),),
    )


def functional_task(row: Row) -> Task:
    """A method of `Solution`: each case is an assertion on a fresh instance."""
    every = _kind(row, FUNCTIONAL)
    method = row["metadata"]["func_name"]
    if not isinstance(method, str) or not method.isidentifier():
        raise RowProblem("`metadata` names no method")
    body = [ast.parse("from solution import Solution").body[0]]
    for number, case in enumerate(every, 1):
        source = f"def test_{number}():\n    assert Solution().{method}({_arguments(case)}) {_due(case)}\n"
        body += ast.parse(source).body
    tests = ast.Module(body=body, type_ignores=[])
    stub, answer = PRELUDE + row["starter_code"], PRELUDE + _solution(row)
    task = python_task(row["question_content"], stub, answer, tests, [])
    wrong = f"{lines_of(answer)}\n\nclass Solution:\n    def {method}(self, *_, **__):\n        return None\n"
    return Task(
        prompt=task.prompt,
        language=task.language,
        base=task.base,
        golden=task.golden,
        wrong={PROGRAM: File(wrong.encode())},
        tests=task.tests,
        hidden=task.hidden,
    )


def _arguments(case: dict[str, str]) -> str:
    """One JSON value a line, as literals of Python."""
    return ", ".join(repr(_value(line)) for line in case["input"].split("\n") if line.strip())


def _due(case: dict[str, str]) -> str:
    """What is due; a tuple is as good as a list there."""
    value = _value(case["output"])
    return f"in ({value!r}, {tuple(value)!r})" if isinstance(value, list) else f"== {value!r}"


def _value(text: str) -> Any:
    try:
        value = json.loads(text, parse_constant=_refused)
    except (ValueError, RecursionError) as error:
        raise RowProblem("a case of a functional task is not JSON") from error
    return value


def _refused(word: str) -> Any:
    raise ValueError(f"{word} is no JSON")
