"""Links that lead out of the tree."""

from __future__ import annotations

from gate.audit.cheats.any_inject import with_payload
from gate.audit.cheats.target import Cheat
from gate.workspace.tree import Symlink

_LINKS = {
    "vendor": Symlink("/"),
    "golden": Symlink("../../.."),
    "docs/passwd": Symlink("/etc/passwd"),
    "reward.txt": Symlink("/proc/self/environ"),
    "loop": Symlink("loop"),
    "results.json": Symlink("/dev/zero"),
}


CHEAT = Cheat(
    "any/link-out",
    "files",
    ("python", "javascript"),
    "links lead to the root, to a parent, to /proc, to /dev/zero and to themselves",
    with_payload(_LINKS),
    seen="agent-skills PR 455",
)
