"""The frame around a prompt: what it shows, what it never shows, and what its hash covers."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.errors import ConfigError
from gate.outcome import Slice
from gate.suite.canary import Budget, Canary, Expect
from gate.suite.template import HOLES, TASK_TEMPLATE, load_template, prompt_sha256, render
from tests.suite.desk import Desk


def canary(prompt: str) -> Canary:
    """A canary of which only the prompt matters."""
    return Canary("secret-id", Slice.HIDDEN, "bugfix", "python", Path("s"), Path("f"), prompt, Budget(), Expect())


def test_the_built_in_frame(desk: Desk) -> None:
    """The agent reads the prompt and what it must not touch; nothing names the answer, the slice or the id."""
    task = desk.load().canaries[0]
    text = render(TASK_TEMPLATE, task)
    assert "Repair `add` in calc.py.\n" in text
    assert "Files that must stay as they are: pnpm-lock.yaml, .github/**\n" in text
    for secret in ("fix-01", "public", "goldens", "hidden", "test_more", str(desk.root)):
        assert secret not in text


def test_every_hole_is_filled(desk: Desk) -> None:
    """Each hole of a template of one's own gets its value, and says so where there is no limit."""
    task = desk.load().canaries[0]
    template = "|".join(f"{{{hole}}}" for hole in HOLES)
    assert render(template, task) == ("Repair `add` in calc.py.|pnpm-lock.yaml, .github/**|*.py|python|12|8000|60")
    assert render(template, canary("x")) == "x|none|all others|python|no limit|no limit|120"


@settings(max_examples=100, deadline=None)
@given(st.text().filter(lambda text: not text.endswith("\n")))
def test_a_prompt_is_never_a_template(prompt: str) -> None:
    """Whatever braces a prompt holds, holes included, it reaches the agent as it was written."""
    assert prompt in render(TASK_TEMPLATE, canary(prompt))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "Do {prompt}\nmind {forbiden_paths}\n",
            ":2: unknown hole `{forbiden_paths}`; perhaps you meant `forbidden_paths`",
        ),
        ("Do it.\n", ": has no `{prompt}`, so every canary would be asked the same"),
        (b"\xff{prompt}", ": is not UTF-8"),
    ],
)
def test_a_template_that_cannot_work_is_refused(desk: Desk, text: str | bytes, reason: str) -> None:
    """A misspelt hole, a frame without the prompt and a file that is not text are refused with the line."""
    path = desk.write("prompt.txt", text)
    with pytest.raises(ConfigError) as caught:
        load_template(path)
    assert str(caught.value).startswith(f"{path}{reason}")


def test_braces_that_are_no_holes_are_kept(desk: Desk) -> None:
    """JSON in a template is text."""
    path = desk.write("prompt.txt", '{"a": {"b": 1}} {prompt} {X} {}')
    assert render(load_template(path), canary("p")) == '{"a": {"b": 1}} p {X} {}'


def test_the_prompt_hash_covers_template_and_card() -> None:
    """Either of the two changes the hash, and moving text from one to the other does not hide it."""
    one = prompt_sha256("template", b"card")
    assert one == prompt_sha256("template", b"card")
    others = [("templat", b"ecard"), ("template ", b"card"), ("template", b"card ")]
    assert len({one, *(prompt_sha256(*other) for other in others)}) == 4
