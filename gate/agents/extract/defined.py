"""What a source text defines at its top level, and whether a text continues another. Python by its parser."""

from __future__ import annotations

import ast
import re
import warnings

MAX_PARSED = 400_000
"""Characters. What is longer is not looked at as a program."""

_PYTHON = re.compile(r"^(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)", re.MULTILINE)
_OTHER = re.compile(
    r"^(?:(?:export|default|async|pub|public|static|abstract)[ \t]+)*"
    r"(?:function[ \t]+|function[ \t]*\*[ \t]*|(?:class|const|let|var|func|fn|interface|struct|enum|type)[ \t]+)"
    r"([A-Za-z_$][\w$]*)"
    r"|^(?:module\.)?exports\.([A-Za-z_$][\w$]*)[ \t]*=",
    re.MULTILINE,
)
_DONE = (
    *(ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom, ast.Assign, ast.AugAssign),
    *(ast.For, ast.AsyncFor, ast.While, ast.If, ast.With, ast.AsyncWith, ast.Try, ast.TryStar, ast.Match),
)
_DONE_INSIDE = (*_DONE, ast.Return, ast.Raise, ast.Assert, ast.Delete, ast.Pass)


def is_python(path: str) -> bool:
    """Whether a file is Python by its name."""
    return path.endswith((".py", ".pyi", ".pyw"))


def parsed(text: str) -> ast.Module | None:
    """The syntax tree, or None for what is no Python or too much of it."""
    if len(text) > MAX_PARSED:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def names(path: str, text: str) -> frozenset[str]:
    """The functions and classes (elsewhere also the constants) that a text defines at its top level."""
    if not is_python(path):
        return frozenset(one or other for one, other in _OTHER.findall(text))
    tree = parsed(text)
    if tree is None:
        return frozenset(_PYTHON.findall(text))
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return frozenset(node.name for node in tree.body if isinstance(node, kinds))


def does_something(text: str) -> bool:
    """Whether a text is a Python program with a statement that prose cannot look like: `Done` parses as well."""
    tree = parsed(text)
    return tree is not None and any(isinstance(node, _DONE) or _is_print(node) for node in tree.body)


def _is_print(node: ast.stmt) -> bool:
    call = node.value if isinstance(node, ast.Expr) else None
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in {"print", "main", "solve"}


def continues(path: str, start: str, rest: str) -> bool:
    """Whether `rest` is what comes after `start`: it begins indented, in the last thing that `start` defines.

    `start` ends with a newline. Elsewhere than in Python the braces that `start` leaves open are closed by `rest`.
    """
    first = next((line for line in rest.split("\n") if line.strip()), "")
    if not first.startswith((" ", "\t")):
        return False
    if not is_python(path):
        return _open_braces(start) > 0 == _open_braces(start + rest)
    both = parsed(start + rest)
    if both is None:
        return False
    before, count = parsed(start), start.count("\n")
    if before is not None:
        last = both.body[len(before.body) - 1] if before.body else None
        if last is None or (last.end_lineno or 0) <= count:
            return False
    return any(_acts(node) for node in ast.walk(both) if isinstance(node, ast.stmt) and node.lineno > count)


def _acts(node: ast.stmt) -> bool:
    return isinstance(node, _DONE_INSIDE) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Call | ast.Yield)
    )


def _open_braces(text: str) -> int:
    return text.count("{") - text.count("}")
