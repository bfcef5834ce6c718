"""The stamp as it would be made at this moment, and whether the one that was made still holds."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gate.audited import Stamp
from gate.errors import ConfigError
from gate.grading.grade import grader_sources_digest, interpreters_digest
from gate.sandbox.toolchain import Toolchain
from gate.suite import lock as locks
from gate.suite import stamp as stamps


def stamp_now(lock: Mapping[str, Any], python: Toolchain, node: Toolchain | None, audit: str = "") -> Stamp:
    """What a green audit of this suite, with these graders and interpreters, leaves behind.

    `lock` is the lock as it lies in the suite, which is whole even where a hidden slice is absent. `audit` is the
    digest of cheats and shapes; empty for those who do not compare it.
    """
    return Stamp(
        suite=lock["suite"],
        graders=grader_sources_digest(),
        audit=audit,
        interpreters=(interpreters_digest(python, node),),
        canaries=locks.canary_digests(dict(lock)),
    )


def renew(path: Path, stamp: Stamp, found: Mapping[str, Any] | None = None) -> None:
    """Write the stamp of an audit that was green just now. A file that cannot be read is replaced, not kept."""
    try:
        last = stamps.read(path)
    except ConfigError:
        last = None
    stamps.write(path, stamps.joined(last, stamp), found)
