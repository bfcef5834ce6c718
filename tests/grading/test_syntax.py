"""Our walk and copy are those of the standard library, only faster."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from gate.grading.syntax import copied, walk

SOURCES = sorted(Path(__file__).parent.glob("*.py"))


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_walk_meets_the_nodes_of_ast_walk_in_the_same_order(path: Path) -> None:
    """Nothing but the Load, Store and Del marks is left out."""
    tree = ast.parse(path.read_text())
    assert list(walk(tree)) == [node for node in ast.walk(tree) if not isinstance(node, ast.expr_context)]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_a_copy_is_equal_and_shares_nothing_that_changes(path: Path) -> None:
    """The copy prints and dumps as the original, positions included, and has no node in common with it."""
    tree = ast.parse(path.read_text())
    other = copied(tree)
    assert ast.dump(other, include_attributes=True) == ast.dump(tree, include_attributes=True)
    assert not {id(node) for node in walk(tree)} & {id(node) for node in walk(other)}
