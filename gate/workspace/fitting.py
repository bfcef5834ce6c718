"""Applying a diff that somebody wrote: each section must fit the tree exactly, and the result must be a tree."""

from __future__ import annotations

import re
from collections.abc import Mapping

from gate.workspace.binary import blob_id, decoded
from gate.workspace.lines import split
from gate.workspace.names import ancestors, decode, flaw
from gate.workspace.sections import PatchError, Section, sections
from gate.workspace.tree import File, Node, Symlink, Tree, content, git_mode
from gate.workspace.walk import is_repository

_MAX_TARGET = 4095


def apply_bytes(text: bytes, tree: Tree) -> dict[str, Node]:
    """The tree after a git or unified diff. Raises PatchError naming the file, and the hunk where it is one.

    Nothing is fuzzy: every context and removed line must stand, byte for byte, at the line that the hunk states. As
    in git, a rename or copy takes the old tree's file; any other section takes what the sections before it left.
    """
    found = sections(text)
    fitting = _Fitting(tree, {section.old for section in found if _vacates(section) and section.old is not None})
    for section in found:
        fitting.lay(section)
    return settled(tree, fitting.made)


def check_path(path: str) -> None:
    """Raises PatchError for a path that is none inside a tree, or lies in the repository's own folder."""
    reason = flaw(path)
    if reason:
        raise PatchError(path, f"the path {reason}")
    if is_repository(path):
        raise PatchError(path, "the path lies in the repository's own .git")


def settled(tree: Tree, made: Mapping[str, Node | None]) -> dict[str, Node]:
    """The tree with the new nodes in it (None removes). Raises PatchError where one lies below a file or a link."""
    result = dict(tree)
    for path, node in made.items():
        if node is None:
            result.pop(path, None)
        else:
            result[path] = node
    added = [path for path, node in made.items() if node is not None and path not in tree]
    for path in added:
        for folder in ancestors(path):
            if folder in result:
                what = "link" if isinstance(result[folder], Symlink) else "file"
                raise PatchError(path, f"lies below the {what} {folder}")
    folders = {folder for path in result for folder in ancestors(path)} if added else set()
    for path in added:
        if path in folders:
            raise PatchError(path, "is a folder")
    return result


def _vacates(section: Section) -> bool:
    """Whether the old path is gone after the section."""
    return section.new is None or section.moved == "rename"


class _Fitting:
    """What the sections made so far of a tree; `gone` are the paths that some section of the diff vacates."""

    def __init__(self, tree: Tree, gone: set[str]) -> None:
        self.tree = tree
        self.gone = gone
        self.made: dict[str, Node | None] = {}

    def lay(self, section: Section) -> None:
        for path in (section.old, section.new):
            if path is not None:
                check_path(path)
        before = self._before(section)
        after = _after(section, before)
        if section.new is not None and section.old != section.new:
            self._check_free(section.new)
        if section.old is not None and section.new is None:
            self.made[section.old] = None
        elif section.old is not None and section.moved == "rename":
            self.made.setdefault(section.old, None)  # unless another section put something there
        if section.new is not None:
            self.made[section.new] = after

    def _before(self, section: Section) -> Node | None:
        if section.old is None:
            return None
        current = self.tree.get(section.old)
        if not section.moved and section.old in self.made:
            current = self.made[section.old]
        if current is None:
            raise PatchError(section.old, "does not exist")
        if section.old_mode is not None and not isinstance(current, _kind(section, section.old_mode)):
            raise PatchError(section.old, "is a link on one side and a file on the other")
        return current

    def _check_free(self, path: str) -> None:
        """A new path must not be there, unless it is there only until another section has vacated it."""
        there = self.made[path] if path in self.made else self.tree.get(path)
        if there is not None and (path in self.made or path not in self.gone):
            raise PatchError(path, "exists already")


def _after(section: Section, before: Node | None) -> Node | None:
    """What the section makes of the old node. None when the path goes away."""
    old = content(before) if before is not None else b""
    new = _rebuilt(section, old) if section.binary is not None else _replaced(section, old)
    if section.new is None:
        if new:
            raise PatchError(section.name, "is deleted, but not all of its lines are")
        return None
    mode = section.new_mode or (git_mode(before) if before is not None else "100644")
    kind = _kind(section, mode)
    if before is not None and not isinstance(before, kind):
        raise PatchError(section.name, "changes between file and link in one section")
    if kind is File:
        return File(new, int(mode, 8) & 0o100 != 0)
    if not new or b"\0" in new or len(new) > _MAX_TARGET:
        raise PatchError(section.name, "is a link to nowhere")
    return Symlink(decode(new))


def _kind(section: Section, mode: str) -> type[File | Symlink]:
    if re.fullmatch(r"100[0-7]{3}", mode):
        return File
    if mode == "120000":
        return Symlink
    raise PatchError(section.name, f"has mode {mode}, which is neither a file nor a link")


def _rebuilt(section: Section, old: bytes) -> bytes:
    """The bytes after a binary patch. Full ids, which git demands there, must be those of both sides."""
    part = section.binary
    if part is None:
        return old
    if len(section.old_id) == 40 and section.old is not None and section.old_id != blob_id(old):
        raise PatchError(section.name, "the binary patch was made from other bytes")
    try:
        new = decoded(part.method, part.size, part.rows, old)
    except ValueError as error:
        raise PatchError(section.name, str(error)) from error
    if len(section.new_id) == 40 and section.new is not None and section.new_id != blob_id(new):
        raise PatchError(section.name, "the binary patch does not give the bytes that it names")
    return new


def _replaced(section: Section, old: bytes) -> bytes:
    """The bytes after the hunks."""
    if not section.hunks:
        return old
    lines = split(old)
    result: list[bytes] = []
    at = 0
    for hunk in section.hunks:
        end = hunk.start + len(hunk.old)
        if hunk.start < at or end > len(lines):
            raise PatchError(section.name, f"hunk {hunk.number}: line {hunk.start + 1} is not there to be changed")
        for number, expected in enumerate(hunk.old, start=hunk.start):
            if lines[number] != expected:
                raise PatchError(section.name, f"hunk {hunk.number}: line {number + 1} is not what the diff says it is")
        result += lines[at : hunk.start]
        result += hunk.new
        at = end
    result += lines[at:]
    if any(not line.endswith(b"\n") for line in result[:-1]):
        raise PatchError(section.name, "a line without a newline would not be the last")
    return b"".join(result)
