"""Listing, reading, editing and writing files of the copy."""

from __future__ import annotations

import base64
import contextlib
import io
import os
from pathlib import Path
from typing import Any

from gate.agents.inside.paths import Refused, checked, open_regular, parts_of, resolve, root, text_of, walk

MAX_TEXT = 40_000
MAX_NAMES = 20_000


def list_files() -> dict[str, Any]:
    """All names, at most `MAX_NAMES`."""
    names: list[str] = []
    for name in walk():
        if len(names) == MAX_NAMES:
            return {"names": sorted(names), "more": True}
        names.append(name)
    return {"names": sorted(names), "more": False}


def read_file(path: str, first: int, last: int | None) -> dict[str, Any]:
    """Lines `first` to `last` (from 1, inclusive), exactly as they are in the file."""
    text, longer = text_of(resolve(path), path)
    lines = list(io.StringIO(text, newline="\n"))
    wanted = lines[first - 1 : last]
    if lines and not wanted:
        raise Refused(f"{path}: has {len(lines)} lines, so there is no line {first}")
    kept: list[str] = []
    size = 0
    for line in wanted:
        if kept and size + len(line) > MAX_TEXT:
            break
        kept.append(line[:MAX_TEXT])
        size += len(line)
    cut = size > MAX_TEXT or len(kept) < len(wanted) or longer
    return {"text": "".join(kept), "last": first + len(kept) - 1, "lines": len(lines), "cut": cut}


def _store(real: Path, data: bytes, flags: int) -> None:
    with os.fdopen(os.open(real, flags | os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644), "wb") as stream:
        stream.write(data)


def _encoded(text: str, path: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise Refused(f"{path}: the new text is not valid Unicode") from None


def _line_numbers(text: str, old: str) -> list[int]:
    found: list[int] = []
    at = text.find(old)
    while at != -1 and len(found) < 20:
        found.append(text.count("\n", 0, at) + 1)
        at = text.find(old, at + 1)
    return found


def _nearly(text: str, old: str) -> str:
    lines = {" ".join(line.split()): number for number, line in reversed(list(enumerate(text.split("\n"), 1)))}
    first = next((" ".join(line.split()) for line in old.split("\n") if line.strip()), "")
    if first in lines:
        return f"; line {lines[first]} is the same but for white space, or the lines after it differ"
    return "; read the file again"


def edit_file(path: str, old: str, new: str) -> dict[str, Any]:
    """Replace the one place where `old` stands by `new`."""
    if not old:
        raise Refused("`old` is empty: give the exact text to replace")
    if old == new:
        raise Refused("`old` and `new` are the same: nothing to change")
    real = resolve(path)
    text, longer = text_of(real, path)
    if longer:
        raise Refused(f"{path}: is too large to edit")
    if old not in text and "\r\n" in text and "\r" not in old:
        old, new = old.replace("\n", "\r\n"), new.replace("\n", "\r\n")
    places = _line_numbers(text, old)
    if not places:
        raise Refused(f"{path}: `old` does not occur{_nearly(text, old)}")
    if len(places) > 1:
        where = ", ".join(map(str, places))
        raise Refused(f"{path}: `old` occurs {len(places)} times (lines {where}); give more of the text around it")
    data = _encoded(text.replace(old, new, 1), path)
    os.close(open_regular(real, path, os.O_WRONLY))
    _store(real, data, os.O_TRUNC)
    return {"line": places[0]}


def write_file(path: str, content: str) -> dict[str, Any]:
    """Create a file with its folders, or replace the whole of one."""
    real = resolve(path)
    if real == root():
        raise Refused(f"{path}: is a folder, not a file")
    data = _encoded(content, path)
    new = not os.path.lexists(real)
    if new:
        try:
            real.parent.mkdir(parents=True, exist_ok=True)
        except (FileExistsError, NotADirectoryError):
            raise Refused(f"{path}: a part of this path is a file, not a folder") from None
        _store(real, data, os.O_CREAT | os.O_EXCL)
    else:
        os.close(open_regular(real, path, os.O_WRONLY))
        _store(real, data, os.O_TRUNC)
    return {"new": new, "lines": content.count("\n") + (not content.endswith("\n") and bool(content))}


def put(path: str, kind: str, data: str, executable: bool) -> dict[str, Any]:
    """What only a control may do: place a file byte for byte with its mode, a link, or nothing at all."""
    parts = parts_of(path)
    folder = checked(root().joinpath(*parts[:-1]).resolve(), path)
    real = folder / parts[-1]
    if os.path.lexists(real):
        real.unlink()
    if kind == "absent":
        with contextlib.suppress(OSError):  # empty folders do not count; a full one stays
            while folder != root():
                folder.rmdir()
                folder = folder.parent
        return {}
    folder.mkdir(parents=True, exist_ok=True)
    payload = base64.b64decode(data)
    if kind == "link":
        real.symlink_to(os.fsdecode(payload))
    else:
        _store(real, payload, os.O_CREAT | os.O_EXCL)
        real.chmod(0o755 if executable else 0o644)
    return {}
