"""Git's form for what is no text: base 85 lines of deflated bytes, whole (`literal`) or against the old (`delta`)."""

from __future__ import annotations

import zlib
from base64 import b85decode, b85encode
from collections.abc import Iterable
from hashlib import sha1

MAX_BYTES = 256 * 1024 * 1024

_ROW = 52
_LENGTHS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def blob_id(data: bytes) -> str:
    """The id that git gives the data."""
    return sha1(b"blob %d\0%b" % (len(data), data), usedforsecurity=False).hexdigest()


def literal(data: bytes) -> bytes:
    """The data as one `literal` part, the closing empty line included."""
    packed = zlib.compress(data, 9)
    rows = []
    for start in range(0, len(packed), _ROW):
        row = packed[start : start + _ROW]
        rows.append(b"%c%b\n" % (_LENGTHS[len(row) - 1], b85encode(row, pad=True)))
    return b"literal %d\n%b\n" % (len(data), b"".join(rows))


def decoded(method: str, size: int, rows: Iterable[bytes], old: bytes) -> bytes:
    """What a part gives: `method` is `literal` or `delta`, `size` the inflated size, rows are without newlines.

    Raises ValueError for anything that is not exactly what it says.
    """
    if size > MAX_BYTES:
        raise ValueError(f"binary part of {size} bytes is larger than {MAX_BYTES}")
    data = _inflated(b"".join(map(_row, rows)), size)
    return data if method == "literal" else _patched(data, old)


def _row(row: bytes) -> bytes:
    length = _LENGTHS.find(row[:1]) + 1 if row else 0
    if not length or len(row) != 1 + (length + 3) // 4 * 5:
        raise ValueError("a binary row has the wrong length")
    return b85decode(row[1:])[:length]


def _inflated(packed: bytes, size: int) -> bytes:
    inflater = zlib.decompressobj()
    try:
        data = inflater.decompress(packed, size + 1)
    except zlib.error as error:
        raise ValueError(f"a binary part does not inflate: {error}") from error
    if len(data) != size or not inflater.eof or inflater.unused_data:
        raise ValueError(f"a binary part does not inflate to the {size} bytes that it says")
    return data


def _patched(delta: bytes, old: bytes) -> bytes:
    """Run a delta: two sizes, then copies from the old bytes (high bit set) and insertions."""
    expected, at = _size(delta, 0)
    if expected != len(old):
        raise ValueError("a delta is not against the bytes that are there")
    size, at = _size(delta, at)
    if size > MAX_BYTES:
        raise ValueError(f"a delta's result of {size} bytes is larger than {MAX_BYTES}")
    new = bytearray()
    while at < len(delta):
        command = delta[at]
        at += 1
        if command & 0x80:
            offset, at = _number(delta, at, command & 0x0F, 4)
            count, at = _number(delta, at, command >> 4 & 0x07, 3)
            count = count or 0x10000
            part = old[offset : offset + count]
        else:
            count = command
            part = delta[at : at + count]
            at += count
        if not count or len(part) != count or len(new) + count > size:
            raise ValueError("a delta reaches past its bytes")
        new += part
    if len(new) != size:
        raise ValueError("a delta does not give the size that it says")
    return bytes(new)


def _size(delta: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        if at >= len(delta) or shift > 35:
            raise ValueError("a delta's size does not end")
        byte = delta[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            return value, at


def _number(delta: bytes, at: int, present: int, width: int) -> tuple[int, int]:
    """A little-endian number whose zero bytes were left out; `present` has a bit for each byte that is there."""
    value = 0
    for index in range(width):
        if present >> index & 1:
            if at >= len(delta):
                raise ValueError("a delta ends inside a command")
            value |= delta[at] << 8 * index
            at += 1
    return value, at
