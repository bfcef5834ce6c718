"""An overlay is a plain copy that costs less: whatever is done in it, the tree read back is the same."""

from __future__ import annotations

import os
import platform
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gate.errors import HarnessBroken
from gate.workspace.copy import Copies
from gate.workspace.layers import merge
from gate.workspace.patch import diff
from gate.workspace.tree import File, Node, Reading, Symlink, write
from tests.workspace.overlay_mount import portable_bwrap, run_inside
from tests.workspace.unprivileged import as_user

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="overlays are Linux's")

BASE: dict[str, Node] = {
    "a": File(b"a\n"),
    "run": File(b"#!/bin/sh\n", executable=True),
    "link": Symlink("a"),
    "d/a": File(b"da\n"),
    "d/b": File(b"db\n"),
    "d/e/a": File(b"dea\n"),
    "d/e/f/a": File(b"defa\n"),
    "d-not-below": File(b"x\n"),
    "d0": File(b"x\n"),
    "z/only": File(b"z\n"),
}

SCRIPTS = {
    "nothing": "true",
    "reading": "cat a d/a >/dev/null",
    "touching": "touch a d/b; chmod 644 a",
    "a new file": "echo n > new; mkdir -p x/y; echo n > x/y/new",
    "writing": "echo w > a; echo w > d/e/f/a",
    "appending": "echo w >> d/a",
    "the same bytes": "echo a > a",
    "modes": "chmod +x a d/b; chmod -x run",
    "locked": "chmod 000 a; chmod 000 d/e; chmod 111 run",
    "removing a file": "rm a d/b",
    "removing a folder": "rm -r d",
    "removing all of a folder": "rm z/only; rmdir z",
    "removing everything": "rm -r a run link d d-not-below d0 z",
    "a folder made anew": "rm -r d; mkdir d; echo n > d/new",
    "a folder made anew below": "rm -r d/e; mkdir -p d/e/f; echo n > d/e/f/b",
    "a folder made anew, empty": "rm -r d/e; mkdir d/e",
    "removed and written again": "rm a; echo a > a",
    "a file renamed": "mv a b; mv d/a d/e/moved",
    "a file renamed over another": "mv a d/a",
    "a folder renamed": "mv d D",
    "a folder renamed and its old name used": "mv d/e d/g; echo n > d/e",
    "a folder swapped": "mv d t; mv z d; mv t z",
    "a folder that becomes a file": "rm -r d; echo n > d",
    "a folder that becomes a link": "rm -r d; ln -s z d",
    "a file that becomes a folder": "rm a; mkdir a; echo n > a/b",
    "a file that becomes a link": "ln -sf d/b a",
    "a link that becomes a file": "rm link; echo n > link",
    "a link that moves": "ln -sfn z link",
    "writing through a link": "echo n >> link",
    "an empty folder": "mkdir -p empty/er",
    "an empty file": ": > e; : > a",
    "odd names": "echo n > \"$(printf 'new\\nline')\"; echo n > ' '; echo n > '\\'; echo n > \"$(printf '\\377')\"",
    "a FIFO": "mkfifo fifo; rm a; mkfifo a",
    "a socket's place": "rm -r d; mkfifo d",
    "a repository": "mkdir .git; echo n > .git/config; mkdir d/.git; echo n > d/.git/config",
    "a hard link": "ln a a2; echo more >> a2",
}

# What these do is not part of a tree.
UNSEEN = {"nothing", "reading", "touching", "the same bytes", "locked", "removed and written again", "an empty folder"}


def _both(bwrap: Path, folder: Path, script: str) -> tuple[Reading, Reading]:
    """What a script left in a plain copy, and in an overlay."""
    fixture, scratch = folder / "fixture", folder / "scratch"
    if not fixture.exists():
        write(BASE, fixture)
        scratch.mkdir()
    owner = 65534 if os.geteuid() == 0 else None
    left = []
    for overlay in (False, True):
        space = Copies(scratch, owner=owner, overlay=overlay, overlay_from=1).open(fixture)
        assert (space.overlay is not None) == overlay
        run_inside(bwrap, space, script)
        left.append(space.after())
        if overlay:
            assert list(space.root.iterdir()) == [], "the script wrote beside the overlay"
        space.remove()
        assert not space.place.exists()
    return left[0], left[1]


@pytest.fixture(scope="module")
def bwrap() -> Iterator[Path]:
    """A bwrap that root and a user may run."""
    with tempfile.TemporaryDirectory(prefix="canary-test-", dir="/tmp") as folder:
        Path(folder).chmod(0o755)
        yield portable_bwrap(Path(folder))


@pytest.mark.parametrize("script", SCRIPTS)
def test_an_overlay_is_read_back_like_a_copy(script: str, bwrap: Path, tmp_path: Path) -> None:
    """The same script leaves the same tree in a plain copy and in an overlay, in the way that this process mounts."""
    plain, overlay = _both(bwrap, tmp_path, SCRIPTS[script])
    assert overlay == plain
    if script not in UNSEEN:
        assert plain.tree != BASE or not plain.whole, "the script did nothing"


@pytest.mark.skipif(os.geteuid() != 0, reason="the test above is that of a user already")
def test_an_overlay_of_a_user_is_read_back_like_a_copy(bwrap: Path) -> None:
    """In a user's namespace too, where nothing can be read by privilege."""
    results = as_user(lambda folder: {name: _both(bwrap, folder, script) for name, script in SCRIPTS.items()})
    assert {name: overlay for name, (_, overlay) in results.items()} == {
        name: plain for name, (plain, _) in results.items()
    }
    assert sum(plain.tree != BASE for plain, _ in results.values()) >= len(SCRIPTS) - len(UNSEEN)


PLACES = ["a", "d", "d/e", "d/e/f", "d/b", "z", "n", "n/m"]
place = st.sampled_from(PLACES)
step = st.one_of(
    st.builds("echo {0} > {1}".format, st.integers(0, 3), place),
    st.builds("echo {0} >> {1}".format, st.integers(0, 3), place),
    st.builds("rm -rf {0}".format, place),
    st.builds("mkdir -p {0}".format, place),
    st.builds("mv -T {0} {1}".format, place, place),
    # Not into itself: how far cp gets then depends on the order in which the folder lists its entries.
    st.tuples(place, place)
    .filter(lambda two: not two[1].startswith(two[0] + "/"))
    .map(lambda two: "cp -rT {} {}".format(*two)),
    st.builds("ln -sfn {0} {1}".format, place, place),
    # Of files only: a folder that may not be entered can be renamed, but not copied, which is how mv moves it here.
    st.builds("[ -d {1} ] || chmod {0} {1}".format, st.sampled_from(["755", "644", "000", "700"]), place),
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(step, min_size=2, max_size=12))
def test_whatever_is_done_is_read_back_alike(bwrap: Path, tmp_path: Path, steps: list[str]) -> None:
    """Any sequence of edits, failing ones among them, leaves the same tree in both."""
    plain, overlay = _both(bwrap, tmp_path, "set +e\n" + "\n".join(steps) + "\ntrue")
    assert overlay.tree == plain.tree
    assert diff(BASE, overlay.tree) == diff(BASE, plain.tree)


SETXATTR = {"x86_64": 188, "aarch64": 5}


@pytest.mark.skipif(platform.machine() not in SETXATTR, reason="the number of the system call is not known here")
def test_an_agent_cannot_forge_the_marks_of_an_overlay(bwrap: Path, tmp_path: Path) -> None:
    """Attributes and devices that mean something in an upper layer are escaped or refused when set from inside."""
    number = SETXATTR[platform.machine()]
    names = ["user.harmless", "user.overlay.opaque", "user.overlay.redirect", "trusted.overlay.opaque"]
    tries = "".join(f'set("{name}");' for name in names)
    perl = (
        f'sub set {{ my ($d, $n, $v) = ("d", $_[0], "y"); print syscall({number}, $d, $n, $v, 1, 0), "\\n" }} {tries}'
    )
    fixture, scratch = tmp_path / "fixture", tmp_path / "scratch"
    write(BASE, fixture)
    scratch.mkdir()
    owner = 65534 if os.geteuid() == 0 else None
    space = Copies(scratch, owner=owner, overlay=True, overlay_from=1).open(fixture)
    said = run_inside(bwrap, space, f"mknod forged c 0 0 2>&1 || true; perl -e '{perl}'")
    assert "not permitted" in said
    assert said.split("\n")[1] == "0", "not even a harmless attribute could be set, so nothing was tried"
    assert space.after() == Reading(dict(BASE))


def _user_attributes(folder: Path) -> bool:
    try:
        os.setxattr(folder, "user.overlay.test", b"")
    except OSError:
        return False
    os.removexattr(folder, "user.overlay.test")
    return True


def test_the_other_form_of_a_whiteout_is_a_whiteout(tmp_path: Path) -> None:
    """An empty file with the attribute is a deletion in a folder that says it has such files, and a file elsewhere."""
    if not _user_attributes(tmp_path):
        pytest.skip("this file system keeps no attributes of users")
    for folder in ("d", "z"):
        (tmp_path / folder).mkdir()
    for path in ("d/a", "d/b", "z/only"):
        (tmp_path / path).touch()
    os.setxattr(tmp_path / "d", "user.overlay.opaque", b"x")
    os.setxattr(tmp_path / "d" / "a", "user.overlay.whiteout", b"y")
    os.setxattr(tmp_path / "z" / "only", "user.overlay.whiteout", b"y")
    expected = {**BASE, "d/b": File(b""), "z/only": File(b"")}
    del expected["d/a"]
    assert merge(BASE, tmp_path) == Reading(expected)


@pytest.mark.parametrize("name", ["user.overlay.redirect", "user.overlay.metacopy", "trusted.overlay.opaque"])
def test_a_layer_that_means_more_than_it_shows_is_refused(name: str, tmp_path: Path) -> None:
    """A redirect, a file without data, or another kind of mount's marks end the verb: the tree would be wrong."""
    if not _user_attributes(tmp_path) or (name.startswith("trusted") and os.geteuid() != 0):
        pytest.skip("such an attribute cannot be set here")
    (tmp_path / "d").mkdir()
    os.setxattr(tmp_path / "d", name, b"/z")
    with pytest.raises(HarnessBroken, match=name):
        merge(BASE, tmp_path)
