"""Which paths a patch may touch: outside them it fails, it is not trimmed until it fits."""

from __future__ import annotations

from collections.abc import Iterable

from gate.grading.reason import clean
from gate.outcome import Check
from gate.suite.canary import Expect
from gate.workspace.globs import Globs


def forbidden(expect: Expect, paths: Iterable[str]) -> list[str]:
    """The paths that are forbidden by name."""
    return Globs(expect.forbidden_paths).matching(paths)


def out_of_bounds(expect: Expect, paths: Iterable[str]) -> list[str]:
    """The paths that are forbidden, or outside the allowed ones where a canary lists any."""
    paths = list(paths)
    refused = set(forbidden(expect, paths))
    if expect.allowed_paths is not None:
        refused |= set(paths) - set(Globs(expect.allowed_paths).matching(paths))
    return sorted(refused)


def check_paths(expect: Expect, paths: Iterable[str]) -> Check | None:
    """The check of the changed paths, or None where the canary says nothing of paths."""
    if not expect.forbidden_paths and expect.allowed_paths is None:
        return None
    paths = list(paths)
    banned = set(forbidden(expect, paths))
    wrong = [f"{path} is {'forbidden' if path in banned else 'not allowed'}" for path in out_of_bounds(expect, paths)]
    if not wrong:
        return Check("paths", ok=True, reason="every changed path is allowed")
    more = f" and {len(wrong) - 5} more" if len(wrong) > 5 else ""
    return Check("paths", ok=False, reason=clean("; ".join(wrong[:5]) + more))
