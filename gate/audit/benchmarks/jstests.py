"""JavaScript rows as files for `node:test`: what `console.assert` only prints becomes an assertion that can fail.

The row's program exports nothing, so a small loader beside the tests reads it and hands out one name of it.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from gate.audit.benchmarks.pytests import lines_of
from gate.audit.benchmarks.recipe import RowProblem, Task
from gate.grading.jsliteral import fold, text
from gate.grading.jssource import Edits, parse, walk
from gate.grading.literal import NotLiteral
from gate.grading.rewrite import UnreadableTest
from gate.suite.canary import RunnerTest
from gate.workspace.tree import File

if TYPE_CHECKING:
    from tree_sitter import Node

PROGRAM, TESTS, LOADER = "solution.js", "solution.test.cjs", "load.cjs"
FUNCTIONS = ("arrow_function", "function_expression")

_LOADER = f"""\
const fs = require("node:fs");
const {{ createRequire }} = require("node:module");
const path = require.resolve("./{PROGRAM}");
const source = fs.readFileSync(path, "utf8");
module.exports = (name) => {{
  const made = {{ exports: {{}} }};
  const body = `${{source}}\\n;return ${{name}};`;
  return new Function("require", "module", "exports", body)(createRequire(path), made, made.exports);
}};
"""


def javascript_task(prompt: str, stub: str, answer: str, tests: str) -> Task:
    """The task of a JavaScript row; the wrong answer is a function that returns nothing."""
    stub, answer = lines_of(stub), lines_of(answer)
    program, root = _parsed(answer, "answer"), _parsed(tests, "test")
    entries = sorted(_declared(program) & _called(root))
    if not entries:
        raise RowProblem("`test` calls nothing that the reference answer declares")
    wrong = "".join(f"const {entry} = () => undefined;\n" for entry in entries)
    modules = {"test": "node:test", "assert": "node:assert", "load": f"./{LOADER}"}
    head = "".join(f'const {local} = require("{module}");\n' for local, module in modules.items())
    loaded = "".join(f'const {entry} = load("{entry}");\n' for entry in entries)
    return Task(
        prompt=prompt,
        language="javascript",
        base={PROGRAM: File(stub.encode())},
        golden={PROGRAM: File(answer.encode())},
        wrong={PROGRAM: File(wrong.encode())},
        tests=(RunnerTest("node", (TESTS,)),),
        hidden={TESTS: File(f"{head}{loaded}{_as_tests(tests, root)}".encode()), LOADER: File(_LOADER.encode())},
    )


def _parsed(source: str, field: str) -> Node:
    try:
        return parse(source.encode(), f"`{field}`")
    except UnreadableTest as error:
        raise RowProblem(str(error)) from error


def _declared(root: Node) -> set[str]:
    """The names that a file declares at its top level."""
    found = set()
    for node in root.named_children:
        if node.type in ("lexical_declaration", "variable_declaration"):
            names = [child.child_by_field_name("name") for child in node.named_children]
        else:
            names = [node.child_by_field_name("name")]
        found |= {text(name) for name in names if name is not None and name.type == "identifier"}
    return found


def _called(root: Node) -> set[str]:
    functions = [node.child_by_field_name("function") for node in walk(root) if node.type == "call_expression"]
    return {text(function) for function in functions if function is not None and function.type == "identifier"}


def _as_tests(source: str, root: Node) -> str:
    """The row's tests: each function that the file calls by itself is a test, and so is an assertion at the top."""
    edits = Edits()
    asserted = _assertions(root, edits)
    if not asserted:
        raise RowProblem("`test` holds no console.assert")
    functions, calls = _test_functions(root), _plain_calls(root)
    covered = 0
    for name, (declaration, function) in functions.items():
        call = calls.get(name)
        if call is None:
            continue
        edits.put(declaration.start_byte, function.start_byte, f"test({json.dumps(name)}, ")
        edits.put(function.end_byte, declaration.end_byte, ");")
        edits.put(call.start_byte, call.end_byte, "")
        covered += sum(function.start_byte <= place < function.end_byte for place in asserted)
    made = edits.apply(source.encode()).decode()
    if covered == len(asserted):
        return made
    # Assertions elsewhere: the whole file is one test, as it is one script in the data.
    only = Edits()
    _assertions(root, only)
    return f'test("all", () => {{\n{only.apply(source.encode()).decode()}\n}});\n'


def _assertions(root: Node, edits: Edits) -> list[int]:
    """Turn each `console.assert(…)` into `assert.ok(…)`; the places where they stand."""
    found = []
    for node in walk(root):
        function = node.child_by_field_name("function") if node.type == "call_expression" else None
        if function is not None and text(function) == "console.assert":
            found.append(node.start_byte)
            edits.put(function.start_byte, function.end_byte, "assert.ok")
        elif function is not None and text(function) == "JSON.stringify":
            said = _stringified(node)
            if said is not None:
                edits.put(node.start_byte, node.end_byte, json.dumps(said))
    return found


def _stringified(call: Node) -> str | None:
    """What `JSON.stringify(literal)` gives, so that it is a literal itself; None where that cannot be told here."""
    arguments = call.child_by_field_name("arguments")
    given = arguments.named_children if arguments is not None else []
    if len(given) != 1:
        return None
    try:
        return json.dumps(_plain(fold(given[0], {})), ensure_ascii=False, separators=(",", ":"))
    except (NotLiteral, ValueError):
        return None


def _plain(wire: Any) -> Any:
    """A folded literal as JSON has it. Raises ValueError for what is written another way in the two languages."""
    match wire:
        case ["n"]:
            return None
        case ["b", bool() as value]:
            return value
        case ["s", str() as value] if not any("\ud800" <= letter <= "\udfff" for letter in value):
            return value
        case ["l", list() as items]:
            return [_plain(item) for item in items]
        case ["num", str() as digits]:
            return _number(struct.unpack(">d", bytes.fromhex(digits))[0])
        case _:
            raise ValueError("no plain value")


def _number(number: float) -> int | float:
    if number.is_integer() and abs(number) < 2**53:
        return int(number)
    if not 1e-6 <= abs(number) < 1e15:  # where JavaScript begins to write exponents in its own way
        raise ValueError("another notation")
    return number


def _test_functions(root: Node) -> dict[str, tuple[Node, Node]]:
    """`const testX = () => {…}` at the top level: the declaration and the function, by name."""
    found = {}
    for node in root.named_children:
        declarators = [child for child in node.named_children if child.type == "variable_declarator"]
        if node.type != "lexical_declaration" or len(declarators) != 1:
            continue
        name, value = declarators[0].child_by_field_name("name"), declarators[0].child_by_field_name("value")
        if name is not None and value is not None and value.type in FUNCTIONS:
            found[text(name)] = (node, value)
    return found


def _plain_calls(root: Node) -> dict[str, Node]:
    """`testX()` as a statement of its own at the top level, by name."""
    return {name: node for node in root.named_children for name in _plain_call(node)}


def _plain_call(node: Node) -> Iterator[str]:
    call = node.named_children[0] if node.type == "expression_statement" and node.named_child_count == 1 else None
    if call is None or call.type != "call_expression":
        return
    function, arguments = call.child_by_field_name("function"), call.child_by_field_name("arguments")
    if (
        function is not None
        and function.type == "identifier"
        and arguments is not None
        and not arguments.named_child_count
    ):
        yield text(function)
