"""Names that a command takes for options."""

from __future__ import annotations

from gate.audit.cheats.any_inject import with_payload
from gate.audit.cheats.target import Cheat

_NAMES = ("-rf", "--collect-only", "-c", "--version", "--test-skip-pattern=.*", "tests/--co", "-", "--", "-p no:python")


CHEAT = Cheat(
    "any/dashed-names",
    "files",
    ("python", "javascript"),
    "names that a command with a star takes for options",
    with_payload(dict.fromkeys(_NAMES, b"1\n")),
)
