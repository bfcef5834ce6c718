"""A unified diff as models write it: wrong counts, no counts, blank context lines that lost their space.

What is read here is what the author wrote down, section by section. Whether it fits a tree is not asked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from gate.agents.extract.text import encoded
from gate.agents.extract.unclear import MAX_PIECES, Unclear
from gate.workspace.headers import file_lines, git_line, moved_name

_GIT = re.compile(r"diff --git \S.* \S")
_NUMBERS = re.compile(r"@@ -\d{1,10}(?:,(\d{1,10}))? \+\d{1,10}(?:,(\d{1,10}))? @@")
_EXTENDED = re.compile(
    r"(old mode|new mode|new file mode|deleted file mode|rename from|rename to|copy from|copy to|index"
    r"|similarity index|dissimilarity index) (.*)\Z",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Hunk:
    """Rows of a mark (` `, `-`, `+`) and a line. The `open` flags say that a side's last line has no line end.

    `numbered` says that its header gives line numbers, right or wrong.
    """

    rows: tuple[tuple[str, str], ...]
    old_open: bool = False
    new_open: bool = False
    numbered: bool = True

    def old(self) -> list[str]:
        """The lines that must stand there."""
        return [text for mark, text in self.rows if mark != "+"]

    def new(self) -> list[str]:
        """The lines that stand there afterwards."""
        return [text for mark, text in self.rows if mark != "-"]


@dataclass(frozen=True, slots=True)
class Section:
    """What a diff says of one file. `old` is None for a new file, `new` for one that goes away.

    `mode` is the new one or None, `moved` is `rename`, `copy` or empty, `raw` are the lines as they were written.
    """

    old: str | None
    new: str | None
    hunks: tuple[Hunk, ...] = ()
    mode: str | None = None
    moved: str = ""
    binary: bool = False
    raw: tuple[str, ...] = field(default=(), compare=False)

    @property
    def name(self) -> str:
        """The path that messages use."""
        return self.new or self.old or ""


def starts_diff(lines: Sequence[str], at: int) -> bool:
    """Whether the section of a file begins at a line."""
    line = lines[at]
    return (line.startswith("diff --git ") and _GIT.match(line) is not None) or _plain(lines, at)


def _named(lines: Sequence[str], at: int) -> bool:
    return at + 1 < len(lines) and lines[at].startswith("--- ") and lines[at + 1].startswith("+++ ")


def _plain(lines: Sequence[str], at: int) -> bool:
    return _named(lines, at) and at + 2 < len(lines) and lines[at + 2].startswith("@@")


def read_sections(lines: Sequence[str]) -> list[Section]:
    """The sections of a block that is a diff. Raises Unclear where a line of change belongs to none of them."""
    found: list[Section] = []
    at = 0
    while at < len(lines):
        if starts_diff(lines, at):
            section, at = read_section(lines, at, fenced=True)
            found.append(section)
            if len(found) > MAX_PIECES:
                raise Unclear(f"the diff is about more than {MAX_PIECES} files")
            continue
        if found and lines[at].startswith(("+", "-")) and not _signature(lines[at]):
            raise Unclear(f"{found[-1].name}: a line of the diff belongs to no hunk: {lines[at][:80]}")
        at += 1
    return found


def read_section(lines: Sequence[str], at: int, *, fenced: bool) -> tuple[Section, int]:
    """The section that begins at a line, and the line after it. Raises Unclear."""
    start = at
    header: dict[str, str] = {}
    line_name: str | None = None
    if lines[at].startswith("diff --git "):
        line_name = git_line(encoded(lines[at].removeprefix("diff --git ")))
        at += 1
        while at < len(lines) and (match := _EXTENDED.match(lines[at])):
            header[match[1]] = match[2]
            at += 1
    has_names = _named(lines, at)
    old, new, moved = _names(lines[at : at + 2] if has_names else (), header, line_name)
    at += 2 * has_names
    binary = at < len(lines) and lines[at] == "GIT binary patch"
    if at < len(lines) and lines[at].startswith("Binary files "):
        raise Unclear(f"{new or old}: the diff says that a binary file differs, not how")
    if binary:
        at = _past_binary(lines, at)
    hunks: list[Hunk] = []
    while at < len(lines) and lines[at].startswith("@@") and not binary:
        hunk, at = _hunk(lines, at, fenced=fenced, name=new or old or "")
        hunks.append(hunk)
        if len(hunks) > MAX_PIECES:
            raise Unclear(f"the diff has more than {MAX_PIECES} hunks")
    if has_names and not hunks:
        raise Unclear(f"{new or old}: the --- and +++ lines are not followed by a hunk")
    mode = header.get("new mode") or header.get("new file mode")
    return Section(old, new, tuple(hunks), mode, moved, binary, tuple(lines[start:at])), at


def _names(pair: Sequence[str], header: dict[str, str], name: str | None) -> tuple[str | None, str | None, str]:
    """The two paths of a section and how it moves. Raises Unclear."""
    for kind in ("rename", "copy"):
        ends = header.get(f"{kind} from"), header.get(f"{kind} to")
        if ends[0] is not None and ends[1] is not None:
            try:
                return moved_name(encoded(ends[0])), moved_name(encoded(ends[1])), kind
            except ValueError as error:
                raise Unclear(f"a name in the diff cannot be read: {error}") from None
    old = new = name
    if pair:
        try:
            old, new = file_lines(*(encoded(line[4:].rstrip()) for line in pair))
        except ValueError as error:
            raise Unclear(f"a name in the diff cannot be read: {error}") from None
    old, new = (None if "new file mode" in header else old), (None if "deleted file mode" in header else new)
    if old is None and new is None:
        raise Unclear("cannot tell which file a section of the diff is about")
    return old, new, ""


def _past_binary(lines: Sequence[str], at: int) -> int:
    at += 1
    while at < len(lines):
        if not lines[at] and not (at + 1 < len(lines) and lines[at + 1].startswith(("literal ", "delta "))):
            return at + 1
        at += 1
    return at


def _hunk(lines: Sequence[str], at: int, *, fenced: bool, name: str) -> tuple[Hunk, int]:
    """One hunk. Its counts are believed where what follows agrees with them; else it goes on as far as its marks."""
    numbers = _NUMBERS.match(lines[at])
    start = at + 1
    counts = [1 if count is None else int(count) for count in numbers.groups()] if numbers else None
    end = _counted(lines, start, *counts) if counts else None
    if end is None or not _settled(lines, end, fenced=fenced):
        end = _marked(lines, start, fenced=fenced, name=name)
        while end > start and not lines[end - 1]:
            end -= 1  # blank lines that separate it from the next thing; context can do without them
    return _parsed(lines[start:end], name, numbered=numbers is not None), end


def _counted(lines: Sequence[str], at: int, old: int, new: int) -> int | None:
    """The line after the hunk by its header's counts, or None where they cannot be right."""
    while old > 0 or new > 0:
        mark = lines[at][:1] if at < len(lines) else "end"
        if mark not in {" ", "+", "-", "\\", ""}:
            return None
        old -= mark in {" ", "-", ""}
        new -= mark in {" ", "+", ""}
        if min(old, new) < 0:
            return None
        at += 1
    return at + (at < len(lines) and lines[at].startswith("\\"))


def _settled(lines: Sequence[str], at: int, *, fenced: bool) -> bool:
    """Whether nothing that follows looks like more of the hunk that should have ended before line `at`."""
    while at < len(lines) and not _stops(lines, at):
        if lines[at][:1] in {"+", "-", " ", "\\"} and lines[at].strip():
            return False
        if not fenced:
            return True
        at += 1
    return True


def _signature(line: str) -> bool:
    """Whether a line is what `git format-patch` sets before its version."""
    return line.rstrip() == "--"


def _stops(lines: Sequence[str], at: int) -> bool:
    line = lines[at]
    return line.startswith(("@@", "diff --git ")) or _signature(line) or _plain(lines, at)


def _marked(lines: Sequence[str], at: int, *, fenced: bool, name: str) -> int:
    """The line after the last that can be one of the hunk's."""
    while at < len(lines) and not _stops(lines, at):
        if lines[at] and lines[at][0] not in " +-\\":
            free = not fenced and (not lines[at - 1].strip() or lines[at].startswith(("```", "~~~")))
            if not free:
                raise Unclear(f"{name}: a line of a hunk has no mark: {lines[at][:80]}")
            break
        at += 1
    return at


def _parsed(lines: Sequence[str], name: str, *, numbered: bool) -> Hunk:
    rows: list[tuple[str, str]] = []
    old_open = new_open = False
    for line in lines:
        if line.startswith("\\"):
            last = rows[-1][0] if rows else ""
            old_open, new_open = old_open or last in {" ", "-"}, new_open or last in {" ", "+"}
        else:
            rows.append((line[:1] or " ", line[1:]))
    if not rows:
        raise Unclear(f"{name}: a hunk is empty")
    return Hunk(tuple(rows), old_open, new_open, numbered)
