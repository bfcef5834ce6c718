"""A folder as a value: what lies in it, read without following a link or running anything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class File:
    """A regular file: its bytes and whether its owner may execute it. Other mode bits are not kept."""

    data: bytes
    executable: bool = False


@dataclass(frozen=True, slots=True)
class Symlink:
    """A symbolic link: where it points, never what it points to."""

    target: str


Node = File | Symlink

Tree = Mapping[str, Node]
"""Paths relative to the root, `/` between parts, undecodable bytes as surrogates. Empty folders do not count."""
