"""What the kernel would do with a filter: classic BPF, interpreted strictly over one system call."""

from __future__ import annotations

import struct
from collections.abc import Sequence


def verdict(program: bytes, *, arch: int, number: int, arguments: Sequence[int] = ()) -> int:
    """The action the filter returns. Any code the kernel's checker would refuse is an error here too."""
    lines = list(struct.iter_unpack("=HBBI", program))
    padded = [*arguments, *([0] * (6 - len(arguments)))]
    data = struct.pack("=IIQ6Q", number & 0xFFFFFFFF, arch, 0, *(value & 0xFFFFFFFFFFFFFFFF for value in padded))
    accumulator, at = 0, 0
    while True:
        code, if_true, if_false, constant = lines[at]
        at += 1
        if code == 0x06:
            return int(constant)
        if code == 0x20:
            assert constant % 4 == 0, "the kernel loads whole words only"
            assert constant < len(data)
            accumulator = struct.unpack_from("=I", data, constant)[0]
            continue
        tests = {0x15: accumulator == constant, 0x35: accumulator >= constant, 0x45: bool(accumulator & constant)}
        at += if_true if tests[code] else if_false
