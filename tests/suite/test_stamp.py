"""The stamp of a green audit: the same bytes for the same proof, and by name what of it no longer holds."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from gate.audited import AuditState, Stamp
from gate.errors import ConfigError
from gate.suite import stamp as stamps
from gate.suite.schema import validator

A, B, C, D, E = (f"{digit}" * 64 for digit in "abcde")
STAMP = Stamp(A, B, C, (D,), {"fix-01": A, "fix-02": B})


def test_a_stamp_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    """Twice the same bytes, no other file left beside it, and a file that its schema allows."""
    path = tmp_path / stamps.NAME
    assert stamps.read(path) is None
    for found in ({"canaries": 2}, None, {"canaries": 2}):
        stamps.write(path, STAMP, found)
        assert stamps.read(path) == STAMP
    assert path.read_bytes() == stamps.to_bytes(STAMP, {"canaries": 2})
    assert [one.name for one in tmp_path.iterdir()] == [stamps.NAME]
    assert validator("stamp").is_valid(STAMP.to_json())
    assert not validator("stamp").is_valid(STAMP.to_json() | {"verdict": "PASS"})


def test_a_stamp_that_cannot_be_written_leaves_the_last_one(tmp_path: Path) -> None:
    """A folder in the way of the new file is a usage error, and what was there is still there."""
    path = tmp_path / stamps.NAME
    stamps.write(path, STAMP)
    (tmp_path / f"{stamps.NAME}.new").mkdir()
    with pytest.raises(ConfigError, match="cannot be written"):
        stamps.write(path, dataclasses.replace(STAMP, suite=E))
    assert stamps.read(path) == STAMP


GOOD = stamps.to_bytes(STAMP)
GARBAGE = {
    b"": ":1: is empty",
    b"[]\n": ":1: expected a mapping",
    b"<<<<<<< HEAD\n" + GOOD: ":3: is not YAML",
    GOOD[:-20]: ":12: is not YAML",
    GOOD.replace(b'"schema": 1', b'"schema": 2'): ":11: schema: expected 1",
    GOOD.replace(b'"graders"', b'"grader"'): ":7: grader: unknown key",
    GOOD.replace(B.encode(), b"b" * 63): ":7: graders: expected a sha256 in hex",
    GOOD.replace(f'    "{D}"\n'.encode(), b""): ":8: interpreters: must not be empty",
    GOOD.replace(b'"suite"', b'"audit"'): ":12: audit: the key stands twice",
    b"\xff": ":1: is not UTF-8",
}


@pytest.mark.parametrize(("text", "told"), GARBAGE.items())
def test_a_stamp_that_is_none_is_an_error_with_its_line(tmp_path: Path, text: bytes, told: str) -> None:
    """Half a file, a merge conflict, another version, a key too many or twice: refused, never taken for no stamp."""
    path = tmp_path / stamps.NAME
    path.write_bytes(text)
    with pytest.raises(ConfigError) as caught:
        stamps.read(path)
    lines = caught.value.message.splitlines()
    assert any(line.startswith(f"{path}{told}") for line in lines), lines
    assert all(line.endswith("`gate audit` writes it anew") for line in lines)


def test_a_link_to_nowhere_is_not_the_absence_of_a_stamp(tmp_path: Path) -> None:
    """A dangling link is an error: somebody meant something by it."""
    (tmp_path / stamps.NAME).symlink_to("nowhere")
    with pytest.raises(ConfigError, match="cannot be read"):
        stamps.read(tmp_path / stamps.NAME)


CHANGES = [
    ({}, (), ()),
    ({"suite": E, "canaries": {"fix-01": A, "fix-02": E}}, ("suite",), ("fix-02",)),
    ({"suite": E, "canaries": {"fix-01": A, "fix-03": C}}, ("suite",), ("fix-02", "fix-03")),
    ({"suite": E}, ("suite",), ()),
    ({"canaries": {"fix-01": A, "fix-02": E}}, ("suite",), ("fix-02",)),
    ({"graders": E}, ("graders",), ()),
    ({"interpreters": (E,)}, ("interpreters",), ()),
    ({"interpreters": ()}, ("interpreters",), ()),
    ({"audit": E}, ("audit",), ()),
    ({"audit": E, "graders": E, "suite": E, "interpreters": (E,)}, ("suite", "graders", "interpreters", "audit"), ()),
]


@pytest.mark.parametrize(("now", "changed", "canaries"), CHANGES)
def test_what_changed_is_named(now: dict[str, object], changed: tuple[str, ...], canaries: tuple[str, ...]) -> None:
    """Each part by itself, and of the suite the canaries; a run does not ask for the catalogue of cheats."""
    present = dataclasses.replace(STAMP, **now)  # type: ignore[arg-type]  # a table of fields
    found = stamps.state(STAMP, present)
    assert found == AuditState(True, changed, canaries)
    assert found.current is (changed == ())
    for_a_run = stamps.state(STAMP, present, audit=False)
    assert for_a_run.changed == tuple(part for part in changed if part != "audit")
    assert all(name in found.text for name in canaries)


def test_no_stamp_is_never_audited() -> None:
    """Without a file nothing holds, and the remedy is named."""
    found = stamps.state(None, STAMP)
    assert (found.current, found.name) == (False, "never")
    assert "run `gate audit`" in found.text


def test_the_same_audit_on_another_interpreter_adds_to_the_stamp() -> None:
    """Both machines hold a current stamp then; after any other change only what was audited now counts."""
    here = dataclasses.replace(STAMP, interpreters=(E,))
    both = stamps.joined(STAMP, here)
    assert [stamps.state(both, one).current for one in (STAMP, here)] == [True, True]
    assert stamps.joined(None, here) == here
    for field in ("suite", "graders", "audit"):
        other = dataclasses.replace(here, **{field: E})  # type: ignore[arg-type]  # a name of a field
        assert stamps.joined(STAMP, other) == other


STATES = [AuditState(False), AuditState(True), AuditState(True, ("suite", "audit"), ("fix-01",))]


@pytest.mark.parametrize("state", STATES)
def test_a_state_survives_run_json(state: AuditState) -> None:
    """It is read back as it was, and what is not one is refused instead of being taken for current."""
    data = state.to_json()
    assert AuditState.from_json(data) == state
    wrong: list[Any] = [data | {"changed": ["luck"]}, data | {"canaries": [1]}, {}, [], "current", None]
    wrong += [data | {"state": "current"} for _ in state.changed]
    for value in wrong:
        with pytest.raises((KeyError, TypeError, ValueError)):
            AuditState.from_json(value)
