"""What a sandboxed command finds in its environment."""

from __future__ import annotations

import pytest

from gate.sandbox.environment import clean

PLACES = {"tmp": "/tmp", "home": "/tmp/home", "cwd": "/copy"}


def test_nothing_of_the_harness_gets_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment is built from nothing: a key in the harness's own is not in it, and no default is a secret."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-planted")
    monkeypatch.setenv("GITHUB_TOKEN", "planted")
    built = clean([], **PLACES)
    assert "planted" not in " ".join(built.values())
    assert built["HOME"] == "/tmp/home"
    assert built["TMPDIR"] == "/tmp"
    assert (built["TZ"], built["LANG"], built["CI"], built["PYTHONHASHSEED"]) == ("UTC", "C.UTF-8", "1", "0")


def test_the_policy_wins_over_the_defaults() -> None:
    """A variable the policy sets replaces the default of that name."""
    assert clean([("TZ", "Asia/Tokyo"), ("MINE", "1")], **PLACES)["TZ"] == "Asia/Tokyo"


@pytest.mark.parametrize(
    "name",
    [
        "LD_PRELOAD",
        "LD_LIBRARY_PATH",
        "DYLD_INSERT_LIBRARIES",
        "GLIBC_TUNABLES",
        "BASH_ENV",
        "ENV",
        "BASH_FUNC_ls%%",
        "IFS",
    ],
)
def test_a_variable_that_loads_code_is_refused(name: str) -> None:
    """setpriv and the shell start with these variables before the last privilege is gone."""
    with pytest.raises(ValueError, match=r"fence|variable"):
        clean([(name, "/copy/evil.so")], **PLACES)


@pytest.mark.parametrize(
    ("name", "value"), [("", "x"), ("A=B", "x"), ("1A", "x"), ("A", "x\0y"), ("A B", "x"), ("Ä", "x")]
)
def test_what_is_no_variable_is_refused(name: str, value: str) -> None:
    """Names are C identifiers and values hold no NUL."""
    with pytest.raises(ValueError, match="variable"):
        clean([(name, value)], **PLACES)
