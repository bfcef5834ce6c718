"""Tasks of one file: a block of code, a whole program, what continues a stub, and everything that is none of them."""

from __future__ import annotations

import pytest

from gate.agents.extract import extract
from tests.agents.bench import tree_of
from tests.agents.test_extract_take import PIECE, fenced

HEAD = "from math import pi\n\n\n"
STUB = HEAD + 'def ring(radius: float) -> float:\n    """The length of a ring.\n\n    >>> ring(0.0)\n    0.0\n    """\n'
BODY = "    return 2 * pi * radius\n"
DONE = STUB + BODY
LONGER = BODY + "\n\ndef half(radius: float) -> float:\n    return ring(radius) / 2\n"
SCRIPT = "count = int(input())\nprint(count * 2)\n"
JS_STUB = "/** The larger one. */\nfunction larger(a, b) {\n"
JS_BODY = "  return a > b ? a : b;\n}\n"
JS_DONE = JS_STUB + JS_BODY + "\nmodule.exports = { larger };\n"

PYTHON = tree_of({"solution.py": STUB})
WRONG = tree_of({"src/ring.py": STUB + "    return radius\n", "tests/test_ring.py": "import ring\n"})
EMPTY = tree_of({"main.py": ""})
JAVASCRIPT = tree_of({"larger.js": JS_STUB, "larger.test.js": "test\n"})

EXAMPLE = fenced("print(ring(1.0))\n", "python")
OUTPUT = fenced("6.283185307179586\n")

TAKEN = {
    "code": (PYTHON, "code", fenced(DONE, "python"), DONE),
    "code, no tag": (PYTHON, "code", fenced(DONE), DONE),
    "code in prose": (PYTHON, "code", f"This is it:\n\n{fenced(DONE, 'python')}\nThe ring has radius r.\n", DONE),
    "code beside tests": (WRONG, "code", fenced(DONE, "py"), DONE),
    "code and how it is used": (PYTHON, "code", f"{fenced(DONE, 'python')}\nUse it:\n{EXAMPLE}\n{OUTPUT}", DONE),
    "code and a command": (PYTHON, "code", f"{fenced('pip install x', 'bash')}\n{fenced(DONE, 'python')}", DONE),
    "code after what it was": (WRONG, "code", f"{fenced(STUB + '    return radius')}\n{fenced(DONE)}", DONE),
    "code and a piece of a diff": (PYTHON, "code", f"{PIECE}\n{fenced(DONE, 'python')}", DONE),
    "code twice": (PYTHON, "code", fenced(DONE) * 2, DONE),
    "all of it beside a part": (
        tree_of({"a.py": DONE + "\n\ndef half(): ...\n"}),
        "code",
        f"{fenced('def half(): return 1')}\n{fenced(STUB + LONGER)}",
        STUB + LONGER,
    ),
    "a renamed function": (WRONG, "code", fenced(DONE.replace("ring", "hoop"), "python"), DONE.replace("ring", "hoop")),
    "code that does not parse": (PYTHON, "code", fenced("def ring(radius)\n    return 1\n", "python"), None),
    "the body in a fence": (PYTHON, "code", fenced(BODY, "python"), DONE),
    "program": (PYTHON, "program", DONE, DONE),
    "program, cut newline": (PYTHON, "program", DONE.rstrip("\n"), DONE),
    "program with more": (PYTHON, "program", STUB + LONGER, STUB + LONGER),
    "completion": (PYTHON, "completion", BODY, DONE),
    "completion, cut newline": (PYTHON, "completion", BODY.rstrip("\n"), DONE),
    "completion with a function": (PYTHON, "completion", LONGER, STUB + LONGER),
    "completion after an empty line": (PYTHON, "completion", f"\n{BODY}", f"{STUB}\n{BODY}"),
    "completion of a header": (
        tree_of({"s.py": "def one():\n"}),
        "completion",
        "    return 1\n",
        "def one():\n    return 1\n",
    ),
    "completion, CRLF": (PYTHON, "completion", BODY.replace("\n", "\r\n") + "    # done\r\n", f"{DONE}    # done\n"),
    "a script": (EMPTY, "program", SCRIPT, SCRIPT),
    "a script in a fence": (EMPTY, "code", fenced(SCRIPT, "python"), SCRIPT),
    "a script in a fence, no tag": (EMPTY, "code", fenced(SCRIPT), SCRIPT),
    "JavaScript code": (JAVASCRIPT, "code", fenced(JS_DONE, "js"), JS_DONE),
    "a JavaScript program": (JAVASCRIPT, "program", JS_DONE, JS_DONE),
    "a JavaScript completion": (JAVASCRIPT, "completion", JS_BODY, JS_STUB + JS_BODY),
    "an edit without a path": (
        WRONG,
        "search-replace",
        "<<<<<<< SEARCH\n    return radius\n=======\n    return 2 * pi * radius\n>>>>>>> REPLACE\n",
        DONE,
    ),
}


@pytest.mark.parametrize("name", TAKEN)
def test_the_one_file_is_made_of_what_names_no_file(name: str) -> None:
    """A block, a program or a completion is the one file there is, byte for byte as it must become."""
    base, shape, message, want = TAKEN[name]
    found = extract(message, base)
    assert (found.reason, found.shape) == ("", shape)
    assert found.tree is not None
    (path,) = [path for path in base if "test" not in path]
    text = want if want is not None else "def ring(radius)\n    return 1\n"
    assert found.tree == {**base, **tree_of({path: text})}


REFUSED = {
    "a word that parses": (PYTHON, "Done"),
    "a word for an empty file": (EMPTY, "Done"),
    "a note for an empty file": (EMPTY, "Answer: 42"),
    "prose": (PYTHON, "The ring has a length of two pi r, so I would return 2 * pi * radius.\n"),
    "prose, indented": (PYTHON, "    Done\n"),
    "prose that names the function": (JAVASCRIPT, "The function larger returns the larger one.\n"),
    "prose with a brace": (JAVASCRIPT, "The answer is }\n"),
    "prose for an empty file": (tree_of({"main.js": ""}), "Done"),
    "a command for an empty file": (EMPTY, fenced("python main.py", "bash")),
    "a comment and something else": (PYTHON, "    # as asked\nimport os\n"),
    "a statement that is not in the function": (PYTHON, "return 2 * pi * radius\n"),
    "a function without the one that is asked for": (PYTHON, "def hoop(radius):\n    return 1\n"),
    "an example": (PYTHON, f"Use it like this:\n\n{EXAMPLE}"),
    "an output": (PYTHON, OUTPUT),
    "a session": (PYTHON, fenced(">>> ring(0.0)\n0.0\n")),
    "a command": (PYTHON, fenced("def=1 python solution.py\n", "bash")),
    "another language": (PYTHON, fenced("function ring(r) { return r; }\n", "js")),
    "an empty block": (PYTHON, fenced("", "python")),
    "two that could be it": (PYTHON, f"{fenced(DONE)}\nor\n\n{fenced(DONE.replace('2 * pi', 'pi * 2'))}"),
    "two parts": (PYTHON, f"{fenced('def a(): ...')}\n{fenced('def b(): ...')}"),
    "a fence too many": (PYTHON, f"{fenced(DONE, 'python')}```\n"),
    "more than one file": (tree_of({"a.py": STUB, "b.py": ""}), DONE),
    "more than one file, in a fence": (tree_of({"a.py": STUB, "b.py": ""}), fenced(DONE, "python")),
    "only a test": (tree_of({"test_a.py": STUB}), fenced(DONE, "python")),
    "a JavaScript body that does not end": (JAVASCRIPT, "  return a > b ? a : b;\n"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_the_one_file_is_not_taken(name: str) -> None:
    """Prose that parses, examples, outputs, other languages and a choice of two leave the stub as it is."""
    base, message = REFUSED[name]
    found = extract(message, base)
    assert found.tree is None
    assert found.reason
