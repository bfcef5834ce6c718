"""Throwaway copies of a fixture: a plain copy, or an overlay where the fence can mount one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Overlay:
    """A copy as an overlay: `lower` is never written, `upper` and `work` lie on the host beside each other."""

    lower: Path
    upper: Path
    work: Path
