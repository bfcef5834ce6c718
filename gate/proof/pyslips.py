"""The ways in which a line of Python goes wrong by one slip: found in the syntax tree, made in the text.

Left alone is what no test should have to pin down: docstrings, annotations, and the words of an error message.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from gate.models.standin.pysource import Source
from gate.proof.pywalk import is_text, walk
from gate.proof.sameness import is_docstring
from gate.proof.slip import Edit, Slip, shown, turned

COMPARES: Mapping[str, tuple[str, ...]] = {
    "<": ("<=", ">="),
    "<=": ("<", ">"),
    ">": (">=", "<="),
    ">=": (">", "<"),
    "==": ("!=",),
    "!=": ("==",),
    "is": ("is not",),
    "is not": ("is",),
    "in": ("not in",),
    "not in": ("in",),
}
ARITHMETIC: Mapping[str, tuple[str, ...]] = {
    "+": ("-",),
    "-": ("+",),
    "*": ("+",),
    "/": ("*",),
    "//": ("*",),
    "%": ("//",),
    "**": ("*",),
    "&": ("|",),
    "|": ("&",),
    "^": ("&",),
    "<<": (">>",),
    ">>": ("<<",),
    "@": ("*",),
}
EARLY = "early return"
SYMMETRIC = frozenset({"max", "min"})

_OPERATOR = re.compile(rb"is\s+not\b|not\s+in\b|//|\*\*|<<|>>|<=|>=|==|!=|[-+*/%&|^<>@]|\bis\b|\bin\b")
_AUGMENTED = re.compile(rb"(//|\*\*|<<|>>|[-+*/%&|^@])=")
_LARGEST = 10**15  # beyond it a float does not change by one, and an integer may be too long to be written out
_ATOMS = (ast.Name, ast.Attribute, ast.Subscript, ast.Call)

Function = ast.FunctionDef | ast.AsyncFunctionDef
Expr = ast.expr
Found = tuple[str, tuple[Edit, ...], str]
"""Kind, what to replace, and the same in words."""


@dataclass(frozen=True)
class _Reader:
    """Finds the slips of one file. Each method knows one kind of node."""

    source: Source

    def code(self, node: Expr | ast.stmt) -> bytes:
        return self.source.data[self.source.start(node) : self.source.end(node)]

    def put(self, node: Expr | ast.stmt, new: bytes) -> tuple[Edit, ...]:
        return ((self.source.start(node), self.source.end(node), new),)

    def becomes(self, kind: str, node: Expr | ast.stmt, new: bytes) -> Found:
        return kind, self.put(node, new), turned(self.code(node), new)

    def operator(
        self, kind: str, node: Expr, left: Expr, right: Expr, new: Mapping[str, tuple[str, ...]]
    ) -> Iterator[Found]:
        """The operator between two operands of a node, exchanged."""
        data = self.source.data
        found = _OPERATOR.search(data, self.source.end(left), self.source.start(right))
        if found is None:
            return
        old = b" ".join(found[0].split())
        around = (
            data[self.source.start(node) : found.start()].strip(),
            data[found.end() : self.source.end(node)].strip(),
        )
        for other in new.get(old.decode(), ()):
            yield kind, ((found.start(), found.end(), other.encode()),), turned(old, other.encode(), around)

    def compare(self, node: ast.Compare) -> Iterator[Found]:
        for left, right in pairwise([node.left, *node.comparators]):
            yield from self.operator("comparison", node, left, right, COMPARES)

    def binary(self, node: ast.BinOp) -> Iterator[Found]:
        if not is_text(node.left) and not is_text(node.right):
            # Text is joined or filled in: any other operator is a TypeError.
            yield from self.operator("arithmetic", node, node.left, node.right, ARITHMETIC)

    def augmented(self, node: ast.AugAssign) -> Iterator[Found]:
        found = _AUGMENTED.search(self.source.data, self.source.end(node.target), self.source.start(node.value))
        if found:
            new = ARITHMETIC[found[1].decode()][0].encode()
            around = (self.code(node.target), self.code(node.value))
            what = turned(found[0], new + b"=", around)
            yield "arithmetic", ((found.start(1), found.end(1), new),), what
        yield from self.dropped(node)

    def constant(self, node: ast.Constant) -> Iterator[Found]:
        value = node.value
        if isinstance(value, bool):
            yield self.becomes("literal", node, str(not value).encode())
        elif isinstance(value, int) and abs(value) < _LARGEST:
            for other in (value + 1, value - 1):
                yield self.becomes("off by one", node, str(other).encode())
        elif isinstance(value, float) and abs(value) < _LARGEST:
            yield self.becomes("literal", node, repr(value + 1).encode())
        elif isinstance(value, str):
            yield self.becomes("literal", node, b'""' if value else b'"?"')
        elif isinstance(value, bytes):
            yield self.becomes("literal", node, b'b""' if value else b'b"?"')

    def joined(self, node: ast.JoinedStr) -> Iterator[Found]:
        yield self.becomes("literal", node, b'""')

    def logic(self, node: ast.BoolOp) -> Iterator[Found]:
        old, new = (b"and", b"or") if isinstance(node.op, ast.And) else (b"or", b"and")
        edits: list[Edit] = []
        for left, right in pairwise(node.values):
            found = re.compile(rb"\b" + old + rb"\b").search(
                self.source.data, self.source.end(left), self.source.start(right)
            )
            if found:
                edits.append((found.start(), found.end(), new))
        around = (self.code(node.values[0]), self.code(node.values[1]))
        yield "logic", tuple(edits), turned(old, new, around)

    def unary(self, node: ast.UnaryOp) -> Iterator[Found]:
        if isinstance(node.op, ast.Not):
            yield self.becomes("negation", node, b"(" + self.code(node.operand) + b")")
        elif isinstance(node.op, ast.USub):
            yield self.becomes("arithmetic", node, b"(" + self.code(node.operand) + b")")

    def condition(self, test: Expr) -> Iterator[Found]:
        """A condition the other way round; one comparison, or a `not`, has that from its operator."""
        single = isinstance(test, ast.Compare) and len(test.ops) == 1
        if not single and not (isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)):
            yield self.becomes("negation", test, b"not (" + self.code(test) + b")")

    def tested(self, node: ast.If | ast.While | ast.IfExp | ast.Assert) -> Iterator[Found]:
        yield from self.condition(node.test)
        if isinstance(node, ast.Assert):
            yield from self.dropped(node)

    def comprehension(self, node: ast.comprehension) -> Iterator[Found]:
        for test in node.ifs:
            yield from self.condition(test)

    def more(self, node: Expr | None) -> Iterator[Found]:
        """One more than a value that is no constant."""
        if node is not None and not isinstance(node, ast.Constant | ast.Starred | ast.UnaryOp):
            code = self.code(node)
            yield self.becomes("off by one", node, (code if isinstance(node, _ATOMS) else b"(" + code + b")") + b" + 1")

    def sliced(self, node: ast.Slice) -> Iterator[Found]:
        for bound in (node.lower, node.upper):
            yield from self.more(bound)

    def call(self, node: ast.Call) -> Iterator[Found]:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name == "range":
            for argument in node.args[:2]:
                yield from self.more(argument)
        plain = [argument for argument in node.args if not isinstance(argument, ast.Starred)]
        for one, other in pairwise(plain if name not in SYMMETRIC else []):
            if self.code(one) != self.code(other):
                edits = (*self.put(one, self.code(other)), *self.put(other, self.code(one)))
                one_way, other_way = (
                    self.code(one) + b", " + self.code(other),
                    self.code(other) + b", " + self.code(one),
                )
                yield "arguments", edits, turned(one_way, other_way)

    def awaited(self, node: ast.Await) -> Iterator[Found]:
        yield self.becomes("await", node, self.code(node.value))

    def returned(self, node: ast.Return) -> Iterator[Found]:
        if node.value is None:
            yield from self.dropped(node)
        elif not isinstance(node.value, ast.Constant):
            yield "return", self.put(node.value, b"None"), turned(self.code(node), b"return None")

    def raised(self, node: ast.Raise) -> Iterator[Found]:
        yield from self.dropped(node)
        named = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        if isinstance(named, ast.Name | ast.Attribute):
            other = b"ValueError" if self.code(named) == b"RuntimeError" else b"RuntimeError"
            yield self.becomes("exception", named, other)

    def caught(self, node: ast.ExceptHandler) -> Iterator[Found]:
        if isinstance(node.type, ast.Name | ast.Attribute):
            yield self.becomes("exception", node.type, b"ZeroDivisionError")

    def dropped(self, node: ast.stmt) -> Iterator[Found]:
        what = f"{shown(self.code(node))} -> (dropped)"
        yield "statement dropped", self.put(node, b"pass"), what

    def expression(self, node: ast.Expr) -> Iterator[Found]:
        if not isinstance(node.value, ast.Constant):
            yield from self.dropped(node)

    def assigned(self, node: ast.Assign) -> Iterator[Found]:
        """An item or attribute that is not set."""
        if all(isinstance(part, ast.Attribute | ast.Subscript) for part in node.targets):
            yield from self.dropped(node)

    def rebound(self, node: Function) -> Iterator[Found]:
        """A variable that keeps its older value. Where it has none, that is a NameError, which every test sees."""
        arguments = {part.arg for part in ast.walk(node.args) if isinstance(part, ast.arg)}
        stores = [part for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)]
        for part in ast.walk(node):
            if isinstance(part, ast.Assign) and len(part.targets) == 1 and isinstance(part.targets[0], ast.Name):
                name, line = part.targets[0].id, part.lineno
                if name in arguments or any(other.id == name and other.lineno < line for other in stores):
                    yield from self.dropped(part)

    def early(self, node: Function) -> Iterator[Found]:
        """A return before anything else is done."""
        at = 1 if is_docstring(node.body) else 0
        if len(node.body) <= at or isinstance(node.body[at], ast.Pass):
            return
        start = self.source.start(node.body[at])
        if decorators := getattr(node.body[at], "decorator_list", None):
            start = self.source.data.rindex(b"@", 0, self.source.start(decorators[0]))
        indent = self.source.data[self.source.data.rfind(b"\n", 0, start) + 1 : start]
        new = b"return None; " if indent.strip() else b"return None\n" + indent
        yield EARLY, ((start, start, new),), f"{node.name}: return None at its head"


def _table(reader: _Reader) -> Mapping[type[ast.AST], tuple[Callable[..., Iterator[Found]], ...]]:
    return {
        ast.Compare: (reader.compare,),
        ast.BinOp: (reader.binary,),
        ast.AugAssign: (reader.augmented,),
        ast.Constant: (reader.constant,),
        ast.JoinedStr: (reader.joined,),
        ast.BoolOp: (reader.logic,),
        ast.UnaryOp: (reader.unary,),
        ast.If: (reader.tested,),
        ast.While: (reader.tested,),
        ast.IfExp: (reader.tested,),
        ast.Assert: (reader.tested,),
        ast.comprehension: (reader.comprehension,),
        ast.Slice: (reader.sliced,),
        ast.Call: (reader.call,),
        ast.Await: (reader.awaited,),
        ast.Return: (reader.returned,),
        ast.Raise: (reader.raised,),
        ast.ExceptHandler: (reader.caught,),
        ast.Expr: (reader.expression,),
        ast.Assign: (reader.assigned,),
        ast.Delete: (reader.dropped,),
        ast.Break: (reader.dropped,),
        ast.Continue: (reader.dropped,),
        ast.FunctionDef: (reader.early, reader.rebound),
        ast.AsyncFunctionDef: (reader.early, reader.rebound),
    }


def slips(source: Source) -> Iterator[Slip]:
    """Every slip of a file, in the order of its text. Some make it a text that does not even parse."""
    table = _table(_Reader(source))
    for node in walk(source.tree):
        for find in table.get(type(node), ()):
            for kind, edits, what in find(node):
                first, last = (
                    1 + source.data.count(b"\n", 0, at) for at in (edits[0][0], max(edit[1] for edit in edits))
                )
                if kind == EARLY and isinstance(node, Function):
                    yield Slip(kind, node.lineno, first, node.end_lineno or last, edits, what)
                else:
                    yield Slip(kind, first, first, last, edits, what)


def hollow(source: Source, value: bytes) -> bytes:
    """The file with every function returning `value` before it does anything."""
    reader = _Reader(source)
    found = [
        (start, end, new.replace(b"None", value))
        for node in walk(source.tree)
        if isinstance(node, Function)
        for _, edits, _ in reader.early(node)
        for start, end, new in edits
    ]
    return Slip("hollow", 1, 1, 1, tuple(found), "").applied(source.data)
