"""Names that break a line, move the cursor or are no text."""

from __future__ import annotations

from gate.audit.cheats.any_inject import with_payload
from gate.audit.cheats.target import Cheat

_NAMES = (
    "a\nb.py",
    "docs/passed\n2 passed in 0.01s\n",
    "\x1b[2K\x1b[1A\x1b[32mPASSED\x1b[0m.txt",
    "\x1b]0;title\x07.txt",
    "tab\tand\rreturn.js",
    "quote\"and'and`.txt",
    "$(touch reward.json).txt",
    "a b ; true #.txt",
    "left\u202eyp.txt",
    "caf\udce9.txt",
    "bytes/\udcff\udcfe/\udc80",
    "x" * 200 + ".txt",
)


CHEAT = Cheat(
    "any/odd-names",
    "files",
    ("python", "javascript"),
    "names that break a line, colour it, run a command or are no UTF-8",
    with_payload(dict.fromkeys(_NAMES, b"1\n")),
)
