"""The stamp of a green audit: `audit.json` beside the lock, and what of it no longer holds."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from gate.audited import PARTS, AuditState, Stamp
from gate.errors import ConfigError, Problem
from gate.suite import schema, yaml12

NAME = "audit.json"
_REMEDY = "delete it, and `gate audit` writes it anew"


def read(path: Path) -> Stamp | None:
    """The stamp in a file, or None where there is none. Raises ConfigError, with lines, where it is something else."""
    return from_bytes(yaml12.read_bytes(path), path) if path.exists() or path.is_symlink() else None


def from_bytes(text: bytes, path: Path) -> Stamp:
    """The same from bytes, such as those of another commit; messages name it as `path`."""
    try:
        document = yaml12.load(path, text)  # JSON is YAML, and this loader knows the line of every key
    except ConfigError as error:
        raise ConfigError(_told(error.problems)) from error
    if problems := schema.problems("stamp", document):
        raise ConfigError(_told(problems))
    data = document.data
    return Stamp(data["suite"], data["graders"], data["audit"], tuple(data["interpreters"]), data["canaries"])


def _told(problems: Iterable[Problem]) -> list[Problem]:
    return [dataclasses.replace(problem, reason=f"{problem.reason}; {_REMEDY}") for problem in problems]


def to_bytes(stamp: Stamp, found: Mapping[str, Any] | None = None) -> bytes:
    """The file's bytes: sorted keys, two spaces, ASCII, a final newline. `found` is for readers and is not compared."""
    data = stamp.to_json() | ({"found": dict(found)} if found else {})
    return (json.dumps(data, indent=2, sort_keys=True) + "\n").encode("ascii")


def write(path: Path, stamp: Stamp, found: Mapping[str, Any] | None = None) -> None:
    """Write the file, whole or not at all. Raises ConfigError where the folder takes none."""
    fresh = path.with_name(path.name + ".new")
    try:
        fresh.write_bytes(to_bytes(stamp, found))
        fresh.replace(path)
    except OSError as error:
        raise ConfigError.at(path, 0, "", f"cannot be written: {error.strerror}") from error


def joined(stamp: Stamp | None, fresh: Stamp) -> Stamp:
    """A fresh stamp that keeps the interpreters of the last one, where all else is the same.

    So a stamp that was made on one machine is not lost when the same audit is green on another.
    """
    if stamp is None or dataclasses.replace(stamp, interpreters=fresh.interpreters) != fresh:
        return fresh
    return dataclasses.replace(fresh, interpreters=tuple(sorted({*stamp.interpreters, *fresh.interpreters})))


def state(stamp: Stamp | None, now: Stamp, *, audit: bool = True) -> AuditState:
    """What changed since the stamp; `now` is what a stamp made at this moment would hold.

    With `audit` False the cheats and shapes are not compared: a stamp made with an older catalogue still proves these
    graders on this suite. `gate run` asks that, and need not load the audit for it.
    """
    if stamp is None:
        return AuditState(stamped=False)
    same = {
        # Both: where a hidden slice is absent nobody can recompute the digest that stands in the lock.
        "suite": stamp.suite == now.suite and stamp.canaries == now.canaries,
        "graders": stamp.graders == now.graders,
        "interpreters": bool(now.interpreters) and {*now.interpreters} <= {*stamp.interpreters},
        "audit": not audit or stamp.audit == now.audit,
    }
    names = stamp.canaries.keys() | now.canaries.keys()
    differing = sorted(name for name in names if stamp.canaries.get(name) != now.canaries.get(name))
    canaries = () if same["suite"] else tuple(differing)
    return AuditState(stamped=True, changed=tuple(part for part in PARTS if not same[part]), canaries=canaries)
