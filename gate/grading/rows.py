"""Tables in tests, unrolled: each literal row of a parametrized test or of a loop becomes statements of its own.

Only then are the expected values of a row literals of an assertion, which can stay with the parent.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from gate.grading.literal import NotLiteral, fold

MAX_ROWS = 500
MAX_TURNS = 100
MAX_UNROLLED = 5_000

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a parametrized test: the suffix pytest gives it (`[1-2]`, or empty) and its cells by argument."""

    suffix: str
    cells: Mapping[str, ast.expr]


def rows_of(function: Function, names: Mapping[str, ast.expr]) -> tuple[list[Row], list[ast.expr]]:
    """The rows of a test and the decorators that are left; one empty row for a test without tables.

    A test with a table that cannot be read (`indirect`, marks on a row, computed rows) keeps all its decorators.
    """
    tables, rest = [], []
    for decorator in function.decorator_list:
        if _is_parametrize(decorator):
            table = _table(decorator, names)  # type: ignore[arg-type]
            if table is None:
                return [Row("", {})], list(function.decorator_list)
            tables.append(table)
        else:
            rest.append(decorator)
    if not tables:
        return [Row("", {})], rest
    # pytest names the innermost decorator's ids first.
    tables.reverse()
    if _count(tables) > MAX_ROWS:
        return [Row("", {})], list(function.decorator_list)
    combined = []
    for parts in product(*tables):
        cells = {name: cell for _, row in parts for name, cell in row.items()}
        combined.append(Row(f"[{'-'.join(label for label, _ in parts)}]", cells))
    return combined, rest


Table = list[tuple[str, dict[str, ast.expr]]]


def _count(tables: list[Table]) -> int:
    total = 1
    for table in tables:
        total *= len(table)
    return total


def _is_parametrize(node: ast.expr) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Attribute(attr="mark"), attr="parametrize")):
            return True
        case ast.Call(func=ast.Attribute(value=ast.Name(id="mark"), attr="parametrize")):
            return True
        case _:
            return False


def _table(call: ast.Call, names: Mapping[str, ast.expr]) -> Table | None:
    """The rows of one decorator with their ids, or None if they cannot be read."""
    keywords = {keyword.arg: keyword.value for keyword in call.keywords}
    if len(call.args) != 2 or not set(keywords) <= {"ids"}:
        return None
    arguments = _arguments(call.args[0])
    rows = elements(call.args[1], names)
    if arguments is None or not rows:
        return None
    try:
        given = fold(keywords["ids"], {}) if "ids" in keywords else [None] * len(rows)
    except NotLiteral:
        return None
    if not isinstance(given, (list, tuple)) or len(given) != len(rows):
        return None
    if not all(item is None or isinstance(item, str) for item in given):
        return None
    table: Table = []
    for index, (row, label) in enumerate(zip(rows, given, strict=True)):
        read = _row(row, arguments, index, label)
        if read is None:
            return None
        table.append(read)
    return _unique(table)


def _arguments(node: ast.expr) -> list[str] | None:
    try:
        value = fold(node, {})
    except NotLiteral:
        return None
    if isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    return list(value) if isinstance(value, (list, tuple)) and all(isinstance(item, str) for item in value) else None


def _row(row: ast.expr, arguments: list[str], index: int, label: str | None) -> tuple[str, dict[str, ast.expr]] | None:
    cells = [row] if len(arguments) == 1 else getattr(row, "elts", None)
    match row:
        case ast.Call(func=ast.Attribute(attr="param") | ast.Name(id="param"), args=args, keywords=keywords):
            options = {keyword.arg: keyword.value for keyword in keywords}
            if set(options) - {"id"}:
                return None
            match options.get("id"):
                case None | ast.Constant(value=None):
                    pass
                case ast.Constant(value=str() as text):
                    label = text
                case _:
                    return None
            cells = args
        case _:
            pass
    if (
        not isinstance(cells, list)
        or len(cells) != len(arguments)
        or any(isinstance(cell, ast.Starred) for cell in cells)
    ):
        return None
    label = label if label is not None else "-".join(_label(c, a, index) for c, a in zip(cells, arguments, strict=True))
    return label, dict(zip(arguments, cells, strict=True))


def _label(cell: ast.expr, argument: str, index: int) -> str:
    """The id of one cell, as pytest makes it: numbers, text and None by themselves, the rest by name and place."""
    try:
        value = fold(cell, {})
    except NotLiteral:
        return f"{argument}{index}"
    if isinstance(value, str):
        return value.encode("unicode_escape").decode("ascii")
    if isinstance(value, bytes):
        return value.decode("ascii", "backslashreplace")
    return str(value) if value is None or isinstance(value, (bool, int, float, complex)) else f"{argument}{index}"


def _unique(table: Table) -> Table:
    """Ids that occur more than once get a number, as in pytest."""
    labels = [label for label, _ in table]
    seen: dict[str, int] = {}
    out: Table = []
    for label, cells in table:
        if labels.count(label) > 1:
            number = seen.get(label, 0)
            seen[label] = number + 1
            label = f"{label}{'_' if label and label[-1].isdigit() else ''}{number}"  # noqa: PLW2901 - the id, made unique
        out.append((label, cells))
    return out


def elements(node: ast.expr, names: Mapping[str, ast.expr]) -> list[ast.expr] | None:
    """The elements of a list or tuple that is written down, here or under a module-level name."""
    if isinstance(node, ast.Name) and node.id in names:
        node = names[node.id]
    if isinstance(node, (ast.List, ast.Tuple)) and not any(isinstance(item, ast.Starred) for item in node.elts):
        return node.elts if len(node.elts) <= MAX_ROWS else None
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Dict(keys=keys, values=values), attr="items"), args=[], keywords=[]):
            if None not in keys:
                pairs = zip(keys, values, strict=True)
                return [ast.Tuple(elts=[key, value], ctx=ast.Load()) for key, value in pairs if key is not None]
        case _:
            pass
    return None


def turns(node: ast.expr, names: Mapping[str, ast.expr]) -> list[ast.expr] | None:
    """What a loop goes over: the elements of a table, or of `range`, `zip` and `enumerate` over what is written down.

    Code under test can replace those three, and a loop that makes no turn asserts nothing.
    """
    match node:
        case ast.Call(func=ast.Name(id="range"), args=args, keywords=[]):
            try:
                found = range(*(fold(arg, {}) for arg in args))
            except (NotLiteral, TypeError, ValueError):
                return None
            return [ast.Constant(value=number) for number in found] if 0 < len(found) <= MAX_TURNS else None
        case ast.Call(func=ast.Name(id="zip"), args=[_, *_] as args, keywords=[]):
            columns = [turns(arg, names) for arg in args]
        case ast.Call(func=ast.Name(id="enumerate"), args=[arg], keywords=[]):
            inner = turns(arg, names)
            columns = [[ast.Constant(value=at) for at in range(len(inner or []))], inner]
        case _:
            return elements(node, names)
    known = [column for column in columns if column]
    if len(known) < len(columns):
        return None
    return [ast.Tuple(elts=list(cells), ctx=ast.Load()) for cells in zip(*known, strict=False)]


def unroll(body: list[ast.stmt], names: Mapping[str, ast.expr], number: Iterator[int]) -> list[ast.stmt]:
    """Statements with each `for` over a written-down table replaced by its rows, if it holds assertions.

    The targets get a number per row, so that every name is assigned once.
    """
    out: list[ast.stmt] = []
    for statement in body:
        unrolled = _unrolled(statement, names, number) if isinstance(statement, ast.For) else None
        if unrolled is None and isinstance(statement, (ast.With, ast.AsyncWith)):
            statement.body = unroll(statement.body, names, number)
        out.extend(unrolled if unrolled is not None else [statement])
    return out


def _unrolled(loop: ast.For, names: Mapping[str, ast.expr], number: Iterator[int]) -> list[ast.stmt] | None:
    rows = turns(loop.iter, names)
    targets = _names_of(loop.target)
    if rows is None or targets is None or loop.orelse or not _is_table_loop(loop, set(targets)):
        return None
    out: list[ast.stmt] = []
    for row in rows:
        cells = [row] if isinstance(loop.target, ast.Name) else getattr(row, "elts", None)
        if not isinstance(cells, list) or len(cells) != len(targets):
            return None
        at = [next(number) for _ in targets]
        if at and at[-1] > MAX_UNROLLED:
            return None  # loops within loops multiply; what is left as it is counts as held
        renamed = {name: f"{name}__row{place}" for name, place in zip(targets, at, strict=True)}
        for name, cell in zip(targets, cells, strict=True):
            store = ast.Name(id=renamed[name], ctx=ast.Store())
            out.append(ast.copy_location(ast.Assign(targets=[store], value=copy.deepcopy(cell)), loop))
        inner = [_Renaming(renamed).visit(copy.deepcopy(statement)) for statement in loop.body]
        out.extend(unroll(inner, names, number))
    return out


def _names_of(target: ast.expr) -> list[str] | None:
    if isinstance(target, ast.Name):
        return [target.id]
    if isinstance(target, ast.Tuple) and all(isinstance(item, ast.Name) for item in target.elts):
        return [item.id for item in target.elts if isinstance(item, ast.Name)]
    return None


def _is_table_loop(loop: ast.For, targets: set[str]) -> bool:
    """It asserts something, never leaves early, and does not assign its own targets."""
    asserts = False
    for statement in loop.body:
        for node in ast.walk(statement):
            if isinstance(node, (ast.Break, ast.Continue, ast.Return, ast.FunctionDef, ast.Lambda, ast.Global)):
                return False
            if isinstance(node, ast.Name) and node.id in targets and not isinstance(node.ctx, ast.Load):
                return False
            asserts = asserts or isinstance(node, ast.Assert) or _is_self_assert(node)
    return asserts


def _is_self_assert(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=attr)):
            return attr.startswith("assert")
        case _:
            return False


class _Renaming(ast.NodeTransformer):
    def __init__(self, renamed: Mapping[str, str]) -> None:
        self._renamed = renamed

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.copy_location(ast.Name(id=self._renamed.get(node.id, node.id), ctx=node.ctx), node)
