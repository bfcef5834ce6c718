"""What git makes of our diffs, and what we make of git's."""

from __future__ import annotations

from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given, settings

from gate.workspace.patch import apply_bytes, diff, to_bytes
from gate.workspace.tree import File, Node, Symlink, read, write
from tests.workspace import trees
from tests.workspace.repo import diff_of, git

Pair = tuple[dict[str, Node], dict[str, Node]]


@settings(max_examples=60, deadline=None)
@given(trees.pair(git=False))
@example(({}, {" /a": File(b""), "a b/ /b": File(b"x\n")}))
def test_git_applies_our_diffs(two: Pair) -> None:
    """`git apply` makes the same tree of our bytes as we do."""
    before, after = two
    text = to_bytes(diff(before, after))
    with TemporaryDirectory() as folder:
        work = Path(folder) / "work"
        write(before, work)
        if text:
            git(work, "apply", "--whitespace=nowarn", "-", stdin=text)
        assert read(work).tree == after


@settings(max_examples=40, deadline=None)
@given(trees.pair(git=False))
def test_we_apply_diffs_of_git(two: Pair) -> None:
    """Renames, copies, links, modes and binary parts as git prints them give the tree that git had."""
    before, after = two
    with TemporaryDirectory() as folder:
        text = diff_of(Path(folder), before, after, "--binary", "-M", "-C", "--find-copies-harder")
    assert apply_bytes(text, before) == after


BIG = Random(7).randbytes(9000)
CODE = b"".join(b"line %d\n" % number for number in range(60))
CASES: dict[str, tuple[dict[str, Node], dict[str, Node], bytes]] = {
    "a rename": ({"a": File(CODE)}, {"d/b c": File(CODE)}, b"rename to d/b c"),
    "a rename with a change": ({"a": File(CODE)}, {"b": File(CODE + b"end\n")}, b"similarity index 9"),
    "a rename of a quoted name": ({"a\tb": File(CODE)}, {"ö": File(CODE)}, b'rename from "a\\tb"'),
    "a copy": ({"a": File(CODE)}, {"a": File(CODE), "b": File(CODE)}, b"copy from a"),
    "two files that swap": (
        {"a": File(CODE), "b": File(BIG.hex().encode())},
        {"b": File(CODE), "a": File(BIG.hex().encode())},
        b"",
    ),
    "a mode": ({"a": File(CODE)}, {"a": File(CODE, executable=True)}, b"new mode 100755"),
    "a mode with a change": ({"a": File(b"x")}, {"a": File(b"y", executable=True)}, b"new mode 100755"),
    "a new empty file": ({}, {"e": File(b"")}, b"new file mode"),
    "an empty file that goes": ({"e": File(b"")}, {}, b"deleted file mode"),
    "a new binary": ({}, {"b": File(BIG)}, b"literal 9000"),
    "a binary delta": ({"b": File(BIG)}, {"b": File(BIG[:4000] + b"\0new" + BIG[4100:])}, b"delta "),
    "a binary that goes": ({"b": File(BIG)}, {}, b"literal 0"),
    "a binary that becomes text": ({"b": File(BIG)}, {"b": File(CODE)}, b"GIT binary patch"),
    "a binary rename with a change": ({"b": File(BIG)}, {"c": File(BIG + b"\0")}, b"rename to c"),
    "a file that becomes a link": ({"a": File(b"x\n")}, {"a": Symlink("x")}, b"new file mode 120000"),
    "a link that moves": ({"a": Symlink("x")}, {"a": Symlink("y")}, b"120000"),
    "a file that becomes a folder": ({"a": File(b"x\n")}, {"a/b": File(b"y\n")}, b"a/b"),
    "a last line without a newline": ({"a": File(b"x\ny")}, {"a": File(b"x\nz")}, b"\\ No newline"),
}


@pytest.mark.parametrize(
    "options", [("-M", "-C", "--find-copies-harder"), ("-M", "-B"), ("-U0", "--no-renames"), ("--no-prefix",)]
)
@pytest.mark.parametrize("case", CASES)
def test_each_form_of_git(case: str, options: tuple[str, ...], tmp_path: Path) -> None:
    """Each thing that git can say of a file is read, however git was told to say it."""
    before, after, sign = CASES[case]
    text = diff_of(tmp_path, before, after, "--binary", *options)
    if options[0] == "-M" and "-C" in options:
        assert sign in text, "the case does not show what it is for"
    assert apply_bytes(text, before) == after


def test_diff_of_folders(tmp_path: Path) -> None:
    """`diff -ruN old new` is read: names below each folder, and epoch dates for files that are not there."""
    import subprocess

    before: dict[str, Node] = {"a": File(CODE), "gone": File(b"x\n"), "s p": File(b"1\n")}
    after: dict[str, Node] = {"a": File(CODE + b"end\n"), "new": File(b"y\n"), "s p": File(b"2\n")}
    write(before, tmp_path / "old")
    write(after, tmp_path / "new")
    done = subprocess.run(
        ["diff", "-ruN", "old", "new"],
        cwd=tmp_path,
        capture_output=True,
        check=False,
        env={"TZ": "America/New_York", "PATH": "/usr/bin:/bin"},
    )
    assert done.returncode == 1
    assert apply_bytes(done.stdout, before) == after


def test_a_mailed_patch_is_read(tmp_path: Path) -> None:
    """The words around a diff, before it and after, are not part of it."""
    text = diff_of(tmp_path, {"a": File(b"x\n")}, {"a": File(b"y\n")})
    mail = b"From 1 Mon Sep 17\nSubject: [PATCH] x\n\n--- really\n---\n a | 2 +-\n\n" + text + b"-- \n2.39.5\n\n"
    assert apply_bytes(mail, {"a": File(b"x\n")}) == {"a": File(b"y\n")}
