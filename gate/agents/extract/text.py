"""A file's text as lines that a message can be compared with, and back to the bytes that it had."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from gate.agents.extract.unclear import Unclear
from gate.workspace.tree import File, Node, Symlink


@dataclass(frozen=True, slots=True)
class Text:
    """The lines without their ends. `ended` says whether the last has one, `crlf` that all ends are CR LF.

    Bytes that are not UTF-8 are surrogates, so that nothing is lost on the way back.
    """

    lines: tuple[str, ...] = ()
    ended: bool = True
    crlf: bool = False
    executable: bool = False

    @classmethod
    def of(cls, path: str, node: Node | None, *, exactly: bool) -> Text:
        """The text of a file, or of a file yet to be made. Raises Unclear for a link and for what is no text.

        `exactly` keeps CRs as part of the lines: for an answer that writes them itself.
        """
        if node is None:
            return cls()
        if isinstance(node, Symlink):
            raise Unclear(f"{path} is a link, not a file")
        if b"\0" in node.data:
            raise Unclear(f"{path} is not a text file")
        text = node.data.decode("utf-8", "surrogateescape")
        ends = text.count("\n")
        crlf = not exactly and ends > 0 and text.count("\r\n") == ends
        if crlf:
            text = text.replace("\r\n", "\n")
        ended = not text or text.endswith("\n")
        return cls(tuple(rows(text)), ended, crlf, node.executable)

    def with_lines(self, lines: Sequence[str], *, ended: bool) -> Text:
        """The same file with other lines."""
        return replace(self, lines=tuple(lines), ended=ended)

    def node(self) -> File:
        """The file. An empty one has no line end."""
        end = "\r\n" if self.crlf else "\n"
        text = end.join(self.lines) + (end if self.ended and self.lines else "")
        return File(encoded(text), self.executable)


def rows(text: str) -> list[str]:
    """The lines of a text without their ends. Only a newline ends a line."""
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return lines


def encoded(text: str) -> bytes:
    """The bytes of a text. Raises Unclear for what is not Unicode."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raise Unclear("the message is not valid Unicode") from None


def place(lines: Sequence[str], wanted: Sequence[str], what: str) -> int:
    """The number (from zero) of the line where `wanted` stands, which must be the only place.

    Where it stands nowhere exactly, white space at the ends of lines is ignored. Raises Unclear.
    """
    for strip in (False, True):
        found = _first_two(lines, wanted, strip=strip)
        if len(found) > 1:
            raise Unclear(f"{what} fits in more than one place (lines {found[0] + 1} and {found[1] + 1})")
        if found:
            return found[0]
    raise Unclear(f"{what} fits nowhere: the file does not hold these lines")


def _first_two(lines: Sequence[str], wanted: Sequence[str], *, strip: bool) -> list[int]:
    """The first two lines at which `wanted` stands. Linear: the search in a string is."""
    if strip:
        lines, wanted = [line.rstrip() for line in lines], [line.rstrip() for line in wanted]
    text, part = "".join(f"\n{line}" for line in lines) + "\n", "".join(f"\n{line}" for line in wanted) + "\n"
    found: list[int] = []
    at = text.find(part)
    while at != -1 and len(found) < 2:
        found.append(text.count("\n", 0, at))
        at = text.find(part, at + 1)
    return found
