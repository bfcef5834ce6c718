"""What must not be taken for an answer: prose and examples, what can be read in two ways, what leaves the tree."""

from __future__ import annotations

import pytest

from gate.agents.extract import extract
from gate.workspace.tree import Symlink
from tests.agents.bench import tree_of
from tests.agents.test_extract_take import (
    AFTER,
    BARE,
    BASE,
    BLOCK,
    COMMAND,
    DIFF,
    EDIT,
    FIXED,
    GIT,
    PIECE,
    PLAIN,
    ROWS,
    fenced,
)

TWICE = tree_of({"src/tiles.py": ROWS + ROWS, "NOTES.md": "x\n"})
HUNK = "--- a/{0}\n+++ b/{0}\n@@ -0,0 +1 @@\n+x\n"
NEW_FILE = "diff --git a/{0} b/{0}\nnew file mode 100644\n--- /dev/null\n+++ b/{0}\n@@ -0,0 +1 @@\n+x\n"
OTHER = FIXED.replace("side * side", "side ** 2")

NOTHING = {
    "nothing": "",
    "blank": " \n\n\t\n",
    "a word": "Done",
    "prose": "The sum should be a product. I would change `area` in `src/tiles.py` so that it multiplies.\n",
    "a refusal": "I cannot do that: src/paint.py does not exist.\n\nI changed nothing.\n",
    "a command": COMMAND,
    "a command under a list of files": f"Changed:\n- `src/tiles.py`\n\n{COMMAND}",
    "a command below a path": f"`src/tiles.py`\n\n{COMMAND}",
    "an output under a list of files": f"Changed:\n\n- `src/tiles.py`\n\n{fenced('2 passed')}",
    "an output under a list of other files": f"Changed:\n\n- `NOTES.md`\n\n{fenced('2 passed in 0.01s')}",
    "a block far below a path": f"I looked at\n\nsrc/tiles.py\n\n\n{BLOCK}",
    "an output without a tag below a path": f"Changed:\n\nsrc/tiles.py\n\n{fenced('2 passed in 0.01s')}",
    "an output below a path": f"src/tiles.py\n{fenced('2 passed', 'text')}",
    "an output": fenced("2 passed in 0.01s\n"),
    "a snippet": f"It should be:\n\n{fenced('    return side * side', 'python')}",
    "a whole file without its path": f"Here is `src/tiles.py`, in full, with the product:\n\n{BLOCK}",
    "a whole file that is not fenced": FIXED,
    "a citation with line numbers": fenced(ROWS, "1:9:src/tiles.py"),
    "a piece of a diff": PIECE,
    "names of files without hunks": "--- a/src/tiles.py\n+++ b/src/tiles.py\nThen multiply.\n",
    "a diff that is quoted": "".join(f"> {line}\n" for line in PLAIN.splitlines()),
    "a diff in a command": fenced(f"git apply <<'END'\n{PLAIN}END\n", "bash"),
    "a conflict": "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> main\n",
    "a framework": fenced("const x = 1\n", "node.js"),
}

UNCLEAR = {
    "a hunk that fits twice": (BARE, TWICE, "hunk 1 fits in more than one place (lines 1 and 10)"),
    "a hunk that fits twice, overlapping": (
        "--- a\n+++ a\n@@ @@\n x\n-x\n",
        tree_of({"a": "x\nx\nx\n"}),
        "(lines 1 and 2)",
    ),
    "two hunks of one line": (
        "--- src/tiles.py\n+++ src/tiles.py\n@@ @@\n-LIMIT = 10\n+LIMIT = 11\n@@ @@\n-LIMIT = 10\n+LIMIT = 12\n",
        BASE,
        "src/tiles.py: two hunks change the same lines",
    ),
    "an end of file in its middle": (
        "--- src/tiles.py\n+++ src/tiles.py\n@@ @@\n-def area(side):\n\\ No newline at end of file\n+def area(x):\n",
        BASE,
        "says that the file ends there, and it does not",
    ),
    "a change without a hunk": (
        fenced("diff --git a/NOTES.md b/NOTES.md\nold mode 100644\nnew mode 100755\n+x\n", "diff"),
        BASE,
        "a line of the diff belongs to no hunk: +x",
    ),
    "a hunk that fits nowhere": (PLAIN.replace("side + side", "side - side"), BASE, "hunk 1 fits nowhere"),
    "a hunk without context": (
        "--- src/tiles.py\n+++ src/tiles.py\n@@ @@\n+import os\n",
        BASE,
        "hunk 1 has no line of context",
    ),
    "an empty hunk": ("--- src/tiles.py\n+++ src/tiles.py\n@@ -1 +1 @@\n", BASE, "a hunk is empty"),
    "two hunks in one place": (
        f"{DIFF}\n{fenced(PLAIN.replace('side * side', 'side ** 2'), 'diff')}",
        BASE,
        "hunk 1 fits nowhere",
    ),
    "a diff of a missing file": (PLAIN.replace("tiles", "walls"), BASE, "src/walls.py: does not exist"),
    "a diff without the folder": (PLAIN.replace("src/", ""), BASE, "tiles.py: does not exist"),
    "a new file that is there": (NEW_FILE.format("NOTES.md"), BASE, "NOTES.md: exists already"),
    "a deletion that leaves lines": (
        "--- a/src/tiles.py\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-def area(side):\n-    return side + side\n",
        BASE,
        "is deleted, but not all of its lines are",
    ),
    "a diff of two files": ("--- a/NOTES.md\n+++ b/src/tiles.py\n@@ -1 +1 @@\n-a\n+b\n", BASE, "different files"),
    "lines after the end of a hunk": (
        fenced(f"{PLAIN.replace('-1,4 +1,4', '-1,2 +1,2')}and then\n+LIMIT = 11\n", "diff"),
        BASE,
        "a line of a hunk has no mark: and then",
    ),
    "a stray line of change": (
        fenced(f"{PLAIN}and then\n+LIMIT = 11\n", "diff"),
        BASE,
        "a line of a hunk has no mark: and then",
    ),
    "a diff without an end": (f"```diff\n{BARE}```python\nx\n```\n", BASE, "a line of a hunk has no mark: ```python"),
    "a binary that differs": (
        "diff --git a/x.bin b/x.bin\nindex 1..2 100644\nBinary files a/x.bin and b/x.bin differ\n",
        BASE,
        "not how",
    ),
    "two contents of one file": (
        f"src/tiles.py\n{BLOCK}\nsrc/tiles.py\n{fenced(OTHER)}",
        BASE,
        "src/tiles.py: two blocks give it different contents",
    ),
    "two shapes that differ": (
        f"{DIFF}\nsrc/tiles.py\n{fenced(OTHER)}",
        BASE,
        "src/tiles.py: the message holds it in two shapes, and they differ",
    ),
    "two paths for one block": (
        f"src/walls.py\n{fenced(FIXED, 'python src/tiles.py')}",
        BASE,
        "said to be src/walls.py above it and src/tiles.py",
    ),
    "a bare name of a deep file": (f"tiles.py\n{BLOCK}", BASE, "there is no tiles.py, but src/tiles.py"),
    "an empty block for a file": (fenced("", "python src/tiles.py"), BASE, "src/tiles.py: its block is empty"),
    "a link": (f"at.py\n{BLOCK}", {**BASE, "at.py": Symlink("src/tiles.py")}, "at.py is a link, not a file"),
    "a binary": (PLAIN, tree_of({"src/tiles.py": b"\0"}), "src/tiles.py is not a text file"),
    "a fence too many": (f"src/tiles.py\n{BLOCK}```\n", BASE, "do not pair up"),
    "fences in a fence": ("README.md\n```\nUse:\n```\nx\n```\n```\n", BASE, "do not pair up"),
    "fences in a text": ("notes.txt\n```\nUse:\n```\nx\n```\n```\n", BASE, "do not pair up"),
    "fences in Markdown": ("README.md\n```md\nUse:\n```\nx\n```\nThen y.\n```\n", BASE, "do not pair up"),
    "an edit that fits twice": (f"src/tiles.py\n{EDIT}", TWICE, "fits in more than one place (lines 2 and 11)"),
    "an edit that fits nowhere": (f"src/tiles.py\n{EDIT.replace('side +', 'side -')}", BASE, "fits nowhere"),
    "an edit of a missing file": (f"src/walls.py\n{EDIT}", BASE, "src/walls.py: does not exist"),
    "an edit of no file": (EDIT, BASE, "does not say which file"),
    "an edit that does not end": (f"src/tiles.py\n{EDIT.rpartition('>>>>')[0]}", BASE, "does not end"),
    "an edit with two dividers": (
        f"src/tiles.py\n{EDIT.replace('=======', '=======' + chr(10) + '=======')}",
        BASE,
        "needs exactly one line of =======",
    ),
    "an empty search in a file": (
        "src/tiles.py\n<<<<<<< SEARCH\n=======\nX = 1\n>>>>>>> REPLACE\n",
        BASE,
        "exists already",
    ),
    "a diff out of the tree": (HUNK.format("../x.py"), BASE, "leaves the tree"),
    "a diff of an absolute path": (NEW_FILE.format("x").replace("b/x", "/etc/x"), BASE, "is absolute"),
    "a diff into .git": (NEW_FILE.format(".git/hooks/post-checkout"), BASE, "the repository's own .git"),
    "a block out of the tree": (fenced("x\n", "python ../x.py"), BASE, "leaves the tree"),
    "a block at an absolute path": (f"/etc/cron.d/x.py\n{fenced('x')}", BASE, "is absolute"),
    "a block in .git": (fenced("x\n", "bash .git/hooks/pre-commit"), BASE, "the repository's own .git"),
    "a block above the tree by dots": (fenced("x\n", "python src/../../x.py"), BASE, "leaves the tree"),
    "an edit in .GIT": (".GIT/config\n<<<<<<< SEARCH\n=======\nx\n>>>>>>> REPLACE\n", BASE, "own .git"),
    "a block below a file": (fenced("x\n", "python NOTES.md/x.py"), BASE, "lies below the file NOTES.md"),
    "a block that is a folder": (fenced("x\n", "src/"), BASE, "is not in its shortest form"),
}


@pytest.mark.parametrize("message", [pytest.param(text, id=name) for name, text in NOTHING.items()])
def test_what_is_no_answer_is_not_taken(message: str) -> None:
    """Prose, commands, outputs and snippets leave the tree alone, and a reason says why nothing was taken."""
    found = extract(message, BASE)
    assert found.tree is None
    assert found.reason


@pytest.mark.parametrize("name", UNCLEAR)
def test_what_is_unclear_is_refused_with_its_reason(name: str) -> None:
    """Two readings, a path out of the tree, a change that fits nowhere: refused, never guessed."""
    message, base, reason = UNCLEAR[name]
    found = extract(message, base)
    assert found.tree is None
    assert reason in found.reason


def test_a_clear_answer_beside_an_unclear_one_is_not_half_taken() -> None:
    """A message is one answer: a hunk that fits does not go in without the one that does not."""
    broken = "--- a/NOTES.md\n+++ b/NOTES.md\n@@ -1 +1 @@\n-Walls\n+Squares\n"
    assert extract(GIT, BASE).tree == AFTER
    assert extract(GIT + broken, BASE).tree is None
    assert extract(f"{DIFF}\n{fenced(broken, 'diff')}", BASE).tree is None


def test_a_hunk_that_the_exact_rules_pass_over_is_not_lost() -> None:
    """Exact rules skip a section without numbers; taking only its neighbour would be half an answer."""
    notes = "--- a/NOTES.md\n+++ b/NOTES.md\n@@ ... @@\n-Tiles\n+Squares\n"
    want = {**AFTER, **tree_of({"NOTES.md": "Squares\n\n| a | b |\n"})}
    assert extract(GIT + notes, BASE).tree == want
    assert extract(notes + GIT, BASE).tree == want
