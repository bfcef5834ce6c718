"""Small changes of Python: every way in which an expression or a statement is one slip away from another."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from gate.models.standin.mutation import Edit, Mutation
from gate.models.standin.pysource import Source
from gate.models.standin.pytables import ARITHMETIC, COMPARES, METHODS, NAMES, OPERATOR

Found = tuple[str, ast.AST, tuple[Edit, ...], float]
"""Kind, where, what, and what makes it less likely than its kind."""


def _bumped(value: int) -> Iterator[int]:
    yield value + 1
    yield value - 1


@dataclass(frozen=True)
class _Reader:
    """Finds the mutations of one file. Every method yields those of one kind of node."""

    source: Source

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        return self.source.start(node), self.source.end(node)

    def code(self, node: ast.expr | ast.stmt) -> bytes:
        start, end = self.span(node)
        return self.source.data[start:end]

    def swap(self, node: ast.expr | ast.stmt, new: bytes) -> tuple[Edit, ...]:
        return ((*self.span(node), new),)

    def operator(self, left: ast.expr, right: ast.expr) -> tuple[int, int, str] | None:
        """The operator between two operands."""
        found = OPERATOR.search(self.source.data, self.source.end(left), self.source.start(right))
        return (found.start(), found.end(), " ".join(found[0].decode().split())) if found else None

    def compare(self, node: ast.Compare) -> Iterator[Found]:
        operands = [node.left, *node.comparators]
        for left, right in pairwise(operands):
            gap = self.operator(left, right)
            if gap:
                start, end, old = gap
                for kind, new in COMPARES.get(old, ()):
                    yield kind, node, ((start, end, new.encode()),), 0.0

    def binary(self, node: ast.BinOp) -> Iterator[Found]:
        gap = self.operator(node.left, node.right)
        if gap is None:
            return
        start, end, old = gap
        for at, new in enumerate(ARITHMETIC.get(old, ())):
            yield "arithmetic", node, ((start, end, new.encode()),), at * 0.5
        if old in {"+", "-"} and isinstance(node.right, ast.Constant) and node.right.value == 1:
            yield "offset", node, self.swap(node, self.code(node.left)), 0.0
        if old in {"-", "/", "//", "%", "**"}:
            left, right = self.code(node.left), self.code(node.right)
            yield "swap", node, ((*self.span(node.left), right), (*self.span(node.right), left)), 1.0
        if old == "/":
            yield "round", node, self.swap(node, b"round(" + self.code(node) + b")"), 0.5
        if old == "*" and isinstance(node.left, ast.List) and len(node.left.elts) == 1:
            item = self.code(node.left.elts[0])
            times = b"[" + item + b" for _ in range(" + self.code(node.right) + b")]"
            yield "copy", node, self.swap(node, times), 0.0

    def augmented(self, node: ast.AugAssign) -> Iterator[Found]:
        found = re.compile(rb"(//|\*\*|<<|>>|[-+*/%&|])=").search(
            self.source.data, self.source.end(node.target), self.source.start(node.value)
        )
        if found:
            for at, new in enumerate(ARITHMETIC.get(found[1].decode(), ())):
                yield "arithmetic", node, ((found.start(1), found.end(1), new.encode()),), at * 0.5
            yield "arithmetic", node, ((found.start(1), found.end(1), b""),), 1.0

    def constant(self, node: ast.Constant) -> Iterator[Found]:
        if isinstance(node.value, bool):
            yield "boolean", node, self.swap(node, str(not node.value).encode()), 0.0
        elif isinstance(node.value, int) and re.fullmatch(rb"\d+", self.code(node)):
            for new in _bumped(node.value):
                if new >= 0:
                    yield "offset", node, self.swap(node, str(new).encode()), 0.0 if node.value <= 2 else 1.0
            if node.value in {0, 1}:
                yield "offset", node, self.swap(node, b"-1"), 0.5

    def logic(self, node: ast.BoolOp) -> Iterator[Found]:
        old, new = (b"and", b"or") if isinstance(node.op, ast.And) else (b"or", b"and")
        edits: list[Edit] = []
        for left, right in pairwise(node.values):
            found = re.compile(rb"\b" + old + rb"\b").search(
                self.source.data, self.source.end(left), self.source.start(right)
            )
            if found:
                edits.append((found.start(), found.end(), new))
        if edits:
            yield "logic", node, tuple(edits), 0.0
        for value in node.values:
            rest = [self.code(other) for other in node.values if other is not value]
            yield "logic", node, self.swap(node, (b" " + old + b" ").join(rest)), 1.0
        if isinstance(node.op, ast.Or) and len(node.values) == 2 and isinstance(node.values[0], ast.Name):
            name, other = self.code(node.values[0]), self.code(node.values[1])
            yield (
                "none",
                node,
                self.swap(node, b"(" + name + b" if " + name + b" is not None else " + other + b")"),
                0.0,
            )

    def unary(self, node: ast.UnaryOp) -> Iterator[Found]:
        if isinstance(node.op, ast.Not):
            yield "negate", node, self.swap(node, self.code(node.operand)), 0.0
            if isinstance(node.operand, ast.Name | ast.Attribute):
                yield "none", node, self.swap(node, self.code(node.operand) + b" is None"), 0.0
        elif isinstance(node.op, ast.USub):
            yield "arithmetic", node, self.swap(node, self.code(node.operand)), 0.5

    def test(self, node: ast.If | ast.While | ast.IfExp) -> Iterator[Found]:
        test = node.test
        extra = 1.5 if isinstance(node, ast.While) else 0.0
        if not isinstance(test, ast.UnaryOp | ast.Compare):
            yield "negate", test, self.swap(test, b"not (" + self.code(test) + b")"), extra
        if isinstance(test, ast.Name | ast.Attribute):
            yield "none", test, self.swap(test, self.code(test) + b" is not None"), extra

    def call(self, node: ast.Call) -> Iterator[Found]:
        plain = [argument for argument in node.args if not isinstance(argument, ast.Starred)]
        for one, other in pairwise(plain):
            edits = ((*self.span(one), self.code(other)), (*self.span(other), self.code(one)))
            yield "swap", node, edits, 0.0
        if isinstance(node.func, ast.Name):
            yield from self._builtin(node, node.func.id)
        elif isinstance(node.func, ast.Attribute):
            end = self.source.end(node.func)
            start = end - len(node.func.attr.encode())
            for new in METHODS.get(node.func.attr, ()):
                yield "method", node, ((start, end, new.encode()),), 0.0
            if node.func.attr == "copy":
                yield "copy", node, self._deep(node, self.code(node.args[0] if node.args else node.func.value)), 0.0
            if node.func.attr == "sort" and not node.keywords:
                yield "order", node, ((self.source.end(node) - 1, self.source.end(node) - 1, b"reverse=True"),), 0.0

    def _builtin(self, node: ast.Call, name: str) -> Iterator[Found]:
        for kind, new in NAMES.get(name, ()):
            yield kind, node, self.swap(node.func, new.encode()), 0.0
        if name == "range" and node.args:
            last = node.args[1] if len(node.args) > 1 else node.args[0]
            for offset in (b" + 1", b" - 1"):
                yield "offset", node, ((self.source.end(last), self.source.end(last), offset),), 0.0
            if len(node.args) == 1:
                yield "offset", node, ((self.source.start(last), self.source.start(last), b"1, "),), 0.5
        elif name == "len":
            for offset in (b" - 1", b" + 1"):
                yield "offset", node, ((self.source.end(node), self.source.end(node), offset),), 0.5
        elif name == "sorted" and len(node.args) == 1:
            if not any(keyword.arg == "reverse" for keyword in node.keywords):
                at = self.source.end(node.keywords[-1].value if node.keywords else node.args[0])
                yield "order", node, ((at, at, b", reverse=True"),), 0.0
        elif name in {"dict", "list", "set"} and len(node.args) == 1 and not node.keywords:
            yield "copy", node, self._deep(node, self.code(node)), 0.0

    def _deep(self, node: ast.expr, inner: bytes) -> tuple[Edit, ...]:
        """A deep copy in the place of a shallow one or of none, with its import where there is none."""
        edit = (*self.span(node), b"copy.deepcopy(" + inner + b")")
        if re.search(rb"^import copy$", self.source.data, re.MULTILINE):
            return (edit,)
        at = _first_import(self.source)
        return ((at, at, b"import copy\n"), edit)

    def subscript(self, node: ast.Subscript) -> Iterator[Found]:
        piece = node.slice
        if isinstance(piece, ast.Slice):
            for bound in (piece.lower, piece.upper):
                if bound is not None and not isinstance(bound, ast.Constant):
                    for offset in (b" - 1", b" + 1"):
                        yield "index", node, ((self.source.end(bound), self.source.end(bound), offset),), 0.0
                elif bound is not None:
                    yield "index", node, self.swap(bound, b""), 0.5
        elif isinstance(piece, ast.Constant) and piece.value == 0:
            yield "index", node, self.swap(piece, b"-1"), 0.0
        elif isinstance(piece, ast.Name | ast.BinOp):
            for offset in (b" - 1", b" + 1"):
                yield "index", node, ((self.source.end(piece), self.source.end(piece), offset),), 0.5

    def returned(self, node: ast.Return) -> Iterator[Found]:
        value = node.value
        if value is None:
            return
        if isinstance(value, ast.Compare | ast.BoolOp | ast.Call):
            yield "negate", node, self.swap(value, b"not (" + self.code(value) + b")"), 0.5
        if isinstance(value, ast.BinOp | ast.Name):
            yield "return", node, self.swap(value, b"-(" + self.code(value) + b")"), 1.0
        if isinstance(value, ast.Name | ast.Attribute):
            yield "copy", node, self._deep(value, self.code(value)), 0.5

    def assigned(self, node: ast.Assign) -> Iterator[Found]:
        if isinstance(node.value, ast.Name | ast.Attribute | ast.Subscript):
            yield "copy", node, self._deep(node.value, self.code(node.value)), 0.5

    def comprehension(self, node: ast.DictComp) -> Iterator[Found]:
        if not isinstance(node.value, ast.Constant):
            yield "copy", node, self._deep(node.value, self.code(node.value)), 0.0

    def leap(self, node: ast.Break | ast.Continue) -> Iterator[Found]:
        new = b"continue" if isinstance(node, ast.Break) else b"break"
        yield "logic", node, self.swap(node, new), 1.0


def _first_import(source: Source) -> int:
    """Where an import can be put in: before the first one that is not from `__future__`, else after the docstring."""
    for node in source.tree.body:
        if isinstance(node, ast.Import) or (isinstance(node, ast.ImportFrom) and node.module != "__future__"):
            return source.start(node)
    head = [
        node
        for node in source.tree.body[:2]
        if isinstance(node, ast.ImportFrom) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
    ]
    return source.starts[head[-1].end_lineno or 0] if head and (head[-1].end_lineno or 0) < len(source.starts) else 0


def by_node(source: Source) -> Mapping[type[ast.AST], Callable[..., Iterator[Found]]]:
    """Which method knows which kind of node."""
    reader = _Reader(source)
    return {
        ast.Compare: reader.compare,
        ast.BinOp: reader.binary,
        ast.AugAssign: reader.augmented,
        ast.Constant: reader.constant,
        ast.BoolOp: reader.logic,
        ast.UnaryOp: reader.unary,
        ast.If: reader.test,
        ast.While: reader.test,
        ast.IfExp: reader.test,
        ast.Call: reader.call,
        ast.Subscript: reader.subscript,
        ast.Return: reader.returned,
        ast.Assign: reader.assigned,
        ast.DictComp: reader.comprehension,
        ast.Break: reader.leap,
        ast.Continue: reader.leap,
    }


def _nodes(tree: ast.Module) -> Iterator[tuple[ast.AST, str]]:
    """Every node with the name of the innermost function around it. Annotations are not code that runs."""
    stack: list[tuple[ast.AST, str]] = [(tree, "")]
    while stack:
        node, function = stack.pop()
        yield node, function
        inner = node.name if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else function
        for name, value in ast.iter_fields(node):
            if name not in {"annotation", "returns"}:
                children = value if isinstance(value, list) else [value]
                stack += [(child, inner) for child in children if isinstance(child, ast.AST)]


def mutations(path: str, text: str) -> Iterator[Mutation]:
    """Every small change of a file, some of which may not parse; none for a file that does not."""
    from gate.models.standin.pyblocks import block_changes

    source = Source.of(path, text)
    if source is None:
        return
    table = by_node(source)
    seen: set[bytes] = {source.data}
    for node, function in _nodes(source.tree):
        found = list(table[type(node)](node)) if type(node) in table else []
        for kind, where, edits, extra in [*found, *block_changes(source, node)]:
            mutation = Mutation(path, kind, getattr(where, "lineno", 1), function, edits, extra)
            after = mutation.applied(source.data)
            if after not in seen:
                seen.add(after)
                yield mutation


def parses(data: bytes) -> bool:
    """Whether these bytes are Python."""
    try:
        ast.parse(data)
    except (SyntaxError, ValueError, RecursionError):
        return False
    return True
