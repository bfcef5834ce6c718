"""One change as git writes it: headers with modes and ids, then hunks, or a binary patch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gate.workspace.binary import blob_id, literal
from gate.workspace.lines import CONTEXT, Block, hunks, is_text, split
from gate.workspace.names import quote
from gate.workspace.tree import Node, content, git_mode

NO_NEWLINE = b"\\ No newline at end of file\n"

_NO_BLOB = "0" * 40


def render(path: str, before: Node | None, after: Node | None) -> bytes:
    """The section or sections of one path. A file that becomes a link is removed and made anew, as git has it."""
    if before is not None and after is not None and type(before) is not type(after):
        return render(path, before, None) + render(path, None, after)
    return b"".join(_section(path, before, after))


def _section(path: str, before: Node | None, after: Node | None) -> Iterator[bytes]:
    # Where no --- and +++ lines follow, git reads the names here, and stumbles over a blank before a slash.
    hard = " /" in path
    yield f"diff --git {quote('a/' + path, always=hard)} {quote('b/' + path, always=hard)}\n".encode("ascii")
    yield from _modes(before, after)
    data_old = content(before) if before is not None else b""
    data_new = content(after) if after is not None else b""
    if data_old == data_new and before is not None and after is not None:
        return
    yield _index(before, after)
    if not is_text(data_old) or not is_text(data_new):
        yield b"GIT binary patch\n" + literal(data_new) + literal(data_old)
        return
    if data_old == data_new:
        return
    yield f"--- {_named('a/' + path) if before is not None else '/dev/null'}\n".encode("ascii")
    yield f"+++ {_named('b/' + path) if after is not None else '/dev/null'}\n".encode("ascii")
    lines_old, lines_new = split(data_old), split(data_new)
    for group in hunks(lines_old, lines_new):
        yield from _hunk(lines_old, lines_new, group)


def _modes(before: Node | None, after: Node | None) -> Iterator[bytes]:
    if before is None and after is not None:
        yield f"new file mode {git_mode(after)}\n".encode("ascii")
    elif before is not None and after is None:
        yield f"deleted file mode {git_mode(before)}\n".encode("ascii")
    elif before is not None and after is not None and git_mode(before) != git_mode(after):
        yield f"old mode {git_mode(before)}\nnew mode {git_mode(after)}\n".encode("ascii")


def _index(before: Node | None, after: Node | None) -> bytes:
    old = blob_id(content(before)) if before is not None else _NO_BLOB
    new = blob_id(content(after)) if after is not None else _NO_BLOB
    same = before is not None and after is not None and git_mode(before) == git_mode(after)
    mode = f" {git_mode(before)}" if same and before is not None else ""
    return f"index {old}..{new}{mode}\n".encode("ascii")


def _named(name: str) -> str:
    """A tab after a name with a space keeps other readers from taking what follows the space for a date."""
    quoted = quote(name)
    return quoted + "\t" if " " in name and quoted == name else quoted


def _hunk(old: Sequence[bytes], new: Sequence[bytes], group: list[Block]) -> Iterator[bytes]:
    first, last = group[0], group[-1]
    lead = min(CONTEXT, first.i1)
    i1, j1 = first.i1 - lead, first.j1 - lead
    i2 = min(len(old), last.i2 + CONTEXT)
    j2 = last.j2 + i2 - last.i2
    yield f"@@ -{_range(i1, i2)} +{_range(j1, j2)} @@\n".encode("ascii")
    at = i1
    for block in group:
        yield from _marked(b" ", old[at : block.i1])
        yield from _marked(b"-", old[block.i1 : block.i2])
        yield from _marked(b"+", new[block.j1 : block.j2])
        at = block.i2
    yield from _marked(b" ", old[at:i2])


def _range(start: int, end: int) -> str:
    """Lines count from one; an empty range names the line before it."""
    count = end - start
    if count == 1:
        return str(start + 1)
    return f"{start + 1 if count else start},{count}"


def _marked(mark: bytes, lines: Sequence[bytes]) -> Iterator[bytes]:
    for line in lines:
        yield mark + line
        if not line.endswith(b"\n"):
            yield b"\n" + NO_NEWLINE
