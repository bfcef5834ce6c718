"""The macOS fence: a policy as a Seatbelt profile and a `sandbox-exec` command.

There is no namespace to hold the tree by and no signal on the parent's death, so two things stand in: a search for
every process that carries this run's profile, and a watcher that kills the group when the harness is gone.
"""

from __future__ import annotations

import os
import platform
import shutil
import socket
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from gate.errors import NoSandbox
from gate.sandbox import darwin, environment, launch, profile
from gate.sandbox.group import Group
from gate.sandbox.policy import Limits, Policy
from gate.sandbox.process import WRAPPER
from gate.sandbox.supervised import Supervised

SANDBOX_EXEC = "/usr/bin/sandbox-exec"
"""By its absolute path only: a name would be looked for in folders that others write."""

_WATCHER = 'read -r line; kill -KILL -- "-$1"'
_BLOCK = 512


def arguments(built: profile.Profile, argv: Sequence[str], limits: Limits) -> list[str]:
    """The whole command line. Raises ValueError for a program that is not an absolute path."""
    if not argv or not argv[0].startswith("/"):
        raise ValueError(f"the program must be an absolute path: {argv[:1]}")
    defined = [word for name, value in built.parameters for word in ("-D", f"{name}={value}")]
    return [SANDBOX_EXEC, "-p", built.text, *defined, "--", "/bin/sh", "-c", _limit(limits) + WRAPPER, "sh", *argv]


def _limit(limits: Limits) -> str:
    """Limits that the kernel of macOS keeps; the number of processes is the whole user's there, so it is not set."""
    kept = {"c": 0, "t": limits.cpu_s, "f": limits.file_bytes // _BLOCK, "n": limits.open_files}
    return "".join(f"ulimit -{letter} {value} || exit 125\n" for letter, value in kept.items())


class Seatbelt(Supervised):
    """See `Fence`. An overlay is refused: macOS has none."""

    name = "seatbelt"
    owner = None
    can_overlay = False

    def fresh_owner(self) -> int | None:
        """See `Fence.fresh_owner`."""
        return None

    def _launch(self, policy: Policy, argv: Sequence[str]) -> tuple[launch.Process, Group]:
        if policy.overlay is not None:
            raise ValueError("macOS has no overlay")
        # Short and away from TMPDIR: socket names end at 104 bytes, and TMPDIR's own folder is shared.
        tmp = Path(tempfile.mkdtemp(prefix="cg-", dir="/tmp")).resolve()
        try:
            home = tmp / "home"
            home.mkdir()
            built = profile.build(policy, tmp=tmp, home=Path.home())
            cwd = str(policy.copy.resolve() if policy.copy is not None else tmp)
            variables = environment.clean(policy.environment, tmp=str(tmp), home=str(home), cwd=cwd)
            process = launch.launcher().launch(arguments(built, argv, policy.limits), variables, cwd=cwd)
        except BaseException:
            shutil.rmtree(tmp, ignore_errors=True)
            raise
        return process, Group(process, darwin.members(tmp), _release(_watch(process.pid), tmp))

    def describe(self) -> dict[str, str]:
        """See `Fence.describe`."""
        return {"backend": self.name, "version": platform.mac_ver()[0], "way": "sandbox-exec", "network": "none"}


def _watch(group: int) -> launch.Process:
    """A process that waits for the harness's end of its pipe to close, and then kills the group."""
    return launch.launcher().launch(["/bin/sh", "-c", _WATCHER, "sh", str(group)], {})


def _release(watcher: launch.Process, tmp: Path) -> Callable[[], None]:
    def release() -> None:
        watcher.kill()
        watcher.communicate()
        shutil.rmtree(tmp, ignore_errors=True)

    return release


_ATTACK = """\
( : < "$1" ) 2>/dev/null && echo read
( : > "$2" ) 2>/dev/null && echo written
/usr/bin/nc -z -w 2 127.0.0.1 "$3" >/dev/null 2>&1 && echo connected
kill -0 "$4" 2>/dev/null && echo signalled
: > here && echo ready
"""


def open_seatbelt() -> Seatbelt:
    """The back end, after a command in it did what it may and nothing else. Raises NoSandbox with the remedy."""
    if not os.access(SANDBOX_EXEC, os.X_OK):
        raise NoSandbox(f"no sandbox: {SANDBOX_EXEC} is not there. The seatbelt back end needs macOS.")
    if os.geteuid() == 0:
        raise NoSandbox("no sandbox: on macOS the gate does not run as root; run it as an ordinary user.")
    if darwin.is_sandboxed(os.getpid()):
        raise NoSandbox(
            "no sandbox: the gate itself runs inside a Seatbelt sandbox, and macOS does not nest them.\n"
            "  Start it from a plain terminal, or turn off the sandbox of the program that starts it."
        )
    fence = Seatbelt()
    reason = _reason_against(fence)
    if reason:
        raise NoSandbox(
            f"no sandbox: the Seatbelt probe failed: {reason}\n"
            "  What was denied stands in: log show --last 2m --predicate 'eventMessage CONTAINS \"deny(\"'"
        )
    return fence


def _reason_against(fence: Seatbelt) -> str:
    with tempfile.TemporaryDirectory(prefix="gate-probe-") as name, socket.create_server(("127.0.0.1", 0)) as host:
        scratch = Path(name).resolve()
        copy, secret, outside = scratch / "copy", scratch / "secret", scratch / "outside"
        copy.mkdir()
        secret.write_text("planted")
        aims = [str(secret), str(outside), str(host.getsockname()[1]), str(os.getpid())]
        done = fence.run(Policy(copy=copy, limits=Limits(wall_s=20.0)), ["/bin/sh", "-c", _ATTACK, "attack", *aims])
        if not done.started or done.exit_code != 0:
            return done.refusal or done.stderr.decode("utf-8", "replace").strip() or "the probe did not end"
        if done.stdout.split() != [b"ready"] or outside.exists() or not (copy / "here").is_file():
            return f"the sandbox does not hold: {done.stdout.decode('ascii', 'replace').split()}"
    return ""
