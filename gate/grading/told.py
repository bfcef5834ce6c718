"""Which assertions the process itself decides: what they expect, or who compares, lies beside the code under test.

They are graded all the same, and counted as held, because code that cheats can read or replace what they rest on.
"""

from __future__ import annotations

import ast
import builtins

from gate.grading.literal import is_literal
from gate.grading.syntax import walk


def calls(node: ast.expr) -> bool:
    """Something is called in it: it may be an answer of the code under test."""
    return any(isinstance(part, (ast.Call, ast.Await)) for part in walk(node))


def told(node: ast.expr) -> bool:
    """A condition that compares, or that has an answer judged, by a builtin (`isinstance`) or against a literal."""
    return any(isinstance(part, ast.Compare) or _judges(part) for part in walk(node))


def told_by_distance(node: ast.expr) -> bool:
    """`abs(f(x) - want)`: what is expected stands beside the answer, and a builtin says how far they are apart."""
    distances = (part for part in walk(node) if isinstance(part, ast.Call))
    inner = (part for call in distances for arg in call.args for part in walk(arg))
    return any(isinstance(part, ast.BinOp) and isinstance(part.op, ast.Sub) and _one_calls(part) for part in inner)


def _one_calls(node: ast.BinOp) -> bool:
    return calls(node.left) is not calls(node.right)


def _judges(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return False
    about = [*node.args, *(keyword.value for keyword in node.keywords)]
    answers = [*about, *([node.func.value] if isinstance(node.func, ast.Attribute) else [])]
    if not any(map(calls, answers)):
        return False
    return hasattr(builtins, getattr(node.func, "id", "")) or any(is_literal(part, {}) for part in about)
