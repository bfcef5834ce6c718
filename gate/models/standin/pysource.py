"""A Python file as the stand-in reads it: parsed, with positions in bytes, and what it defines."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

Span = tuple[int, int]
"""Start and end of a piece of source, in bytes."""


def module_of(path: str) -> str:
    """The dotted name of a file, from the root of the repository."""
    return re.sub(r"(?:(?:^|/)__init__)?\.pyi?$", "", path).replace("/", ".")


@dataclass
class Source:
    """One parsed file, with positions in bytes."""

    path: str
    text: str
    tree: ast.Module
    data: bytes = b""
    starts: list[int] = field(default_factory=list)

    @classmethod
    def of(cls, path: str, text: str) -> Source | None:
        """The file parsed, or None where it is not Python."""
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError):
            return None
        data = text.encode()
        starts = [0, *(found.end() for found in re.finditer(rb"\n", data))]
        return cls(path, text, tree, data, starts)

    def offset(self, line: int, column: int) -> int:
        """Position in bytes of a line from 1 and a column in bytes, as `ast` counts them."""
        return self.starts[line - 1] + column

    def start(self, node: ast.expr | ast.stmt | ast.alias | ast.arg | ast.keyword) -> int:
        """Where a node starts."""
        return self.offset(node.lineno, node.col_offset)

    def end(self, node: ast.expr | ast.stmt | ast.alias | ast.arg | ast.keyword) -> int:
        """Where a node ends."""
        return self.offset(node.end_lineno or node.lineno, node.end_col_offset or node.col_offset)

    def find(self, name: str, start: int, end: int) -> Span | None:
        """The first place of a whole word within a piece of the source."""
        found = re.compile(rb"(?<![\w$])" + re.escape(name.encode()) + rb"(?![\w$])").search(self.data, start, end)
        return (found.start(), found.end()) if found else None

    def module(self, node: ast.ImportFrom) -> str:
        """The absolute dotted name that a `from` import names."""
        if not node.level:
            return node.module or ""
        package = self.path.split("/")[:-1]
        package = package[: len(package) - (node.level - 1)]
        return ".".join([*package, *([node.module] if node.module else [])])

    def replaced(self, spans: set[Span], new: str) -> str:
        """The text with each span replaced."""
        data = self.data
        for start, end in sorted(spans, reverse=True):
            data = data[:start] + new.encode() + data[end:]
        return data.decode()


def top_level(tree: ast.Module) -> Iterator[ast.stmt]:
    """Statements that run when the module is imported, those in `if`, `try` and `with` included."""
    stack: list[ast.stmt] = list(tree.body)
    while stack:
        node = stack.pop(0)
        yield node
        if isinstance(node, ast.If | ast.Try | ast.With | ast.For | ast.While):
            for name in ("body", "orelse", "finalbody"):
                stack += getattr(node, name, [])
            for handler in getattr(node, "handlers", []):
                stack += handler.body


def assigned(node: ast.stmt) -> Iterator[ast.Name]:
    targets: list[ast.expr] = []
    if isinstance(node, ast.Assign):
        targets = node.targets
    elif isinstance(node, ast.AnnAssign | ast.AugAssign):
        targets = [node.target]
    for target in targets:
        yield from (part for part in ast.walk(target) if isinstance(part, ast.Name))


def defines(source: Source, name: str) -> bool:
    """Whether a module defines the name at its top level."""
    for node in top_level(source.tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and node.name == name:
            return True
        if any(part.id == name for part in assigned(node)):
            return True
    return False


def same_module(dotted: str, path: str) -> bool:
    """Whether a dotted name may mean this file: the end of its path, as sources may lie below `src/`."""
    return bool(dotted) and f".{module_of(path)}".endswith(f".{dotted}")
