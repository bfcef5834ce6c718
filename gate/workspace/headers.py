"""Which file a section of a diff is about: the names in its header lines, without git's prefixes."""

from __future__ import annotations

import re

from gate.workspace.names import decode, unquote

Pair = tuple[str | None, str | None]
"""The old and the new name; None where the file does not exist on that side."""

# What git puts before the names: the usual pair, and those of `diff.mnemonicPrefix` and `--no-index`.
_PREFIXES = ("ab", "iw", "ci", "cw", "ow", "12")
_PAIRS = {pair for both in _PREFIXES for pair in (both, both[::-1])}

# How diff(1) dates a file that does not exist, wherever it runs.
_NEVER = re.compile(rb"\t(1970-01-01|1969-12-31) \d\d:\d\d:\d\d(\.0+)? ")


def git_line(text: bytes) -> str | None:
    """The name on a `diff --git` line (what follows these words), when both sides agree on it in just one way."""
    try:
        if text.startswith(b'"'):
            old, rest = unquote(text)
            new = unquote(rest[1:])[0] if rest.startswith(b' "') else decode(rest[1:])
        elif text.endswith(b'"') and b' "' in text:
            place = text.index(b' "')
            old, new = decode(text[:place]), unquote(text[place + 1 :])[0]
        else:
            # Names may hold spaces, so the middle is the only place to part two equal names.
            middle = len(text) // 2
            old, new = decode(text[:middle]), decode(text[middle + 1 :])
            if text[middle : middle + 1] != b" ":
                return None
    except ValueError:
        return None
    name = stripped(old, new)
    return name[0] if name[0] == name[1] else None


def file_lines(old: bytes, new: bytes) -> Pair:
    """The names on a `---` and a `+++` line (what follows these words). Raises ValueError."""
    names = stripped(_name(old), _name(new))
    if names[0] != names[1] and None not in names:
        # `diff -ru old new` names the file after each folder.
        below = tuple(name.partition("/")[2] for name in names if name)
        names = (below[0], below[0]) if below[0] and below[0] == below[1] else names
    if names == (None, None):
        raise ValueError("both sides are /dev/null")
    if names[0] != names[1] and None not in names:
        raise ValueError(f"{names[0]!r} and {names[1]!r} are different files and this is no rename")
    return (None if _NEVER.search(old) else names[0]), (None if _NEVER.search(new) else names[1])


def agree(old: bytes, new: bytes, moved: tuple[str, str]) -> bool:
    """Whether a `---` and a `+++` line are about the two names of a rename or copy. Raises ValueError."""
    names = _name(old), _name(new)
    return moved in (names, stripped(*names))


def moved_name(text: bytes) -> str:
    """The name on a rename or copy line, which has no prefix. Raises ValueError."""
    return unquote(text)[0] if text.startswith(b'"') else decode(text)


def _name(text: bytes) -> str | None:
    """The name with its prefix; a tab ends it. None for /dev/null."""
    if text.startswith(b'"'):
        return unquote(text)[0]
    name = decode(text.split(b"\t", 1)[0])
    return None if name == "/dev/null" else name


def stripped(old: str | None, new: str | None) -> Pair:
    """The names without git's prefixes, where the sides have prefixes that belong together."""
    if old is not None and new is not None:
        if old[1:2] == new[1:2] == "/" and old[:1] + new[:1] in _PAIRS:
            return old[2:], new[2:]
        return old, new
    if old is not None:
        return (old[2:] if old[1:2] == "/" and old[0] in "aico1" else old), None
    if new is not None:
        return None, (new[2:] if new[1:2] == "/" and new[0] in "bwi2" else new)
    return None, None
