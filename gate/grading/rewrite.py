"""A Python test file, rewritten: assertions become observations, and what was expected stays with the parent.

`assert f(2) == 5` becomes `o.see("n3a…", (f(2),))`, and our table says that n3a… must be == 5. A condition becomes its
truth, with `not` in front of it or not by a drawn coin. What has constants that cannot be taken out becomes twins (see
`vector`) or stays as it is and is counted as held. Line numbers in reasons are those of the original file.
"""

from __future__ import annotations

import ast
import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from gate.grading.assertions import raising_of
from gate.grading.body import Body, Origin, Scope, Twinned
from gate.grading.draw import Draw
from gate.grading.expectation import Form, Site
from gate.grading.judging import Version
from gate.grading.literal import NotLiteral, fold
from gate.grading.rows import Function, Row, rows_of, unroll
from gate.grading.syntax import copied, walk
from gate.grading.vector import FAMILY

Immutable = (int, float, complex, str, bytes, bool, type(None))


class UnreadableTest(Exception):
    """A test file that is not in its language; the canary is at fault, not the patch."""


@dataclass(slots=True)
class Rewritten:
    """A rewritten file: its source, the functions by drawn name, the assertions by drawn id, and the sentinels.

    `counts` counts assertions of the original by the form that they are graded in. `failing` is the name of the
    sentinel that must fail and `passing` of the one that must pass; both are in `versions` with an empty test.
    """

    source: str = ""
    versions: dict[str, Version] = field(default_factory=dict)
    sites: dict[str, Site] = field(default_factory=dict)
    passing: str = ""
    failing: str = ""
    counts: Counter[Form] = field(default_factory=Counter)
    bare: int = 0


def rewrite(source: bytes, where: str, observer: str, draw: Draw) -> Rewritten:
    """Rewrite one test file. `where` names it in reasons, `observer` is the module that it will import.

    Raises UnreadableTest when the source does not parse.
    """
    excluded: set[str] = set()
    while True:
        try:
            tree = ast.parse(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise UnreadableTest(f"{where}: {type(error).__name__}: {error}") from error
        module = _Module(tree, where, observer, draw, excluded)
        try:
            result = module.run()
        except RecursionError as error:
            raise UnreadableTest(f"{where}: an expression is nested too deeply") from error
        # A list that is read elsewhere too may have been changed there: it is no literal at the assertion.
        shared = module.shared() - excluded
        if not shared:
            return result
        excluded |= shared


class _Module:
    """One attempt at a file; `excluded` are module-level names that are not to be taken for literals."""

    def __init__(self, tree: ast.Module, where: str, observer: str, draw: Draw, excluded: set[str]) -> None:
        self._tree, self._observer, self._draw = tree, observer, draw
        self._alias = draw.name()
        self._scope = Scope(where, self._alias, draw, tuple(sorted(_exceptions(tree))))
        self._assigned = {
            name: value for name, value in _assigned_once(tree.body, tree).items() if name not in excluded
        }
        self._literals = _literals(self._assigned, {})
        self._origins: dict[tuple[Origin, str], Form] = {}
        self._out = Rewritten()

    def run(self) -> Rewritten:
        """The rewritten file."""
        body = [made for statement in self._tree.body for made in self._top(statement, "")]
        head = _head(body)
        body[head:head] = [ast.Import(names=[ast.alias(name=self._observer, asname=self._alias)])]
        for sentinel in self._draw.shuffled(self._sentinels()):
            last = max(
                (at for at, item in enumerate(body) if isinstance(item, (ast.Import, ast.ImportFrom))), default=head
            )
            body.insert(last + 1 + self._draw.below(len(body) - last), sentinel)
        self._tree.body = _without_unused(body, self._assigned, _texts(self._tree))
        self._out.source = ast.unparse(ast.fix_missing_locations(self._tree))
        self._out.counts.update(self._origins.values())
        return self._out

    def shared(self) -> set[str]:
        """Module-level names of mutable literals that the rewritten file still reads."""
        loads = _loads(self._tree.body)
        return {name for name, value in self._literals.items() if name in loads and not _immutable(value)}

    def _top(self, statement: ast.stmt, owner: str) -> list[ast.stmt]:
        match statement:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                if name.startswith("test") and not _is_fixture(statement):
                    return list(self._test(statement, owner))
                self._plain(statement)
            case ast.ClassDef(name=name):
                inner = f"{owner}{name}::"
                statement.body = [made for part in statement.body for made in self._top(part, inner)]
            case ast.If() | ast.Try():
                statement.body = [made for part in statement.body for made in self._top(part, owner)]
            case _:
                pass
        return [statement]

    def _plain(self, function: Function) -> None:
        """A fixture or a helper: its assertions are observed whenever they run."""
        body = Body(self._scope, {}, 0, [])
        function.body = body.statements(function.body, once=False)
        self._keep(body, "")

    def _keep(self, body: Body, suffix: str) -> None:
        self._out.sites.update(body.sites)
        self._origins.update({(origin, suffix): form for origin, form in body.origins.items()})

    def _test(self, function: Function, owner: str) -> Iterator[ast.stmt]:
        rows, decorators = rows_of(function, self._assigned)
        for row in rows:
            twinned: Twinned = []
            group = self._draw.name()
            first = self._version(function, row, 0, twinned)
            bodies = [first, *(self._version(function, row, at, twinned) for at in range(1, FAMILY) if twinned)]
            self._out.bare += not first[1].origins
            for made, body, reach in self._draw.shuffled(bodies):
                made.decorator_list = [copied(decorator) for decorator in decorators]
                self._keep(body, row.suffix)
                self._out.versions[made.name] = Version(
                    self._scope.where, f"{owner}{function.name}", row.suffix, reach, frozenset(body.sites), group
                )
                yield made

    def _version(self, function: Function, row: Row, number: int, twinned: Twinned) -> tuple[Function, Body, str]:
        """One version of a test under a drawn name. Tried again without each literal that turns out to be changed."""
        excluded: set[str] = set()
        while True:
            if number == 0:
                twinned.clear()
            reach, made = self._draw.name(), copied(function)
            cells = {name: copied(cell) for name, cell in row.cells.items()}
            start = [ast.copy_location(_assign(name, cell), function) for name, cell in cells.items()]
            # The same names in each attempt, or what one attempt excludes the next would not know.
            statements = unroll([*start, *made.body], self._assigned, itertools.count(1))
            outside = {name: value for name, value in self._literals.items() if name not in _stores(made)}
            assigned = _assigned_once(statements, made, outer=row.cells)
            literals = {name: value for name, value in _literals(assigned, outside).items() if name not in excluded}
            body = Body(self._scope, {**outside, **literals}, number, twinned)
            statements = body.whole(statements, reach)
            loads = _loads(statements)
            shared = {name for name, value in literals.items() if name in loads and not _immutable(value)}
            if not shared:
                break
            excluded |= shared
        made.body = _without_unused(statements, literals, set())
        made.args = _without_arguments(made.args, row.cells)
        made.name = f"test_{self._draw.name()}"
        return made, body, reach

    def _sentinels(self) -> list[ast.stmt]:
        """One test that must pass and one that must fail, shaped like the others."""
        self._out.passing, self._out.failing = f"test_{self._draw.name()}", f"test_{self._draw.name()}"
        made: list[ast.stmt] = []
        for name in (self._out.passing, self._out.failing):
            reach = self._draw.name()
            fails = f"raise AssertionError({self._draw.name()!r})" if name == self._out.failing else "pass"
            source = f"def {name}():\n    {fails}\n    {self._alias}.reached({reach!r})\n"
            made += ast.parse(source).body
            self._out.versions[name] = Version(self._scope.where, "", "", reach, frozenset(), name)
        return made


def _assign(name: str, value: ast.expr) -> ast.stmt:
    return ast.Assign(targets=[ast.Name(id=name, ctx=ast.Store())], value=value)


def _without_unused(body: list[ast.stmt], names: Iterable[str], keep: set[str]) -> list[ast.stmt]:
    """The statements without assignments of expected values that nothing reads any more, and what only those read."""
    droppable = {name for name in names if not name.startswith("__")} - keep
    while True:
        loads = _loads(body)
        kept = [item for item in body if not (_target(item) in droppable - loads and _is_table(item))]
        if len(kept) == len(body):
            return body
        body = kept


def _is_table(statement: ast.stmt) -> bool:
    """A value that is written down. A table may hold calls: its rows, unrolled, hold them too."""
    value = getattr(statement, "value", None)
    shown = isinstance(value, (ast.List, ast.Tuple, ast.Dict, ast.Set))
    return shown or not any(isinstance(node, (ast.Call, ast.Await, ast.Yield)) for node in walk(statement))


def _texts(tree: ast.Module) -> set[str]:
    """Every string of a file: a name that is spelled in one may be read by it (`__all__`, `getattr`)."""
    return {node.value for node in walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def _target(statement: ast.stmt) -> str | None:
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return name
        case _:
            return None


def _assigned_once(
    body: Iterable[ast.stmt], scope: ast.AST, outer: Mapping[str, Any] | None = None
) -> dict[str, ast.expr]:
    """Names with one plain assignment at this level and no other binding anywhere in the scope."""
    body = list(body)
    stores: Counter[str] = Counter()
    for statement in body:
        stores.update(_bound(statement))
    arguments = {arg.arg for node in walk(scope) if isinstance(node, ast.arguments) for arg in _every_argument(node)}
    out = {}
    for statement in body:
        name = _target(statement)
        value = getattr(statement, "value", None)
        if (
            name is not None
            and value is not None
            and stores[name] == 1
            and (name not in arguments or name in (outer or {}))
        ):
            out[name] = value
    return out


def _bound(statement: ast.stmt) -> Iterator[str]:
    """Every name that a statement binds, at any depth, as often as it does; a `global` counts double."""
    for node in walk(statement):
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                yield name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                yield from [*names, *names]
            case ast.AugAssign(target=ast.Name(id=name)):
                yield name
            case ast.alias(name=name, asname=alias):
                yield (alias or name).split(".")[0]
            case ast.ExceptHandler(name=str() as name):
                yield name
            case _:
                pass


def _stores(scope: ast.AST) -> set[str]:
    inner = getattr(scope, "body", [])
    bound = {name for statement in inner for name in _bound(statement)}
    return bound | {arg.arg for node in walk(scope) if isinstance(node, ast.arguments) for arg in _every_argument(node)}


def _every_argument(node: ast.arguments) -> list[ast.arg]:
    return [*node.posonlyargs, *node.args, *node.kwonlyargs, *(arg for arg in (node.vararg, node.kwarg) if arg)]


def _literals(assigned: Mapping[str, ast.expr], outer: Mapping[str, Any]) -> dict[str, Any]:
    """The literal values among assignments, in order, so that one may use another."""
    known = dict(outer)
    found: dict[str, Any] = {}
    for name, node in assigned.items():
        try:
            found[name] = known[name] = fold(node, known)
        except NotLiteral:
            known.pop(name, None)
    return found


def _immutable(value: Any) -> bool:
    if isinstance(value, (tuple, frozenset)):
        return all(map(_immutable, value))
    return isinstance(value, Immutable)


def _loads(body: Iterable[ast.stmt]) -> set[str]:
    nodes = (node for statement in body for node in walk(statement))
    return {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}


def _without_arguments(arguments: ast.arguments, cells: Mapping[str, ast.expr]) -> ast.arguments:
    kept = [arg for arg in arguments.args if arg.arg not in cells]
    only = [
        (arg, value)
        for arg, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        if arg.arg not in cells
    ]
    arguments.args = kept
    arguments.defaults = arguments.defaults[max(0, len(arguments.defaults) - len(kept)) :]
    arguments.kwonlyargs, arguments.kw_defaults = [arg for arg, _ in only], [value for _, value in only]
    return arguments


def _exceptions(tree: ast.Module) -> set[str]:
    """The source of every exception class that the file expects somewhere: decoys for one another.

    Only names of the module itself: one that a function imports for its own use is unknown in the next.
    """
    found: set[str] = set()
    for node in walk(tree):
        claim = raising_of(node) if isinstance(node, ast.withitem) else None
        if claim is not None:
            wanted = claim.expected.elts if isinstance(claim.expected, ast.Tuple) else [claim.expected]
            found |= {ast.unparse(item) for item in wanted if isinstance(item, (ast.Name, ast.Attribute))}
    scopes = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    inner = (statement for statement in tree.body if not isinstance(statement, scopes))
    known = {statement.name for statement in tree.body if isinstance(statement, scopes)}
    known |= {name for statement in inner for name in _bound(statement)}
    return {name for name in found if name.split(".")[0] in known}


def _is_fixture(function: Function) -> bool:
    return any("fixture" in ast.unparse(decorator) for decorator in function.decorator_list)


def _head(body: list[ast.stmt]) -> int:
    """The place after the docstring and the `__future__` imports."""
    at = 0
    for statement in body:
        match statement:
            case ast.Expr(value=ast.Constant(value=str())) if at == 0:
                at += 1
            case ast.ImportFrom(module="__future__"):
                at += 1
            case _:
                break
    return at
