"""Broken diffs end in a PatchError or in a tree that can be written, and in nothing else."""

# ruff: noqa: E501  # tables read best with one case on a line

from __future__ import annotations

from hypothesis import example, given, settings
from hypothesis import strategies as st

from gate.workspace.names import flaw, quote, unquote
from gate.workspace.patch import PatchError, apply_bytes, diff, to_bytes
from gate.workspace.tree import File, Node, Symlink, Tree
from tests.workspace import trees

PIECES = [
    b"diff --git a/a b/a\n", b"diff --git", b"--- a/a\n", b"+++ b/a\n", b"--- /dev/null\n", b"+++ /dev/null\n", b"@@ -1 +1 @@\n", b"@@ -0,0 +1 @@\n",
    b"@@ -1,3 +1,3 @@\n", b"@@ -9999999999,9999999999 +1 @@\n", b" a\n", b"-a\n", b"+a\n", b"\n", b"\\ No newline at end of file\n", b"new file mode 100644\n",
    b"deleted file mode 120000\n", b"old mode 100644\n", b"new mode 100755\n", b"rename from a\n", b"rename to b\n", b"copy from a\n", b"copy to c/d\n",
    b"index 0000000..1111111 100644\n", b"GIT binary patch\n", b"literal 1\n", b"delta 3\n", b"Ic$~Q\n", b'"a/\\', b"Binary files a/a and b/a differ\n", b"\r\n", b"\x85", b"\0",
]  # fmt: skip
TREE: dict[str, Node] = {"a": File(b"a\n"), "b/c": File(b"a\nb\n\0"), "l": Symlink("a")}


@st.composite
def broken(draw: st.DrawFn) -> tuple[bytes, Tree]:
    """A diff that was good once, and the tree that it was good for."""
    before, after = draw(trees.pair())
    rows = to_bytes(diff(before, after)).split(b"\n")
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(rows)))
        rows[at : at + draw(st.integers(0, 2))] = draw(st.lists(st.sampled_from(PIECES + rows), max_size=2))
    return b"\n".join(rows), before


@settings(max_examples=300, deadline=None)
@given(broken() | st.tuples(st.lists(st.sampled_from(PIECES), max_size=8).map(b"".join), st.just(TREE)))
@example((b"--- a/a\n+++ b/a\n@@ -1 +1 @@\n\\ No newline at end of file\n-a\n+b\n", TREE))
@example((b"--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n+b\n\\ x\n\\ x\n", TREE))
def test_a_broken_diff_is_refused_or_means_something(case: tuple[bytes, Tree]) -> None:
    """No other exception than PatchError, and never a tree with a path out of it or below a file."""
    text, tree = case
    try:
        result = apply_bytes(text, tree)
    except PatchError:
        return
    assert not [path for path in result if flaw(path)]
    assert trees.planted(result.items()) == {
        path: node for path, node in result.items() if not path.lower().startswith(".git/")
    }


@settings(max_examples=200, deadline=None)
@given(trees.path)
def test_a_quoted_name_is_the_name(name: str) -> None:
    """`unquote(quote(n)) == n`, in printable ASCII, whatever follows."""
    quoted = quote(name)
    assert quoted.isascii()
    assert quoted.isprintable()
    if quoted.startswith('"'):
        assert unquote(quoted.encode() + b" rest") == (name, b" rest")
    else:
        assert quoted == name
