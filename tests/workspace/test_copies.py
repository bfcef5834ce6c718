"""Throwaway copies: fresh, owned by who works in them, and gone without a trace."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from gate.errors import ConfigError
from gate.workspace.copy import Copies
from gate.workspace.removal import remove
from gate.workspace.tree import File, Node, Symlink, write
from tests.workspace import mess
from tests.workspace.unprivileged import as_user

TREE: dict[str, Node] = {
    "src/a.py": File(b"a\n"),
    "run": File(b"#!/bin/sh\n", executable=True),
    "l": Symlink("/etc/passwd"),
}


@pytest.fixture
def fixture(tmp_path: Path) -> Path:
    """A fixture's folder with a name that an agent should not see."""
    folder = tmp_path / "fixture-secret-name"
    write(TREE, folder)
    return folder


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    """An empty folder for copies."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    return folder


def test_a_copy_is_a_new_folder_of_its_own(fixture: Path, scratch: Path) -> None:
    """Two copies share no file with each other or the fixture, and no name in their paths tells of it."""
    copies = Copies(scratch, owner=None, overlay=False)
    one, two = copies.open(fixture), copies.open(fixture)
    with (one.root / "src" / "a.py").open("ab") as file:
        file.write(b"changed\n")
    assert one.after().tree == {**TREE, "src/a.py": File(b"a\nchanged\n")}
    assert two.after().tree == TREE
    assert copies.base(fixture) == TREE
    assert (fixture / "src" / "a.py").read_bytes() == b"a\n"
    assert (fixture / "src" / "a.py").stat().st_nlink == 1
    assert "secret" not in str(one.root.relative_to(scratch))
    one.remove()
    two.remove()
    assert list(scratch.iterdir()) == []


def test_a_fixture_is_read_once(fixture: Path, scratch: Path) -> None:
    """What changes in the fixture's folder during a run changes no copy."""
    copies = Copies(scratch, owner=None, overlay=False)
    copies.open(fixture)
    (fixture / "late").touch()
    assert copies.open(fixture).after().tree == TREE


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
@pytest.mark.parametrize("overlay", [False, True])
def test_an_owner_owns_all_of_a_copy(overlay: bool, fixture: Path, scratch: Path) -> None:
    """Everything that the fence shows belongs to the uid that works inside, links too; the fixture does not."""
    copies = Copies(scratch, owner=65534, overlay=overlay, overlay_from=1)
    space = copies.open(fixture)
    tops = (
        [space.root]
        if space.overlay is None
        else [space.root, *(space.overlay.lower, space.overlay.upper, space.overlay.work)]
    )
    owned = [path for top in tops for path in (top, *top.rglob("*"))]
    assert len(owned) == (5 if not overlay else 8)
    assert {(path.lstat().st_uid, path.lstat().st_gid) for path in owned} == {(65534, 65534)}
    assert (fixture / "src").stat().st_uid == 0


def test_the_lower_layer_is_staged_once(fixture: Path, scratch: Path) -> None:
    """Overlays of one fixture share the lower layer and nothing else, also when they are opened at once."""
    copies = Copies(scratch, owner=None, overlay=True, overlay_from=1)
    with ThreadPoolExecutor(4) as pool:
        spaces = list(pool.map(lambda _: copies.open(fixture), range(8)))
    layers = [space.overlay for space in spaces if space.overlay is not None]
    assert len(layers) == 8
    assert len({layer.lower for layer in layers}) == 1
    assert len({layer.upper for layer in layers} | {layer.work for layer in layers}) == 16
    for space in spaces:
        assert space.after().tree == TREE
        space.remove()
    assert list(scratch.iterdir()) == [layers[0].lower]


def test_a_small_fixture_is_copied(fixture: Path, scratch: Path) -> None:
    """Below `overlay_from` files a plain copy is cheaper than a mount."""
    assert Copies(scratch, owner=None, overlay=True, overlay_from=4).open(fixture).overlay is None
    assert Copies(scratch, owner=None, overlay=True, overlay_from=3).open(fixture).overlay is not None


def test_a_fixture_that_is_not_a_tree_is_a_configuration_error(fixture: Path, scratch: Path) -> None:
    """A FIFO in a fixture, or no fixture at all, is said before anything runs."""
    copies = Copies(scratch, owner=None, overlay=False)
    os.mkfifo(fixture / "pipe")
    with pytest.raises(ConfigError, match="pipe: FIFO"):
        copies.open(fixture)
    with pytest.raises(ConfigError, match="cannot be read"):
        copies.open(fixture / "nowhere")


def test_hard_links_in_a_fixture_are_no_error(fixture: Path, scratch: Path) -> None:
    """A checkout may share its files with a cache; the copy does not."""
    os.link(fixture / "run", fixture.parent / "elsewhere")
    space = Copies(scratch, owner=None, overlay=False).open(fixture)
    assert space.after().tree == TREE
    assert (space.root / "run").stat().st_nlink == 1


def _removed(folder: Path) -> list[str]:
    """What is left of a copy with every mess in it, and what is left beside it."""
    root = folder / "place" / "copy"
    root.mkdir(parents=True)
    (folder / "outside").mkdir()
    (folder / "outside" / "kept").write_bytes(b"kept")
    mess.make(root)
    (root / "out").symlink_to(folder / "outside")
    mess.dig(root / ".removing-0", 40, b"x" * 200)
    (root / ".removing-1").mkdir()
    (root / ".removing-1" / ".removing-0").touch()
    (root / "locked").chmod(0o700)
    (root / "locked" / "more").mkdir()
    (root / "locked" / "more" / "x").touch()
    (root / "locked" / "more").chmod(0o000)
    (root / "locked").chmod(0o000)
    root.chmod(0o000)
    remove(folder / "place")
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


@pytest.mark.parametrize("privileged", [False, True])
def test_whatever_was_left_is_removed(privileged: bool, tmp_path: Path) -> None:
    """Locked, deep and oddly named things go, for root and for a user; what a link points to stays."""
    left = _removed(tmp_path) if privileged else as_user(_removed)
    assert left == ["outside", "outside/kept"]


def test_removing_nothing_is_fine(tmp_path: Path) -> None:
    """A copy that is gone already is removed; a link in its place is not followed."""
    remove(tmp_path / "nothing")
    (tmp_path / "kept").mkdir()
    (tmp_path / "link").symlink_to("kept")
    with pytest.raises(OSError, match="link"):
        remove(tmp_path / "link")
    assert (tmp_path / "kept").is_dir()
