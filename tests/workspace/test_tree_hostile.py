"""Reading what an agent left: it never hangs, follows, runs or misses anything without saying so."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from gate.workspace.names import decode
from gate.workspace.tree import File, Node, Reading, Symlink, read, write
from tests.workspace import mess
from tests.workspace.unprivileged import as_user

READABLE: dict[str, Node] = {
    "good.txt": File(b"good\n"),
    "other-name": File(b"good\n"),
    "loop-a": Symlink("loop-b"),
    "loop-b": Symlink("loop-a"),
    "self": Symlink("."),
    "shadow": Symlink("/etc/shadow"),
    "tty": Symlink("/dev/tty"),
    decode(b"new\nline\x1b[2J\xff"): File(b"odd name\n"),
    "n" * 255: File(b"long name\n"),
    "locked/inside": File(b"inside\n"),
    "listed/inside": File(b"listed\n"),
    "unreadable": File(b"unreadable\n"),
    "unreadable-tool": File(b"#!/bin/sh\n", executable=True),
}
DEEP = "deep/" + "/".join(["d" * 16] * 99)
ODDITIES = (
    f"{DEEP}: deeper than 100 folders, not read",
    "fifo: FIFO",
    "good.txt: has 2 names (hard link)",
    "other-name: has 2 names (hard link)",
    "socket: socket",
    "sparse: larger than 33554432 bytes, not read",
)


def _left(folder: Path) -> Reading:
    root = folder / "copy"
    root.mkdir()
    mess.make(root)
    return read(root, unlock=True)


def _here(tmp_path: Path) -> Callable[[Callable[[Path], Reading]], Reading]:
    return lambda work: work(tmp_path)


@pytest.mark.parametrize("privileged", [False, True])
def test_the_mess_is_read_and_named(privileged: bool, tmp_path: Path) -> None:
    """Everything that can be read is, the same for root and for a user, and what cannot is named in a stable order."""
    reading = _left(tmp_path) if privileged else as_user(_left)
    assert reading.tree == READABLE
    assert reading.oddities == ODDITIES
    assert not reading.whole


def test_a_folder_of_the_users_own_is_not_touched() -> None:
    """Without `unlock` no mode is changed: what may not be read is named."""

    def look(folder: Path) -> tuple[Reading, int, int]:
        (folder / "d").mkdir()
        (folder / "d" / "x").write_bytes(b"x")
        (folder / "f").write_bytes(b"x")
        (folder / "f").chmod(0o000)
        (folder / "d").chmod(0o000)
        reading = read(folder)
        return reading, (folder / "d").stat().st_mode & 0o777, (folder / "f").stat().st_mode & 0o777

    reading, folder_mode, file_mode = as_user(look)
    assert (folder_mode, file_mode) == (0, 0)
    assert reading.tree == {}
    assert reading.oddities == ("d: unreadable (EACCES)", "f: unreadable (EACCES)")
    assert not reading.whole


def test_a_locked_root_of_a_copy_is_read() -> None:
    """The root itself may have been locked."""

    def look(folder: Path) -> Reading:
        (folder / "copy").mkdir()
        (folder / "copy" / "x").write_bytes(b"x")
        (folder / "copy").chmod(0o000)
        return read(folder / "copy", unlock=True)

    assert as_user(look) == Reading({"x": File(b"x")})


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a device")
def test_devices_are_not_opened(tmp_path: Path) -> None:
    """A device is named by its kind; the one that overlays use as a sign is no more than that here."""
    os.mknod(tmp_path / "null", 0o020666, os.makedev(1, 3))
    os.mknod(tmp_path / "disk", 0o060666, os.makedev(259, 250))
    os.mknod(tmp_path / "sign", 0o020000, os.makedev(0, 0))
    assert read(tmp_path) == Reading(
        {}, ("disk: block device", "null: character device", "sign: character device 0:0"), whole=False
    )


@pytest.mark.parametrize(
    ("caps", "expected", "oddity"),
    [
        ((2, 99, 99), ["a", "d/c"], "b: larger than 2 bytes, not read"),
        ((99, 4, 99), ["a", "b"], "d/c: beyond 4 bytes in all, not read"),
        ((99, 99, 2), ["a", "b"], "more than 2 entries, the rest was not read"),
    ],
)
def test_a_cap_that_is_met_is_named(
    caps: tuple[int, int, int], expected: list[str], oddity: str, tmp_path: Path
) -> None:
    """Past a cap nothing is read, and the reading is not whole."""
    write({"a": File(b"1"), "b": File(b"123"), "d/c": File(b"1")}, tmp_path / "t")
    max_file, max_total, max_entries = caps
    reading = read(tmp_path / "t", max_file=max_file, max_total=max_total, max_entries=max_entries)
    assert sorted(reading.tree) == expected
    assert reading.oddities == (oddity,)
    assert not reading.whole


def test_caps_that_are_just_kept_cost_nothing(tmp_path: Path) -> None:
    """A tree of exactly the permitted size is whole."""
    tree: dict[str, Node] = {"a": File(b"1"), "b": File(b"123"), "d/c": File(b"1")}
    write(tree, tmp_path / "t")
    assert read(tmp_path / "t", max_file=3, max_total=5, max_entries=4) == Reading(tree)


def test_a_flood_of_names_is_not_listed(tmp_path: Path) -> None:
    """A folder with far more entries than the cap is left after the cap, not read to its end."""
    for number in range(500):
        (tmp_path / str(number)).touch()
    reading = read(tmp_path, max_entries=50)
    assert len(reading.tree) == 50
    assert reading.oddities == ("more than 50 entries, the rest was not read",)


@pytest.mark.parametrize("form", ["folder", "file", "link"])
def test_the_repository_of_the_root_is_not_part_of_the_tree(form: str, tmp_path: Path) -> None:
    """Whatever `.git` is at the root, it is not read; below the root it is a folder like any other."""
    git = tmp_path / ".git"
    if form == "folder":
        git.mkdir()
        (git / "config").write_bytes(b"")
    elif form == "file":
        git.write_bytes(b"gitdir: evil\n")
    else:
        git.symlink_to("/")
    (tmp_path / "sub" / ".git").mkdir(parents=True)
    (tmp_path / "sub" / ".git" / "config").write_bytes(b"[core]\n")
    (tmp_path / ".gitignore").write_bytes(b"")
    assert read(tmp_path) == Reading({"sub/.git/config": File(b"[core]\n"), ".gitignore": File(b"")})


def test_a_root_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    """The folder itself must be a folder."""
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    with pytest.raises(OSError, match="link"):
        read(tmp_path / "link")


REFUSED: list[dict[str, Node]] = [
    {"../x": File(b"")},
    {"/x": File(b"")},
    {"a//b": File(b"")},
    {"a/./b": File(b"")},
    {"": File(b"")},
    {"a\0b": File(b"")},
    {"a": Symlink("/tmp"), "a/b": File(b"")},
    {"a": File(b""), "a/b": File(b"")},
]


@pytest.mark.parametrize("tree", REFUSED)
def test_a_tree_that_no_folder_can_hold_is_not_written(tree: dict[str, Node], tmp_path: Path) -> None:
    """Nothing is written of a tree with a path out of it, or through a link."""
    with pytest.raises(ValueError, match="path"):
        write(tree, tmp_path / "t")
    assert not (tmp_path / "t").exists()


def test_only_an_empty_folder_is_written_to(tmp_path: Path) -> None:
    """A folder with anything in it, or a link to one, is refused."""
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").touch()
    (tmp_path / "empty").mkdir()
    (tmp_path / "link").symlink_to("empty")
    for name in ("full", "link"):
        with pytest.raises(OSError, match=name):
            write({"a": File(b"")}, tmp_path / name)
    write({"a": File(b"")}, tmp_path / "empty")
    assert read(tmp_path / "empty").tree == {"a": File(b"")}


def test_modes_do_not_depend_on_the_umask(tmp_path: Path) -> None:
    """Whoever runs inside can read the copy, however strict the harness's umask is."""
    before = os.umask(0o077)
    try:
        write({"d/run": File(b"", executable=True), "d/file": File(b"")}, tmp_path / "t")
    finally:
        os.umask(before)
    modes = [(tmp_path / "t" / path).stat().st_mode & 0o777 for path in ("", "d", "d/run", "d/file")]
    assert modes == [0o755, 0o755, 0o755, 0o644]
