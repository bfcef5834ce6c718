"""A diff as its author wrote it, taken apart: which file each section is about, and what it says to do.

File headers are read here, since names may hold anything; unidiff reads the hunks. Nothing is guessed: a section that
does not say exactly what it does is an error that names its file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from gate.workspace.headers import agree, file_lines, git_line, moved_name
from gate.workspace.lines import split
from gate.workspace.names import quote


class PatchError(ValueError):
    """A diff that cannot be read, or does not fit the tree that it is applied to."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{quote(path)}: {reason}" if path else reason)
        self.path = path
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Hunk:
    """It replaces the lines `old` by `new`, both with their ends, at line `start` (from zero) of the old file."""

    number: int
    start: int
    old: tuple[bytes, ...]
    new: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Binary:
    """One part of a binary patch: `method` is literal or delta, `size` counts inflated bytes."""

    method: str
    size: int
    rows: tuple[bytes, ...]


@dataclass(slots=True)
class Section:
    """What a diff says of one file. `old` is None for a new file, `new` for one that goes away.

    Modes are git's, None where the diff says nothing of them; `moved` is rename, copy or empty; ids are blob ids.
    """

    old: str | None = None
    new: str | None = None
    old_mode: str | None = None
    new_mode: str | None = None
    moved: str = ""
    old_id: str = ""
    new_id: str = ""
    hunks: tuple[Hunk, ...] = ()
    binary: Binary | None = None

    @property
    def name(self) -> str:
        """The path that messages use."""
        return self.new or self.old or ""


@dataclass(slots=True)
class _Header:
    """The lines between `diff --git` and the contents, by their keys."""

    values: dict[bytes, bytes] = field(default_factory=dict)

    def text(self, key: bytes) -> str | None:
        return self.values[key].decode("latin-1") if key in self.values else None


_EXTENDED = re.compile(
    rb"(old mode|new mode|new file mode|deleted file mode|rename from|rename to|copy from|copy to|index"
    rb"|similarity index|dissimilarity index) (.*)\Z",
    re.DOTALL,
)
_HUNK = re.compile(rb"@@ -(\d{1,10})(?:,(\d{1,10}))? \+(\d{1,10})(?:,(\d{1,10}))? @@")
_INDEX = re.compile(r"([0-9a-f]+)\.\.([0-9a-f]+)(?: ([0-7]+))?\Z")
_PART = re.compile(rb"(literal|delta) (\d{1,12})\Z")


def sections(text: bytes) -> list[Section]:
    """The sections of a diff in their order. An empty text has none. Raises PatchError."""
    if not text:
        return []
    # A final newline that was cut off is put back: each line of a diff has one, so nothing else can be meant.
    found = _Reader(split(text if text.endswith(b"\n") else text + b"\n")).read()
    if not found:
        raise PatchError("", "this is not a diff: it has no file header")
    return found


class _Reader:
    """The lines of a diff and how far they were read."""

    def __init__(self, lines: list[bytes]) -> None:
        self.lines = lines
        self.at = 0

    def read(self) -> list[Section]:
        """Whatever stands between sections (a mail's text, a signature) is passed over, as git does."""
        found = []
        while self.at < len(self.lines):
            line = self._peek()
            if line.startswith(b"diff --git "):
                found.append(self._git())
            elif self._is_plain_header():
                section = Section(*self._file_lines(""))
                self.at += 2
                self._hunks(section)
                found.append(section)
            elif _HUNK.match(line):
                raise self._error("", "a hunk without a file header")
            elif line.startswith((b"diff --cc ", b"diff --combined ")):
                raise self._error("", "the combined diff of a merge cannot be applied")
            else:
                self.at += 1
        return found

    def _peek(self, ahead: int = 0) -> bytes:
        """The line without its newline; b"" past the end (and for an empty line)."""
        return self.lines[self.at + ahead][:-1] if self.at + ahead < len(self.lines) else b""

    def _error(self, path: str, reason: str) -> PatchError:
        return PatchError(path, f"line {self.at + 1} of the diff: {reason}")

    def _is_plain_header(self) -> bool:
        starts = self._peek().startswith(b"--- ") and self._peek(1).startswith(b"+++ ")
        return starts and _HUNK.match(self._peek(2)) is not None

    def _git(self) -> Section:
        named = self._peek().removeprefix(b"diff --git ")
        if named.endswith(b"\r"):
            raise self._error("", "the diff itself has CRLF line ends")
        self.at += 1
        header = _Header()
        while match := _EXTENDED.match(self._peek()):
            header.values[match[1]] = match[2]
            self.at += 1
        section = self._named(named, header)
        section.old_mode = header.text(b"old mode") or header.text(b"deleted file mode")
        section.new_mode = header.text(b"new mode") or header.text(b"new file mode")
        index = _INDEX.match(header.text(b"index") or "")
        if index:
            section.old_id, section.new_id = index[1], index[2]
            section.old_mode = section.old_mode or index[3]
            section.new_mode = section.new_mode or index[3]
        self._body(section)
        return section

    def _named(self, line: bytes, header: _Header) -> Section:
        """The section with its names, which every line that names the file must agree on."""
        moved = self._moved(header)
        name = git_line(line)
        has_lines = self._peek().startswith(b"--- ") and self._peek(1).startswith(b"+++ ")
        if moved is not None:
            if has_lines and not self._agree(moved):
                raise self._error(moved[1], "the rename or copy and the --- and +++ lines name different files")
            return Section(*moved, moved="rename" if b"rename to" in header.values else "copy")
        if has_lines:
            old, new = self._file_lines(name or "")
            if name is not None and name != (old or new):
                raise self._error(name, "the header and the --- and +++ lines name different files")
        elif name is not None:
            old, new = name, name
        else:
            raise self._error("", "cannot tell which file the header above is about")
        made, deleted = b"new file mode" in header.values, b"deleted file mode" in header.values
        section = Section(None if made else old, None if deleted else new)
        if not section.name:
            raise self._error(old or new or "", "is said to be new and to go away")
        return section

    def _agree(self, moved: tuple[str, str]) -> bool:
        try:
            return agree(self._peek()[4:], self._peek(1)[4:], moved)
        except ValueError as error:
            raise self._error(moved[1], str(error)) from error

    def _moved(self, header: _Header) -> tuple[str, str] | None:
        keys = [key for key in header.values if key.startswith((b"rename ", b"copy "))]
        if not keys:
            return None
        kind = keys[0].split()[0]
        if sorted(keys) != [kind + b" from", kind + b" to"]:
            raise self._error("", "only one side of a rename or copy is named")
        try:
            return moved_name(header.values[kind + b" from"]), moved_name(header.values[kind + b" to"])
        except ValueError as error:
            raise self._error("", str(error)) from error

    def _file_lines(self, name: str) -> tuple[str | None, str | None]:
        """The names on the `---` and `+++` lines that come next."""
        old, new = self._peek()[4:], self._peek(1)[4:]
        if old.endswith(b"\r") and new.endswith(b"\r"):
            raise self._error(name, "the diff itself has CRLF line ends")
        try:
            return file_lines(old, new)
        except ValueError as error:
            raise self._error(name, str(error)) from error

    def _body(self, section: Section) -> None:
        line = self._peek()
        if line == b"GIT binary patch":
            self.at += 1
            section.binary = self._part(section)
            if _PART.match(self._peek()):
                self._part(section)  # the way back, which we never go
        elif line.startswith(b"Binary files ") and line.endswith(b" differ"):
            raise self._error(section.name, "a binary change without its bytes: make the diff with --binary")
        elif line.startswith(b"--- ") and self._peek(1).startswith(b"+++ "):
            self.at += 2
            self._hunks(section)

    def _part(self, section: Section) -> Binary:
        match = _PART.match(self._peek())
        if not match:
            raise self._error(section.name, "a binary patch is neither literal nor delta")
        self.at += 1
        rows = []
        while self._peek():
            rows.append(self._peek())
            self.at += 1
        self.at += 1
        return Binary(match[1].decode(), int(match[2]), tuple(rows))

    def _hunks(self, section: Section) -> None:
        start = self.at
        while _HUNK.match(self._peek()):
            self._pass_hunk(section)
        if start == self.at:
            raise self._error(section.name, "the --- and +++ lines are not followed by a hunk")
        line = self._peek()
        if line.startswith((b"+", b" ")) or (line.startswith(b"-") and line != b"-- " and not self._is_plain_header()):
            raise self._error(section.name, "a hunk is longer than its header says")
        section.hunks = _parsed(section.name, self.lines[start : self.at])

    def _pass_hunk(self, section: Section) -> None:
        """Move past one hunk by its header's counts: nothing else says where it ends."""
        match = _HUNK.match(self._peek())
        old, new = (1 if count is None else int(count) for count in (match[2], match[4])) if match else (0, 0)
        self.at += 1
        while old > 0 or new > 0:
            if self.at >= len(self.lines):
                raise self._error(section.name, "the diff ends inside a hunk")
            mark = self._peek()[:1]
            if mark not in (b" ", b"+", b"-", b"\\", b""):
                raise self._error(section.name, "a hunk is shorter than its header says")
            old -= mark in (b" ", b"-", b"")
            new -= mark in (b" ", b"+", b"")
            if min(old, new) < 0:
                raise self._error(section.name, "a hunk is longer than its header says")
            self.at += 1
        if self._peek().startswith(b"\\ "):
            self.at += 1


def _parsed(name: str, lines: list[bytes]) -> tuple[Hunk, ...]:
    """The hunks of one file, by unidiff. Latin-1 gives each byte one character, so no byte is lost on the way."""
    from unidiff.errors import UnidiffParseError
    from unidiff.patch import PatchSet

    # The words after the backslash are git's in the author's language; unidiff knows them in English.
    marked = (b"\\ No newline at end of file\n" if line.startswith(b"\\") else line for line in lines)
    try:
        files = PatchSet(["--- a\n", "+++ b\n", *(line.decode("latin-1") for line in marked)])
    except UnidiffParseError as error:
        raise PatchError(name, f"a hunk cannot be read: {error}") from error
    hunks = []
    for number, hunk in enumerate(files[0], start=1):
        old, new = _sides((line.line_type, line.value) for line in hunk)
        start = hunk.source_start - 1 if hunk.source_length else hunk.source_start
        hunks.append(Hunk(number, start, tuple(old), tuple(new)))
    return tuple(hunks)


def _sides(lines: Iterable[tuple[str, str]]) -> tuple[list[bytes], list[bytes]]:
    """The old and the new lines of one hunk. A backslash takes the newline from the line before it."""
    sides: tuple[list[bytes], list[bytes]] = ([], [])
    last: tuple[list[bytes], ...] = ()
    for mark, value in lines:
        if mark == "\\":
            for side in last:
                side[-1] = side[-1].removesuffix(b"\n")
            continue
        last = {"-": sides[:1], "+": sides[1:]}.get(mark, sides)
        for side in last:
            side.append(value.encode("latin-1"))
    return sides
