"""Things that code inside the fence tries, each judged from the host where the host can see it.

Every attack is run outside first and must succeed there: a probe that cannot succeed proves nothing.
"""

from __future__ import annotations

import os
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path

from gate.sandbox.fence import Fence
from gate.sandbox.policy import Limits, Policy
from gate.sandbox.toolchain import python

SECRET = b"planted-7f3a"


@dataclass
class Stage:
    """A fresh set of things to attack. `outside` and `home` lie beside the copy; `victim` is a process of ours."""

    root: Path
    copy: Path
    outside: Path
    home: Path
    victim: subprocess.Popen[bytes]
    tcp: socket.socket
    udp: socket.socket
    unix: socket.socket
    abstract: socket.socket
    opened: ExitStack = field(default_factory=ExitStack)

    def arguments(self) -> list[str]:
        """What every attack finds in sys.argv[1:]."""
        ports = [str(sock.getsockname()[1]) for sock in (self.tcp, self.udp)]
        name = self.abstract.getsockname()[1:].decode()
        pids = [str(self.victim.pid), str(os.getpid())]
        return [str(self.outside), str(self.home), *ports, f"{self.root}/socket", name, *pids]


PRELUDE = """
import ctypes, mmap, os, socket, sys
OUTSIDE, HOME, TCP, UDP, UNIX, ABSTRACT, VICTIM, HARNESS = sys.argv[1:9]
TCP, UDP, VICTIM, HARNESS = int(TCP), int(UDP), int(VICTIM), int(HARNESS)
libc = ctypes.CDLL(None, use_errno=True)
"""

Judge = Callable[[Stage, bytes], bool]


@dataclass(frozen=True)
class Attack:
    """`happened` judges from the host's side; the attack's own output is a witness only for what it could read.

    `needs_root`: only root's own control run can succeed.
    """

    name: str
    code: str
    happened: Judge
    needs_root: bool = False


def _said(_: Stage, output: bytes) -> bool:
    return b"GOT" in output


def _read_secret(_: Stage, output: bytes) -> bool:
    return SECRET in output


def _exists(name: str) -> Judge:
    return lambda stage, _: os.path.lexists(stage.root / name)


def _planted_changed(stage: Stage, _: bytes) -> bool:
    planted = stage.outside / "planted"
    return not planted.is_file() or planted.read_bytes() != b"original\n"


def _connected(stage: Stage, _: bytes) -> bool:
    return _accepts(stage.tcp)


def _accepts(listener: socket.socket) -> bool:
    listener.settimeout(0.2)
    try:
        listener.accept()[0].close()
    except TimeoutError:
        return False
    return True


def _datagram(stage: Stage, _: bytes) -> bool:
    stage.udp.settimeout(0.2)
    try:
        return bool(stage.udp.recv(100))
    except TimeoutError:
        return False


def _dead(stage: Stage, _: bytes) -> bool:
    time.sleep(0.05)
    return stage.victim.poll() is not None


ATTACKS = (
    Attack("write beside the copy", "open('../marker', 'w').write('x')", _exists("marker")),
    Attack("write by absolute path", "open(OUTSIDE + '/new', 'w').write('x')", _exists("outside/new")),
    Attack("append to a file outside", "open(OUTSIDE + '/planted', 'a').write('x')", _planted_changed),
    Attack("truncate a file outside", "os.truncate(OUTSIDE + '/planted', 0)", _planted_changed),
    Attack("delete a file outside", "os.unlink(OUTSIDE + '/planted')", _planted_changed),
    Attack(
        "write through a symbolic link",
        "os.symlink(OUTSIDE + '/planted', 'link'); open('link', 'w').write('x')",
        _planted_changed,
    ),
    Attack(
        "write through a hard link",
        "os.link(OUTSIDE + '/planted', 'hard'); open('hard', 'w').write('x')",
        _planted_changed,
    ),
    Attack("move a file in", "os.rename(OUTSIDE + '/planted', 'mine')", _planted_changed),
    Attack("move a file out", "open('f', 'w').close(); os.rename('f', OUTSIDE + '/moved')", _exists("outside/moved")),
    Attack(
        "change a mode outside",
        "os.chmod(OUTSIDE + '/planted', 0o777)",
        lambda stage, _: stat.S_IMODE((stage.outside / "planted").stat().st_mode) == 0o777,
    ),
    Attack(
        "change a time outside",
        "os.utime(OUTSIDE + '/planted', (1, 1))",
        lambda stage, _: (stage.outside / "planted").stat().st_mtime == 1,
    ),
    Attack("replace the copy", "os.rename(os.getcwd(), OUTSIDE + '/copy')", _exists("outside/copy")),
    Attack("write to the home", "open(HOME + '/.bashrc', 'w').write('x')", _exists("home/.bashrc")),
    Attack("read a key", "print(open(HOME + '/.ssh/id_ed25519').read())", _read_secret),
    Attack("see that a key exists", "os.stat(HOME + '/.ssh/id_ed25519'); print('GOT')", _said),
    Attack("list the home", "print('GOT' if '.ssh' in os.listdir(HOME) else '')", _said),
    Attack("read a key by a link", "os.symlink(HOME, 'h'); print(open('h/.ssh/id_ed25519').read())", _read_secret),
    Attack("read a neighbour's environment", "print(open(f'/proc/{VICTIM}/environ').read())", _read_secret),
    Attack("see a neighbour's files", "print(os.readlink(f'/proc/{VICTIM}/cwd')); print('GOT')", _said),
    Attack("kill a neighbour", "os.kill(VICTIM, 9)", _dead),
    Attack("signal the harness", "os.kill(HARNESS, 0); print('GOT')", _said),
    Attack("connect over TCP", "socket.create_connection(('127.0.0.1', TCP), 2)", _connected),
    Attack(
        "connect with the first packet",
        "socket.socket().sendto(b'x', 0x20000000, ('127.0.0.1', TCP))",
        _connected,
    ),
    Attack(
        "send a datagram",
        "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', UDP))",
        _datagram,
    ),
    Attack(
        "connect to a socket outside",
        "s = socket.socket(socket.AF_UNIX); s.connect(UNIX)",
        lambda stage, _: _accepts(stage.unix),
    ),
    Attack(
        "connect to an abstract socket",
        "s = socket.socket(socket.AF_UNIX); s.connect('\\0' + ABSTRACT)",
        lambda stage, _: _accepts(stage.abstract),
    ),
    Attack(
        "write the kernel's settings",
        "p = '/proc/sys/kernel/core_pattern'; v = open(p).read(); open(p, 'w').write(v); print('GOT')",
        _said,
        needs_root=True,
    ),
    Attack(
        "mount a file system",
        "os.mkdir('m'); print('GOT' if libc.mount(b'none', b'm', b'tmpfs', 0, None) == 0 else ''); libc.umount(b'm')",
        _said,
        needs_root=True,
    ),
    Attack("make a device", "os.mknod('dev', 0o20666, os.makedev(1, 3)); print('GOT')", _said, needs_root=True),
    Attack("become root", "os.setuid(0); print('GOT')", _said, needs_root=True),
    Attack("change the root", "os.mkdir('r'); os.chroot('r'); print('GOT')", _said, needs_root=True),
    Attack("raise a limit", "import resource as r; r.setrlimit(r.RLIMIT_NOFILE, (9999, 9999)); print('GOT')", _said),
)


def stage() -> Stage:
    """Set everything up; the copy is world-writable, so that it serves inside and outside alike."""
    opened = ExitStack()
    root = Path(tempfile.mkdtemp(prefix="cg-")).resolve()
    opened.callback(shutil.rmtree, root, ignore_errors=True)
    root.chmod(0o755)
    for name in ("copy", "outside", "home", "home/.ssh"):
        (root / name).mkdir()
    (root / "copy").chmod(0o777)
    (root / "outside" / "planted").write_text("original\n")
    (root / "home" / ".ssh" / "id_ed25519").write_bytes(SECRET)
    tcp = opened.enter_context(socket.create_server(("127.0.0.1", 0)))
    udp = opened.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
    udp.bind(("127.0.0.1", 0))
    unix = opened.enter_context(socket.socket(socket.AF_UNIX))
    unix.bind(f"{root}/socket")
    (root / "socket").chmod(0o777)
    abstract = opened.enter_context(socket.socket(socket.AF_UNIX))
    abstract.bind(f"\0canary-{root.name}")
    unix.listen()
    abstract.listen()
    victim = subprocess.Popen(["/bin/sleep", "60"], env={"TOKEN": SECRET.decode()})

    def bury() -> None:
        with suppress(ProcessLookupError):
            victim.kill()
        victim.wait()

    opened.callback(bury)
    return Stage(root, root / "copy", root / "outside", root / "home", victim, tcp, udp, unix, abstract, opened)


def succeeds_outside(attack: Attack) -> bool:
    """The positive control: the same code, the same interpreter, no fence."""
    now = stage()
    with now.opened:
        words = [sys.executable, "-I", "-S", "-c", PRELUDE + attack.code, *now.arguments()]
        done = subprocess.run(words, cwd=now.copy, capture_output=True, timeout=30, check=False)
        return attack.happened(now, done.stdout)


def succeeds_inside(attack: Attack, fence: Fence) -> bool:
    """The attack itself; a command that never ran is an error, not a wall."""
    now = stage()
    with now.opened:
        tools = python()
        policy = Policy(copy=now.copy, readable=tools.readable, limits=Limits(wall_s=30))
        words = [str(tools.executable), "-I", "-S", "-c", "print('RAN');" + PRELUDE + attack.code, *now.arguments()]
        done = fence.run(policy, words)
        assert done.started, done.refusal
        assert done.stdout.startswith(b"RAN"), done.stderr
        return attack.happened(now, done.stdout)
