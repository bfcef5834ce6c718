"""The stand-in renames by syntax: what refers to the definition changes, what merely has its name stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from gate.models.standin import jsrename, pyrename
from gate.models.standin.understand import understand
from gate.outcome import AnswerStatus
from gate.sandbox.fence import Fence
from tests.agents.bench import Repo, loop, node_argv, pytest_argv

PYTHON = {
    "lib/__init__.py": 'from .calc import add, sub\n\n__all__ = ["add", "sub"]\n',
    "lib/calc.py": (
        '"""add is here."""\n\n\ndef add(a, b):\n    return a + b\n\n\ndef sub(a, b):\n    return add(a, -b)\n'
    ),
    "lib/seen.py": (
        "from lib import calc\nfrom lib.calc import add as plus\n\n\ndef note(items, add=None):\n"
        '    seen = set()\n    seen.add(calc.add(1, 2))  # add\n    return seen, add, plus(1, 2), "add"\n'
    ),
    "tests/test_calc.py": (
        "import lib\nfrom lib import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n"
        "    assert lib.add(1, 2) == 3\n    assert lib.sub(3, 1) == 2\n"
    ),
    "other.py": "from operator import add\n\nprint(add(1, 2))\n",
    "README.md": "Call `add`.\n",
    "conftest.py": "",
}

JAVASCRIPT = {
    "src/calc.js": "export function add(a, b) {\n  return a + b;\n}\n\nexport const sub = (a, b) => add(a, -b);\n",
    "src/index.js": "export { add, sub } from './calc.js';\n",
    "src/seen.js": (
        "import * as calc from './calc.js';\nimport { add as plus } from './index.js';\n\n"
        "export function note(add) {\n  const seen = new Set();\n  seen.add(calc.add(1, 2)); // add\n"
        "  return { seen, add, plus: plus(1, 2), text: 'add' };\n}\n"
    ),
    "test/calc.test.js": (
        "import test from 'node:test';\nimport assert from 'node:assert';\n"
        "import { add, sub } from '../src/index.js';\n\n"
        "test('add adds', () => {\n  assert.equal(add(1, 2), 3);\n  assert.equal(sub(3, 1), 2);\n});\n"
    ),
    "package.json": '{"name": "x", "type": "module"}\n',
}

PHRASES = (
    "Rename `add` to `plus2` and update callers.",
    "Rename export `add` to `plus2` and update callers. Do not change behavior.",
    "Rename the function `add()` in `src/calc.py` to `plus2()`.",
    "Please change the name of `add` to `plus2` everywhere.",
    "Renaming `add` -> `plus2` is due.",
    "The function `add` should be called `plus2`.",
    "Replace the name `add` with `plus2`.",
    "Give `add` the name `plus2`.",
    "Rename 'add' to 'plus2'.",
    "Rename `calc.add` to `plus2`.",
)


@pytest.mark.parametrize("phrase", PHRASES)
def test_several_phrasings_of_a_rename_are_understood(phrase: str) -> None:
    """Both names are found, whatever the sentence around them."""
    wish = understand(phrase)
    assert (wish.kind, wish.old, wish.new) == ("rename", "add", "plus2")


NOT_RENAMES = (
    "Fix the failing test of `add` so that it agrees with `sub`.",
    "Add a function `plus2` beside `add`.",
    "`add` returns the wrong sum. `sub` is right.",
    "Write tests for `add` and `sub`.",
    "Do something nice.",
)


@pytest.mark.parametrize("phrase", NOT_RENAMES)
def test_two_names_alone_do_not_make_a_rename(phrase: str) -> None:
    """A task that speaks of two names and asks for something else is not taken for a rename."""
    assert understand(phrase).kind != "rename"


def test_a_python_rename_in_the_copy(scratch: Path, fence: Fence) -> None:
    """Definition, imports, `__all__`, attributes of the module and callers change; set.add, a parameter, a string, a
    comment, the docs and another module's `add` do not; the tests still pass, within twelve calls."""
    repo = Repo.laid(scratch, fence, PYTHON)
    prompt = "Rename export `add` to `add_numbers` and update callers. Do not change behavior."
    answer = repo.answered(loop(), prompt, test_argv=pytest_argv("tests"), budget={"max_tool_calls": 12})
    assert (answer.status, "The tests pass." in answer.message) == (AnswerStatus.DONE, True)
    changed = repo.changed()
    assert set(changed) == {"lib/__init__.py", "lib/calc.py", "lib/seen.py", "tests/test_calc.py"}
    assert changed["lib/__init__.py"] == 'from .calc import add_numbers, sub\n\n__all__ = ["add_numbers", "sub"]\n'
    assert changed["lib/seen.py"] == PYTHON["lib/seen.py"].replace("calc.add(", "calc.add_numbers(").replace(
        "import add as", "import add_numbers as"
    )
    assert changed["lib/calc.py"] == PYTHON["lib/calc.py"].replace("def add(", "def add_numbers(").replace(
        "return add(", "return add_numbers("
    )


def test_a_javascript_rename_in_the_copy(scratch: Path, fence: Fence) -> None:
    """The same in JavaScript: exports, re-exports, namespace and named imports; not Set.add, not a parameter."""
    repo = Repo.laid(scratch, fence, JAVASCRIPT)
    prompt = "Rename export `add` to `addNumbers` and update callers."
    answer = repo.answered(loop(), prompt, test_argv=node_argv("test/calc.test.js"), budget={"max_tool_calls": 12})
    assert (answer.status, "The tests pass." in answer.message) == (AnswerStatus.DONE, True)
    changed = repo.changed()
    assert set(changed) == {"src/calc.js", "src/index.js", "src/seen.js", "test/calc.test.js"}
    assert changed["src/seen.js"] == JAVASCRIPT["src/seen.js"].replace("calc.add(", "calc.addNumbers(").replace(
        "{ add as", "{ addNumbers as"
    )
    assert changed["test/calc.test.js"] == (
        JAVASCRIPT["test/calc.test.js"].replace("{ add,", "{ addNumbers,").replace("(add(", "(addNumbers(")
    )


PYTHON_CASES = (
    # what the file says, what it must say after `old` became `new`
    ("def old():\n    global old\n    old = 1\n", "def new():\n    global new\n    new = 1\n"),
    ("old = 1\nx = [old for old in range(old)]\n", "new = 1\nx = [old for old in range(new)]\n"),
    ("def old(): pass\n\n\ndef f(g):\n    return {old for old in g}, old\n",
     "def new(): pass\n\n\ndef f(g):\n    return {old for old in g}, new\n"),
    ("@old\ndef f(old):\n    return old\n\n\ndef old(g):\n    return g\n",
     "@new\ndef f(old):\n    return old\n\n\ndef new(g):\n    return g\n"),
    ("def old(x=None):\n    return f'{old} {x}'\n", "def new(x=None):\n    return f'{new} {x}'\n"),
    ("class old:\n    def old(self):\n        return old\n", "class new:\n    def old(self):\n        return new\n"),
    ("def old(): pass\n\n\ndef f():\n    def old(): pass\n    return old\n",
     "def new(): pass\n\n\ndef f():\n    def old(): pass\n    return old\n"),
    ("def old(a: int) -> int:\n    return lambda old: old\n", "def new(a: int) -> int:\n    return lambda old: old\n"),
    ("é = 'é'; old = é\nold_er = bold = old\n", "é = 'é'; new = é\nold_er = bold = new\n"),
    ("def old():\r\n    return old\r\n", "def new():\r\n    return new\r\n"),
    ("if True:\n    old = 1\nelse:\n    old = 2\n", "if True:\n    new = 1\nelse:\n    new = 2\n"),
    ("def old(): pass\n\nf(old=old)\n", "def new(): pass\n\nf(old=new)\n"),
)  # fmt: skip


@pytest.mark.parametrize(("before", "after"), PYTHON_CASES)
def test_python_names_in_their_scopes(before: str, after: str) -> None:
    """Locals, parameters, methods and keywords of the same name are other things."""
    done, problem = pyrename.renamed({"m.py": before}, understand("Rename `old` to `new`."))
    assert (problem, done) == ("", {"m.py": after})


JAVASCRIPT_CASES = (
    ("function old() { return old; }\nmodule.exports = { old };\n",
     "function new2() { return new2; }\nmodule.exports = { new2 };\n"),
    ("const old = 1;\nconst o = { old };\nexport { old };\n",
     "const new2 = 1;\nconst o = { old: new2 };\nexport { new2 };\n"),
    ("exports.old = function () {};\nexports.x = () => exports.old();\n",
     "exports.new2 = function () {};\nexports.x = () => exports.new2();\n"),
    ("function old() {}\nfunction f({ old }) { return old; }\n",
     "function new2() {}\nfunction f({ old }) { return old; }\n"),
    ("function old() {}\nconst g = (old) => old.old;\n", "function new2() {}\nconst g = (old) => old.old;\n"),
    ("export const old = 1;\nconst t = `old ${old}`; const r = /old/;\n",
     "export const new2 = 1;\nconst t = `old ${new2}`; const r = /old/;\n"),
    ("class old {}\nconst x = new old();\nlabel.old = x.old;\n",
     "class new2 {}\nconst x = new new2();\nlabel.old = x.old;\n"),
    ("const $old = 1, old$ = 2, old = 3;\n", "const $old = 1, old$ = 2, new2 = 3;\n"),
)  # fmt: skip


@pytest.mark.parametrize(("before", "after"), JAVASCRIPT_CASES)
def test_javascript_names_in_their_scopes(before: str, after: str) -> None:
    """Properties, parameters, strings and parts of words of the same name are other things."""
    done, problem = jsrename.renamed({"m.js": before}, understand("Rename `old` to `new2`."))
    assert (problem, done) == ("", {"m.js": after})


def test_imports_across_commonjs_modules() -> None:
    """A destructured require, one under another name and one of the whole module all follow the definition."""
    texts = {
        "lib/a.js": "function old() {}\nmodule.exports = { old };\n",
        "b.js": "const { old } = require('./lib/a');\nold();\n",
        "c.js": "const { old: other } = require('./lib/a.js');\nother();\n",
        "d.js": "const a = require('./lib/a');\na.old();\n",
        "e.js": "const { old } = require('elsewhere');\nold();\n",
    }
    done, _ = jsrename.renamed(texts, understand("Rename `old` to `new2`."))
    assert done["b.js"] == "const { new2 } = require('./lib/a');\nnew2();\n"
    assert done["c.js"] == "const { new2: other } = require('./lib/a.js');\nother();\n"
    assert done["d.js"] == "const a = require('./lib/a');\na.new2();\n"
    assert done["e.js"] == texts["e.js"]


def test_a_method_is_renamed_with_its_accesses() -> None:
    """Where the name is a method, its definition and every access of an attribute of that name change."""
    texts = {"m.py": "class C:\n    def old(self):\n        return self.old\n\n\nC().old()\nold_thing = 1\n"}
    done, _ = pyrename.renamed(texts, understand("Rename the method `C.old` to `fresh`."))
    assert done["m.py"] == "class C:\n    def fresh(self):\n        return self.fresh\n\n\nC().fresh()\nold_thing = 1\n"
    scripts = {"m.js": "class C {\n  old() {\n    return this.old;\n  }\n}\nnew C().old();\nconst old = 1;\n"}
    done, _ = jsrename.renamed(scripts, understand("Rename the method `C.old` to `fresh`."))
    assert done["m.js"] == (
        "class C {\n  fresh() {\n    return this.fresh;\n  }\n}\nnew C().fresh();\nconst old = 1;\n"
    )


def test_comments_and_documents_change_only_when_asked(scratch: Path, fence: Fence) -> None:
    """A task that speaks of the documentation gets its README, comments and docstrings changed as well."""
    repo = Repo.laid(scratch, fence, PYTHON)
    prompt = "Rename `add` to `add_numbers`, in the code, the comments and the documentation."
    repo.answered(loop(), prompt)
    changed = repo.changed()
    assert changed["README.md"] == "Call `add_numbers`.\n"
    assert "# add_numbers\n" in str(changed["lib/seen.py"])
    assert str(changed["lib/calc.py"]).startswith('"""add_numbers is here."""')
    assert '"add"' in str(changed["lib/seen.py"])


DECLINED = (
    ("Rename `add` to `sub`.", "already defined in lib/calc.py"),
    ("Rename `nowhere` to `somewhere`.", "no definition of `nowhere`"),
    ("Rename `add` to `plus` in `lib/gone.py`.", "lib/gone.py, which does not exist"),
)


@pytest.mark.parametrize(("prompt", "reason"), DECLINED)
def test_what_cannot_be_renamed_is_declined(scratch: Path, fence: Fence, prompt: str, reason: str) -> None:
    """A clash, an unknown name and a file that is not there are each said, and nothing is changed or invented."""
    repo = Repo.laid(scratch, fence, PYTHON)
    answer = repo.answered(loop(), prompt)
    assert answer.status is AnswerStatus.DONE
    assert reason in answer.message
    assert "I changed nothing." in answer.message
    assert repo.changed() == {}


def test_a_rename_that_does_not_fit_the_budget_is_not_begun(scratch: Path, fence: Fence) -> None:
    """Half a rename is worse than none: with too few calls left for all files, no file is touched."""
    repo = Repo.laid(scratch, fence, PYTHON)
    answer = repo.answered(loop(), "Rename `add` to `add_numbers`.", budget={"max_tool_calls": 9})
    assert answer.status is AnswerStatus.DONE
    assert "I changed nothing." in answer.message
    assert repo.changed() == {}


def test_files_that_must_stay_are_left(scratch: Path, fence: Fence) -> None:
    """The frame around a task names files that must stay; those are left, and the message says so."""
    repo = Repo.laid(scratch, fence, PYTHON)
    prompt = "Task:\nRename `add` to `add_numbers`.\n\nFiles that must stay as they are: tests/**, *.lock\n"
    answer = repo.answered(loop(), prompt)
    assert "tests/test_calc.py" not in repo.changed()
    assert "Left as they are, as the task says: tests/test_calc.py." in answer.message
