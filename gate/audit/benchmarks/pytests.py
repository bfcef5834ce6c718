"""Python rows as pytest files: the assertions of the row stay assertions with literals, so that they can be observed.

What the tests need of the program is imported by name. What the stub gave (a helper, an import) is copied from the
stub instead: an answer that changes it does not change how it is judged.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from gate.audit.benchmarks.loops import unrolled
from gate.audit.benchmarks.names import defined, free, parse
from gate.audit.benchmarks.recipe import RowProblem, Task
from gate.suite.canary import RunnerTest
from gate.workspace.tree import File

PROGRAM, MODULE, TESTS = "solution.py", "solution", "test_solution.py"
SPEC = (RunnerTest("pytest", (TESTS,)),)


def python_task(prompt: str, stub: str, answer: str, tests: ast.Module, entries: Iterable[str]) -> Task:
    """The task of a Python row. `entries` are what the tests call; the wrong answer makes them return None."""
    stub, answer = lines_of(stub), lines_of(answer)
    try:
        source = ast.unparse(ast.fix_missing_locations(tests)) + "\n"
    except ValueError as error:  # an f-string that this Python cannot write again
        raise RowProblem(f"its tests cannot be written out: {error}") from error
    wrong = answer + "".join(f"\n\ndef {entry}(*_, **__):\n    return None\n" for entry in sorted(entries))
    return Task(
        prompt=prompt,
        language="python",
        base={PROGRAM: File(stub.encode())},
        golden={PROGRAM: File(answer.encode())},
        wrong={PROGRAM: File(wrong.encode())},
        tests=SPEC,
        hidden={TESTS: File(source.encode())},
    )


def lines_of(source: str) -> str:
    """Source with plain line ends, and one at the end."""
    source = source.replace("\r\n", "\n").replace("\r", "\n")
    return source if not source or source.endswith("\n") else source + "\n"


def as_comment(words: str) -> str:
    """A task in words as the head of an otherwise empty program."""
    return "".join(f"# {line}".rstrip() + "\n" for line in lines_of(words).splitlines()) + "\n"


def check_tests(source: str, entry: str, stub: str, answer: str) -> ast.Module:
    """The test of a `check(candidate)` function, whatever its argument is called."""
    tree = parse(source, "test")
    checks = [item for item in tree.body if isinstance(item, ast.FunctionDef) and item.name == "check"]
    if len(checks) != 1 or len(checks[0].args.args) != 1:
        raise RowProblem("`test` does not hold one function check(candidate)")
    (check,) = checks
    candidate = check.args.args[0].arg
    check.name, check.args.args = f"test_{entry}", []
    check.body = unrolled(check.body, tree.body)
    tree.body = [item for item in tree.body if not _calls_check(item)]
    return _supplied(tree, stub, answer, {entry: candidate})


def check_entry(source: str) -> str:
    """What the row's own call `check(name)` names, for rows without a field that says it."""
    match [item for item in parse(source, "test").body if _calls_check(item)]:
        case [ast.Expr(value=ast.Call(args=[ast.Name(id=entry)]))]:
            return entry
        case _:
            raise RowProblem("`test` does not call check(name) once")


def _calls_check(item: ast.stmt) -> bool:
    match item:
        case ast.Expr(value=ast.Call(func=ast.Name(id="check"))):
            return True
        case _:
            return False


def listed_tests(
    assertions: Iterable[str], setup: str, field: str, stub: str, answer: str
) -> tuple[ast.Module, set[str]]:
    """Each assertion of a list as a test of its own, after the setup; and what of the program they call."""
    tree = parse(setup, "setup")
    for number, source in enumerate(assertions, 1):
        body = parse(source, field).body
        if not any(isinstance(node, ast.Assert) for item in body for node in ast.walk(item)):
            raise RowProblem(f"entry {number} of `{field}` asserts nothing")
        tree.body.append(_function(f"test_{number}", body))
    return _called(tree, field, stub, answer)


def script_tests(source: str, field: str, stub: str, answer: str) -> tuple[ast.Module, set[str]]:
    """A script that asserts as it runs, as one test; and what of the program it calls."""
    tree = parse(source, field)
    stay = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef)
    moved = [item for item in tree.body if not isinstance(item, stay)]
    tree.body = [item for item in tree.body if isinstance(item, stay)]
    moved = unrolled(moved, tree.body)
    tree.body.append(_function("test_all", moved))
    return _called(tree, field, stub, answer)


def class_tests(source: str, entry: str, stub: str, answer: str) -> ast.Module:
    """Classes of unittest as they are."""
    tree = parse(source, "test")
    if not any(isinstance(item, ast.ClassDef) and _tests_in(item) for item in tree.body):
        raise RowProblem("`test` holds no class with test methods")
    if entry not in free(tree):
        raise RowProblem(f"`test` never uses {entry}")
    return _supplied(tree, stub, answer, {})


def _tests_in(item: ast.ClassDef) -> bool:
    return any(isinstance(part, ast.FunctionDef) and part.name.startswith("test") for part in item.body)


def _function(name: str, body: list[ast.stmt]) -> ast.FunctionDef:
    function = ast.parse(f"def {name}():\n    pass\n").body[0]
    assert isinstance(function, ast.FunctionDef)  # noqa: S101  # what was just written
    function.body = body or function.body
    return function


def _called(tree: ast.Module, field: str, stub: str, answer: str) -> tuple[ast.Module, set[str]]:
    given = defined(parse(lines_of(answer), "answer"))
    functions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    entries = {name for name in free(tree) if isinstance(given.get(name), functions)}
    if not entries:
        raise RowProblem(f"`{field}` calls nothing that the reference answer defines")
    return _supplied(tree, stub, answer, {}), entries


def _supplied(tree: ast.Module, stub: str, answer: str, renamed: dict[str, str]) -> ast.Module:
    """The tests with everything that they need: from the stub as a copy, from the program by import.

    `renamed` are functions of the program by what the tests call them; the name stands for an argument that is gone.
    """
    given = defined(parse(lines_of(answer), "answer"))
    missing = [name for name in renamed if name not in given]
    if missing:
        raise RowProblem(f"the reference answer does not define {missing[0]}")
    last = lines_of(stub).count("\n")
    copied: list[ast.stmt] = []
    wanted = set(renamed.items())
    pending = free(tree) - set(renamed.values())
    while pending:
        name = pending.pop()
        statement = given.get(name)
        if statement is None or statement in copied:
            continue
        in_stub = (statement.end_lineno or 0) <= last
        if isinstance(statement, (ast.Import, ast.ImportFrom)) or (in_stub and name not in renamed):
            copied.append(statement)
            pending |= free(statement)
        else:
            wanted.add((name, name))
    copied.sort(key=lambda statement: statement.lineno)
    aliases = [ast.alias(name, None if alias == name else alias) for name, alias in sorted(wanted)]
    program = [ast.ImportFrom(module=MODULE, names=aliases, level=0)] if aliases else []
    first = [item for item in tree.body if isinstance(item, ast.ImportFrom) and item.module == "__future__"]
    tree.body = [*first, *copied, *program, *(item for item in tree.body if item not in first)]
    return tree
