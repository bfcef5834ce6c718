"""Known-wrong versions of an answer: which must be made, which must not, and what holds of all of them."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.proof.mutants import LIMIT, Mutants, aliased, hollow, mutants
from gate.proof.sameness import meaning
from gate.workspace.tree import File, Tree
from tests.grading.bench import tree

ROOT = Path(__file__).parents[2]
PY, JS = "shop.py", "shop.js"


def text(source: str) -> str:
    """A source as it stands in a table: indented, and without the first line's end."""
    return textwrap.dedent(source).lstrip("\n")


def of(before: str, after: str, path: str = PY) -> Mutants:
    """The wrong versions of one file's answer."""
    return mutants(tree({path: text(before)}), tree({path: text(after)}))


def whats(found: Mutants) -> list[str]:
    """What each changed, without the place."""
    return [version.name.partition(" ")[2] for version in found.versions]


PYTHON = {
    "comparison": ("if a < b: c()", {"a < b -> a <= b", "a < b -> a >= b"}),
    "membership": ("x = a in b", {"a in b -> a not in b"}),
    "identity": ("x = a is not b", {"a is not b -> a is b"}),
    "arithmetic": ("x = (a + b) // c", {"a + b -> a - b", "(a + b) // c -> (a + b) * c"}),
    "boolean": ("x = a and b", {"a and b -> a or b"}),
    "off by one": ("x = a[3]", {"3 -> 4", "3 -> 2"}),
    "slice": ("x = a[b:]", {"b -> b + 1"}),
    "range": ("for i in range(n): c(i)", {"n -> n + 1"}),
    "condition": ("if a(): b()", {"a() -> not (a())", "b() -> (dropped)"}),
    "not": ("x = not a", {"not a -> (a)"}),
    "arguments": ("x = a(b, c)", {"b, c -> c, b"}),
    "literals": ("x = a('b', True, 1.5)", {"'b' -> \"\"", "True -> False", "1.5 -> 2.5"}),
    "raised": ("raise ValueError", {"ValueError -> RuntimeError", "raise ValueError -> (dropped)"}),
    "caught": ("try: a()\nexcept KeyError: b()", {"KeyError -> ZeroDivisionError"}),
    "augmented": ("x += 1", {"x += 1 -> x -= 1", "x += 1 -> (dropped)"}),
    "item": ("x['a'] = b", {"x['a'] = b -> (dropped)"}),
    "returned": ("def f():\n    return g()", {"return g() -> return None"}),
    "await": ("async def f():\n    g(await h())", {"await h() -> h()"}),
    "early": ("def f():\n    '''Do.'''\n    g()\n    h()", {"f: return None at its head", "g() -> (dropped)"}),
    "kept name": ("def f(a):\n    a = g(a)\n    return h(a)", {"a = g(a) -> (dropped)"}),
    "chain": ("x = a < b <= c", {"a < b <= c -> a <= b <= c", "a < b <= c -> a < b < c"}),
    "unicode before it": ("x = 'ä' if é > 1 else b", {"é > 1 -> é >= 1"}),
}
JAVASCRIPT = {
    "comparison": ("if (a < b) c();", {"a < b -> a <= b", "a < b -> a >= b"}),
    "equality": ("x = a === b;", {"a === b -> a !== b"}),
    "logic": ("x = a && b;", {"a && b -> a || b"}),
    "off by one": ("x = a[3];", {"3 -> 4", "3 -> 2"}),
    "bounds": ("x = a.slice(b);", {"b -> b + 1"}),
    "condition": ("if (a()) b();", {"a() -> !(a())", "b(); -> (dropped)"}),
    "arguments": ("x = a(b, c);", {"b, c -> c, b"}),
    "literals": ("x = a('b', true, /c/i);", {"'b' -> ''", "true -> false", "/c/i -> /(?!)/i"}),
    "thrown": ("throw new RangeError(`no ${a}`);", {"RangeError -> Error"}),
    "returned": ("function f() { return g(); }", {"return g(); -> return undefined;"}),
    "early": ("const f = (a) => a.b;", {"f: return undefined at its head"}),
    "await": ("const f = async () => { g(await h()); };", {"await h() -> h()"}),
    "counter": ("i++;", {"++ -> --"}),
}


@pytest.mark.parametrize("name", PYTHON)
def test_the_slips_of_python(name: str) -> None:
    """Each way to go wrong is made where the answer has a place for it."""
    after, expected = PYTHON[name]
    assert expected <= set(whats(of("z()\n", f"{after}\n")))


@pytest.mark.parametrize("name", JAVASCRIPT)
def test_the_slips_of_javascript(name: str) -> None:
    """The same of JavaScript."""
    after, expected = JAVASCRIPT[name]
    assert expected <= set(whats(of("z();\n", f"{after}\n", JS)))


SAME = "def f(a):\n    return a + 1\n"
NOTHING = {
    "a comment": (PY, SAME, SAME + "# Done.\n"),
    "a docstring": (PY, SAME, "def f(a):\n    '''One more.'''\n    return a + 1\n"),
    "layout": (PY, SAME, "def f(a):\n    return (a + 1)\n"),
    "a comment in JavaScript": (JS, "f(1);\n", "f(1); // now\n"),
    "prose": ("README.md", "1 < 2\n", "2 < 1\n"),
    "a test": ("tests/test_shop.py", "assert f(1) == 2\n", "assert f(2) == 3\n"),
    "a test of node": ("test/shop.test.js", "f(1);\n", "f(2);\n"),
    "a stub": ("shop.pyi", "x: int\n", "x: str\n"),
    "settings": ("package.json", "{}\n", '{"type": "module"}\n'),
    "nothing": (PY, SAME, SAME),
}


@pytest.mark.parametrize("name", NOTHING)
def test_what_is_no_program_is_not_spoilt(name: str) -> None:
    """Dropping what no program can notice is no wrong version, and tests and settings are not touched."""
    path, before, after = NOTHING[name]
    assert whats(of(before, after, path)) == []


def test_only_what_the_answer_changed_is_spoilt() -> None:
    """Lines that were there before stay as they are, whatever could go wrong in them."""
    found = of("a = 1 < 2\nb = 1\nc = 3 < 4\n", "a = 1 < 2\nb = 7\nc = 3 < 4\n")
    assert [version.name for version in found.versions] == [
        "shop.py:2 hunk dropped",
        "shop.py:2 7 -> 6",
        "shop.py:2 7 -> 8",
    ]


@pytest.mark.parametrize(
    ("after", "never"),
    [
        ("raise ValueError(f'no {a}: ' + 'b')", {"literal"}),
        ("assert a, 'words'", {"'words' -> \"\""}),
        ("a: 'Text' = b()", {"'Text'"}),
        ("x = f'{a + 1}'", {"a - 1", "1 -> 2"}),
        ("x = '%s' % a", {"'%s' % a -> "}),
        ("x = max(a, b)", {"a, b ->"}),
    ],
)
def test_what_no_test_should_have_to_pin_down(after: str, never: set[str]) -> None:
    """Messages of errors, annotations, and slips that could only be a TypeError are left alone."""
    found = whats(of("z()\n", f"{after}\n"))
    assert found
    assert [what for what in found if any(part in what for part in never)] == []


def test_a_hunk_is_dropped_by_itself() -> None:
    """Each of two hunks is taken back alone, down to the byte, and the fixture is none of the versions."""
    filler = "".join(f"v{number} = {number}\n" for number in range(10))
    before, after = f"a = 1\n{filler}b = 1\n", f"a = x\n{filler}b = x\n"
    found = mutants(tree({PY: before}), tree({PY: after}))
    made = {version.name: version.tree[PY] for version in found.versions}
    assert made == {
        "shop.py:1 hunk dropped": File(f"a = 1\n{filler}b = x\n".encode()),
        "shop.py:12 hunk dropped": File(f"a = x\n{filler}b = 1\n".encode()),
    }
    assert all(version.dropped for version in found.versions)


def test_a_single_hunk_is_dropped_in_halves() -> None:
    """Of an answer in one piece the whole is taken back, which is the defect itself, and each half of it."""
    before, after = "a()\n", "b()\nc()\nd()\ne()\n"
    made = {version.tree[PY] for version in of(before, after).versions if version.dropped}
    assert made == {File(b"a()\n"), File(b"d()\ne()\n"), File(b"b()\nc()\na()\n")}


def test_a_new_file_and_a_deleted_one_are_hunks() -> None:
    """What the answer adds is left out, what it deletes is left where it was."""
    found = mutants(tree({"old.py": "a = 1\n"}), tree({"new.py": "b = c\n"}))
    assert {version.name: sorted(version.tree) for version in found.versions} == {
        "new.py:1 file left out": [],
        "old.py:1 file left as it was": ["new.py", "old.py"],
    }


RENAME = (
    {PY: "def total(a):\n    return a + 1\n", "use.py": "from shop import total\nx = total(3)\n"},
    "total",
    "sum_of",
)


def renamed(old: str, new: str, files: dict[str, str]) -> Tree:
    """The files with one word for another."""
    return tree({path: source.replace(old, new) for path, source in files.items()})


def test_of_a_rename_only_parts_are_dropped() -> None:
    """Lines that a rename passes over are not its business; a part of it that is missing is."""
    files, old, new = RENAME
    found = mutants(tree(files), renamed(old, new, files))
    assert whats(found) == ["hunk dropped", "hunk dropped"]
    alias = aliased(tree(files), renamed(old, new, files))
    assert alias is not None
    assert alias[PY] == File(b"def sum_of(a):\n    return a + 1\n\n\ntotal = sum_of\n")


def test_another_function_is_no_rename() -> None:
    """A call that is exchanged for another one looks like a rename and is none, for nothing of that name is defined."""
    files = {PY: "from math import floor\nx = floor(a, 3)\n"}
    assert "3 -> 4" in whats(mutants(tree(files), renamed("floor", "ceil", files)))
    assert aliased(tree(files), renamed("floor", "ceil", files)) is None


def test_a_comparator_is_judged_by_the_sign_of_its_answer() -> None:
    """What `sort` cannot notice is the same program; what turns the order round, or lets ties move, is not."""
    after = "x = a.sort((b, c) => b.n - c.n || (b.s < c.s ? -1 : Number(b.s > c.s)));"
    found = of("x = a;\n", f"{after}\n", JS)
    assert found.equivalent == 3
    assert {"b.s < c.s -> b.s <= c.s", "-1 -> (1)", "1 -> 0"} <= set(whats(found))
    elsewhere = of("x = a;\n", "x = a.map((b, c) => b.s < c.s ? -1 : Number(b.s > c.s));\n", JS)
    assert elsewhere.equivalent == 0


PAIRS = {
    "comments": (PY, "a = 1  # one\n", "a = 1\n", True),
    "folded": (PY, "a = 2 * 3\n", "a = 6\n", True),
    "dead code": (PY, "def f():\n    return 1\n", "def f():\n    return 1\n    g()\n", True),
    "quotes": (PY, "a = 'b'\n", 'a = "b"\n', True),
    "types": (PY, "a = 1\n", "a = 1.0\n", False),
    "truth": (PY, "a = 1\n", "a = True\n", False),
    "signed zero": (PY, "a = 0.0\n", "a = -0.0\n", False),
    "set": (PY, "a = b in {1, 2}\n", "a = b in {1, 3}\n", False),
    "try": (PY, "try:\n    f()\n    g()\nexcept E: pass\n", "f()\ntry:\n    g()\nexcept E: pass\n", False),
    "parentheses": (JS, "x = (a * b) + c;\n", "x = a * b + c\n", True),
    "grouping": (JS, "x = (a + b) * c;\n", "x = a + b * c;\n", False),
    "quotes of JavaScript": (JS, "x = 'a';\n", 'x = "a";\n', True),
    "an empty loop": (JS, "for (;;) a();\n", "for (;a;) a();\n", False),
    "other text": ("a.json", "1\n", "1 \n", False),
}


@pytest.mark.parametrize("name", PAIRS)
def test_one_program_or_two(name: str) -> None:
    """Versions are one program only where no test could tell them apart."""
    path, left, right, same = PAIRS[name]
    one, other = meaning(path, File(left.encode())), meaning(path, File(right.encode()))
    assert one is not None
    assert (one == other) is same


def test_every_function_is_emptied() -> None:
    """The hollow tree returns at once from every function, in both languages, and still parses."""
    files = {
        PY: "def f(a):\n    '''Doc.'''\n    return a\n\n\nasync def g():\n    await f(1)\n",
        JS: "const f = (a) => a + 1;\n",
    }
    made = hollow(tree(files), "nothing")
    first = "def f(a):\n    '''Doc.'''\n    return None\n    return a\n\n\n"
    assert made[PY] == File(f"{first}async def g():\n    return None\n    await f(1)\n".encode())
    assert made[JS] == File(b"const f = (a) => undefined;\n")
    assert b"return object()" in content(hollow(tree(files), "something"), PY)


def content(found: Tree, path: str) -> bytes:
    """The bytes of a file."""
    node = found[path]
    assert isinstance(node, File)
    return node.data


SOURCES = sorted(
    path for path in (ROOT / "fixtures").rglob("*") if path.suffix in {".py", ".js"} and "test" not in str(path.parent)
)


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_what_holds_of_every_set_of_versions(data: st.DataObject) -> None:
    """Deterministic, bounded, each another program than the answer and than the others, names unique, one file each."""
    path = data.draw(st.sampled_from(SOURCES))
    lines = path.read_bytes().splitlines(keepends=True)
    start = data.draw(st.integers(0, len(lines)))
    cut = data.draw(st.integers(1, 12))
    name = f"a{path.suffix}"
    golden: Tree = {name: File(b"".join(lines)), "other.py": File(b"a = 1\n")}
    base: Tree = {**golden, name: File(b"".join([*lines[:start], *lines[start + cut :]]))}
    limit = data.draw(st.sampled_from([1, 5, LIMIT]))
    found = mutants(base, golden, limit=limit)
    assert found == mutants(base, golden, limit=limit)
    assert len(found.versions) <= limit
    assert len({version.name for version in found.versions}) == len(found.versions)
    meanings = [meaning(name, version.tree.get(name)) for version in found.versions]
    assert len(set(meanings)) == len(meanings)
    assert not {None, meaning(name, golden[name])} & set(meanings)
    assert all(version.tree["other.py"] == golden["other.py"] for version in found.versions)
    fewer = {version.name for version in mutants(base, golden, limit=1).versions}
    assert not found.versions or fewer <= {version.name for version in found.versions}
