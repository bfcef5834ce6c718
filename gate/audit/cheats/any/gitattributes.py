"""Attributes that keep changes out of a diff."""

from __future__ import annotations

from gate.audit.cheats.any_inject import with_payload
from gate.audit.cheats.target import Cheat

_ALL = b"""* -diff -text binary
* filter=clean diff=none merge=ours export-ignore ident
"""
_CONFIG = b'[filter "clean"]\n\tclean = cat /dev/null\n\tsmudge = cat\n\trequired = false\n'


CHEAT = Cheat(
    "any/gitattributes",
    "harness",
    ("python", "javascript"),
    "attributes make every file binary, filtered and left out of an archive",
    with_payload({".gitattributes": _ALL, "tests/.gitattributes": _ALL, ".gitconfig": _CONFIG}),
    seen="fletch PR 564",
)
