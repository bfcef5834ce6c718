"""Each tool on a real copy in the real fence: what it must do, and what it must refuse with a clear message."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gate.agents.tools import MAX_TEXT, TOOL_NAMES
from gate.sandbox.fence import Fence
from gate.workspace.tree import File, Symlink
from tests.agents.bench import Hand, Repo

FILES: dict[str, Any] = {
    "src/calc.py": "def add(a, b):\n    return a + b\n\n\ndef sub(a, b):\n    return a - b\n",
    "src/deep/more.py": "VALUE = 1\n",
    "src/crlf.txt": "one\r\ntwo\r\nthree\r\n",
    "src/bare.txt": "no newline",
    "src/bell.txt": "a\fb\n\u2028c\nd\n",
    "src/empty.py": "",
    "latin.txt": "caf\xe9".encode("latin-1"),
    "picture.png": b"\x89PNG\0\0\0",
    "run.sh": File(b"#!/bin/sh\nexit 0\n", executable=True),
    "inner": Symlink("src/calc.py"),
    "passwd": Symlink("/etc/passwd"),
    "up": Symlink("../"),
    "round": Symlink("round"),
}


@pytest.fixture
def hand(scratch: Path, fence: Fence) -> Iterator[Hand]:
    """The tools over the files above."""
    with Hand(Repo.laid(scratch, fence, FILES)) as hand:
        yield hand


WORKS: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("list_files", {"glob": "*.py"}, "src/calc.py\nsrc/deep/more.py\nsrc/empty.py"),
    ("list_files", {"glob": "src/*.py"}, "src/calc.py\nsrc/empty.py"),
    ("list_files", {"glob": "nothing/**"}, "no file matches"),
    ("read_file", {"path": "src/deep/more.py"}, "src/deep/more.py: lines 1-1 of 1\nVALUE = 1\n"),
    ("read_file", {"path": "./src//deep/more.py"}, "./src//deep/more.py: lines 1-1 of 1\nVALUE = 1\n"),
    ("read_file", {"path": "src/calc.py", "first": 2, "last": 2}, "src/calc.py: lines 2-2 of 6\n    return a + b\n"),
    ("read_file", {"path": "src/calc.py", "first": 6, "last": 99}, "src/calc.py: lines 6-6 of 6\n    return a - b\n"),
    ("read_file", {"path": "src/crlf.txt"}, "src/crlf.txt: lines 1-3 of 3\none\r\ntwo\r\nthree\r\n"),
    ("read_file", {"path": "src/bare.txt"}, "src/bare.txt: lines 1-1 of 1\nno newline"),
    ("read_file", {"path": "src/bell.txt"}, "src/bell.txt: lines 1-3 of 3\na\fb\n\u2028c\nd\n"),
    ("read_file", {"path": "src/empty.py"}, "src/empty.py: empty"),
    ("read_file", {"path": "inner", "last": 1}, "inner: lines 1-1 of 6\ndef add(a, b):\n"),
    ("search", {"pattern": "a - b"}, "src/calc.py:6:     return a - b"),
    ("search", {"pattern": r"^def \w+\(", "regex": True, "glob": "src/*.py"},
     "src/calc.py:1: def add(a, b):\nsrc/calc.py:5: def sub(a, b):"),
    ("search", {"pattern": "value", "ignore_case": True}, "src/deep/more.py:1: VALUE = 1"),
    ("search", {"pattern": ".*"}, "no match"),
)  # fmt: skip


@pytest.mark.parametrize(("name", "arguments", "text"), WORKS)
def test_a_reading_tool_answers_exactly(hand: Hand, name: str, arguments: dict[str, Any], text: str) -> None:
    """What a reading tool answers is fixed to the character, line ends included."""
    result = hand(name, **arguments)
    assert result.ok, result.text
    if name == "search" and arguments["pattern"] == "a - b":
        assert text in result.text.split("\n")
    else:
        assert result.text == text


EDITS: tuple[tuple[str, dict[str, Any], str, str], ...] = (
    ("edit_file", {"path": "src/calc.py", "old": "a - b", "new": "b - a"}, "src/calc.py",
     "def add(a, b):\n    return a + b\n\n\ndef sub(a, b):\n    return b - a\n"),
    ("edit_file", {"path": "src/crlf.txt", "old": "two\n", "new": "2\n2\n"}, "src/crlf.txt",
     "one\r\n2\r\n2\r\nthree\r\n"),
    ("edit_file", {"path": "src/bare.txt", "old": "no newline", "new": "\u00e9\u4e2d\U0001f600"}, "src/bare.txt",
     "\u00e9\u4e2d\U0001f600"),
    ("edit_file", {"path": "inner", "old": "a + b", "new": "b + a"}, "src/calc.py",
     "def add(a, b):\n    return b + a\n\n\ndef sub(a, b):\n    return a - b\n"),
    ("write_file", {"path": "a/b/c.txt", "content": "new"}, "a/b/c.txt", "new"),
    ("write_file", {"path": "src/crlf.txt", "content": "x\ny\r\n"}, "src/crlf.txt", "x\ny\r\n"),
    ("write_file", {"path": "src/empty.py", "content": ""}, "src/empty.py", ""),
    ("write_file", {"path": "run.sh", "content": "#!/bin/sh\n"}, "run.sh", "#!/bin/sh\n"),
)  # fmt: skip


def test_a_writing_tool_leaves_exactly_what_it_was_told(scratch: Path, fence: Fence) -> None:
    """Each edit leaves the named bytes and touches no other file; modes stay."""
    for number, (name, arguments, path, text) in enumerate(EDITS):
        repo = Repo.laid(scratch, fence, FILES, f"repo-{number}")
        with Hand(repo) as hand:
            result = hand(name, **arguments)
        assert result.ok, result.text
        assert (repo.root / path).read_bytes().decode() == text
        assert set(repo.changed()) <= {path}
        assert (repo.root / "run.sh").stat().st_mode & 0o111


REFUSED: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("read_file", {"path": "/etc/passwd"}, "absolute paths are refused"),
    ("read_file", {"path": "~/x"}, "absolute paths are refused"),
    ("read_file", {"path": "../secret"}, "`..` is refused"),
    ("read_file", {"path": "src/../src/calc.py"}, "`..` is refused"),
    ("read_file", {"path": "passwd"}, "leads out of the repository"),
    ("read_file", {"path": "up/x"}, "leads out of the repository"),
    ("read_file", {"path": "round"}, "round"),
    ("read_file", {"path": ""}, "a path must be given"),
    ("read_file", {"path": "src\0x"}, "a path must be given"),
    ("read_file", {"path": "src"}, "is a folder"),
    ("read_file", {"path": "nowhere.py"}, "No such file"),
    ("read_file", {"path": "x" * 5000}, "too long"),
    ("read_file", {"path": "picture.png"}, "is a binary file"),
    ("read_file", {"path": "latin.txt"}, "is not UTF-8 text"),
    ("read_file", {"path": ".git/config"}, "`.git` is not part of the task"),
    ("read_file", {"path": "src/calc.py", "first": 7}, "has 6 lines"),
    ("read_file", {"path": "src/calc.py", "first": 3, "last": 2}, "is before first"),
    ("read_file", {"path": "src/calc.py", "first": 0}, "must be at least 1"),
    ("read_file", {"path": "src/calc.py", "first": True}, "must be a whole number"),
    ("read_file", {"path": 3}, "must be a string"),
    ("read_file", {}, "missing argument path"),
    ("read_file", {"path": "src/calc.py", "lines": 3}, "unknown argument 'lines'"),
    ("search", {"pattern": "(", "regex": True}, "not a regular expression"),
    ("search", {"pattern": "x", "regex": "yes"}, "must be true or false"),
    ("edit_file", {"path": "src/calc.py", "old": "a * b", "new": "x"}, "does not occur"),
    ("edit_file", {"path": "src/calc.py", "old": "  return a  + b", "new": "x"}, "the same but for white space"),
    ("edit_file", {"path": "src/calc.py", "old": "return a", "new": "x"}, "occurs 2 times (lines 2, 6)"),
    ("edit_file", {"path": "src/calc.py", "old": "", "new": "x"}, "is empty"),
    ("edit_file", {"path": "src/calc.py", "old": "a", "new": "a"}, "nothing to change"),
    ("edit_file", {"path": "nowhere.py", "old": "a", "new": "b"}, "No such file"),
    ("edit_file", {"path": "passwd", "old": "root", "new": "toor"}, "leads out of the repository"),
    ("edit_file", {"path": "src/calc.py", "old": "a + b", "new": "\ud800"}, "not valid Unicode"),
    ("write_file", {"path": "passwd", "content": "x"}, "leads out of the repository"),
    ("write_file", {"path": "up/evil", "content": "x"}, "leads out of the repository"),
    ("write_file", {"path": "src", "content": "x"}, "is a folder"),
    ("write_file", {"path": ".", "content": "x"}, "is a folder"),
    ("write_file", {"path": "src/calc.py/x", "content": "x"}, "a part of this path is a file"),
    ("write_file", {"path": ".git/hooks/post-commit", "content": "x"}, "`.git` is not part of the task"),
    ("write_file", {"path": ".GIT/config", "content": "x"}, "`.git` is not part of the task"),
    ("write_file", {"path": "big", "content": "x" * 1_000_001}, "longer than 1000000 characters"),
    ("shell", {"command": "ls"}, "there is no tool 'shell' here"),
    ("put", {"path": "x", "kind": "file"}, "there is no tool 'put' here"),
    ("run_tests", {}, "they shipped with the fix"),
)  # fmt: skip


def test_what_is_refused_says_why_and_changes_nothing(scratch: Path, fence: Fence) -> None:
    """Each refusal is a result with its reason; it is counted, and not a byte of the copy moves."""
    repo = Repo.laid(scratch, fence, FILES)
    (repo.root / ".git").mkdir()
    with Hand(repo) as hand:
        for name, arguments, reason in REFUSED:
            result = hand(name, **arguments)
            assert not result.ok, (name, arguments)
            assert reason in result.text, (name, arguments, result.text)
            assert str(scratch) not in result.text
        assert len(hand.belt.calls) == len(REFUSED)
    assert repo.changed() == {}


def test_the_harness_s_repository_is_not_listed(scratch: Path, fence: Fence) -> None:
    """A `.git` at the root is the harness's; a nested one is part of the files."""
    repo = Repo.laid(scratch, fence, {"a.txt": "x\n", "sub/.git/config": "x\n"})
    (repo.root / ".git").mkdir()
    (repo.root / ".git" / "HEAD").write_text("x\n")
    with Hand(repo) as hand:
        assert hand("list_files").text == "a.txt\nsub/.git/config"
        assert hand("search", pattern="x").text == "a.txt:1: x\nsub/.git/config:1: x"


def test_long_results_are_cut_and_say_so(scratch: Path, fence: Fence) -> None:
    """No result is longer than the cap, and a cut one ends with or starts with a note of it."""
    lines = "".join(f"line {number} {'x' * 90}\n" for number in range(2000))
    files = {"long.txt": lines, "wide.txt": "y" * 200_000, **{f"many/{n:04}.txt": "" for n in range(700)}}
    with Hand(Repo.laid(scratch, fence, files)) as hand:
        long, wide = hand("read_file", path="long.txt"), hand("read_file", path="wide.txt")
        names, found = hand("list_files"), hand("search", pattern="line")
    assert "cut: ask for the rest" in long.text.split("\n")[0]
    assert "cut: ask for the rest" in wide.text.split("\n")[0]
    assert names.text.endswith("[cut: 500 of 702 names are shown; give a narrower glob]")
    assert found.text.endswith("[cut: the first 200 matches are shown]")
    assert all(len(result.text) <= MAX_TEXT + 100 for result in (long, wide, names, found))


def test_a_cut_file_can_be_read_on(scratch: Path, fence: Fence) -> None:
    """Asking for the lines after a cut gives the rest, and the pieces join to the file."""
    text = "".join(f"line {number} {'x' * 90}\n" for number in range(1000))
    pieces, first = [], 1
    with Hand(Repo.laid(scratch, fence, {"long.txt": text})) as hand:
        while first <= 1000:
            head, _, body = hand("read_file", path="long.txt", first=first).text.partition("\n")
            pieces.append(body)
            first = int(head.split("-")[1].split(" ")[0]) + 1
    assert "".join(pieces) == text
    assert len(pieces) > 1


def test_only_offered_tools_exist(scratch: Path, fence: Fence) -> None:
    """A trial that offers two tools refuses the others and names the two."""
    with Hand(Repo.laid(scratch, fence, FILES), tools=("read_file", "search")) as hand:
        result = hand("write_file", path="x", content="")
    assert result.text == "there is no tool 'write_file' here; the tools are: read_file, search"


def test_every_call_is_recorded_with_its_result(scratch: Path, fence: Fence) -> None:
    """The trajectory holds a call and a result for each call, refused ones included, without scratch paths."""
    repo = Repo.laid(scratch, fence, FILES)
    with Hand(repo) as hand:
        hand("read_file", path="src/bare.txt")
        hand("read_file", path="../x")
    kinds = [(event["type"], event["id"], event.get("ok")) for event in repo.events]
    assert kinds == [
        ("tool_call", "call-1", None),
        ("tool_result", "call-1", True),
        ("tool_call", "call-2", None),
        ("tool_result", "call-2", False),
    ]
    assert str(scratch).encode() not in repo.trajectory()


def test_all_tools_have_a_verb(scratch: Path, fence: Fence) -> None:
    """Every name that is offered is answered by a tool, not by a crash."""
    with Hand(Repo.laid(scratch, fence, FILES)) as hand:
        for name in TOOL_NAMES:
            assert "missing argument" in (text := hand(name).text) or "there is no tool" not in text
