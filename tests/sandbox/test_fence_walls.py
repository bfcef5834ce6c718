"""What the real fence of this machine keeps out, each wall with its control outside."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gate.sandbox.fence import Fence
from gate.sandbox.policy import Limits, Policy
from gate.sandbox.toolchain import Toolchain
from gate.workspace.copy import Overlay
from tests.sandbox.attacks import ATTACKS, Attack, succeeds_inside, succeeds_outside


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name.replace(" ", "-"))
def test_it_works_outside_and_fails_inside(fence: Fence, attack: Attack) -> None:
    """The same code does its harm without the fence and none within."""
    if os.geteuid() == 0 or not attack.needs_root:
        assert succeeds_outside(attack), "the control failed, so the wall is not tested"
    assert not succeeds_inside(attack, fence)


def _copy(fence: Fence, scratch: Path) -> Path:
    copy = scratch / "copy"
    copy.mkdir()
    if fence.owner is not None:
        os.chown(copy, fence.owner, fence.owner)
    return copy


def _status(text: str) -> dict[str, str]:
    return {name: value.strip() for name, _, value in (line.partition(":") for line in text.splitlines())}


def test_nothing_is_left_to_climb_with(fence: Fence) -> None:
    """Inside: not uid 0, no group of the host, no capability in any set, no new privileges, the filter on."""
    done = fence.run(Policy(copy=None), ["/bin/cat", "/proc/self/status"])
    status = _status(done.stdout.decode())
    assert "0" not in status["Uid"].split()
    assert "0" not in [*status["Gid"].split(), *status["Groups"].split()]
    for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
        assert int(status[name], 16) == 0, name
    assert (status["NoNewPrivs"], status["Seccomp"]) == ("1", "2")


def test_there_is_no_network_but_an_own_loopback(fence: Fence, python_toolchain: Toolchain) -> None:
    """The only device is lo, nothing outside is routed, and a server of the tests' own works on it, by name too."""
    code = """
import socket, threading
with socket.create_server(("localhost", 0)) as server:
    threading.Thread(target=lambda: server.accept()[0].sendall(b"served")).start()
    print(socket.create_connection(("localhost", server.getsockname()[1])).recv(9).decode())
print([name for _, name in socket.if_nameindex()])
try: socket.create_connection(("192.0.2.1", 80), 2)
except OSError as error: print(error.errno)
try: socket.getaddrinfo("example.org", 80)
except OSError as error: print(type(error).__name__)
"""
    policy = Policy(copy=None, readable=python_toolchain.readable)
    done = fence.run(policy, [str(python_toolchain.executable), "-I", "-c", code])
    assert done.stdout.decode().split("\n")[:4] == ["served", "['lo']", "101", "gaierror"], done.stderr


def test_the_copy_is_writable_and_the_rest_is_not(fence: Fence, scratch: Path, python_toolchain: Toolchain) -> None:
    """The command works in the copy, has a home and a temporary folder, and cannot change its own interpreter."""
    copy = _copy(fence, scratch)
    script = (
        'pwd; echo x > made; echo x > "$HOME/h"; echo x > "$TMPDIR/t"; echo x > "$1/evil"; echo x > /evil; ls -A /tmp'
    )
    policy = Policy(copy=copy, readable=python_toolchain.readable)
    done = fence.run(policy, ["/bin/sh", "-c", script, "sh", str(python_toolchain.readable[0])])
    assert done.stdout.split()[0] == str(copy).encode()
    assert {b"home", b"t"} <= set(done.stdout.split())
    assert (copy / "made").read_text() == "x\n"
    assert done.stderr.lower().count(b"read-only") == 2 or done.stderr.lower().count(b"cannot create") == 2
    assert not (python_toolchain.readable[0] / "evil").exists()


def test_a_copy_may_be_read_only(fence: Fence, scratch: Path) -> None:
    """With copy_writable off the command sees the copy and cannot change it."""
    copy = _copy(fence, scratch)
    (copy / "seen").write_text("seen")
    done = fence.run(Policy(copy=copy, copy_writable=False), ["/bin/sh", "-c", "cat seen; echo x > made"])
    assert (done.stdout, done.exit_code) == (b"seen", 2)
    assert not (copy / "made").exists()


def test_a_copy_that_only_its_owner_may_enter_works(fence: Fence, scratch: Path) -> None:
    """Mode 0700 on the copy stops nobody who should be in it."""
    copy = _copy(fence, scratch)
    copy.chmod(0o700)
    assert fence.run(Policy(copy=copy), ["/bin/sh", "-c", "echo x > made"]).exit_code == 0
    assert (copy / "made").exists()


def test_an_overlay_leaves_the_lower_layer_alone(fence: Fence, scratch: Path) -> None:
    """Changes and deletions land in the upper layer on the host; the next command on the same overlay sees them."""
    assert fence.can_overlay, "this machine mounted overlays when this was written"
    layers = [scratch / name for name in ("lower", "upper", "work")]
    for layer in layers:
        layer.mkdir()
    for name in ("kept", "deleted"):
        (layers[0] / name).write_text(name)
    if fence.owner is not None:
        for path in (*layers, *layers[0].iterdir()):
            os.chown(path, fence.owner, fence.owner)
    policy = Policy(copy=scratch / "copy", overlay=Overlay(*layers))
    assert fence.run(policy, ["/bin/sh", "-c", "echo more >> kept; rm deleted; echo new > made"]).exit_code == 0
    assert (layers[0] / "kept").read_text() == "kept"
    assert (layers[1] / "kept").read_text() == "keptmore\n"
    assert sorted(path.name for path in layers[0].iterdir()) == ["deleted", "kept"]
    assert fence.run(policy, ["/bin/ls"]).stdout.split() == [b"kept", b"made"]


def test_nothing_the_harness_holds_open_is_inherited(fence: Fence, scratch: Path) -> None:
    """A descriptor that the harness left inheritable is not there inside; only the three pipes are."""
    secret = scratch / "secret"
    secret.write_text("planted")
    held = os.open(secret, os.O_RDONLY)
    os.set_inheritable(held, True)
    try:
        done = fence.run(Policy(copy=None), ["/bin/ls", "/proc/self/fd"])
    finally:
        os.close(held)
    assert done.stdout.split() == [b"0", b"1", b"2", b"3"], "3 is ls's own, the folder it lists"


def test_no_variable_of_the_harness_is_inherited(fence: Fence, monkeypatch: pytest.MonkeyPatch) -> None:
    """A key in the harness's environment is neither in the command's nor in that of any process it can see."""
    monkeypatch.setenv("SOME_API_KEY", "planted-key")
    policy = Policy(copy=None, environment=(("MINE", "mine"),))
    done = fence.run(policy, ["/bin/sh", "-c", "cat /proc/[0-9]*/environ; cat /proc/[0-9]*/cmdline"])
    assert b"MINE=mine" in done.stdout
    assert b"planted-key" not in done.stdout


def test_temporary_files_are_private_and_bounded(fence: Fence) -> None:
    """What lies in /tmp and /dev/shm is gone with the command, and a file that fills them ends at the quota."""
    limits = Limits(tmp_bytes=1 << 20, file_bytes=1 << 30)
    script = (
        "ls -A /tmp /dev/shm; head -c 4000000 /dev/zero > /tmp/cg-mark; head -c 90000000 /dev/zero > /dev/shm/cg-mark"
    )
    for _ in range(2):
        done = fence.run(Policy(copy=None, limits=limits), ["/bin/sh", "-c", script])
        assert done.stderr.count(b"No space left") == 2
        assert b"cg-mark" not in done.stdout
    assert not Path("/tmp/cg-mark").exists()
    assert not Path("/dev/shm/cg-mark").exists()


@pytest.mark.parametrize(
    "odd", ["a b", "quote'", 'double"', "back\\slash", "new\nline", "-dash", "ünï", "$(touch x)", ";x"]
)
def test_odd_names_of_copies_are_only_names(fence: Fence, scratch: Path, odd: str) -> None:
    """A copy's name is never read as an option, a word of a shell, or a rule."""
    copy = scratch / odd
    copy.mkdir()
    copy.chmod(0o777)
    done = fence.run(Policy(copy=copy), ["/bin/sh", "-c", "pwd; echo x > made"])
    assert done.exit_code == 0, done.refusal or done.stderr
    assert done.stdout.decode() == f"{copy}\n"
    assert [path.name for path in scratch.iterdir()] == [odd]
