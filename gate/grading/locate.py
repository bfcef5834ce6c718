"""Whether a patch touches the place where the defect is, on the pristine side."""

from __future__ import annotations

import difflib

from gate.suite.canary import Expect
from gate.workspace.patch import Change, Patch
from gate.workspace.tree import File


def located(expect: Expect, patch: Patch) -> bool | None:
    """True if a changed or removed line, or the place of an insertion, lies in one of the canary's ranges.

    Line numbers count from 1 in the pristine file, both ends included. None where the canary declares no place.
    """
    if not expect.locate:
        return None
    changes = {change.path: change for change in patch.changes}
    return any(_touches(changes.get(str(place["path"])), place.get("lines")) for place in expect.locate)


def _touches(change: Change | None, lines: object) -> bool:
    if change is None or not isinstance(change.before, File):
        return False
    if not isinstance(lines, (list, tuple)) or len(lines) != 2:
        return True
    first, last = int(lines[0]), int(lines[1])
    after = change.after.data if isinstance(change.after, File) else b""
    matcher = difflib.SequenceMatcher(None, change.before.data.split(b"\n"), after.split(b"\n"), autojunk=False)
    for tag, start, end, _, _ in matcher.get_opcodes():
        # An insertion stands between two lines and touches both.
        low, high = (start, start + 1) if tag == "insert" else (start + 1, end)
        if tag != "equal" and low <= last and high >= first:
            return True
    return False
