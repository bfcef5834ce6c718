"""What a sandboxed command may touch and spend: one record, understood by every back end."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from gate.workspace.copy import Overlay

MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """Ceilings of one sandboxed process tree. Seconds, bytes, counts."""

    wall_s: float = 120.0
    cpu_s: int = 120
    memory_bytes: int | None = None
    file_bytes: int = 64 * MIB
    processes: int = 256
    open_files: int = 512
    output_bytes: int = 4 * MIB
    tmp_bytes: int = 256 * MIB


@dataclass(frozen=True, slots=True)
class Policy:
    """The whole policy of one sandboxed command. Paths are the same inside and outside the fence.

    `copy` is the only folder of the host that may be written (None: nothing is) and the working directory; with
    `overlay` it is the mount point. `readable` are host paths bound read-only besides the system's own. Every path
    is made real before use. There is no network: not a port, not a socket.
    """

    copy: Path | None
    readable: tuple[Path, ...] = ()
    copy_writable: bool = True
    overlay: Overlay | None = None
    environment: tuple[tuple[str, str], ...] = ()
    limits: Limits = field(default_factory=Limits)
