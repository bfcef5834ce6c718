"""A diff that does not fit, or would reach out of the tree, is refused with the file and the hunk."""

# ruff: noqa: E501  # tables read best with one case on a line

from __future__ import annotations

import pytest

from gate.workspace.binary import blob_id, literal
from gate.workspace.patch import PatchError, apply, apply_bytes, diff, to_bytes
from gate.workspace.tree import File, Node, Symlink

TREE: dict[str, Node] = {
    "src/calc.py": File(b"def add(a, b):\n    return a - b\n\n\ndef sub(a, b):\n    return a - b\n"),
    "link": Symlink("src"),
    "to-git": Symlink(".git"),
    "empty": File(b""),
    "blob": File(b"\0\1\2"),
    "s p": File(b"1\n2\n3\n"),
    "dos": File(b"a\r\nb\r\n"),
    "run": File(b"#!/bin/sh\n", executable=True),
}

FIX = (
    b"diff --git a/src/calc.py b/src/calc.py\n--- a/src/calc.py\n+++ b/src/calc.py\n"
    b"@@ -1,3 +1,3 @@\n def add(a, b):\n-    return a - b\n+    return a + b\n \n"
    b"@@ -5,2 +5,2 @@\n def sub(a, b):\n-    return a - b\n+    return b - a\n"
)


def new_file(path: bytes, body: bytes = b"+x\n") -> bytes:
    return b"diff --git a/%b b/%b\nnew file mode 100644\n--- /dev/null\n+++ b/%b\n@@ -0,0 +1 @@\n%b" % (
        path,
        path,
        path,
        body,
    )


def edited(old: bytes, new: bytes) -> bytes:
    assert old in FIX
    return FIX.replace(old, new)


def test_the_diff_that_the_others_are_made_from_is_good() -> None:
    """What the refused diffs below are variations of does apply, so each is refused for its variation."""
    assert apply_bytes(FIX, TREE)["src/calc.py"] == File(
        b"def add(a, b):\n    return a + b\n\n\ndef sub(a, b):\n    return b - a\n"
    )
    assert apply_bytes(new_file(b"src/new.py"), TREE)["src/new.py"] == File(b"x\n")


REFUSED = {
    "a context line that is not there": (edited(b" def sub(a, b):", b" def sub(x, y):"), "src/calc.py", "hunk 2: line 5"),
    "a removed line that is not there": (edited(b"-    return a - b\n+    return a", b"-    return a * b\n+    return a"), "src/calc.py", "hunk 1: line 2"),
    "the right lines one line too low": (edited(b"@@ -5,2 +5,2 @@", b"@@ -4,2 +5,2 @@"), "src/calc.py", "hunk 2: line 4"),
    "context that differs by blanks": (edited(b" def add(a, b):", b" def add(a,  b):"), "src/calc.py", "hunk 1: line 1"),
    "a hunk past the end": (edited(b"@@ -5,2 +5,2 @@", b"@@ -50,2 +50,2 @@"), "src/calc.py", "hunk 2: line 50"),
    "hunks out of order": (FIX + FIX[FIX.index(b"@@ -1,3") : FIX.index(b"@@ -5,2")], "src/calc.py", "hunk 3"),
    "the same file twice": (FIX + FIX, "src/calc.py", "hunk 1"),
    "a hunk that is cut off": (FIX[: FIX.index(b"+    return b - a")], "src/calc.py", "ends inside a hunk"),
    "a hunk shorter than it says": (edited(b"@@ -1,3 +1,3 @@", b"@@ -1,9 +1,9 @@"), "src/calc.py", "shorter"),
    "a hunk longer than it says": (edited(b"@@ -1,3 +1,3 @@", b"@@ -1,1 +1,1 @@"), "src/calc.py", "longer"),
    "counts that a line oversteps": (edited(b"@@ -1,3 +1,3 @@", b"@@ -1,1 +1,4 @@"), "src/calc.py", "longer"),
    "a newline that is there": (FIX + b"\\ No newline at end of file\n+more\n", "src/calc.py", "longer"),
    "a file that is not there": (FIX.replace(b"calc", b"clac"), "src/clac.py", "does not exist"),
    "a new file that is there": (new_file(b"s p"), "s p", "exists already"),
    "a file made twice": (new_file(b"n") + new_file(b"n"), "n", "exists already"),
    "a deletion that leaves lines": (b"diff --git a/s p b/s p\ndeleted file mode 100644\n--- a/s p\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-1\n-2\n", "s p", "not all"),
    "a deletion without its lines": (b"diff --git a/s p b/s p\ndeleted file mode 100644\n", "s p", "not all"),
    "a rename onto a file": (b"diff --git a/empty b/run\nrename from empty\nrename to run\n", "run", "exists already"),
    "a rename whose lines are about another file": (b"diff --git a/s p b/n\nrename from s p\nrename to n\n--- a/run\n+++ b/n\n@@ -1 +1 @@\n-1\n+2\n", "n", "different files"),
    "a file that is new and goes away": (b"diff --git a/n b/n\nnew file mode 100644\ndeleted file mode 100644\n", "n", "new and to go away"),
    "a deletion of what was not there": (b"diff --git a/n b/n\ndeleted file mode 100644\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n", "n", "new and to go away"),
    "a binary that is new and there": (b"diff --git a/blob b/blob\nnew file mode 100644\nGIT binary patch\n" + literal(b"x"), "blob", "exists already"),
    "half a rename": (b"diff --git a/empty b/run2\nrename to run2\n", "", "one side"),
    "names that disagree": (edited(b"+++ b/src/calc.py", b"+++ b/src/other.py"), "src/calc.py", "different files"),
    "a header about another file": (edited(b"diff --git a/src/calc.py b/src/calc.py", b"diff --git a/dos b/dos"), "dos", "different files"),
    "a diff with CRLF line ends": (FIX.replace(b"\n", b"\r\n"), "", "CRLF"),
    "LF lines for a CRLF file": (b"--- a/dos\n+++ b/dos\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n", "dos", "hunk 1: line 1"),
    "an absolute path": (new_file(b"/etc/passwd").replace(b"a//", b"/").replace(b"b//", b"/"), "/etc/passwd", "absolute"),
    "an absolute path below a prefix": (new_file(b"/etc/passwd"), "/etc/passwd", "absolute"),
    "a path up": (new_file(b"../x"), "../x", "leaves"),
    "a path down and up": (new_file(b"src/../../x"), "src/../../x", "leaves"),
    "a quoted path up": (new_file(b"q").replace(b"a/q", b'"a/\\056\\056/x"').replace(b"b/q", b'"b/\\056./x"'), "../x", "leaves"),
    "a rename out of the tree": (b"diff --git a/empty b/../empty\nrename from empty\nrename to ../empty\n", "../empty", "leaves"),
    "a path with a NUL": (new_file(b"q").replace(b"a/q", b'"a/\\000"').replace(b"b/q", b'"b/\\000"'), "\0", "NUL"),
    "a path with an empty part": (new_file(b"src//x"), "src//x", "shortest"),
    "a path with a dot part": (new_file(b"./x"), "./x", "shortest"),
    "a name too long for any system": (new_file(b"n" * 256), "n" * 256, "too long"),
    "a path too long for a copy": (new_file(b"n/" * 1100 + b"n"), "n/" * 1100 + "n", "too long"),
    "a link too long": (new_file(b"l", b"+" + b"x" * 5000 + b"\n").replace(b"100644", b"120000"), "l", "nowhere"),
    "the repository's configuration": (new_file(b".git/config"), ".git/config", ".git"),
    "the repository in another case": (new_file(b".GIT/hooks/post-checkout"), ".GIT/hooks/post-checkout", ".git"),
    "the repository as a file": (new_file(b".git"), ".git", ".git"),
    "a file below a link": (new_file(b"link/x"), "link/x", "below the link link"),
    "the repository through a link": (new_file(b"to-git/config"), "to-git/config", "below the link to-git"),
    "a change below a link": (FIX.replace(b"src/", b"link/"), "link/calc.py", "does not exist"),
    "a link made and written through": (
        b"diff --git a/out b/out\nnew file mode 120000\n--- /dev/null\n+++ b/out\n@@ -0,0 +1 @@\n+/etc\n\\ No newline at end of file\n" + new_file(b"out/x"),
        "out/x",
        "below the link out",
    ),
    "a file below a file": (new_file(b"empty/x"), "empty/x", "below the file empty"),
    "a file that is a folder": (new_file(b"src"), "src", "is a folder"),
    "a link to nowhere": (b"diff --git a/l b/l\nnew file mode 120000\n", "l", "nowhere"),
    "a submodule": (new_file(b"sub").replace(b"100644", b"160000"), "sub", "160000"),
    "a mode that is none": (new_file(b"n").replace(b"100644", b"777"), "n", "777"),
    "a file said to be a link": (b"diff --git a/empty b/empty\nold mode 120000\nnew mode 100644\n", "empty", "link"),
    "a link said to be a file": (b"diff --git a/link b/link\nold mode 120000\nnew mode 100644\n", "link", "between file and link"),
    "a binary change without bytes": (b"diff --git a/blob b/blob\nindex 1..2 100644\nBinary files a/blob and b/blob differ\n", "blob", "--binary"),
    "a binary change of other bytes": (
        b"diff --git a/blob b/blob\nindex %b..%b 100644\nGIT binary patch\n" % (blob_id(b"\0").encode(), blob_id(b"x").encode()) + literal(b"x"),
        "blob",
        "made from other bytes",
    ),
    "a binary change to other bytes": (
        b"diff --git a/blob b/blob\nindex %b..%b 100644\nGIT binary patch\n" % (blob_id(b"\0\1\2").encode(), blob_id(b"y").encode()) + literal(b"x"),
        "blob",
        "does not give",
    ),
    "a binary part that is larger than it says": (b"diff --git a/blob b/blob\nGIT binary patch\n" + literal(b"x" * 99).replace(b"literal 99", b"literal 9"), "blob", "inflate"),
    "a binary part of absurd size": (b"diff --git a/blob b/blob\nGIT binary patch\nliteral 999999999999\nA00000\n\n", "blob", "larger"),
    "a binary row of the wrong length": (b"diff --git a/blob b/blob\nGIT binary patch\nliteral 1\nZ00000\n\n", "blob", "row"),
    "a delta against other bytes": (b"diff --git a/blob b/blob\nGIT binary patch\n" + literal(b"\x09\x01\x01x").replace(b"literal", b"delta"), "blob", "against"),
    "a delta that reaches too far": (b"diff --git a/blob b/blob\nGIT binary patch\n" + literal(b"\x03\x09\x91\x00\x09").replace(b"literal", b"delta"), "blob", "past"),
    "a delta without an end": (b"diff --git a/blob b/blob\nGIT binary patch\n" + literal(b"\x83").replace(b"literal", b"delta"), "blob", "size"),
    "a merge": (b"diff --cc src/calc.py\nindex 1,2..3\n--- a/src/calc.py\n+++ b/src/calc.py\n@@@ -1,1 -1,1 +1,1 @@@\n- a\n -b\n++c\n", "", "merge"),
    "a hunk without a file": (b"@@ -1 +1 @@\n-x\n+y\n", "", "without a file header"),
    "prose": (b"I have fixed the function add as you asked.\n", "", "not a diff"),
    "blank lines": (b"\n\n", "", "not a diff"),
    "a header without a name": (b"diff --git a/x b/y\nold mode 100644\nnew mode 100755\n", "", "which file"),
    "a name whose quote does not end": (b'diff --git "a/x b/x\nnew file mode 100644\n', "", "which file"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_does_not_fit_is_refused(case: str) -> None:
    """A PatchError that names the file, and says which hunk or what is wrong; never half a patch."""
    text, path, reason = REFUSED[case]
    before = dict(TREE)
    with pytest.raises(PatchError) as caught:
        apply_bytes(text, TREE)
    assert caught.value.path == path
    assert reason in caught.value.reason
    assert before == TREE


TAKEN: dict[str, tuple[bytes, dict[str, Node | None]]] = {
    "nothing": (b"", {}),
    "no final newline": (FIX[:-1], {"src/calc.py": apply_bytes(FIX, TREE)["src/calc.py"]}),
    "an empty context line without its blank": (FIX.replace(b"\n \n", b"\n\n"), {"src/calc.py": apply_bytes(FIX, TREE)["src/calc.py"]}),
    "a diff without git's lines": (FIX[FIX.index(b"---") :], {"src/calc.py": apply_bytes(FIX, TREE)["src/calc.py"]}),
    "a diff without prefixes": (FIX.replace(b"a/src", b"src").replace(b"b/src", b"src"), {"src/calc.py": apply_bytes(FIX, TREE)["src/calc.py"]}),
    "words of another language": (b"--- a/s p\n+++ b/s p\n@@ -3 +3 @@\n-3\n+4\n\\ Kein Zeilenumbruch am Dateiende.\n", {"s p": File(b"1\n2\n4")}),
    "CRLF kept": (b"--- a/dos\n+++ b/dos\n@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n", {"dos": File(b"a\r\nc\r\n")}),
    "a new file without the git line for it": (b"diff --git a/n b/n\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n", {"n": File(b"x\n")}),
    "a change keeps the mode": (b"--- a/run\n+++ b/run\n@@ -1 +1 @@\n-#!/bin/sh\n+#!/bin/dash\n", {"run": File(b"#!/bin/dash\n", executable=True)}),
    "a mode that the group may write": (new_file(b"n").replace(b"100644", b"100775"), {"n": File(b"x\n", executable=True)}),
    "a change of a file just made": (new_file(b"n") + b"--- a/n\n+++ b/n\n@@ -1 +1 @@\n-x\n+y\n", {"n": File(b"y\n")}),
    "a link removed and a folder made there": (
        b"diff --git a/link b/link\ndeleted file mode 120000\n--- a/link\n+++ /dev/null\n@@ -1 +0,0 @@\n-src\n\\ No newline at end of file\n" + new_file(b"link/x"),
        {"link": None, "link/x": File(b"x\n")},
    ),
    "a nested repository": (new_file(b"vendor/.git/config"), {"vendor/.git/config": File(b"x\n")}),
}  # fmt: skip


@pytest.mark.parametrize("case", TAKEN)
def test_what_says_one_thing_only_is_taken(case: str) -> None:
    """Forms that differ from git's own and can mean one thing only."""
    text, changed = TAKEN[case]
    merged: dict[str, Node | None] = {**TREE, **changed}
    expected = {path: node for path, node in merged.items() if node is not None}
    assert apply_bytes(text, TREE) == expected


def test_a_patch_by_value_is_held_to_the_same_rules() -> None:
    """`apply` refuses the repository's own folder and paths below a link, as reading a diff does."""
    for path in (".git/config", "link/x", "../x", "/x"):
        with pytest.raises(PatchError):
            apply(diff({}, {path: File(b"x")}), TREE)


def test_the_added_text_is_what_a_marker_is_looked_for_in() -> None:
    """Added lines of text files and link targets; not context, not removed lines, not binary bytes."""
    before: dict[str, Node] = {"a": File(b"kept\nremoved\n"), "b": File(b"\0removed"), "gone": File(b"removed\n")}
    after: dict[str, Node] = {
        "a": File(b"kept\nadded 1\n"),
        "b": File(b"\0bin"),
        "c": File(b"added 2\xff"),
        "l": Symlink("added 3"),
    }
    assert diff(before, after).added_text() == "added 1\nadded 2\ufffd\nadded 3\n"


def test_a_part_of_a_patch_is_a_patch() -> None:
    """`only` keeps the changes whose paths are wanted, and an empty patch is false and no bytes."""
    patch = diff({"a": File(b"1"), "b": File(b"1")}, {"a": File(b"2"), "c": File(b"1")})
    assert patch.paths() == ("a", "b", "c")
    assert patch.only(lambda path: path != "b").paths() == ("a", "c")
    assert not patch.only(lambda _: False)
    assert to_bytes(patch.only(lambda _: False)) == b""
