"""What an audit's result follows from, besides the canary: everything of the house that it went through."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from importlib import resources
from importlib.resources.abc import Traversable

ROOMS = ("agents", "audit", "grading", "models", "proof", "sandbox", "suite", "trials", "workspace")


def _sources(folder: Traversable, name: str) -> Iterator[tuple[str, Traversable]]:
    for item in sorted(folder.iterdir(), key=lambda item: item.name):
        if item.is_dir():
            yield from _sources(item, f"{name}/{item.name}")
        elif item.name.endswith((".py", ".mjs")):
            yield f"{name}/{item.name}", item


def house_digest(rooms: tuple[str, ...] = ROOMS) -> str:
    """Hex sha256 of our own sources, by path."""
    total = hashlib.sha256()
    for room in rooms:
        for path, item in _sources(resources.files("gate") / room, room):
            total.update(f"{path}\0".encode() + hashlib.sha256(item.read_bytes()).digest())
    return total.hexdigest()


def audit_digest() -> str:
    """Hex sha256 of what the graders were tried with: cheats, shapes, wrong answers, known-wrong versions."""
    return house_digest(("audit", "proof"))
