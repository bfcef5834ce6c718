"""What the sections of a diff make of a tree: exactly as written, or each hunk at the only place that it fits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from gate.agents.extract.diffs import Hunk, Section
from gate.agents.extract.text import Text, encoded, place
from gate.agents.extract.unclear import MAX_PIECES, Unclear
from gate.workspace.patch import apply_bytes, diff
from gate.workspace.sections import PatchError, sections
from gate.workspace.tree import File, Node, Tree

Made = dict[str, Node | None]
"""What an answer makes of some paths; None where it takes one away."""

_Change = tuple[int, int, list[str]]
"""The lines from the first to before the second number are replaced by others."""


def apply(found: Sequence[Section], base: Tree) -> Made:
    """The changed paths after a diff. Raises Unclear where a hunk fits nowhere, or in more than one place."""
    unique = list(dict.fromkeys(found))  # a diff shown twice is one diff
    if sum(len(section.hunks) for section in unique) > MAX_PIECES:
        raise Unclear(f"the diff has more than {MAX_PIECES} hunks")
    exact = _exactly(unique, base)
    if exact is not None:
        return exact
    made: Made = {}
    for section in unique:
        _lay(section, base, made)
    return made


def _exactly(found: Sequence[Section], base: Tree) -> Made | None:
    """The same by the exact rules, or None. What those rules would pass over in silence is not exact.

    A hunk without numbers is one such thing, and lines past a count that is too small are another.
    """
    if not all(hunk.numbered for section in found for hunk in section.hunks):
        return None
    text = "".join(line + "\n" for section in found for line in (*section.raw, *([""] if section.binary else [])))
    data = encoded(text)
    try:
        strict = [[(hunk.old, hunk.new) for hunk in section.hunks] for section in sections(data)]
        if strict != [[_sides(hunk) for hunk in section.hunks] for section in found]:
            return None
        return {change.path: change.after for change in diff(base, apply_bytes(data, base)).changes}
    except PatchError:
        return None


def _sides(hunk: Hunk) -> tuple[tuple[bytes, ...], tuple[bytes, ...]]:
    return _bytes(hunk.old(), hunk.old_open), _bytes(hunk.new(), hunk.new_open)


def _bytes(lines: Sequence[str], is_open: bool) -> tuple[bytes, ...]:
    data = [encoded(line) + b"\n" for line in lines]
    if is_open and data:
        data[-1] = data[-1][:-1]
    return tuple(data)


def _lay(section: Section, base: Tree, made: Made) -> None:
    """Add what one section makes, after those before it."""
    if section.binary:
        raise Unclear(f"{section.name}: a binary patch has to fit exactly")
    tree: Mapping[str, Node | None] = {**base, **made}
    old, new = (None if path is None else _known(path, tree) for path in (section.old, section.new))
    before = None if old is None else tree.get(old)
    if before is None and old is not None:
        if section.new is None or section.moved or any(mark == "-" for hunk in section.hunks for mark, _ in hunk.rows):
            raise Unclear(f"{old}: does not exist")
        old = None  # only new lines, for a file that is not there: it was meant as a new one
    if new is None:
        _check_gone(section, before)
        made[str(old)] = None
        return
    after = _created(section) if old is None else _changed(section, before)
    there = tree.get(new) if new != old else None
    if there not in (None, after):
        raise Unclear(f"{new}: exists already")
    if section.moved == "rename" and old is not None:
        made[old] = None
    made[new] = after


def _known(path: str, tree: Mapping[str, Node | None]) -> str:
    """The path, or without a git prefix on it where only that is there."""
    bare = path[2:] if path.startswith(("a/", "b/")) else path
    return bare if path not in tree and bare in tree else path


def _mode(section: Section, executable: bool) -> bool:
    if section.mode is None:
        return executable
    if section.mode not in {"100644", "100755"}:
        raise Unclear(f"{section.name}: only the mode of a file can be changed, not to {section.mode}")
    return section.mode == "100755"


def _created(section: Section) -> File:
    """A new file. A row without a mark is an empty line: a file that was not there has no context."""
    if any(mark == "-" or (mark == " " and text.strip()) for hunk in section.hunks for mark, text in hunk.rows):
        raise Unclear(f"{section.name}: the diff makes a new file out of old lines")
    lines = [text for hunk in section.hunks for text in hunk.new()]
    is_open = bool(section.hunks) and section.hunks[-1].new_open
    return Text(tuple(lines), not is_open, executable=_mode(section, executable=False)).node()


def _check_gone(section: Section, before: Node | None) -> None:
    """The diff must take away every line, unless its header says that the file goes and it shows no line at all."""
    if section.hunks and _changed(section, before).data:
        raise Unclear(f"{section.name}: is deleted, but not all of its lines are")


def _changed(section: Section, before: Node | None) -> File:
    """The file after all hunks, each placed in the lines of the file as it was."""
    exactly = any("\r" in text for hunk in section.hunks for _, text in hunk.rows)
    text = Text.of(section.name, before, exactly=exactly)
    changes: list[_Change] = []
    ended = text.ended
    for number, hunk in enumerate(section.hunks, 1):
        what = f"{section.name}: hunk {number}"
        at = _place(text, hunk, what)
        if hunk.old_open or hunk.new_open:
            if at + len(hunk.old()) != len(text.lines):
                raise Unclear(f"{what} says that the file ends there, and it does not")
            ended = not hunk.new_open
        changes += _steps(hunk, at)
    changes.sort(key=lambda change: change[:2])
    for one, other in pairwise(changes):
        if other[0] < one[1] or one[:2] == other[:2]:
            raise Unclear(f"{section.name}: two hunks change the same lines")
    lines: list[str] = []
    at = 0
    for start, end, new in changes:
        lines += text.lines[at:start]
        lines += new
        at = end
    lines += text.lines[at:]
    done = text.with_lines(lines, ended=ended).node()
    return File(done.data, _mode(section, done.executable))


def _place(text: Text, hunk: Hunk, what: str) -> int:
    old = hunk.old()
    if old:
        return place(text.lines, old, what)
    if text.lines:
        raise Unclear(f"{what} has no line of context, so it could stand anywhere")
    return 0


def _steps(hunk: Hunk, at: int) -> list[_Change]:
    """The runs of changed rows, so that context lines stay what the file has."""
    steps: list[_Change] = []
    running = False
    for mark, text in hunk.rows:
        if mark == " ":
            at += 1
            running = False
            continue
        if not running:
            steps.append((at, at, []))
            running = True
        start, _, new = steps[-1]
        if mark == "-":
            at += 1
        else:
            new.append(text)
        steps[-1] = (start, at, new)
    return steps
