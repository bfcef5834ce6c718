"""The command line of the Linux fence, read without running it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.sandbox.bubblewrap import NOBODY, Spare, Tools, arguments
from gate.sandbox.mounts import mounts
from gate.sandbox.policy import Limits, Policy
from gate.workspace.copy import Overlay

USER = Tools("/usr/bin/bwrap", "/usr/bin/prlimit", None)
ROOT = Tools("/usr/bin/bwrap", "/usr/bin/prlimit", "/usr/bin/setpriv")
SPARE = Spare(status=11, filter=12, files=((13, "/etc/passwd"),))


def _build(policy: Policy, tools: Tools = USER) -> list[str]:
    return arguments(policy, ["/usr/bin/true", "--flag", "two words"], tools, SPARE)


def _has(words: Sequence[str], *run: str) -> bool:
    return any(tuple(words[at : at + len(run)]) == run for at in range(len(words)))


def _targets(words: Sequence[str]) -> list[str]:
    """Where each mount lands, in order."""
    last = {"--bind": 2, "--ro-bind": 2, "--tmpfs": 1, "--dir": 1, "--symlink": 2, "--overlay": 3, "--ro-overlay": 1}
    return [words[at + last[word]] for at, word in enumerate(words) if word in last]


@pytest.mark.parametrize("tools", [USER, ROOT], ids=["user", "root"])
def test_every_wall_is_asked_for(tmp_path: Path, tools: Tools) -> None:
    """Own pid, network, ipc and host-name namespaces, no capability, no terminal, death with the parent, the filter."""
    words = _build(Policy(copy=tmp_path), tools)
    for flag in ("--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--die-with-parent"):
        assert flag in words
    assert "--new-session" in words
    assert "--clearenv" in words
    assert _has(words, "--cap-drop", "ALL")
    assert _has(words, "--seccomp", "12", "--json-status-fd", "11", "--")
    assert not {"--share-net", "--unshare-user-try", "--dev-bind", "--as-pid-1"} & set(words)
    assert not _has(words, "--ro-bind", "/", "/")


def test_an_ordinary_user_gets_a_user_namespace_and_no_way_to_another(tmp_path: Path) -> None:
    """Without root the namespace is required, never tried, and further ones are off."""
    words = _build(Policy(copy=tmp_path), USER)
    assert _has(words, "--unshare-user", "--disable-userns")
    assert "/usr/bin/setpriv" not in words


def test_root_drops_to_an_unprivileged_uid_before_anything_runs(tmp_path: Path) -> None:
    """The first program bubblewrap starts for root is setpriv, to a uid that is not 0, with every set empty."""
    words = _build(Policy(copy=tmp_path), ROOT)
    inside = words[words.index("--") + 1 :]
    assert inside[:6] == ["/usr/bin/setpriv", "--reuid", str(NOBODY), "--regid", str(NOBODY), "--clear-groups"]
    assert {"--inh-caps=-all", "--ambient-caps=-all", "--bounding-set=-all", "--no-new-privs"} <= set(inside)
    assert "--unshare-user" not in words
    assert NOBODY != 0


def test_the_limits_come_right_before_the_command(tmp_path: Path) -> None:
    """Every ceiling of the policy is set by prlimit, memory only where the policy names it."""
    limits = Limits(cpu_s=7, file_bytes=1000, processes=11, open_files=12, memory_bytes=13)
    words = _build(Policy(copy=tmp_path, limits=limits))
    inside = words[words.index("--") + 1 :]
    wanted = ["--core=0", "--cpu=7", "--fsize=1000", "--nproc=11", "--nofile=12", "--as=13", "--"]
    assert inside[:8] == ["/usr/bin/prlimit", *wanted]
    assert not any(word.startswith("--as") for word in _build(Policy(copy=tmp_path)))


def test_the_command_is_passed_word_by_word(tmp_path: Path) -> None:
    """The command's words are arguments of the wrapper, never a part of a shell's text."""
    assert _build(Policy(copy=tmp_path))[-3:] == ["/usr/bin/true", "--flag", "two words"]


def test_parents_are_mounted_before_what_lies_in_them(tmp_path: Path) -> None:
    """A bind of a folder never comes after, and so never covers, a mount inside it."""
    project = tmp_path / "project"
    (project / "runs" / "copy").mkdir(parents=True)
    (project / ".venv").mkdir()
    policy = Policy(copy=project / "runs" / "copy", readable=(project / ".venv", project))
    words = _build(policy)
    assert _has(words, "--bind", str(project / "runs" / "copy"), str(project / "runs" / "copy"))
    targets = _targets(words)
    for late, target in enumerate(targets):
        for earlier in targets[:late]:
            assert not earlier.startswith(target.rstrip("/") + "/"), f"{target} covers {earlier}"


def test_only_the_copy_is_writable(tmp_path: Path) -> None:
    """One writable bind, the copy, and none when the policy says so or has no copy."""
    (tmp_path / "copy").mkdir()
    (tmp_path / "lib").mkdir()
    policy = Policy(copy=tmp_path / "copy", readable=(tmp_path / "lib",))
    words = _build(policy)
    assert [words[at + 1] for at, word in enumerate(words) if word == "--bind"] == [str(tmp_path / "copy")]
    assert "--bind" not in _build(Policy(copy=tmp_path / "copy", copy_writable=False))
    assert "--bind" not in _build(Policy(copy=None))


def test_the_kernels_settings_are_shut_after_proc_is_mounted(tmp_path: Path) -> None:
    """/proc/sys is bound read-only over the new /proc, /dev is shut after its tmpfs, and / last of all."""
    words = _build(Policy(copy=tmp_path))
    assert _has(words, "--ro-bind", "/proc/sys", "/proc/sys")
    assert words.index("--proc") < words.index("/proc/sys")
    assert words.index("--dev") < words.index("/dev/shm") < words.index("--remount-ro")
    assert _has(words, "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", str(tmp_path))


def test_every_temporary_space_has_a_size(tmp_path: Path) -> None:
    """No tmpfs is unlimited: each is preceded by --size."""
    words = _build(Policy(copy=tmp_path, limits=Limits(tmp_bytes=4096)))
    places = [at for at, word in enumerate(words) if word == "--tmpfs"]
    assert len(places) == 2
    assert all(words[at - 2] == "--size" for at in places)
    assert "4096" in words


def test_folders_above_a_mount_are_open_to_whom_root_drops_to(tmp_path: Path) -> None:
    """Each missing ancestor of each bind is made with mode 0755; bubblewrap itself would make it 0700 for root."""
    deep = tmp_path / "a" / "b" / "c"
    deep.mkdir(parents=True)
    words = mounts(Policy(copy=None, readable=(deep,)))
    for folder in deep.parents:
        if str(folder) not in ("/", "/tmp"):
            assert _has(words, "--perms", "0755", "--dir", str(folder))


def test_a_linked_path_is_there_under_both_names(tmp_path: Path) -> None:
    """A readable path behind a symbolic link is bound where it really is and where it was said to be."""
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    words = mounts(Policy(copy=None, readable=(tmp_path / "link",)))
    real = str(tmp_path / "real")
    assert _has(words, "--ro-bind", real, real)
    assert _has(words, "--ro-bind", real, str(tmp_path / "link"))


def test_a_link_left_in_the_copy_does_not_choose_what_is_shown(tmp_path: Path) -> None:
    """A readable path inside the copy that a command has turned into a link out of it is refused."""
    (tmp_path / "copy" / "env").mkdir(parents=True)
    (tmp_path / "secret").mkdir()
    policy = Policy(copy=tmp_path / "copy", readable=(tmp_path / "copy" / "env",))
    assert _has(mounts(policy), "--ro-bind", str(tmp_path / "copy" / "env"))
    (tmp_path / "copy" / "env").rmdir()
    (tmp_path / "copy" / "env").symlink_to(tmp_path / "secret")
    with pytest.raises(ValueError, match="leads out"):
        mounts(policy)


def test_an_overlay_writes_to_its_upper_layer(tmp_path: Path) -> None:
    """The lower layer is a source, the upper takes the writes; read-only, both are sources."""
    for name in ("lower", "upper", "work"):
        (tmp_path / name).mkdir()
    overlay = Overlay(tmp_path / "lower", tmp_path / "upper", tmp_path / "work")
    lower, upper, work = (str(tmp_path / name) for name in ("lower", "upper", "work"))
    words = mounts(Policy(copy=Path("/copy"), overlay=overlay))
    assert _has(words, "--overlay-src", lower, "--overlay", upper, work, "/copy")
    words = mounts(Policy(copy=Path("/copy"), overlay=overlay, copy_writable=False))
    assert _has(words, "--overlay-src", lower, "--overlay-src", upper, "--ro-overlay", "/copy")


@pytest.mark.parametrize(
    "path", ["/", "/proc", "/proc/self", "/dev", "/sys", "/sys/kernel", "/tmp", "/usr/..", "relative", "."]
)
def test_a_path_that_would_show_the_host_is_refused(path: str) -> None:
    """No policy can bind the root, a kernel file system, the shared temporary folder, or a relative path."""
    with pytest.raises(ValueError, match=r"absolute|show"):
        mounts(Policy(copy=None, readable=(Path(path),)))


@pytest.mark.parametrize("argv", [[], ["true"], ["./true"], ["bin/true"]])
def test_the_program_is_named_by_an_absolute_path(tmp_path: Path, argv: list[str]) -> None:
    """What to run is never looked for in a PATH that the copy could be on."""
    with pytest.raises(ValueError, match="absolute"):
        arguments(Policy(copy=tmp_path), argv, USER, SPARE)


@settings(max_examples=40, deadline=None)
@given(names=st.lists(st.text("abc/", min_size=1, max_size=7).filter(lambda text: text.strip("/")), max_size=5))
def test_whatever_is_readable_order_holds(tmp_path_factory: pytest.TempPathFactory, names: list[str]) -> None:
    """For any set of folders: parents first, each target once, nothing readable is bound writable."""
    root = tmp_path_factory.mktemp("order").resolve()
    folders = [Path(f"{root}/{name}") for name in names]
    for folder in folders:
        folder.mkdir(parents=True, exist_ok=True)
    words = mounts(Policy(copy=None, readable=tuple(folders)))
    targets = _targets(words)
    assert len(targets) == len(set(targets))
    assert targets == sorted(targets, key=lambda target: (len(Path(target).parts), target))
    assert "--bind" not in words
