"""The algebra of patches: going there by value and by bytes ends in the same tree."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given, settings

from gate.workspace import lines
from gate.workspace.patch import PatchError, apply, apply_bytes, diff, sha256, to_bytes
from gate.workspace.tree import File, Node, Symlink, Tree, digest, read, write
from tests.workspace import trees

Pair = tuple[dict[str, Node], dict[str, Node]]


@settings(max_examples=400, deadline=None)
@given(trees.pair())
@example(({"a": File(b"x")}, {"a/b": File(b"x")}))
@example(({"a/b": File(b"x")}, {"a": Symlink("x")}))
@example(({"a": File(b"x\n")}, {"b": File(b"x\n")}))
@example(({"x/.git/config": File(b"[core]\n")}, {"x/.git/config": File(b"[core]\nfsmonitor = evil\n")}))
def test_a_diff_applied_is_the_new_tree(two: Pair) -> None:
    """`apply(diff(a, b), a) == b`, as a value and by way of the bytes of the diff."""
    before, after = two
    patch = diff(before, after)
    assert apply(patch, before) == after
    assert apply_bytes(to_bytes(patch), before) == after
    assert bool(patch) == (before != after)


@settings(max_examples=150, deadline=None)
@given(trees.pair())
def test_a_diff_does_not_fit_another_tree(two: Pair) -> None:
    """A patch refuses a tree in which a path that it changes is not as it was."""
    before, after = two
    patch = diff(before, after)
    for change in patch.changes:
        other = dict(before)
        if change.before is None:
            other = trees.planted([(change.path, File(b"in the way")), *before.items()])
        else:
            del other[change.path]
        with pytest.raises(PatchError):
            apply(patch, other)


@settings(max_examples=150, deadline=None)
@given(trees.pair())
def test_the_bytes_of_a_diff_survive_the_loss_of_the_last_newline(two: Pair) -> None:
    """A diff whose own final newline was cut off still says the same."""
    before, after = two
    assert apply_bytes(to_bytes(diff(before, after)).removesuffix(b"\n"), before) == after


@settings(max_examples=150, deadline=None)
@given(trees.pair(), trees.pair())
def test_a_patch_is_known_by_its_digest(one: Pair, two: Pair) -> None:
    """Patches have the same digest exactly when they are the same."""
    first, second = diff(*one), diff(*two)
    assert (sha256(first) == sha256(second)) == (first == second)


@settings(max_examples=60, deadline=None)
@given(trees.tree())
def test_a_tree_on_disk_reads_back_as_it_was_written(tree: dict[str, Node]) -> None:
    """`read(write(t)) == t`, with nothing odd in it, and the digest does not depend on the order of paths."""
    with TemporaryDirectory() as folder:
        write(tree, Path(folder) / "t")
        reading = read(Path(folder) / "t")
    assert reading.tree == tree
    assert reading.oddities == ()
    assert reading.whole
    assert digest(dict(reversed(tree.items()))) == digest(tree)


@settings(max_examples=150, deadline=None)
@given(trees.tree(), trees.tree())
def test_trees_are_told_apart_by_their_digest(one: Tree, two: Tree) -> None:
    """Two trees have one digest exactly when they are equal."""
    assert (digest(one) == digest(two)) == (one == two)


@settings(max_examples=400, deadline=None)
@given(trees.data, trees.data)
def test_the_blocks_of_a_diff_turn_old_lines_into_new(old: bytes, new: bytes) -> None:
    """Outside the blocks the lines are equal, so that replacing the blocks gives the new lines."""
    left, right = lines.split(old), lines.split(new)
    assert b"".join(left) == old
    built: list[bytes] = []
    at = 0
    blocks = lines.changes(left, right)
    for block in blocks:
        assert (block.i1, block.j1) != (block.i2, block.j2)
        built += left[at : block.i1] + right[block.j1 : block.j2]
        at = block.i2
    assert built + left[at:] == right
    assert all(after.i1 > before.i2 for before, after in pairwise(blocks))


def test_the_costs_of_a_diff_are_bounded() -> None:
    """Twenty thousand lines made to have as many equal pairs as possible are compared within a second or two."""
    import time

    old = [b"{\n", b"}\n"] * 10_000
    new = [b"}\n", b"}\n", b"{\n"] * 6_667
    started = time.process_time()
    blocks = lines.changes(old, new)
    assert time.process_time() - started < 5
    assert blocks


def test_a_moved_function_is_a_small_diff() -> None:
    """Lines that stayed are not in the blocks: one function moved past another is one removal and one addition."""
    functions = [[b"def f%d():\n" % n, b"    return %d\n" % n, b"\n", b"\n"] for n in range(40)]
    old = [line for function in functions for line in function]
    new = [line for function in functions[1:20] + functions[:1] + functions[20:] for line in function]
    blocks = lines.changes(old, new)
    assert len(blocks) == 2
    assert sum(block.i2 - block.i1 + block.j2 - block.j1 for block in blocks) == 8
