"""Whether two versions of a file are one program: then neither can be told from the other, by whatever test.

Python is compared as compiled code (constants folded, dead code gone, without docstrings and positions), JavaScript as
its parse without comments, redundant parentheses and statement ends, everything else byte by byte.
"""

from __future__ import annotations

import ast
import dis
import hashlib
import types
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING

from gate.workspace.tree import Node, content, git_mode

if TYPE_CHECKING:
    from tree_sitter import Node as Piece

PYTHON = (".py",)
JAVASCRIPT = (".js", ".mjs", ".cjs", ".jsx")
MAX_PARSED = 1_000_000

_SILENT = frozenset({"comment", "empty_statement", "hash_bang_line"})


def meaning(path: str, node: Node | None) -> str | None:
    """A digest that two files share only if they are one program. None where the file does not parse."""
    if node is None:
        return "absent"
    data = content(node)
    if git_mode(node) == "120000" or len(data) > MAX_PARSED:
        parsed: str | None = f"bytes {data!r}"
    elif path.endswith(PYTHON):
        parsed = _python(data)
    elif path.endswith(JAVASCRIPT):
        parsed = _javascript(data)
    else:
        parsed = f"bytes {data!r}"
    return None if parsed is None else hashlib.sha256(f"{git_mode(node)} {parsed}".encode()).hexdigest()


def _python(data: bytes) -> str | None:
    """The code that CPython makes of it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(data)
            for node in ast.walk(tree):
                _settle(node)
            code = compile(tree, "", "exec", dont_inherit=True, optimize=0)
            return repr(_code(code))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _settle(node: ast.AST) -> None:
    """Every node on the first line, and no docstring: neither changes what a program does."""
    for name in ("lineno", "end_lineno"):
        if hasattr(node, name):
            setattr(node, name, 1)
    for name in ("col_offset", "end_col_offset"):
        if hasattr(node, name):
            setattr(node, name, 0)
    if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and is_docstring(node.body):
        if isinstance(node, ast.Module) or len(node.body) > 1:
            del node.body[0]
        else:
            node.body[0] = ast.Pass(lineno=1, end_lineno=1, col_offset=0, end_col_offset=0)


def is_docstring(body: list[ast.stmt]) -> bool:
    """Whether a body begins with one."""
    first = body[0] if body else None
    return isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)


def _code(code: types.CodeType) -> tuple[object, ...]:
    """What runs: instructions with what they name. The tables of a code object keep what only dead code had."""
    steps = tuple((step.opname, _constant(step.argval)) for step in dis.get_instructions(code))
    given = code.co_argcount + code.co_kwonlyargcount
    counts = (given, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)
    return (code.co_name, steps, code.co_exceptiontable, code.co_varnames[:given], counts)


def _constant(value: object) -> object:
    """A constant with its type, since 1, 1.0 and True are equal; a set in an order of its own."""
    if isinstance(value, types.CodeType):
        return _code(value)
    if isinstance(value, tuple):
        return tuple(_constant(item) for item in value)
    if isinstance(value, frozenset):
        return ("set", sorted(repr(_constant(item)) for item in value))
    return (type(value).__name__, repr(value))


def _javascript(data: bytes) -> str | None:
    import tree_sitter_javascript
    from tree_sitter import Language, Parser

    root = Parser(Language(tree_sitter_javascript.language())).parse(data).root_node
    return None if root.has_error else "\0".join(_marks(root))


def _marks(root: Piece) -> Iterator[str]:
    """Kinds and texts in order, with an end mark for each inner node, so that the nesting is part of it."""
    pending: list[Piece | None] = [root]
    while pending:
        node = pending.pop()
        if node is None:
            yield ")"
        elif node.type in _SILENT or (node.type == ";" and _ends_a_statement(node)):
            continue
        elif node.type == "string":
            yield "string " + (node.text or b"")[1:-1].decode("utf-8", "replace")
        elif not node.child_count:
            yield f"{node.type} {(node.text or b'').decode('utf-8', 'replace')}"
        elif node.type == "parenthesized_expression":
            # Which pairs it groups is in the nesting already.
            pending.extend(reversed(node.named_children))
        else:
            yield f"({node.type}"
            pending.append(None)
            pending.extend(reversed(node.children))


def _ends_a_statement(node: Piece) -> bool:
    return node.parent is not None and node.parent.type != "for_statement"
