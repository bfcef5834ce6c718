"""The lock: what the suite was when it was frozen, part by part, so that a difference can be named."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from gate.errors import ConfigError, Problem
from gate.outcome import Slice
from gate.suite import schema, yaml12
from gate.suite.canary import Canary
from gate.suite.load import Suite
from gate.suite.shelf import Shelf
from gate.suite.template import template_sha256
from gate.suite.yaml12 import Document

NAME = "lock.json"
SCHEMA = 1
MAX_LOCK = 64 * 1024 * 1024
_REMEDY = "`gate freeze` writes it anew, in a change of its own"

Lock = dict[str, Any]
"""The object of `schemas/lock.schema.json`."""


def compute(suite: Suite, template: str) -> Lock:
    """The lock of a suite as it is now. `suite` in it is the digest over everything else."""
    canaries = {}
    for canary in suite.canaries:
        parts = _parts(canary, suite.shelf)
        canaries[canary.id] = {"slice": str(canary.slice), "sha256": _digest(parts), "parts": parts}
    content: Lock = {"card": suite.card.sha256, "prompt_template": template_sha256(template), "canaries": canaries}
    return {"schema": SCHEMA, "suite": _digest(content), **content}


def canary_digests(lock: Lock) -> dict[str, str]:
    """The digest of each canary by id: what rows and baselines carry as `canary_sha256`."""
    return {name: entry["sha256"] for name, entry in lock["canaries"].items()}


def to_bytes(lock: Lock) -> bytes:
    """The file's bytes: sorted keys, two spaces, a final newline. The same suite gives the same bytes."""
    return (json.dumps(lock, indent=2, sort_keys=True) + "\n").encode()


def write(path: Path, lock: Lock) -> None:
    """Write the lock file, whole or not at all."""
    fresh = path.with_name(path.name + ".new")
    fresh.write_bytes(to_bytes(lock))
    fresh.replace(path)


def read(path: Path) -> Lock:
    """A lock file. Raises ConfigError where it is missing or is not one."""
    if not path.is_file():
        raise ConfigError.at(path, 0, "", "the suite is not frozen; run `gate freeze` and commit the lock")
    text = yaml12.read_bytes(path, MAX_LOCK)
    try:
        data = json.loads(text)
    except ValueError as error:
        raise ConfigError.at(path, getattr(error, "lineno", 0), "", f"is not JSON: {error}; {_REMEDY}") from error
    except RecursionError as error:
        raise ConfigError.at(path, 0, "", f"is nested too deep to be a lock; {_REMEDY}") from error
    problems = schema.problems("lock", Document(path, data, {}))
    if problems:
        raise ConfigError(problems)
    lock: Lock = data
    return lock


def check(suite: Suite, template: str) -> list[Problem]:
    """Every difference between the suite and its lock, by name; empty when it matches. Never raises.

    Hidden canaries that are locked but absent are passed over where the suite says that the slice is absent.
    """
    path = suite.card.path.with_name(NAME)
    try:
        locked = read(suite.root / NAME)
    except ConfigError as error:
        return list(error.problems)
    present = compute(suite, template)
    absent = bool(suite.notes) and not suite.of_slice(Slice.HIDDEN)
    return [Problem(str(path), 0, key, f"{reason}; {_REMEDY}") for key, reason in _differences(locked, present, absent)]


def _differences(locked: Lock, present: Lock, hidden_absent: bool) -> Iterator[tuple[str, str]]:
    for key, name in (("card", "the dataset card"), ("prompt_template", "the prompt template")):
        if locked[key] != present[key]:
            yield key, f"{name} has changed since the suite was frozen"
    was, now = locked["canaries"], present["canaries"]
    for name in sorted(was.keys() | now.keys()):
        key = f"canaries.{name}"
        if name not in was:
            yield key, "is not in the lock"
        elif name not in now:
            if not (hidden_absent and was[name]["slice"] == Slice.HIDDEN):
                yield key, "is in the lock and no longer in the suite"
        elif was[name] != now[name]:
            yield from _changes(key, was[name], now[name])
    if not hidden_absent and locked["suite"] != _digest({key: locked[key] for key in _CONTENT}):
        yield "suite", "does not match the rest of the lock, which was edited by hand"


_CONTENT = ("card", "prompt_template", "canaries")


def _changes(key: str, was: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if was["slice"] != now["slice"]:
        yield key, f"was in the slice {was['slice']} and is now in {now['slice']}"
    parts = was["parts"].keys() | now["parts"].keys()
    changed = [part for part in sorted(parts) if was["parts"].get(part) != now["parts"].get(part)]
    yield from ((f"{key}.{part}", _change(was["parts"], now["parts"], part)) for part in changed)
    if not changed and was["sha256"] != now["sha256"]:
        yield f"{key}.sha256", "does not match its parts, so the lock was edited by hand"


def _change(was: Mapping[str, str], now: Mapping[str, str], part: str) -> str:
    if part not in was:
        return "is new since the suite was frozen"
    return "has changed since the suite was frozen" if part in now else "is gone since the suite was frozen"


def _parts(canary: Canary, shelf: Shelf) -> dict[str, str]:
    """The digest of each file and folder that makes up a canary."""
    parts = {"canary": _file(canary.source), "fixture": shelf.digest(canary.fixture)}
    parts |= {f"golden[{index}]": _file(path) for index, path in enumerate(canary.expect.goldens)}
    if canary.expect.reference:
        parts["reference"] = _file(canary.expect.reference)
    if canary.expect.hidden_tests:
        parts["hidden_tests"] = shelf.digest(canary.expect.hidden_tests)
    if canary.trap and canary.trap.twin:
        parts["twin"] = shelf.digest(canary.trap.twin)
    if canary.trap and canary.trap.exploit.patch:
        parts["exploit"] = _file(canary.trap.exploit.patch)
    return parts


def _file(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _digest(content: Mapping[str, Any] | Iterable[str]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
