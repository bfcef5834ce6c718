"""Answers that must be taken out of a message, each in every dress that agents put on it."""

from __future__ import annotations

import pytest

from gate.agents.extract import extract
from gate.workspace.patch import diff, to_bytes
from gate.workspace.tree import Node
from tests.agents.bench import tree_of

ROWS = "def area(side):\n    return side + side\n\n\ndef edge(area):\n    return area / 4\n\n\nLIMIT = 10\n"
FIXED = ROWS.replace("side + side", "side * side")
NOTES = "Tiles\n\n| a | b |\n"

BASE = tree_of({"src/tiles.py": ROWS, "NOTES.md": NOTES, "tests/test_tiles.py": "import tiles\n"})
AFTER = {**BASE, **tree_of({"src/tiles.py": FIXED})}

PLAIN = """\
--- src/tiles.py
+++ src/tiles.py
@@ -1,4 +1,4 @@
 def area(side):
-    return side + side
+    return side * side
_
_
""".replace("_", " ")
GIT = to_bytes(diff(BASE, AFTER)).decode()
BARE = PLAIN.replace("@@ -1,4 +1,4 @@", "@@ ... @@")
EDIT = """\
<<<<<<< SEARCH
    return side + side
=======
    return side * side
>>>>>>> REPLACE
"""


def fenced(text: str, info: str = "", marks: str = "```") -> str:
    """The text in a fence, with a newline at its end."""
    end = "" if not text or text.endswith("\n") else "\n"
    return f"{marks}{info}\n{text}{end}{marks}\n"


def indented(text: str, by: str = "   ") -> str:
    """The text moved to the right, empty lines left empty."""
    return "".join(by + line if line.strip() else line for line in text.splitlines(keepends=True))


MAIL = f"From {'0' * 40} Mon Sep 17\nSubject: [PATCH] x\n\n---\n t.py | 2 +-\n\n{GIT}-- \n2.43.0\n"
DIFF = fenced(PLAIN, "diff")
PIECE = fenced("-side + side\n+side * side\n", "diff")
COMMAND = fenced("pytest -q\n", "bash")
BLOCK = fenced(FIXED, "python")
COMMENTED = fenced(f"# src/tiles.py\n{FIXED}", "python src/tiles.py")

DIFFS = {
    "git": GIT,
    "plain": PLAIN,
    "with prefixes": PLAIN.replace("--- src", "--- a/src").replace("+++ src", "+++ b/src"),
    "one prefix on both sides": PLAIN.replace("--- src", "--- a/src").replace("+++ src", "+++ a/src"),
    "with dates": PLAIN.replace(".py\n", ".py\t2026-01-02 03:04:05.000 +0000\n", 2),
    "counts too large": PLAIN.replace("-1,4 +1,4", "-1,9 +1,9"),
    "counts too small": PLAIN.replace("-1,4 +1,4", "-1,2 +1,2"),
    "counts of nothing": PLAIN.replace("-1,4 +1,4", "-0,0 +0,0"),
    "at another line": PLAIN.replace("-1,4 +1,4", "-31,4 +31,4"),
    "numbers left out": BARE,
    "a heading for numbers": BARE.replace("@@ ... @@", "@@ def area(side):"),
    "an empty hunk header": BARE.replace("@@ ... @@", "@@"),
    "CRLF": PLAIN.replace("\n", "\r\n"),
    "git, CRLF": GIT.replace("\n", "\r\n"),
    "no newline at the end": PLAIN.rstrip("\n"),
    "blank context cut off": PLAIN.replace("\n \n", "\n\n"),
    "no context after": PLAIN.replace(" \n", "").replace("-1,4 +1,4", "-1,2 +1,2"),
    "no context after, no newline": PLAIN.replace(" \n", "").rstrip("\n"),
    "in prose": f"I multiply now.\n\n{GIT}\nThat is all.\n",
    "in prose, wrong counts": f"I multiply now.\n\n{BARE}\nThat is all.\n",
    "before a list": f"{GIT}\n- one line changed\n- no tests touched\n",
    "fenced": fenced(GIT, "diff"),
    "fenced as patch": fenced(PLAIN, "patch"),
    "fenced without a tag": fenced(PLAIN),
    "fenced with tildes": fenced(PLAIN, "diff", "~~~"),
    "in a longer fence": fenced(PLAIN, "diff", "`````"),
    "fenced, wrong counts": fenced(BARE, "diff"),
    "fenced, not closed": fenced(PLAIN, "diff").removesuffix("```\n"),
    "fenced in prose": f"Here:\n\n{fenced(GIT, 'diff')}\nThis multiplies, see `git diff`.\n",
    "fenced, CRLF": fenced(PLAIN, "diff").replace("\n", "\r\n"),
    "fenced in a list": f"1. The change:\n\n{indented(DIFF)}\n2. Done.\n",
    "a list item that is a fence": "- " + indented(DIFF, "  ").lstrip(),
    "after a fence too many": f"{COMMAND}```\n{PLAIN}",
    "twice the same": f"{DIFF}\nAgain, in full:\n\n{DIFF}",
    "a mail": MAIL,
    "a mail, fenced": fenced(MAIL),
    "a commit, fenced": fenced(f"commit {'a' * 40}\nAuthor: A <a@b>\n\n    Multiply\n\n{GIT}"),
    "with a command beside it": f"{COMMAND}\n{DIFF}",
    "with the file as it was": f"`src/tiles.py`\n{fenced(ROWS, 'python')}\n{DIFF}",
    "with the file as it becomes": f"{DIFF}\n`src/tiles.py`\n{BLOCK}",
    "with a piece that names no file": f"{PIECE}\n{DIFF}",
}

PATHS = {
    "after the tag": fenced(FIXED, "python src/tiles.py"),
    "as the tag": fenced(FIXED, "src/tiles.py"),
    "as a title": fenced(FIXED, 'python title="src/tiles.py"'),
    "as a filename": fenced(FIXED, "py {filename='src/tiles.py' linenos=true}"),
    "after a colon": fenced(FIXED, "python:src/tiles.py"),
    "with a dot before it": fenced(FIXED, "python ./src/tiles.py"),
    "above": f"src/tiles.py\n{BLOCK}",
    "above, no tag": f"src/tiles.py\n{fenced(FIXED)}",
    "above, ticks": f"`src/tiles.py`\n\n{BLOCK}",
    "above, ticks and a colon": f"`src/tiles.py`:\n{BLOCK}",
    "above, bold": f"**src/tiles.py**\n{BLOCK}",
    "above, bold ticks": f"**`src/tiles.py`:**\n{BLOCK}",
    "above, a heading": f"### src/tiles.py\n\n{BLOCK}",
    "above, a heading with ticks": f"## `src/tiles.py` (modified)\n\n{BLOCK}",
    "above, a numbered heading": f"### 1. `src/tiles.py`\n\n{BLOCK}",
    "above, a numbered heading in bold": f"**2) src/tiles.py:**\n{BLOCK}",
    "above, a keyword": f"File: src/tiles.py\n{BLOCK}",
    "above, a bold keyword": f"**File:** `src/tiles.py`\n{BLOCK}",
    "above, in a list": f"1. `src/tiles.py`:\n\n{indented(BLOCK)}",
    "in a comment": fenced("# src/tiles.py\n" + FIXED, "python"),
    "in a comment with a keyword": fenced("# File: src/tiles.py\n" + FIXED, "python"),
    "in all three places": f"src/tiles.py\n{COMMENTED}",
    "only the fence is indented": f"  ```python src/tiles.py\n{FIXED}  ```\n",
    "cut off at the end of the message": f"src/tiles.py\n{BLOCK}".removesuffix("```\n"),
    "CRLF": f"src/tiles.py\n{BLOCK}".replace("\n", "\r\n"),
    "with another block": f"src/tiles.py\n{BLOCK}\nTry it:\n\n{COMMAND}",
    "with what a test run printed under its name": f"src/tiles.py\n{BLOCK}\nsrc/tiles.py\n{fenced('2 passed in 0.1s')}",
    "as it was, then as it becomes": f"src/tiles.py\n{fenced(ROWS)}\nsrc/tiles.py\n{fenced(FIXED)}",
    "twice the same": f"src/tiles.py\n{fenced(FIXED)}\n" * 2,
}

FENCED_EDIT = fenced(f"src/tiles.py\n{EDIT}")

EDITS = {
    "a path above": f"src/tiles.py\n{EDIT}",
    "a path above, in a fence": fenced(f"src/tiles.py\n{EDIT}"),
    "a path above the fence": f"src/tiles.py\n{fenced(EDIT, 'python')}",
    "a path in the info": fenced(EDIT, "python src/tiles.py"),
    "a path in a comment": fenced(f"# src/tiles.py\n{EDIT}", "python"),
    "decorated": f"### `src/tiles.py`\n\n{EDIT}",
    "in prose": f"I change one line.\n\nsrc/tiles.py\n{EDIT}\nDone.\n",
    "CRLF": f"src/tiles.py\n{EDIT}".replace("\n", "\r\n"),
    "fewer marks": f"src/tiles.py\n{EDIT}".replace("<<<<<<<", "<<<<<").replace("=======", "====="),
    "white space at the ends of lines": f"src/tiles.py\n{EDIT.replace('side + side', 'side + side  ')}",
    "in two steps": f"src/tiles.py\n{EDIT.replace('side * side', 'side')}\n"
    "<<<<<<< SEARCH\n    return side\n=======\n    return side * side\n>>>>>>> REPLACE\n",
    "twice the same": f"src/tiles.py\n{EDIT}\nsrc/tiles.py\n{EDIT}",
    "in a list": f"1. Multiply:\n\n{indented(FENCED_EDIT)}",
}


@pytest.mark.parametrize(
    ("shape", "message"),
    [
        pytest.param(shape, message, id=f"{shape}: {name}")
        for shape, table in (("diff", DIFFS), ("whole-files", PATHS), ("search-replace", EDITS))
        for name, message in table.items()
    ],
)
def test_the_same_change_in_every_dress(shape: str, message: str) -> None:
    """One small change ends as the same tree, however an agent dresses it."""
    found = extract(message, BASE)
    assert found.reason == ""
    assert found.tree == AFTER
    assert shape in found.shape.split("+")


def _after(message: str, base: dict[str, Node]) -> dict[str, Node]:
    found = extract(message, base)
    assert found.reason == ""
    assert found.tree is not None
    return dict(found.tree)


def test_several_files_in_several_blocks() -> None:
    """Diffs, whole files and edits of different files are one answer."""
    notes = "--- a/NOTES.md\n+++ b/NOTES.md\n@@ -1 +1 @@\n-Tiles\n+Squares\n"
    new = fenced("X = 1\n", "python")
    message = f"{fenced(notes, 'diff')}\nsrc/tiles.py\n{EDIT}\nsrc/new.py\n{new}"
    want = {**AFTER, **tree_of({"NOTES.md": NOTES.replace("Tiles", "Squares"), "src/new.py": "X = 1\n"})}
    assert _after(message, BASE) == want
    assert extract(message, BASE).shape == "diff+search-replace+whole-files"
