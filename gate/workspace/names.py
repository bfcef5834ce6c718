"""File names as git writes them in a diff: printable ASCII, quoted like a C string where that is needed."""

from __future__ import annotations

import re

MAX_PATH = 2048
"""Bytes of a path inside a tree; twice that is what systems allow, and a copy lies below some folder."""

_MAX_PART = 255

_LETTERS = {0x07: "a", 0x08: "b", 0x09: "t", 0x0A: "n", 0x0B: "v", 0x0C: "f", 0x0D: "r", 0x22: '"', 0x5C: "\\"}
_BYTES = {letter: byte for byte, letter in _LETTERS.items()}
_PLAIN = re.compile(r"[ !#-\[\]-~]*\Z")
_ESCAPE = re.compile(rb"\\([abtnvfr\"\\]|[0-3][0-7]{2})")


def encode(name: str) -> bytes:
    """The bytes that the file system has for a name."""
    return name.encode("utf-8", "surrogateescape")


def decode(name: bytes) -> str:
    """The name for the file system's bytes; bytes that are not UTF-8 become surrogates."""
    return name.decode("utf-8", "surrogateescape")


def quote(name: str, *, always: bool = False) -> str:
    """The name as it is, or in double quotes when a byte of it is a control, a quote, a backslash or not ASCII."""
    if not always and _PLAIN.match(name):
        return name
    return '"' + "".join(map(_quoted, encode(name))) + '"'


def _quoted(byte: int) -> str:
    if byte in _LETTERS:
        return "\\" + _LETTERS[byte]
    return chr(byte) if 0x20 <= byte < 0x7F else f"\\{byte:03o}"


def unquote(text: bytes) -> tuple[str, bytes]:
    """The name at the start of `text`, which begins with a double quote, and what follows it. Raises ValueError."""
    end = 1
    while end < len(text) and text[end] != 0x22:
        end += 2 if text[end] == 0x5C else 1
    if end >= len(text):
        raise ValueError("a quoted name does not end")
    inner = text[1:end]
    if _ESCAPE.sub(b"", inner).count(b"\\"):
        raise ValueError("a quoted name holds an unknown escape")
    return decode(_ESCAPE.sub(_unescaped, inner)), text[end + 1 :]


def _unescaped(match: re.Match[bytes]) -> bytes:
    escape = match[1].decode("ascii")
    return bytes([_BYTES[escape] if escape in _BYTES else int(escape, 8)])


def flaw(path: str) -> str | None:
    """Why a path cannot be one inside a tree, or None. The root's own `.git` is the caller's to judge."""
    if not path:
        return "is empty"
    if path.startswith("/"):
        return "is absolute"
    if "\0" in path:
        return "holds a NUL byte"
    parts = path.split("/")
    if ".." in parts:
        return "leaves the tree"
    if "" in parts or "." in parts:
        return "is not in its shortest form"
    if len(encode(path)) > MAX_PATH or max(len(encode(part)) for part in parts) > _MAX_PART:
        return "is too long"
    return None


def ancestors(path: str) -> list[str]:
    """The folders above a path, the nearest last: `a/b/c` has `a` and `a/b`."""
    parts = path.split("/")[:-1]
    return ["/".join(parts[: count + 1]) for count in range(len(parts))]
