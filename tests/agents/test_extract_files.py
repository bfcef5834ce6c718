"""What a file is besides its text survives an answer: line ends, modes, a missing last newline, undecodable bytes."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from gate.agents.extract import extract
from gate.workspace.patch import diff, to_bytes
from gate.workspace.tree import File, Node, Symlink
from tests.agents.bench import tree_of
from tests.agents.test_extract_take import fenced

Files = Mapping[str, str | bytes | Node]

CRLF = "a = 1\r\nb = 2\r\nc = 3\r\n"
MIXED = "a = 1\r\nb = 2\nc = 3\n"
OPEN = "a = 1\nb = 2"
RUN = File(b"#!/bin/sh\necho a\n", executable=True)
ROWS = "".join(f"row {number}\n" for number in range(40))

EDIT = "{0}\n<<<<<<< SEARCH\n{1}\n=======\n{2}\n>>>>>>> REPLACE\n"
HUNK = "--- {0}\n+++ {0}\n@@ @@\n{1}"

CASES: dict[str, tuple[Files, str, Files]] = {
    "whole file, CRLF stays": (
        {"a.py": CRLF},
        fenced("a = 1\nb = 3\nc = 3\n", "a.py"),
        {"a.py": CRLF.replace("2", "3")},
    ),
    "edit, CRLF stays": (
        {"a.py": CRLF},
        EDIT.format("a.py", "b = 2", "b = 3\nx = 1"),
        {"a.py": CRLF.replace("b = 2", "b = 3\r\nx = 1")},
    ),
    "hunk, CRLF stays": (
        {"a.py": CRLF},
        HUNK.format("a.py", " a = 1\n-b = 2\n+b = 3\n"),
        {"a.py": CRLF.replace("2", "3")},
    ),
    "hunk, CRLF written out": (
        {"a.py": CRLF},
        f"Here:\n{HUNK.format('a.py', '-b = 2' + chr(13) + chr(10) + '+b = 3' + chr(13) + chr(10))}",
        {"a.py": CRLF.replace("2", "3")},
    ),
    "edit, mixed line ends stay": (
        {"a.py": MIXED},
        EDIT.format("a.py", "b = 2", "b = 3"),
        {"a.py": MIXED.replace("2", "3")},
    ),
    "message in CRLF, file in LF": (
        {"a.py": "a = 1\nb = 2\n"},
        EDIT.format("a.py", "b = 2", "b = 3").replace("\n", "\r\n"),
        {"a.py": "a = 1\nb = 3\n"},
    ),
    "no last newline, hunk elsewhere": (
        {"a.py": OPEN},
        HUNK.format("a.py", "-a = 1\n+a = 3\n b = 2\n"),
        {"a.py": "a = 3\nb = 2"},
    ),
    "no last newline, edit elsewhere": (
        {"a.py": OPEN},
        EDIT.format("a.py", "a = 1", "a = 3"),
        {"a.py": "a = 3\nb = 2"},
    ),
    "no last newline, edit of the last line": (
        {"a.py": OPEN},
        EDIT.format("a.py", "b = 2", "b = 3"),
        {"a.py": "a = 1\nb = 3\n"},
    ),
    "a newline is added": (
        {"a.py": OPEN},
        HUNK.format("a.py", " a = 1\n-b = 2\n\\ No newline at end of file\n+b = 2\n"),
        {"a.py": OPEN + "\n"},
    ),
    "a newline goes away": (
        {"a.py": OPEN + "\n"},
        HUNK.format("a.py", " a = 1\n-b = 2\n+b = 2\n\\ No newline at end of file\n"),
        {"a.py": OPEN},
    ),
    "the mode stays, whole file": (
        {"run": RUN},
        f"run\n{fenced('#!/bin/sh' + chr(10) + 'echo b', 'sh')}",
        {"run": File(b"#!/bin/sh\necho b\n", executable=True)},
    ),
    "the mode stays, hunk": (
        {"bin/run": RUN},
        HUNK.format("bin/run", "-echo a\n+echo b\n"),
        {"bin/run": File(b"#!/bin/sh\necho b\n", executable=True)},
    ),
    "a new mode with wrong counts": (
        {"run": "x\n"},
        "diff --git a/run b/run\nold mode 100644\nnew mode 100755\n--- a/run\n+++ b/run\n@@ -1,7 +1,7 @@\n-x\n+y\n",
        {"run": File(b"y\n", executable=True)},
    ),
    "bytes around a change": ({"a.txt": b"caf\xe9\nb\n"}, HUNK.format("a.txt", "-b\n+c\n"), {"a.txt": b"caf\xe9\nc\n"}),
    "a new file": ({}, "--- /dev/null\n+++ b/src/a.py\n@@ @@\n+a = 1\n+\n+b = 2\n", {"src/a.py": "a = 1\n\nb = 2\n"}),
    "a new file, empty lines without marks": (
        {},
        fenced("--- /dev/null\n+++ b/a.py\n@@ @@\n+a = 1\n\n+b = 2\n", "diff"),
        {"a.py": "a = 1\n\nb = 2\n"},
    ),
    "a new file under its own name": ({}, "--- a/a.py\n+++ b/a.py\n@@ -0,0 +1,9 @@\n+a = 1\n", {"a.py": "a = 1\n"}),
    "a new file without a last newline": (
        {},
        "--- /dev/null\n+++ b/a.py\n@@ @@\n+a = 1\n\\ No newline at end of file\n",
        {"a.py": "a = 1"},
    ),
    "a new file by an empty search": (
        {},
        "a/b.py\n<<<<<<< SEARCH\n=======\nx = 1\n>>>>>>> REPLACE\n",
        {"a/b.py": "x = 1\n"},
    ),
    "a new empty file": ({"a.py": "x\n"}, fenced("", "python pkg/__init__.py"), {"a.py": "x\n", "pkg/__init__.py": ""}),
    "an empty file is filled": ({"a.py": ""}, "--- a/a.py\n+++ b/a.py\n@@ @@\n+a = 1\n", {"a.py": "a = 1\n"}),
    "a deletion": (
        {"a.py": "a\nb\n", "b": "x\n"},
        "--- a/a.py\n+++ /dev/null\n@@ -1,9 +0,0 @@\n-a\n-b\n",
        {"b": "x\n"},
    ),
    "a deletion without its lines": (
        {"a.py": "a\n", "b": "x\n"},
        "diff --git a/a.py b/a.py\ndeleted file mode 100644\n",
        {"b": "x\n"},
    ),
    "a text taken out": ({"a.py": "a\nb\n"}, "a.py\n<<<<<<< SEARCH\na\n=======\n>>>>>>> REPLACE\n", {"a.py": "b\n"}),
    "a file emptied": ({"a.py": "a\nb\n"}, "--- a/a.py\n+++ b/a.py\n@@ @@\n-a\n-b\n", {"a.py": ""}),
    "a rename with a hunk of wrong counts": (
        {"a.py": "a\nb\n"},
        "diff --git a/a.py b/c.py\nrename from a.py\nrename to c.py\n--- a/a.py\n+++ b/c.py\n@@ -1 +1 @@\n a\n-b\n+c\n",
        {"c.py": "a\nc\n"},
    ),
    "hunks that share their context": (
        {"a.txt": ROWS},
        HUNK.format("a.txt", " row 3\n-row 4\n+row four\n row 5\n@@ @@\n row 5\n-row 6\n+row six\n row 7\n"),
        {"a.txt": ROWS.replace("row 4\n", "row four\n").replace("row 6\n", "row six\n")},
    ),
    "hunks out of order": (
        {"a.txt": ROWS},
        HUNK.format("a.txt", "-row 30\n+x\n@@ @@\n row 1\n+y\n row 2\n"),
        {"a.txt": ROWS.replace("row 30\n", "x\n").replace("row 1\n", "row 1\ny\n")},
    ),
    "hunks of one file in two blocks": (
        {"a.txt": ROWS},
        "".join(fenced(HUNK.format("a.txt", f"-row {n}\n+x {n}\n"), "diff") + "\nand\n\n" for n in (31, 22)),
        {"a.txt": ROWS.replace("row 31\n", "x 31\n").replace("row 22\n", "x 22\n")},
    ),
    "counts that end before an empty line and more": (
        {"a.txt": "a\nb\n\nc\n"},
        fenced("--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n a\n-b\n+x\n\n+y\n c\n", "diff"),
        {"a.txt": "a\nx\n\ny\nc\n"},
    ),
    "a deleted comment of SQL": (
        {"a.sql": "-- x\nselect\n"},
        "--- a/a.sql\n+++ b/a.sql\n@@ -1,2 +1,2 @@\n--- x\n+++ y\n select\n",
        {"a.sql": "++ y\nselect\n"},
    ),
    "a fence in a diff of Markdown": (
        {"a.md": "Use\n\n```sh\nx\n```\n"},
        fenced("--- a/a.md\n+++ b/a.md\n@@ -2,4 +2,4 @@\n \n ```sh\n-x\n+y\n ```\n", "diff"),
        {"a.md": "Use\n\n```sh\ny\n```\n"},
    ),
    "a fence in a free diff": (
        {"a.md": "Use\n\n```sh\nx\n```\n"},
        "--- a/a.md\n+++ b/a.md\n@@ @@\n ```sh\n-x\n+y\n ```\n",
        {"a.md": "Use\n\n```sh\ny\n```\n"},
    ),
    "a fence in a longer one": (
        {"a.md": "x\n"},
        fenced("Use\n\n```sh\nx\n```\n", "md a.md", "````"),
        {"a.md": "Use\n\n```sh\nx\n```\n"},
    ),
    "a fence with a language in one as long": (
        {"a.md": "x\n"},
        f"{fenced('Use' + chr(10) + '```sh' + chr(10) + 'x' + chr(10) + '```', 'md a.md')}",
        {"a.md": "Use\n```sh\nx\n```\n"},
    ),
    "a fence in a docstring": (
        {"a.py": "x\n"},
        fenced('def a():\n    """Use\n\n    ```\n    x\n    ```\n    """\n', "python a.py"),
        {"a.py": 'def a():\n    """Use\n\n    ```\n    x\n    ```\n    """\n'},
    ),
    "a fence in a search": (
        {"a.md": "Use\n\n```\nx\n```\n"},
        fenced("a.md\n<<<<<<< SEARCH\n```\nx\n```\n=======\n```\ny\n```\n>>>>>>> REPLACE\n"),
        {"a.md": "Use\n\n```\ny\n```\n"},
    ),
    "a diff as a file": (
        {"a.py": "x\n"},
        fenced("--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x\n+y\n", "diff x.patch"),
        {"a.py": "x\n", "x.patch": "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x\n+y\n"},
    ),
    "a comment with the path that was there": (
        {"a.py": "# a.py\nx\n"},
        f"a.py\n{fenced('# a.py' + chr(10) + 'y')}",
        {"a.py": "# a.py\ny\n"},
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_file_keeps_what_the_answer_does_not_change(name: str) -> None:
    """Each message gives exactly the files that it must, bytes and modes."""
    before, message, after = CASES[name]
    found = extract(message, tree_of(before))
    assert found.reason == ""
    assert found.tree == tree_of(after)


def test_whatever_git_can_say_can_be_sent() -> None:
    """Links, bytes, modes, odd names, deletions: an exact diff carries them, alone, fenced and in prose."""
    before = tree_of({"a": "x\n", "gone": "y\n", "link": Symlink("a"), "b.bin": b"\0\1", "c": "no end", "m": "m\n"})
    after = tree_of(
        {
            "a": "z\n",
            "link": Symlink("gone"),
            "b.bin": b"\0\2\xff",
            "c": "no end\nno end",
            "m": File(b"m\n", executable=True),
            "new/\u00e9 \t.txt": "n\n",
            "new/link": Symlink("../a"),
            "e": "",
        }
    )
    text = to_bytes(diff(before, after)).decode()
    for message in (
        text,
        fenced(text, "diff"),
        f"I did it.\n\n{fenced(text, 'diff')}\nThat is all.\n",
        f"So:\n\n{text}",
    ):
        found = extract(message, before)
        assert (found.reason, found.shape) == ("", "diff")
        assert found.tree == after
