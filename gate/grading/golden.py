"""Comparison with a golden: the tree that the patch makes against the tree that the golden makes, never diff text.

exact: the same bytes and executable bits. whitespace: text files may differ in whitespace at the ends of lines, in
empty lines at the end of the file, in CRLF against LF, and in the final newline; never at the start of a line, where
in Python it is the program. syntax: Python files have the same syntax tree, positions aside (so comments and layout
are free); every other file is compared as under whitespace. Executable bits and links always count.
"""

from __future__ import annotations

import ast
import warnings

from gate.grading.bench import UnusableTest
from gate.grading.reason import clean
from gate.outcome import Check
from gate.suite.canary import Expect, GoldenMatch
from gate.workspace.patch import PatchError, apply_bytes
from gate.workspace.tree import File, Node, Tree

MAX_PARSED = 1_000_000


def golden_trees(expect: Expect, base: Tree) -> list[Tree]:
    """The tree of each golden. Raises UnusableTest when one does not apply to the fixture."""
    trees: list[Tree] = []
    for path in expect.goldens:
        try:
            trees.append(apply_bytes(path.read_bytes(), base))
        except (PatchError, OSError) as error:
            raise UnusableTest(clean(f"the golden {path.name} does not apply: {error}")) from error
    return trees


def check_golden(trees: list[Tree], match: GoldenMatch, graded: Tree) -> Check:
    """Equal to one of the goldens. The reason names the paths that keep it from the nearest one."""
    nearest: list[str] | None = None
    for tree in trees:
        different = differing(tree, graded, match)
        if not different:
            return Check("golden", ok=True, reason=f"the tree is that of a golden ({match})")
        if nearest is None or len(different) < len(nearest):
            nearest = different
    wrong = nearest or []
    more = f" and {len(wrong) - 5} more" if len(wrong) > 5 else ""
    return Check("golden", ok=False, reason=clean(f"differs from every golden ({match}): {'; '.join(wrong[:5])}{more}"))


def differing(golden: Tree, graded: Tree, match: GoldenMatch) -> list[str]:
    """The paths on which two trees differ, each with what is different."""
    out = []
    for path in sorted(golden.keys() | graded.keys()):
        reason = _difference(path, golden.get(path), graded.get(path), match)
        if reason:
            out.append(f"{path} {reason}")
    return out


def _difference(path: str, golden: Node | None, graded: Node | None, match: GoldenMatch) -> str:
    if golden == graded:
        return ""
    if graded is None:
        return "is missing"
    if golden is None:
        return "is not in the golden"
    if not isinstance(golden, File) or not isinstance(graded, File):
        return "is another link, or a link on one side only"
    if golden.executable is not graded.executable:
        return "has another mode"
    if golden.data == graded.data:
        return ""
    if match == "syntax" and path.endswith((".py", ".pyi")):
        return _syntax(golden.data, graded.data)
    if match != "exact" and _text(golden.data) and _text(graded.data) and lines(golden.data) == lines(graded.data):
        return ""
    return "has other contents"


def lines(data: bytes) -> list[bytes]:
    """The lines as `whitespace` compares them."""
    found = [line.rstrip(b" \t\r\f\v") for line in data.split(b"\n")]
    while found and not found[-1]:
        found.pop()
    return found


def _text(data: bytes) -> bool:
    return b"\0" not in data


def _syntax(golden: bytes, graded: bytes) -> str:
    """Compare as syntax trees; what the parser refuses, or takes too much of, is unequal with a reason."""
    trees = []
    for data, which in ((golden, "the golden's source"), (graded, "the source")):
        if len(data) > MAX_PARSED:
            return f"is too large to parse ({which})"
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                trees.append(ast.parse(data))
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            return f"does not parse ({which}: {type(error).__name__})"
    return "" if same_syntax(*trees) else "has another syntax tree"


def same_syntax(left: ast.AST, right: ast.AST) -> bool:
    """The same nodes with the same fields, positions aside. Not recursive, so that depth cannot end it."""
    pending: list[tuple[object, object]] = [(left, right)]
    while pending:
        one, other = pending.pop()
        if type(one) is not type(other):
            return False
        if isinstance(one, ast.AST) and isinstance(other, ast.AST):
            pending.extend((getattr(one, name, None), getattr(other, name, None)) for name in one._fields)
        elif isinstance(one, list) and isinstance(other, list):
            if len(one) != len(other):
                return False
            pending.extend(zip(one, other, strict=True))
        elif not _same_constant(one, other):
            return False
    return True


def _same_constant(one: object, other: object) -> bool:
    """Constants by value and sign: 0.0 and -0.0 compare equal and are two programs, nan is one with itself."""
    return repr(one) == repr(other) if isinstance(one, (float, complex)) else one == other
