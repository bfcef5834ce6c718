"""Extraction on any text: it never raises, never leaves the tree, takes linear time, and gives back what was sent."""

from __future__ import annotations

import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gate.agents.extract import extract
from gate.workspace.patch import diff, to_bytes
from gate.workspace.tree import File, Node, Symlink, Tree, write
from tests.agents.bench import tree_of
from tests.agents.test_extract_take import BASE, EDIT, GIT, PLAIN, ROWS, fenced

PIECES = (
    *("```", "````", "~~~", "```diff", "```python src/tiles.py", "``` ", "   ```", "- ```", "1. ```py"),
    *("<<<<<<< SEARCH", "=======", ">>>>>>> REPLACE", "<<<<< SEARCH", ">>>>>>>"),
    *("--- a/src/tiles.py", "+++ b/src/tiles.py", "--- /dev/null", "+++ /dev/null", "+++ b/../x", "-- ", "---", "+++"),
    *(
        "diff --git a/src/tiles.py b/src/tiles.py",
        "diff --git a/x b/x",
        'diff --git "a/\\303" "b/\\303"',
        "diff --git  ",
    ),
    *("new file mode 100644", "new file mode 120000", "deleted file mode 100644", "old mode 100644", "new mode 100755"),
    *("rename from NOTES.md", "rename to src/n.md", "copy from NOTES.md", "copy to x/y", "similarity index 100%"),
    *(
        "GIT binary patch",
        "literal 3",
        "KcmZQzWME(b",
        "delta 99999999",
        "Binary files a/x and b/x differ",
        "index 1..2",
    ),
    *("@@ -1,4 +1,4 @@", "@@ ... @@", "@@", "@@ -0,0 +1 @@", "@@ -9999999999,9999999999 +1 @@", "\\ No newline at end"),
    *("-    return side + side", "+    return side * side", " def area(side):", "-", "+", " ", "", "+x\r", " \r", "\r"),
    *("src/tiles.py", "`src/tiles.py`:", "### NOTES.md", "# src/tiles.py", "/etc/passwd", ".git/config", "File: x.py"),
    *("def area(side):", "    return side", "import os", "\udc80", "\ud800", "\0", "\x85\u2028", "é" * 300),
)
LINES = st.lists(st.one_of(st.sampled_from(PIECES), st.sampled_from(PIECES), st.text(max_size=8)), max_size=24)
MESSAGES = st.one_of(st.text(max_size=200), st.builds(str.join, st.sampled_from(("\n", "\n", "\r\n")), LINES))
BASES: tuple[dict[str, Node], ...] = (
    BASE,
    {},
    tree_of({"s.py": "def area(side):\n"}),
    {"src/tiles.py": File(ROWS.replace("\n", "\r\n").encode(), executable=True), "x": Symlink("src")},
    tree_of({"src/tiles.py": b"caf\xe9\nx", "NOTES.md": b"\0", "a/b/c.js": "function f() {\n"}),
)


@settings(max_examples=100, deadline=None)
@given(MESSAGES, st.sampled_from(BASES))
@example("\ud800", BASES[2])
@example("```python s.py\n\ud800\n```", BASES[2])
def test_no_text_raises_and_no_answer_leaves_the_tree(message: str, base: Tree) -> None:
    """Any mix of marks gives a tree or a reason; a tree has only paths that a folder can hold, outside of `.git`."""
    found = extract(message, base)
    if found.tree is None:
        assert found.reason
        assert found.shape == ""
        return
    assert found.shape
    for path in found.tree.keys() - base.keys():
        assert not {"..", ".", ""} & set(path.split("/"))
        assert path.partition("/")[0].lower() != ".git"
    assert extract(message, base) == found


def test_a_taken_tree_can_be_written(tmp_path_factory: pytest.TempPathFactory) -> None:
    """What comes out is a tree that a folder can hold, whatever bytes and links lie in the base."""

    @settings(max_examples=25, deadline=None)
    @given(MESSAGES, st.sampled_from(BASES))
    def one(message: str, base: Tree) -> None:
        tree = extract(message, base).tree
        if tree is not None:
            write(tree, tmp_path_factory.mktemp("tree") / "repo")

    one()


LONG = 500_000
FLOODS = {
    "backticks in one line": "`" * LONG,
    "fences": "```\n" * (LONG // 4),
    "fences with a tag": "```py\n" * (LONG // 6),
    "indented fences": " ```\n" * (LONG // 5),
    "opened searches": "<<<<<<< SEARCH\n" * (LONG // 15),
    "opened searches, one end": "<<<<<<< SEARCH\n" * (LONG // 15) + ">>>>>>> REPLACE\n",
    "edits": f"src/tiles.py\n{EDIT}" * (LONG // 90),
    "dividers": "=======\n" * (LONG // 8),
    "ends": ">>>>>>> REPLACE\n" * (LONG // 16),
    "angle brackets": "<" * LONG,
    "at signs in one line": "@" * LONG,
    "hunk headers": "@@\n" * (LONG // 3),
    "hunk headers of one file": "--- a/src/tiles.py\n+++ b/src/tiles.py\n" + "@@\n" * (LONG // 3),
    "hunks of one file": "--- a/src/tiles.py\n+++ b/src/tiles.py\n" + "@@\n+x\n" * (LONG // 6),
    "false counts": "--- a/src/tiles.py\n+++ b/src/tiles.py\n" + "@@ -1,9999999 +1,9999999 @@\n x\n" * (LONG // 31),
    "file headers": "--- a/x\n+++ b/x\n" * (LONG // 16),
    "git headers": "diff --git a/x b/x\n" * (LONG // 19),
    "diffs": GIT * (LONG // len(GIT)),
    "blank lines": "\n" * LONG,
    "blank lines in a hunk": PLAIN + "\n" * LONG,
    "a hunk of equal lines": "--- a/src/tiles.py\n+++ b/src/tiles.py\n@@\n" + " x\n" * (LONG // 3) + "+y\n",
    "a hunk of equal lines with counts": "--- a/src/tiles.py\n+++ b/src/tiles.py\n@@ -1,30000 +1,30001 @@\n"
    + " x\n" * 30_000
    + "+y\n",
    "spaces": " " * LONG,
    "spaces before a fence": " " * LONG + "```\n",
    "a list mark and spaces": "- " + " " * LONG + "x ```\n",
    "an info string": "```" + "{" * LONG + "\nx\n```\n",
    "an info string with a title": "```x " + "title=" * (LONG // 6) + "\nx\n```\n",
    "comments of spaces": ("```py\n#" + " " * 390 + "x\n```\n") * 900,
    "headings of spaces": ("**" + " " * 390 + "x (\n```py\n```\n") * 900,
    "info strings of spaces": ("```title" + " " * 390 + "x\n```\n") * 900,
    "JavaScript: a function of spaces": "function" + " " * LONG,
    "JavaScript: words before a function": "export " * (LONG // 7),
    "JavaScript: braces": "  {" + "{" * LONG,
    "a heading": "#" * LONG + "\n```\nx\n```\n",
    "a heading of stars": "*" * LONG + "\n```\nx\n```\n",
    "brackets": "(" * LONG,
    "a word": "x" * LONG,
    "names": "x\n" * (LONG // 2),
    "carriage returns": "\r\n" * (LONG // 2),
}


@pytest.mark.parametrize("name", FLOODS)
def test_a_flood_of_marks_takes_linear_time(name: str) -> None:
    """Half a megabyte of any one mark is read in less than a second; that it is linear shows where it is not."""
    started = time.process_time()
    extract(FLOODS[name], tree_of({"a.js": "function f() {\n"} if "JavaScript" in name else {"src/tiles.py": ROWS}))
    assert time.process_time() - started < 1


@given(st.lists(st.sampled_from(("a", "b", "", "  c", "\td", "}")), max_size=12), st.data())
@settings(max_examples=60, deadline=None)
def test_what_was_sent_as_a_diff_or_a_file_comes_back(lines: list[str], data: st.DataObject) -> None:
    """For any change of a small file, its own diff and its new content give exactly the new file, fenced or not."""
    start = data.draw(st.integers(0, len(lines)))
    stop = data.draw(st.integers(start, len(lines)))
    new = [*lines[:start], *data.draw(st.lists(st.sampled_from(("a", "x", "")), max_size=4)), *lines[stop:]]
    base, after = ({**BASE, **tree_of({"a.txt": "".join(f"{row}\n" for row in rows)})} for rows in (lines, new))
    text = to_bytes(diff(base, after)).decode()
    if text:
        for message in (text, fenced(text, "diff"), f"Changed:\n\n{fenced(text, 'diff')}\nDone.\n"):
            assert extract(message, base).tree == after
    if new:
        content = "".join(f"{row}\n" for row in new)
        assert extract(f"a.txt\n{fenced(content, 'text')}", base).tree == after
