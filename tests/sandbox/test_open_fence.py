"""Opening the fence: the right one, proven, or a refusal that says what to do."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gate.errors import ConfigError, ExitCode, NoSandbox
from gate.sandbox import bubblewrap, probe
from gate.sandbox.fence import BACK_ENDS, Fence, open_fence
from gate.sandbox.policy import Policy
from gate.sandbox.unfenced import Unfenced
from gate.workspace.copy import Overlay

OPEN = """
import sys
from gate.errors import NoSandbox
from gate.sandbox.fence import open_fence
try:
    print(open_fence().describe())
except NoSandbox as refusal:
    print(refusal.message)
    sys.exit(int(refusal.exit_code))
"""


def _open_under(*words: str) -> subprocess.CompletedProcess[str]:
    root = Path(__file__).parents[2]
    return subprocess.run(
        [*words, sys.executable, "-c", OPEN], cwd=root, capture_output=True, text=True, timeout=60, check=False
    )


def test_the_fence_says_what_it_is(fence: Fence) -> None:
    """The description is stable between two openings and names back end, version, way and network."""
    described = fence.describe()
    assert described == open_fence("auto").describe()
    assert described["backend"] == fence.name in BACK_ENDS
    assert described["network"] == "none"
    assert described["version"]
    assert (described["way"] == "uid drop") == (os.geteuid() == 0) == (fence.owner is not None)


def test_no_fence_is_only_had_by_its_name() -> None:
    """`none` is opened when asked for by name, calls itself unsandboxed, and refuses what it cannot do."""
    bare = open_fence("none")
    assert isinstance(bare, Unfenced)
    assert bare.describe()["way"] == "unsandboxed"
    with pytest.raises(ValueError, match="overlay"):
        bare.run(Policy(copy=Path("/tmp"), overlay=Overlay(Path("/a"), Path("/b"), Path("/c"))), ["/bin/true"])


def test_an_unknown_name_lists_the_names() -> None:
    """A misspelt back end is a configuration error that shows the choices."""
    with pytest.raises(ConfigError, match=r"bubblewrap, seatbelt, none"):
        open_fence("docker")


def test_the_other_systems_fence_is_refused() -> None:
    """Seatbelt on Linux is a refusal with a reason, never something else instead."""
    with pytest.raises(NoSandbox, match="macOS"):
        open_fence("seatbelt")


def test_without_a_program_there_is_no_fence(monkeypatch: pytest.MonkeyPatch) -> None:
    """No bubblewrap anywhere: a refusal that says how to install one, exit code 3, no fallback."""
    monkeypatch.setattr(bubblewrap, "candidates", lambda: iter(()))
    with pytest.raises(NoSandbox, match="apt-get install bubblewrap") as refusal:
        open_fence("auto")
    assert refusal.value.exit_code == ExitCode.INCONCLUSIVE


def test_without_util_linux_there_is_no_fence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Limits and the uid drop are not left out where their programs are missing."""
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoSandbox, match="util-linux"):
        open_fence("auto")


RUNS_IT_BARE = """\
#!/bin/sh
while [ "$1" != -- ]; do
  case $1 in --json-status-fd) status=$2;; --chdir) cd "$2";; esac
  shift
done
shift
exec 9<&0
"$@" <&9 9<&- &
echo "{\\"child-pid\\": $!}" > "/proc/self/fd/$status"
wait $!
echo "{\\"exit-code\\": $?}" > "/proc/self/fd/$status"
"""


@pytest.mark.parametrize("lie", ["#!/bin/sh\nexit 0\n", "#!/bin/sh\nexit 1\n", RUNS_IT_BARE], ids=["0", "1", "bare"])
def test_a_program_that_does_not_fence_is_not_believed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, lie: str
) -> None:
    """A bwrap that does nothing, fails, or runs the command bare is found out by the probe."""
    program = tmp_path / "bwrap"
    program.write_text(lie)
    program.chmod(0o755)
    monkeypatch.setattr(bubblewrap, "candidates", lambda: iter([program]))
    with pytest.raises(NoSandbox, match="does not work here") as refusal:
        open_fence("auto")
    assert ("does not hold" in refusal.value.message) == (lie == RUNS_IT_BARE)


def test_a_system_program_without_overlays_gives_way_to_one_with(monkeypatch: pytest.MonkeyPatch, fence: Fence) -> None:
    """The back end is chosen by what it can do: of two that hold, the one that can mount an overlay."""
    real = list(bubblewrap.candidates())
    monkeypatch.setattr(bubblewrap, "candidates", lambda: iter([real[0], real[-1]]))
    answers = iter([False, True])
    monkeypatch.setattr(probe, "can_overlay", lambda _: next(answers))
    assert open_fence("auto").can_overlay
    monkeypatch.setattr(probe, "can_overlay", lambda _: False)
    assert not open_fence("auto").can_overlay
    assert fence.name == "bubblewrap"


# What bubblewrap says on machines that refuse it, and a phrase of the remedy.
SYMPTOMS = [
    ("bwrap: setting up uid map: Permission denied", "apparmor_restrict_unprivileged_userns"),
    ("bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted", "/etc/apparmor.d/bwrap"),
    (
        "bwrap: No permissions to create a new namespace, likely because the kernel does not allow",
        "unprivileged_userns_clone",
    ),
    ("bwrap: Creating new namespace failed: Operation not permitted", "seccomp=unconfined"),
    ("bwrap: Creating new namespace failed: nesting depth or max_user_namespaces exceeded", "max_user_namespaces"),
    ("bwrap: Can't mount proc on /newroot/proc: Operation not permitted", "unmask=ALL"),
]


@pytest.mark.parametrize(("said", "advice"), SYMPTOMS)
def test_a_refusal_comes_with_its_remedy(monkeypatch: pytest.MonkeyPatch, said: str, advice: str) -> None:
    """What bubblewrap said is shown with the commands that change it."""
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    message = probe.remedy([f"/usr/bin/bwrap: {said}"])
    assert said in message
    assert advice in message


def test_a_failure_nobody_knows_is_still_shown() -> None:
    """Without a known symptom the message has what was tried and what it said, and promises nothing."""
    message = probe.remedy(["/usr/bin/bwrap: a new error"])
    assert message.endswith("/usr/bin/bwrap: a new error")


NO_CAPABILITY = ("setpriv", "--bounding-set", "-sys_admin", "--inh-caps", "-sys_admin")
MASKED = ("unshare", "--mount", "sh", "-c", 'mount -t tmpfs none /proc/bus && exec "$@"', "sh")
FEW_IDS = ("unshare", "--user", "--map-root-user")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can take away its own capabilities and mask /proc")
@pytest.mark.parametrize(
    ("under", "advice"),
    [(NO_CAPABILITY, "--cap-add SYS_ADMIN"), (FEW_IDS, "/etc/subuid")],
    ids=["container", "rootless"],
)
def test_root_of_a_container_is_told_what_it_lacks(under: tuple[str, ...], advice: str) -> None:
    """Root without the capability, or without the other uid, gets exit code 3 and the remedy, not a traceback."""
    done = _open_under(*under)
    assert done.returncode == ExitCode.INCONCLUSIVE, done.stderr
    assert advice in done.stdout


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mask /proc")
def test_a_masked_proc_does_not_stop_root(fence: Fence) -> None:
    """Where the machine's own root finds /proc masked, the fence still mounts a new one and holds."""
    assert "uid drop" in _open_under(*MASKED).stdout
    assert fence.owner is not None
