"""How the fence starts, feeds, drains and ends a process tree."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from gate.sandbox import kin
from gate.sandbox.fence import Completed, Fence, open_fence
from gate.sandbox.policy import Limits, Policy
from gate.sandbox.toolchain import Toolchain

BARE = Policy(copy=None)
MIB = 1 << 20


@pytest.fixture(scope="module", params=["auto", "none"])
def any_fence(request: pytest.FixtureRequest) -> Fence:
    """Supervision is the same promise with and without walls."""
    return open_fence(request.param)


def _within(seconds: float) -> Policy:
    return Policy(copy=None, limits=Limits(wall_s=seconds))


def _processes_with(mark: str) -> list[int]:
    """Every process on this machine whose command line holds the mark."""
    found = []
    for process in kin.processes():
        try:
            if mark.encode() in Path(f"/proc/{process.pid}/cmdline").read_bytes():
                found.append(process.pid)
        except OSError:
            continue
    return found


def _eventually(check: Callable[[], bool], seconds: float = 5.0) -> bool:
    deadline = time.monotonic() + seconds
    while not check():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


@pytest.mark.parametrize("code", [0, 1, 2, 71, 125, 126, 127, 200])
def test_an_exit_code_is_the_commands_own(any_fence: Fence, code: int) -> None:
    """Codes that a shell or a sandbox uses for its own failures are the command's when the command ran."""
    script = f"echo 'bwrap: execvp: No such file' >&2; echo 'sandbox_apply: Operation not permitted' >&2; exit {code}"
    done = any_fence.run(BARE, ["/bin/sh", "-c", script])
    assert (done.started, done.exit_code, done.timed_out, done.refusal) == (True, code, False, "")


def test_a_signal_is_128_and_its_number(any_fence: Fence) -> None:
    """A command killed by a signal of its own ends with 128 + N, as a shell would say."""
    done = any_fence.run(BARE, ["/bin/sh", "-c", "kill -SEGV $$"])
    assert (done.started, done.exit_code) == (True, 128 + signal.SIGSEGV)


@pytest.mark.parametrize("program", ["/nowhere/at/all", "/etc/passwd", "/usr"])
def test_what_cannot_be_executed_never_started(any_fence: Fence, program: str) -> None:
    """A missing program, a file without the execute bit and a folder are the harness's error, not a failed test."""
    done = any_fence.run(BARE, [program])
    assert (done.started, done.exit_code) == (False, None)
    assert program in done.refusal


def test_a_mount_that_fails_never_started(fence: Fence, scratch: Path) -> None:
    """When bubblewrap itself cannot build the room, its reason is the refusal."""
    (scratch / "file").write_text("")
    done = fence.run(Policy(copy=scratch / "file"), ["/bin/true"])
    assert (done.started, done.exit_code) == (False, None)
    assert "bwrap" in done.refusal


def test_output_that_looks_like_the_signal_of_readiness_is_kept(any_fence: Fence) -> None:
    """The byte that says the command began is taken once and from the wrapper only."""
    assert any_fence.run(BARE, ["/bin/echo", "KKK"]).stdout == b"KKK\n"
    assert any_fence.run(BARE, ["/bin/sh", "-c", "exit 0"]).stdout == b""


def test_input_and_output_of_many_megabytes_do_not_block(any_fence: Fence) -> None:
    """8 MiB in and 8 MiB out at once, NULs and all, come back byte for byte."""
    data = os.urandom(MIB) * 8
    policy = Policy(copy=None, limits=Limits(output_bytes=10 * MIB))
    done = any_fence.run(policy, ["/bin/cat"], stdin=data)
    assert done.stdout == data
    assert not done.truncated


def test_a_flood_is_capped_and_drained(any_fence: Fence) -> None:
    """100 MB on each output: the command ends by itself, the cap is kept, the rest is dropped and said to be."""
    policy = Policy(copy=None, limits=Limits(output_bytes=1000, wall_s=60))
    script = "head -c 100000000 /dev/zero; head -c 100000000 /dev/zero >&2; echo end >&2; exit 3"
    done = any_fence.run(policy, ["/bin/sh", "-c", script])
    assert (done.exit_code, len(done.stdout), len(done.stderr), done.truncated) == (3, 1000, 1000, True)


def test_a_command_that_reads_nothing_is_not_a_problem(any_fence: Fence) -> None:
    """A command that ends, or closes its input, without reading a large input ends normally."""
    assert any_fence.run(BARE, ["/bin/true"], stdin=b"x" * MIB).exit_code == 0
    assert any_fence.run(BARE, ["/bin/sh", "-c", "exec <&-; sleep 0.1; exit 4"], stdin=b"x" * MIB).exit_code == 4


STUBBORN = """
trap '' TERM INT HUP
(trap '' TERM HUP; setsid sh -c 'exec sleep 61.%(mark)s' & )
setsid setsid sleep 62.%(mark)s &
echo begun
sleep 63.%(mark)s
"""


def test_a_timeout_ends_the_whole_tree(any_fence: Fence) -> None:
    """Daemons in sessions of their own, deaf to TERM, holding the output open: all gone, and counted to be gone."""
    mark = f"{time.time_ns()}"
    began = time.monotonic()
    done = any_fence.run(_within(0.6), ["/bin/sh", "-c", STUBBORN % {"mark": mark}])
    assert time.monotonic() - began < 3
    assert (done.started, done.timed_out, done.exit_code, done.survivors) == (True, True, None, 0)
    assert done.stdout == b"begun\n"
    assert _processes_with(mark) == []


def test_a_daemon_does_not_outlive_its_command(any_fence: Fence) -> None:
    """When the command ends, what it left in the background ends too, and the harness does not wait for its output."""
    mark = f"{time.time_ns()}"
    script = f"(setsid sleep 61.{mark} &) ; setsid sleep 62.{mark} & echo done; exit 5"
    done = any_fence.run(BARE, ["/bin/sh", "-c", script])
    assert (done.exit_code, done.stdout, done.survivors) == (5, b"done\n", 0)
    assert done.seconds < 5
    assert _processes_with(mark) == []


def test_stopped_and_spinning_processes_end_at_the_deadline(any_fence: Fence) -> None:
    """A process that stops itself or spins is killed like any other."""
    for script in ("kill -STOP $$", "while :; do :; done"):
        assert any_fence.run(_within(0.4), ["/bin/sh", "-c", script]).timed_out


def test_processor_time_is_limited(fence: Fence) -> None:
    """A spin ends at its share of the processor, before the wall clock."""
    policy = Policy(copy=None, limits=Limits(cpu_s=1, wall_s=30))
    done = fence.run(policy, ["/bin/sh", "-c", "while :; do :; done"])
    assert not done.timed_out
    assert done.exit_code in (128 + signal.SIGXCPU, 128 + signal.SIGKILL)


def test_a_fork_bomb_is_bounded(fence: Fence, python_toolchain: Toolchain) -> None:
    """A process that forks without end meets the ceiling and is gone at the end."""
    code = """
import os, time
born = 0
try:
    while born < 500:
        if os.fork() == 0:
            time.sleep(30)
        born += 1
except BlockingIOError:
    print("refused at", born)
"""
    policy = Policy(copy=None, readable=python_toolchain.readable, limits=Limits(processes=40, wall_s=20))
    done = fence.run(policy, [str(python_toolchain.executable), "-I", "-S", "-c", code])
    assert done.stdout.startswith(b"refused at"), done.stderr
    assert int(done.stdout.split()[-1]) <= 40
    assert done.survivors == 0


def test_memory_and_file_size_are_limited(fence: Fence, scratch: Path, python_toolchain: Toolchain) -> None:
    """More memory or a larger file than the policy grants is an error inside, not a problem outside."""
    scratch.chmod(0o777)
    limits = Limits(memory_bytes=256 * MIB, file_bytes=MIB)
    policy = Policy(copy=scratch, readable=python_toolchain.readable, limits=limits)
    code = """
import signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
try: bytearray(1 << 29)
except MemoryError: print("memory")
try: open("big", "wb", buffering=0).write(b"x" * (1 << 21)); open("big", "ab", buffering=0).write(b"x")
except OSError as error: print(error.errno)
"""
    done = fence.run(policy, [str(python_toolchain.executable), "-I", "-S", "-c", code])
    assert done.stdout.split() == [b"memory", b"27"]
    assert (scratch / "big").stat().st_size == MIB


def test_odd_files_left_in_the_copy_do_not_disturb_the_fence(fence: Fence, scratch: Path) -> None:
    """A FIFO, a socket, a sparse terabyte and a folder nobody may enter are left behind; the next run works."""
    scratch.chmod(0o777)
    script = """
mkfifo fifo; truncate -s 50M sparse; mkdir shut; chmod 0 shut; ln -s loop loop; printf x > "$(printf 'new\\nline')"
"""
    policy = Policy(copy=scratch)
    assert fence.run(policy, ["/bin/sh", "-c", script]).exit_code == 0
    done = fence.run(policy, ["/bin/ls", "-A"])
    assert {b"fifo", b"sparse", b"shut", b"loop"} <= set(done.stdout.split())
    (scratch / "shut").chmod(0o700)


def test_runs_at_once_do_not_disturb_each_other(any_fence: Fence) -> None:
    """Sixteen runs from eight threads, half of them killed at their deadline: each ends as it would alone."""

    def one(number: int) -> bool:
        if number % 2:
            done = any_fence.run(_within(0.3), ["/bin/sh", "-c", "sleep 30 & sleep 30"])
            return done.timed_out and done.survivors == 0
        done = any_fence.run(BARE, ["/bin/sh", "-c", f"sleep 0.8; echo {number}; exit {number}"])
        return (done.exit_code, done.stdout) == (number, f"{number}\n".encode())

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(one, range(16)))


def test_a_command_outlives_the_thread_that_started_it(fence: Fence) -> None:
    """The kernel ties death-with-the-parent to a thread; the session goes on when the thread that began it is gone."""
    started = []
    thread = threading.Thread(target=lambda: started.append(fence.start(BARE, ["/bin/cat"])))
    thread.start()
    thread.join()
    time.sleep(0.2)
    session = started[0]
    session.send(b"still here\n")
    assert session.read_line(5) == b"still here"
    session.stop()


def test_the_harnesss_other_children_are_left_alone(fence: Fence) -> None:
    """A child of the harness that is none of the fence's is neither killed nor reaped by a run."""
    with subprocess.Popen(["/bin/sh", "-c", "sleep 0.5; exit 9"]) as other:
        fence.run(_within(0.2), ["/bin/sleep", "30"])
        assert other.wait() == 9


def _descriptors() -> set[str]:
    return {f"{path.name} {path.readlink()}" for path in Path("/proc/self/fd").iterdir() if path.is_symlink()}


def test_no_descriptor_is_left_open(any_fence: Fence) -> None:
    """Runs, refusals, timeouts and sessions give back every descriptor they took."""

    def everything() -> None:
        any_fence.run(BARE, ["/bin/true"])
        any_fence.run(BARE, ["/nowhere"])
        any_fence.run(_within(0.1), ["/bin/sleep", "9"])
        with pytest.raises(ValueError, match="environment"):
            any_fence.run(Policy(copy=None, environment=(("A=", "x"),)), ["/bin/true"])
        any_fence.start(BARE, ["/bin/cat"]).stop()

    everything()
    before = _descriptors()
    everything()
    assert _descriptors() == before


def test_killing_at_any_early_moment_leaves_nothing(fence: Fence) -> None:
    """Deadlines between 0 and 20 ms, when the sandbox is half built: never a process left over."""
    mark = f"{time.time_ns()}"
    for moment in range(20):
        done = fence.run(_within(moment / 1000), ["/bin/sleep", f"61.{mark}"])
        assert done.survivors == 0
    assert _eventually(lambda: _processes_with(mark) == [])


HARNESS = """
import sys
from gate.sandbox.fence import open_fence
from gate.sandbox.policy import Policy
fence = open_fence()
print("open", flush=True)
fence.run(Policy(copy=None), ["/bin/sh", "-c", "echo; setsid sleep 61.%(mark)s & sleep 62.%(mark)s"])
"""


@pytest.mark.parametrize("after_ms", [0, 2, 4, 6, 8, 10, 13, 16, 20, 200])
def test_killing_the_harness_leaves_nothing_running(after_ms: int) -> None:
    """SIGKILL to the harness, early in the sandbox's life or late: the sandbox and its daemons are gone."""
    mark = f"{time.time_ns()}"
    with subprocess.Popen([sys.executable, "-c", HARNESS % {"mark": mark}], stdout=subprocess.PIPE) as harness:
        assert harness.stdout is not None
        assert harness.stdout.readline() == b"open\n"
        if after_ms == 200:
            assert _eventually(lambda: len(_processes_with(mark)) >= 3), "the control: it was running"
        time.sleep(after_ms / 1000)
        harness.kill()
    assert _eventually(lambda: _processes_with(mark) == [])


def test_killing_bubblewrap_itself_is_noticed(fence: Fence) -> None:
    """When someone else kills the sandbox the run ends at once, says so, and has no exit code."""
    mark = f"61.{time.time_ns()}"

    def runs() -> bool:
        commands = (Path(f"/proc/{pid}/cmdline").read_bytes() for pid in _processes_with(mark))
        return f"/bin/sleep\0{mark}\0".encode() in commands

    def kill() -> None:
        assert _eventually(runs)
        os.kill(min(_processes_with(mark)), signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    done = fence.run(_within(20), ["/bin/sleep", mark])
    killer.join()
    assert (done.started, done.exit_code, done.timed_out, done.survivors) == (True, None, False, 0)
    assert "killed" in done.refusal
    assert _eventually(lambda: _processes_with(mark) == [])


def test_an_interrupt_ends_the_tree_first(fence: Fence) -> None:
    """Ctrl-C in the thread that waits for a run is passed on only after the run's tree is gone."""
    mark = f"61.{time.time_ns()}"

    def interrupt() -> None:
        _eventually(lambda: bool(_processes_with(mark)))
        time.sleep(0.1)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        fence.run(_within(20), ["/bin/sleep", mark])
    thread.join()
    assert _processes_with(mark) == []


def test_cancel_ends_what_runs_and_what_is_started_later() -> None:
    """An interrupt ends the trees of all threads at once, and none comes up afterwards."""
    fence = open_fence()
    policy = Policy(None, limits=Limits(wall_s=60))
    results: list[Completed] = []
    threads = [
        threading.Thread(target=lambda: results.append(fence.run(policy, ["/bin/sh", "-c", "sleep 50"])))
        for _ in range(3)
    ]
    began = time.monotonic()
    for thread in threads:
        thread.start()
    time.sleep(0.3)
    fence.cancel()
    for thread in threads:
        thread.join(10)
    results.append(fence.run(policy, ["/bin/sh", "-c", "sleep 50"]))
    assert time.monotonic() - began < 15
    assert [result.exit_code for result in results] == [None] * 4
    assert [result.survivors for result in results] == [0] * 4
