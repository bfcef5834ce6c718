"""Trees that go wrong easily: names and lines that other tools trip over, drawn by hypothesis."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import strategies as st

from gate.workspace.names import ancestors, decode
from gate.workspace.tree import File, Node, Symlink

NASTY_NAMES = [
    b"a",
    b"b",
    b"c.py",
    b"a b",
    b" lead",
    b"trail ",
    b"tab\there",
    b"new\nline",
    b'quo"te',
    b"back\\slash",
    b"\\101",
    b"\xff\xfe",
    b"cr\r",
    "naïve".encode(),
    "\u2028".encode(),
    "e\u0301".encode(),
    b"\x1b[31m",
    b"-",
    b"--- a",
    b"+++ b",
    b"a=>b",
    b"{a,b}",
    b".git",
    b".gitx",
    b"dev",
    b"null",
    b"\x7f",
]
NASTY_LINES = [
    b"",
    b"x",
    b"y",
    b"    return a",
    b"--- a/x",
    b"+++ b/x",
    b"-- ",
    b"++ ",
    b"@@ -1 +1 @@",
    b"@@ -1,3 +1,3 @@ f",
    b"diff --git a/x b/x",
    b"\\ No newline at end of file",
    b"GIT binary patch",
    b"\r",
    b"x\r",
    b"a\rb",
    b"\x0c",
    b"\x0b",
    b"\x1c\x1d\x1e",
    b"\x85",
    b"\xff",
    "\u2028\u2029\x85".encode(),
    b"\t",
    b" ",
    b"rename from a",
    b"deleted file mode 100644",
]

part = st.sampled_from(NASTY_NAMES) | st.binary(min_size=1, max_size=4).map(
    lambda name: name.replace(b"/", b"_").replace(b"\0", b"_")
).filter(lambda name: name not in (b".", b".."))
path = st.lists(part, min_size=1, max_size=3).map(lambda parts: decode(b"/".join(parts)))
lines = st.lists(
    st.sampled_from(NASTY_LINES) | st.binary(max_size=5).map(lambda line: line.replace(b"\n", b"")), max_size=14
)
text = st.builds(lambda rows, end: b"\n".join(rows) + end, lines, st.sampled_from([b"", b"\n"])).map(
    lambda data: data.replace(b"\0", b"_")
)
data = text | st.binary(max_size=40) | st.sampled_from([b"", b"\n", b"\0", b"\r\n", b"x"])
target = st.sampled_from(NASTY_NAMES).map(decode) | st.sampled_from(["../up", "/etc/passwd", "a\nb", "."])
node = st.builds(File, data, st.booleans()) | st.builds(File, data) | st.builds(Symlink, target)


def planted(pairs: Iterable[tuple[str, Node]], *, git: bool = True) -> dict[str, Node]:
    """A tree of those pairs that fit in one: no file is a folder, no root `.git`; without `git`, no `.git` at all."""
    tree: dict[str, Node] = {}
    for name, what in pairs:
        folders = ancestors(name)
        parts = name.lower().split("/")
        if parts[0] == ".git" or (not git and ".git" in parts):
            continue
        if (
            name in tree
            or any(folder in tree for folder in folders)
            or any(other.startswith(name + "/") for other in tree)
        ):
            continue
        tree[name] = what
    return tree


@st.composite
def tree(draw: st.DrawFn, git: bool = True) -> dict[str, Node]:
    """One tree."""
    return planted(draw(st.lists(st.tuples(path, node), max_size=6)), git=git)


@st.composite
def pair(draw: st.DrawFn, git: bool = True) -> tuple[dict[str, Node], dict[str, Node]]:
    """A tree and what edits, removals, moves and additions made of it."""
    before = draw(tree(git=git))
    after: list[tuple[str, Node]] = []
    for name, what in before.items():
        action = draw(st.sampled_from(["keep", "edit", "drop", "move", "mode", "type"]))
        if action == "keep":
            after.append((name, what))
        elif action == "edit":
            after.append(
                (
                    name,
                    File(draw(edited(what.data)), what.executable) if isinstance(what, File) else Symlink(draw(target)),
                )
            )
        elif action == "move":
            after.append((draw(path), what))
        elif action == "mode" and isinstance(what, File):
            after.append((name, File(what.data, not what.executable)))
        elif action == "type":
            after.append((name, Symlink("a") if isinstance(what, File) else File(b"a")))
    after += draw(st.lists(st.tuples(path, node), max_size=3))
    return before, planted(after, git=git)


@st.composite
def edited(draw: st.DrawFn, old: bytes) -> bytes:
    """The bytes with some lines replaced, removed or added."""
    rows = old.split(b"\n")
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(rows)))
        rows[at : at + draw(st.integers(0, 2))] = draw(st.lists(st.sampled_from(NASTY_LINES), max_size=2))
    return b"\n".join(rows)
